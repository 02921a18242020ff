"""Stores of users beside the shared one: deleted, replaced, foreign, and what is whose."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from daemon import taught
from letters import letter, letters

from bayleaf._core import run_tally
from bayleaf.errors import BadValueError, OtherSecretError, StoreError
from bayleaf.mail import Filter
from bayleaf.mail.lexicon import Lexicon
from bayleaf.service import LiveFilter
from bayleaf.service.pages.correction import Correction
from bayleaf.service.shelf import user_store
from bayleaf.store.address import Address

SPAM = letter(0, "spam")  # the shared store has learned it


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveFilter]:
    running = LiveFilter(taught(tmp_path / "m.db", 20), tmp_path / "users")
    yield running
    running.close()


def test_what_a_user_teaches_after_their_store_was_deleted_is_kept(live: LiveFilter, tmp_path: Path) -> None:
    live.train(SPAM, "ham", "ann").result()
    for file in (tmp_path / "users").iterdir():
        file.unlink()
    assert live.train(letter(50, "spam"), "ham", "ann").result() == "learned"
    with Filter.open(tmp_path / "users" / "ann.db", shared=tmp_path / "m.db") as found:
        assert found.check()["mails"] == 1


def test_a_shared_store_that_was_replaced_is_taken_up(tmp_path: Path) -> None:
    live = LiveFilter(taught(tmp_path / "m.db", 20))
    assert live.train(letter(50, "spam"), "spam").result() == "learned"
    for file in list(tmp_path.glob("m.db*")):
        file.rename(tmp_path / file.name.replace("m.db", "old.db"))
    assert live.judge(letter(60, "spam")).label == "spam", "it goes on with what it has"
    for _ in range(2):
        with pytest.raises(StoreError):
            live.train(letter(51, "spam"), "spam").result()
    assert not (tmp_path / "m.db").exists(), "an empty one would judge everything as unsure"
    taught(tmp_path / "m.db", 2)
    assert live.train(letter(52, "spam"), "spam").result() == "learned"
    assert live.status()["mails"] == {"spam": 3, "ham": 2}
    live.close()
    with Filter.open(tmp_path / "m.db") as new, Filter.open(tmp_path / "old.db") as old:
        assert (new.check()["mails"], old.check()["mails"]) == (5, 41)


def test_what_others_have_learned_is_not_put_into_the_store_of_a_user(live: LiveFilter) -> None:
    assert (live.known(SPAM), live.known(SPAM, "ann")) == ("spam", None)
    Correction.make(live, SPAM, "ham", "ann").undo(live, SPAM, "ann")
    assert live.known(SPAM, "ann") is None, "as before"
    assert live.known(SPAM) == "spam"


def test_a_user_is_shown_the_words_of_everybody_and_their_own(live: LiveFilter) -> None:
    live.train(b"Subject: parsnip\n\nparsnip soup", "spam", "ann").result()
    for filters in (lambda own: Lexicon(own).strongest(30)["spam"], lambda own: own.words("spam", 30)):
        shown = [{each.name for each in live.ask(filters, user)} for user in ("ann", "")]
        assert shown[0] == shown[1] != set()
    token = live.ask(lambda own: Lexicon(own).find("word:pills"), "ann")
    assert token is not None
    assert token.seen is not None


@pytest.mark.parametrize(
    ("store", "users"),
    [
        (Path("/srv/mail.db"), Path("/srv/../srv")),
        (Address("postgresql://db/mail", "users/ann"), Address("postgresql://db/mail", "users")),
    ],
)
def test_no_user_may_have_the_shared_store(store: Path | Address, users: Path | Address) -> None:
    with pytest.raises(StoreError, match="they would teach everybody"):
        LiveFilter(store, users)


def test_why_a_name_is_too_long() -> None:
    with pytest.raises(BadValueError, match="takes 204 bytes in a file name, expected at most 200"):
        user_store(Path("users"), "\N{LATIN SMALL LETTER U WITH DIAERESIS}" * 34)


def foreign(path: Path) -> None:
    """The database of another program."""
    with sqlite3.connect(path) as theirs:
        theirs.execute("CREATE TABLE theirs(x)")
    theirs.close()


def damaged(path: Path) -> None:
    """A store whose damage is found by whoever judges: a run of more labels than there are."""
    with Filter.open(path, shared=path.parents[1] / "m.db") as own:
        own.train_many(letters(20, 50))
    with sqlite3.connect(path) as db:
        db.execute("UPDATE run SET body = ? WHERE id = (SELECT max(id) FROM run)", (run_tally([], 65_535, 1, 0),))
    db.close()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (foreign, "found a database of another program"),
        (damaged, "has 65535 labels"),
        (lambda path: path.write_bytes(b"garbage"), "file is not a database"),
        (lambda path: path.mkdir(), "found a folder, expected a file"),
    ],
)
def test_a_user_whose_store_cannot_be_used_is_judged_by_the_shared_one(
    spoil: Callable[[Path], None],
    words: str,
    live: LiveFilter,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What is wrong is said once, and to whoever would teach them; it is no matter of one mail."""
    spoil(tmp_path / "users" / "ann.db")
    for _ in range(2):
        assert live.judge(letter(100, "spam"), "ann").scores == live.judge(letter(100, "spam")).scores
    (told,) = [record.getMessage() for record in caplog.records]
    assert told.startswith("user ann is judged by the shared store alone: ")
    assert words in told
    if spoil is not damaged:  # whoever learns does not look at older counts
        with pytest.raises(StoreError, match=words):
            live.train(SPAM, "spam", "ann").result()
        with pytest.raises(StoreError, match=words):
            live.untrain(SPAM, "ann").result()


def test_a_user_whose_store_has_another_secret_is_judged_by_the_shared_one(
    live: LiveFilter, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Taught in bulk without --shared, or left over from a shared store that was made anew."""
    (tmp_path / "users").mkdir(exist_ok=True)
    with Filter.open(tmp_path / "users" / "ann.db") as own:
        own.train_many(letters(20, 50))
    for _ in range(2):
        assert live.judge(letter(100, "spam"), "ann").scores == live.judge(letter(100, "spam")).scores
    (told,) = [record.getMessage() for record in caplog.records]
    assert told.startswith("user ann is judged by the shared store alone: ")
    assert "--shared" in told
    with pytest.raises(OtherSecretError):
        live.train(letter(101, "spam"), "spam", "ann").result()
