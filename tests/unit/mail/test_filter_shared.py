"""A filter whose counts are added to those of a shared one."""

from __future__ import annotations

from pathlib import Path

import pytest
from letters import letter, letters

from bayleaf import BadValueError, StoreError
from bayleaf.mail import Filter


def test_a_user_without_mails_judges_like_the_shared_store_and_learns_on_top(tmp_path: Path) -> None:
    shared = Filter.open(tmp_path / "shared.db")
    shared.train_many(letters(20))
    with Filter.open(tmp_path / "user.db", shared=shared) as user:
        assert user.judge(letter(100, "spam")).label == "spam"
        assert user.judge(letter(100, "spam")).probability == pytest.approx(
            shared.judge(letter(100, "spam")).probability
        )
        assert user.evidence().layer == shared.evidence().layer
        for n in range(200, 230):  # this user wants what others call spam
            user.train(letter(n, "spam"), "ham")
        assert user.status()["mails"] == {"spam": 20, "ham": 50}
        assert user.evidence().layer != shared.evidence().layer, "thirty mails are enough for one of their own"
        assert user.judge(letter(300, "spam")).probabilities["spam"] < shared.judge(letter(300, "spam")).probability
        assert shared.store.state().totals == (20, 20)
        shared.train(letter(400, "spam"), "spam")
        assert user.status()["mails"] == {"spam": 21, "ham": 50}, "what others teach is heard at once"


def test_a_store_that_is_its_own_shared_one_counts_once(place: str) -> None:
    """Who has set a shared store for all commands teaches it with the same setting."""
    with Filter.open(place) as f:
        f.train_many(letters(20))
    with (
        Filter.open(place) as alone,
        Filter.open(place, shared=place) as both,
        Filter.open(place, shared=alone) as lent,
    ):
        for f in (both, lent):
            assert f.status()["mails"] == {"spam": 20, "ham": 20}
            assert f.judge(letter(100, "spam")).probabilities == alone.judge(letter(100, "spam")).probabilities


def test_a_store_behind_a_link_is_not_added_to_itself(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "m.db")
    with Filter.open(tmp_path / "m.db") as f:
        f.train_many(letters(5))
    with Filter.open(tmp_path / "m.db", shared=tmp_path / "link.db") as f:
        assert f.evidence().totals == (5, 5)


def test_a_shared_store_with_another_secret_is_refused(tmp_path: Path) -> None:
    Filter.open(tmp_path / "a.db").close()
    Filter.open(tmp_path / "b.db").close()
    with pytest.raises(StoreError, match="different secrets"):
        Filter.open(tmp_path / "a.db", shared=tmp_path / "b.db")


def test_labels_that_only_others_teach_are_the_users_too(tmp_path: Path) -> None:
    with (
        Filter.open(tmp_path / "shared.db", labels=("work", "spam", "ham")) as shared,
        Filter.open(tmp_path / "user.db", shared=shared) as user,
    ):
        shared.train_many((f"minutes of meeting {n}", "work") for n in range(20))
        for raw, label in letters(20):
            user.train(raw, label)
        assert user.judge("minutes of another meeting").best == "work"
        assert user.judge(letter(100, "spam")).best == "spam"
        assert user.store.state().labels == ("spam", "ham", "work"), "what a layer is fitted on has all of them"


def test_the_words_of_the_shared_store_are_the_users_too(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "all.db") as everybody, Filter.open(tmp_path / "ann.db", shared=everybody) as ann:
        everybody.train_many(letters(12))
        assert ann.words("spam") == everybody.words("spam") != []


def test_a_label_that_both_stores_write_in_their_own_way_does_not_stop_learning(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "shared.db") as shared:
        shared.train_many(letters(5))
    with Filter.open(tmp_path / "own.db", shared=tmp_path / "shared.db") as own:
        own.train(letter(20, "ham"), "Work")
    with Filter.open(tmp_path / "shared.db") as shared:
        shared.train(letter(30, "ham"), "work")
    with Filter.open(tmp_path / "own.db", shared=tmp_path / "shared.db") as own:
        assert own.train(letter(21, "ham"), "Work") == "learned"
        assert own.train_many([(letter(22, "ham"), "ham")])["learned"] == 1
        with pytest.raises(BadValueError, match="found the label 'WORK', expected 'Work', which is known"):
            own.train(letter(23, "ham"), "WORK")
