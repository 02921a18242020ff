"""What others do to a store: its schema made beforehand, taken away, put in place of another; poolers in between."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import psycopg
import pytest
from cluster import Cluster
from daemon import taught
from letters import letter, letters

from bayleaf.errors import StoreError
from bayleaf.mail import Filter
from bayleaf.service import LiveFilter
from bayleaf.store.address import Address

NewStore = Callable[[], str]


def run(place: Address, *statements: str) -> None:
    with psycopg.connect(place.database, autocommit=True) as link:
        for statement in statements:
            link.execute(statement.encode())


def test_a_schema_made_for_us_needs_no_right_to_make_one(cluster: Cluster) -> None:
    run(Address.parse(cluster.url()), "CREATE ROLE modest LOGIN", 'CREATE SCHEMA "given us" AUTHORIZATION modest')
    address = cluster.url("given%20us").replace("user=bayleaf", "user=modest")
    with Filter.open(address) as learner:
        assert learner.train(letter(1, "spam"), "spam") == "learned"
    with pytest.raises(StoreError, match="permission denied"):
        Filter.open(address.replace("given%20us", "not%20given"))
    with Filter.open(address) as shared:
        with pytest.raises(StoreError, match="permission denied"):
            Filter.open(Address.parse(address).beside("not given"), shared=shared)
        assert shared.train(letter(2, "spam"), "spam") == "learned", "over the same connection"


@pytest.mark.parametrize("options", ["", "&options=-cdefault_transaction_isolation%3Dserializable"])
def test_who_comes_while_a_store_is_made_finds_it(options: str, new_store: NewStore) -> None:
    place = Address.parse(new_store() + options)
    start, mails = Barrier(6), letters(3)

    def teach(mail: tuple[bytes, str]) -> str:
        start.wait()
        with Filter.open(place) as f:
            return f.train(*mail)

    with ThreadPoolExecutor(6) as pool:
        assert [*pool.map(teach, mails)] == ["learned"] * 6
    with Filter.open(place) as f:
        assert f.check()["mails"] == 6


def test_roles_that_may_only_judge_and_only_learn(new_store: NewStore) -> None:
    """The grants are those of docs/how-to/serve.md."""
    place = Address.parse(new_store())
    with Filter.open(place) as owner:
        owner.train_many(letters(20))
        read, write = "SELECT", "SELECT, INSERT, UPDATE, DELETE"
        for role, rights in (("judging", read), ("learning", write)):
            run(
                place,
                f"CREATE ROLE {role} LOGIN",
                f"GRANT USAGE ON SCHEMA {place.store} TO {role}",
                f"GRANT {rights} ON ALL TABLES IN SCHEMA {place.store} TO {role}",
            )
        with Filter.open(as_role(place, "judging")) as judge:
            assert judge.judge(letter(50, "spam")).scores == owner.judge(letter(50, "spam")).scores
            assert judge.check()["mails"] == 40
            with pytest.raises(StoreError, match="permission denied for table turn; ask for the rights"):
                judge.train(letter(50, "spam"), "spam")
        with Filter.open(as_role(place, "learning")) as learner:
            for mail, label in letters(30):
                learner.train(mail, label)
            assert learner.untrain(letter(29, "ham")) == "ham"
            learner.compact()
            assert learner.expire(0) == 0
        assert owner.check()["mails"] == 59


def as_role(place: Address, role: str) -> Address:
    return place._replace(database=place.database.replace("user=bayleaf", f"user={role}"))


def test_a_store_that_has_gone_is_not_replaced_by_an_empty_one(new_store: NewStore) -> None:
    place = Address.parse(new_store())
    live = LiveFilter(place)
    for raw, label in letters(10):
        live.train(raw, label).result()
    run(place, f"ALTER SCHEMA {place.store} RENAME TO {place.store}_away")
    for _ in range(2):
        with pytest.raises(StoreError):
            live.judge(letter(50, "spam"))
        with pytest.raises(StoreError):
            live.train(letter(50, "spam"), "spam").result()
        with pytest.raises(StoreError, match="bring it back"):
            live.ready()
    run(place, f"ALTER SCHEMA {place.store}_away RENAME TO {place.store}")
    assert live.judge(letter(50, "spam")).best == "spam"
    assert live.train(letter(50, "spam"), "spam").result() == "learned"
    live.close()


def test_another_store_in_its_place_is_not_asked_with_the_keys_of_the_old_one(
    new_store: NewStore, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each store has a secret of its own: keys made with another would be found nowhere, and be learned."""
    place, other = Address.parse(new_store()), tmp_path_factory.mktemp("other") / "m.db"
    with Filter.open(place) as asked:
        asked.train_many(letters(10))
        assert asked.judge(letter(50, "spam")).best == "spam"
        run(place, f"DROP SCHEMA {place.store} CASCADE")
        Filter.open(taught(other, 10)).backup(other.with_name("copy"))
        Filter.restore(other.with_name("copy"), place).close()
        with pytest.raises(StoreError, match="another store since it was opened"):
            asked.judge(letter(50, "spam"))
        with pytest.raises(StoreError, match="another store since it was opened"):
            asked.train(letter(50, "spam"), "spam")
    with Filter.open(place) as found:
        assert found.check()["mails"] == 20


def test_an_older_backup_in_its_place_is_read_anew(new_store: NewStore, tmp_path: Path) -> None:
    """It has the same secret, and gives the numbers of the runs that it lacks to others."""
    place = Address.parse(new_store())
    with Filter.open(place) as asked:
        for mail, label in letters(1):
            asked.train(mail, label)
        asked.backup(tmp_path / "old.db")
        for mail, label in letters(2):
            asked.train(mail, label)
        asked.store.state()
        run(place, f"DROP SCHEMA {place.store} CASCADE")
        with Filter.restore(tmp_path / "old.db", place) as restored:
            restored.train(letter(50, "ham"), "ham")
            assert asked.store.state().totals == restored.store.state().totals == (1, 2)
            assert asked.judge(letter(50, "ham")).scores == restored.judge(letter(50, "ham")).scores
        asked.compact()
        assert asked.check()["mails"] == 3


@pytest.mark.parametrize("theirs", ["meta(name TEXT, value TEXT)", "meta(name INTEGER)", "label(name TEXT)"])
def test_a_schema_of_another_program_is_refused(theirs: str, new_store: NewStore) -> None:
    place = Address.parse(new_store())
    run(place, f"CREATE SCHEMA {place.store}", f"CREATE TABLE {place.store}.{theirs}")
    if theirs.startswith("meta(name TEXT"):
        run(place, f"INSERT INTO {place.store}.meta VALUES ('version', '2.4.1')")
    with pytest.raises(StoreError, match="found tables that are no store, expected version 1"):
        Filter.open(place)


def test_nothing_is_prepared_that_a_pooler_would_look_for_elsewhere(new_store: NewStore) -> None:
    """PgBouncer leads each transaction to the next free connection of its own."""
    with Filter.open(new_store()) as f:
        f.train_many(letters(10))
        for mail, label in letters(20):
            f.train(mail, label)
            f.judge(mail)
        with f.store.ledger() as ledger:
            assert ledger.db.execute("SELECT name FROM pg_prepared_statements").fetchall() == []
