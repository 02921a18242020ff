"""The filter: what it is given and cannot take is told in words, and leaves nothing behind."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from letters import letter

from bayleaf import StoreError
from bayleaf.errors import BadValueError
from bayleaf.mail import Filter


@pytest.mark.parametrize("raw", [None, 1, bytearray(b"Subject: a"), memoryview(b"Subject: a"), EmailMessage()])
def test_what_is_no_mail_is_refused_in_words(raw: Any) -> None:
    words = f"found a mail of type {type(raw).__name__}, expected bytes, or a str"
    with Filter.open(":memory:") as f:
        for call in (
            lambda: f.judge(raw),
            lambda: f.train(raw, "spam"),
            lambda: f.untrain(raw),
            lambda: f.train_many([(raw, "spam")]),
        ):
            with pytest.raises(BadValueError, match=words):
                call()


@pytest.mark.parametrize("label", [None, 1, b"spam", ("spam",)])
def test_what_is_no_label_is_refused_in_words(label: Any) -> None:
    with Filter.open(":memory:") as f, pytest.raises(BadValueError, match=r"found the label .*, expected a word"):
        f.train(letter(1, "spam"), label)


@pytest.mark.parametrize("labels", ["spam", ("spam", "spam"), ("spam", "unsure"), ("",), (1, 2), ("a\nb",)])
def test_a_store_is_not_made_with_labels_that_cannot_be_used(labels: Any, tmp_path: Path) -> None:
    with pytest.raises(BadValueError, match="found the label"):
        Filter.open(tmp_path / "m.db", labels=labels)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("place", [None, 3, b"m.db"])
def test_a_store_is_not_made_of_what_is_no_path(place: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match="expected a path or an address"):
        Filter.open(place)
    assert not list(tmp_path.iterdir())


def test_fewer_threads_than_none_are_refused() -> None:
    with Filter.open(":memory:") as f, pytest.raises(BadValueError, match="found -1 threads, expected 1 or more"):
        f.train_many([(letter(1, "spam"), "spam")], threads=-1)


def test_a_closed_filter_and_another_thread_are_told_as_such(place: str) -> None:
    said: list[str] = []

    def judge() -> None:
        with pytest.raises(StoreError) as told:
            f.judge(letter(1, "spam"))
        said.append(str(told.value))

    f = Filter.open(place)
    other = Thread(target=judge)
    other.start()
    other.join()
    f.close()
    f.close()
    judge()
    assert "found a call from another thread" in said[0]
    assert "than the one that opened the store; open it in each" in said[0]
    assert said[1].endswith("found a store that was closed; open it again")
    with pytest.raises(StoreError, match="found a store that was closed"):
        f.train(letter(1, "spam"), "spam")


def test_a_filter_that_is_closed_twice_leaves_the_other_one_of_its_database_open(place: str) -> None:
    with Filter.open(place) as shared:
        own = Filter.open(f"{place}-own", shared=shared)
        own.close()
        own.close()
        assert shared.train(letter(1, "spam"), "spam") == "learned"
        with pytest.raises(StoreError, match="found a store that was closed"):
            own.train(letter(1, "spam"), "spam")
