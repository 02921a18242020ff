"""Addresses of stores in PostgreSQL: what they may be, and that no password is shown."""

from __future__ import annotations

import pytest

from bayleaf import StoreError
from bayleaf.mail import Filter
from bayleaf.store.address import Address, place

pytest.importorskip("psycopg")
from bayleaf.store.postgres.link import parts


def test_an_address_is_shown_without_its_password() -> None:
    with pytest.raises(StoreError) as caught:
        Filter.open("postgresql://ann:hunter2@127.0.0.1:1/mail?store=ann&connect_timeout=2")
    assert "ann:***@127.0.0.1:1/mail" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_an_address_in_a_list_that_is_printed_is_shown_without_its_password() -> None:
    found = str([Address.parse("postgresql://ann:hunter2@db.example/mail")])
    assert found == "[<Address postgresql://ann:***@db.example/mail?store=bayleaf>]"


@pytest.mark.parametrize("password", ["hun/ter2", "hun@ter2", "hun%ter2", "hun ter2", "12/hunter2", "hun@ter2/"])
def test_a_password_that_must_be_escaped_is_not_shown(password: str) -> None:
    with pytest.raises(StoreError, match="as %25 %2F %3F %40 %20") as caught:
        Filter.open(f"postgresql://ann:{password}@127.0.0.1:1/mail")
    assert "ann:***@127.0.0.1:1/mail" in str(caught.value)
    assert "ter2" not in str(caught.value)


@pytest.mark.parametrize("name", ["passwd", "Pass", "pwd", "p%61ssword"])
def test_a_password_in_a_field_is_not_shown_though_its_name_is_wrong(name: str) -> None:
    with pytest.raises(StoreError) as caught:
        Filter.open(f"postgresql://ann@127.0.0.1:1/mail?{name}=hunter2&connect_timeout=2")
    assert f"{name}=***" in str(caught.value)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("text", ["postgresql:/ann:hunter2@db/mail", "host=db user=ann password=hunter2 dbname=mail"])
def test_an_address_in_another_form_is_no_file(text: str) -> None:
    with pytest.raises(StoreError, match="expected postgresql://user@host/database") as caught:
        place(text)
    assert "hunter2" not in str(caught.value)


def test_an_address_may_name_several_hosts() -> None:
    for hosts, ports in (("one,two", ","), ("one:5432,two:5433", "5432,5433"), ("one:5432,two", "5432,")):
        found = parts(f"postgresql://ann@{hosts}/mail")
        assert (found["host"], found["port"]) == ("one,two", ports)
    with pytest.raises(StoreError, match="one:54x2"):
        parts("postgresql://one:54x2/mail")


def test_the_name_of_a_store_may_be_escaped() -> None:
    assert Address.parse("postgresql:///mail?store=ann%20and%20bob").store == "ann and bob"


@pytest.mark.parametrize("name", ["", "x" * 64, "a\nb"])
def test_a_name_that_no_schema_can_have_is_refused(name: str) -> None:
    with pytest.raises(StoreError, match="store name"):
        Address("postgresql:///mail", name).checked()
