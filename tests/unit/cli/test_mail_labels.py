"""bayleaf mail with other labels than spam and ham."""

from __future__ import annotations

from pathlib import Path

from desk import bayleaf
from letters import letter

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
