"""bayleaf mail: what cannot be read is named, and does not lose what the other mails gave."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from daemon import open_folder
from letters import letter, letters

from bayleaf.cli.mail.unread import Unread
from bayleaf.cli.main import main
from bayleaf.errors import BayleafError, StoreError
from bayleaf.mail import Filter
from bayleaf.store import Store

# Paths that cannot be read, and what is found there.
UNREADABLE = {
    "broken.gz": "found gzip data that cannot be unpacked (it ends too early), expected a mail that may be read",
    "dangling.eml": "found nothing there, expected a mail, an mbox, a Maildir or a folder of them",
    "1.eml/inside": "found nothing there, expected a mail, an mbox, a Maildir or a folder of them",
    "x" * 300: "found File name too long, expected a mail that may be read",
}
# Commands, and what they make of two mails that were learned as spam.
COMMANDS = {
    "forget": ((18, 20), {"spam forgotten": 2}),
    "correct ham": ((18, 22), {"corrected": 2}),
    "learn --ham": ((18, 22), {"learned": 0, "corrected": 2, "known": 0}),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder one is in, with a store, three mails it knows and some that nobody can read."""
    with Filter.open(tmp_path / "m.db") as learner:
        learner.train_many(letters(20))
    (tmp_path / "box").mkdir()
    for n in (1, 2, 3):
        (tmp_path / f"{n}.eml").write_bytes(letter(n, "spam"))
    for name in ("broken.gz", "box/0.eml", "box/9.eml"):
        (tmp_path / name).write_bytes(gzip.compress(letter(4, "spam"))[:-30])
    for n in (5, 6):
        (tmp_path / "box" / f"{n}.eml").write_bytes(letter(n, "spam"))
    (tmp_path / "dangling.eml").symlink_to("nowhere")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BAYLEAF_STORE", "m.db")
    return tmp_path


def totals() -> tuple[int, ...]:
    """Mails that are learned, by label."""
    with Filter.open("m.db") as learner:
        return learner.evidence().totals


@pytest.mark.parametrize("unreadable", UNREADABLE)
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.usefixtures("here")
def test_a_path_that_cannot_be_read_is_named_and_the_others_are_done(
    command: str, unreadable: str, capsys: pytest.CaptureFixture[str]
) -> None:
    after, told = COMMANDS[command]
    assert main(["mail", *command.split(), "1.eml", unreadable, "2.eml", "--json"]) == 70
    out, err = capsys.readouterr()
    assert err == f"bayleaf: left out: {unreadable}: {UNREADABLE[unreadable]}\n"
    assert told.items() <= json.loads(out).items()
    assert totals() == after


@pytest.mark.parametrize("unreadable", UNREADABLE)
@pytest.mark.usefixtures("here")
def test_judging_goes_on_behind_a_path_that_cannot_be_read(unreadable: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mail", "judge", "1.eml", unreadable, "2.eml"]) == 70
    out, err = capsys.readouterr()
    assert [line.split()[:2] for line in out.splitlines()] == [["1.eml:", "spam"], ["2.eml:", "spam"]]
    assert err == f"bayleaf: left out: {unreadable}: {UNREADABLE[unreadable]}\n"


@pytest.mark.parametrize(("command", "code"), [*((command, 0) for command in COMMANDS), ("judge", 70)])
@pytest.mark.usefixtures("here")
def test_each_mail_of_a_folder_that_cannot_be_read_is_named(
    command: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mail", *command.split(), "box", "1.eml"]) == code
    out, err = capsys.readouterr()
    why = UNREADABLE["broken.gz"]
    assert err == f"bayleaf: left out: box/0.eml: {why}\nbayleaf: left out: box/9.eml: {why}\n"
    assert out.count("spam=") == 3 if command == "judge" else "3 " in out


@pytest.mark.parametrize("command", [*COMMANDS, "judge"])
def test_where_nothing_can_be_read_all_is_refused_in_the_words_for_one(
    command: str, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mail", *command.split(), "dangling.eml", "gone.eml"]) == 70
    out, err = capsys.readouterr()
    why = UNREADABLE["dangling.eml"]
    assert (out, err) == ("", f"bayleaf: left out: dangling.eml: {why}\nbayleaf: gone.eml: {why}\n")
    monkeypatch.setenv("BAYLEAF_STORE", "new.db")
    assert main(["mail", *command.split(), "gone.eml"]) == 70
    assert not (here / "new.db").exists()


@pytest.mark.parametrize("blank", [b"\n \n", b""])
@pytest.mark.usefixtures("here")
def test_a_mail_without_a_word_among_others_does_not_stop_learning(
    blank: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("blank.eml").write_bytes(blank)
    assert main(["mail", "learn", "--ham", "1.eml", "blank.eml", "2.eml"]) == 70
    assert "left out: blank.eml: found nothing in it, expected a mail" in capsys.readouterr().err
    assert totals() == (18, 22)


@pytest.mark.parametrize("command", ["forget", "correct ham", "learn --ham"])
@pytest.mark.usefixtures("here")
def test_a_mail_that_has_changed_since_is_named_and_does_not_stop_the_others(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with Filter.open("m.db") as learner, learner.store.ledger(write=True) as book:
        book.db.execute("UPDATE ledger SET keys = NULL")  # as after 500 more mails of the label
    Path("3.eml").write_bytes(letter(3, "spam").replace(b"Subject:", b"X-List: some list\nSubject:", 1))
    assert main(["mail", *command.split(), "1.eml", "3.eml", "2.eml", "--json"]) == 70
    out, err = capsys.readouterr()
    assert json.loads(out)["left out: changed since they were learned"] == 1
    assert totals()[0] == 18
    assert err.startswith("bayleaf: 3.eml: this mail was learned, but its headers or text have changed since")


@pytest.mark.parametrize(("command", "did"), [("forget", "spam forgotten"), ("correct ham", "corrected")])
@pytest.mark.usefixtures("here")
def test_what_was_done_before_the_store_fails_is_told(
    command: str, did: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    change, rest = Store.change, [1, 1]

    def failing(*words: Any) -> Any:
        if not rest:
            raise StoreError("m.db: database or disk is full")
        rest.pop()
        return change(*words)

    monkeypatch.setattr(Store, "change", failing)
    assert main(["mail", *command.split(), "1.eml", "2.eml", "3.eml"]) == 70
    assert capsys.readouterr() == (f"2 {did}\n", "bayleaf: m.db: database or disk is full\n")


@pytest.mark.usefixtures("somebody")
def test_where_one_may_not_look_is_left_out_by_name_and_behind_a_link() -> None:
    with open_folder() as box:
        (box / "locked").mkdir()
        (box / "mails").mkdir()
        (box / "locked" / "a.eml").write_bytes(letter(1, "spam"))
        (box / "mails" / "b.eml").symlink_to(box / "locked" / "a.eml")
        (box / "mails" / "c.eml").write_bytes(letter(2, "spam"))
        (box / "locked").chmod(0)
        unread = Unread()
        found = unread.named([str(box / "locked" / "a.eml"), str(box / "mails")])
        assert [raw for _, _, raw in found] == [letter(2, "spam")]
        why = "found Permission denied, expected a mail that may be read"
        assert unread.left == [f"{box / 'mails' / 'b.eml'}: {why}"]
        assert [str(error) for error in unread.refused] == [f"{box / 'locked' / 'a.eml'}: {why}"]
        with pytest.raises(BayleafError, match="Permission denied"):
            list(Unread().named([str(box / "locked" / "a.eml")]))
        (box / "locked").chmod(0o700)


@pytest.mark.usefixtures("somebody")
def test_a_folder_that_cannot_be_read_is_left_out_of_a_folder_as_lost_and_found_is() -> None:
    from bayleaf.cli.mail.reading import Reading, surveyed
    from bayleaf.mail import mailbox

    with open_folder() as box:
        lost = box / "lost+found"
        lost.mkdir(mode=0)
        (box / "1.eml").write_bytes(letter(1, "spam"))
        (box / "z.eml").write_bytes(letter(2, "spam"))
        reading = Reading()
        assert surveyed([("spam", str(box))]) == 2
        assert list(reading.mails(str(box), "spam")) == [letter(1, "spam"), letter(2, "spam")]
        assert reading.unread.left == [f"{lost}: found Permission denied, expected a folder that may be read"]
        with pytest.raises(ValueError, match="found Permission denied"):
            list(reading.mails(str(lost), "spam"))
        with pytest.raises(ValueError, match="found Permission denied"):
            list(mailbox.named(box))


def test_a_file_that_cannot_be_read_is_left_out_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bayleaf.cli.mail.reading import Reading

    box = tmp_path / "box"
    box.mkdir()
    for n in (1, 2):
        (box / f"{n}.eml").write_bytes(letter(n, "spam"))
    opened = Path.open

    def denied(file: Path, mode: str) -> Any:
        if file.name == "1.eml":
            raise PermissionError(13, "Permission denied", str(file))
        return opened(file, mode)

    monkeypatch.setattr(Path, "open", denied)
    reading = Reading()
    assert list(reading.mails(str(box), "spam")) == [letter(2, "spam")]
    assert "1.eml: found Permission denied, expected a mail that may be read" in reading.unread.left[0]
    with pytest.raises(ValueError, match="Permission denied"):
        list(reading.mails(str(box / "1.eml"), "spam"))
