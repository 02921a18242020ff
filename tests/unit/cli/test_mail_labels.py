"""bayleaf mail with other labels than spam and ham."""

from __future__ import annotations

from pathlib import Path

import pytest
from desk import bayleaf
from letters import letter, letters

from bayleaf.mail import Filter


def test_a_mail_of_another_label_is_neither_spam_nor_unsure(tmp_path: Path) -> None:
    store = tmp_path / "m.db"
    with Filter.open(store, labels=("work", "family")) as f:
        for n in range(20):
            f.train(letter(n, "ham"), "work")
            f.train(letter(n, "spam"), "family")
    for like, label in (("ham", "work"), ("spam", "family")):
        done = bayleaf("mail", "judge", "--store", str(store), stdin=letter(90, like))
        assert (done.returncode, done.stdout.split()[0]) == (0, label), done.stderr


@pytest.fixture
def store(tmp_path: Path) -> Path:
    with Filter.open(tmp_path / "m.db") as f:
        f.train_many(letters(20))
    return tmp_path / "m.db"


@pytest.mark.parametrize("label", ["Spam", "HAM"])
def test_one_that_is_known_but_for_its_case_is_a_slip(store: Path, label: str) -> None:
    done = bayleaf("mail", "learn", "--store", str(store), "--as", label, "-", stdin=letter(90, "spam"))
    assert done.returncode == 70
    assert f"expected '{label.lower()}', which is known" in str(done.stderr)
    with Filter.open(store) as judge:
        assert judge.evidence().labels == ("spam", "ham")


def test_one_that_has_too_few_mails_to_be_told_is_named(store: Path) -> None:
    done = bayleaf("mail", "learn", "--store", str(store), "--as", "work", "-", stdin=letter(90, "spam"))
    assert str(done.stdout).endswith("\nno mail is called work before 10 have been learned; there is 1\n")
