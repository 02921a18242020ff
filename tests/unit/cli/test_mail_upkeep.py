"""bayleaf mail: what one asks of a store and does to it now and then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from letters import letter, letters

from bayleaf.cli.main import main
from bayleaf.mail import Filter


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of forty mails, which is the usual one."""
    path = tmp_path / "m.db"
    with Filter.open(path) as learner:
        learner.train_many(letters(20))
    monkeypatch.setenv("BAYLEAF_STORE", str(path))
    return path


@pytest.mark.parametrize(
    ("days", "expires"), [(["--days", "400"], False), (["--days", "399"], True), ([], True), (["--days", "0"], True)]
)
def test_tokens_expire_after_as_many_days_as_asked(
    tmp_path: Path, days: list[str], expires: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with Filter.open(tmp_path / "m.db") as learner:
        now = learner.day()
        learner.day = lambda: now - 400
        learner.train(letter(1, "spam"), "spam")
        learner.day = lambda: now
        learner.train(letter(2, "ham"), "ham")
    assert main(["mail", "expire", "--store", str(tmp_path / "m.db"), *days]) == 0
    number, _, rest = capsys.readouterr().out.partition(" ")
    assert (int(number) > 0, rest) == (expires, "tokens expired\n")


def test_a_backup_is_restored_where_there_is_no_folder_yet(store: Path, tmp_path: Path) -> None:
    assert main(["mail", "backup", str(tmp_path / "copy")]) == 0
    there = tmp_path / "new" / "home" / "m.db"
    assert main(["mail", "restore", "--store", str(there), str(tmp_path / "copy")]) == 0
    with Filter.open(store) as one, Filter.open(there) as other:
        assert one.evidence().totals == other.evidence().totals


def test_a_restore_that_fails_leaves_no_folder(store: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "new.eml").write_bytes(letter(90, "spam"))
    for backup in ("nosuch", "new.eml"):
        for place in ("new/dir/m.db", "there/dir/m.db"):
            assert main(["mail", "restore", str(tmp_path / backup), "--store", str(tmp_path / place)]) == 70
    assert not (tmp_path / "new").exists()
    assert list((tmp_path / "there").iterdir()) == []


def test_a_backup_is_not_named_as_standard_output(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["mail", "backup", "-"]) == 70
    assert "found -, expected the name of a file" in capsys.readouterr().err
    assert not Path("-").exists()


def test_people_and_programs_are_told_the_same(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def told(*words: str) -> str:
        assert main(["mail", *words]) == 0
        return capsys.readouterr().out

    found = json.loads(told("check", "--json"))
    assert told("check") == f"sound: 40 mails, {found['keys']} keys, 1 runs\n"
    status = json.loads(told("status", "--json"))
    lines = [line.rsplit(maxsplit=1) for line in told("status").splitlines()]
    assert lines[:4] == [[name, str(status[name])] for name in ("store", "keys", "runs", "bytes")]
    assert lines[4:6] == [["mails spam", "20"], ["mails ham", "20"]]
    assert lines[6:] == [[f"worth {kind}", f"{worth:.3f}"] for kind, worth in status["worth"].items()]


@pytest.mark.usefixtures("store")
def test_as_many_words_of_a_label_are_listed_as_asked(capsys: pytest.CaptureFixture[str]) -> None:
    for label, most in (("spam", 3), ("ham", 30)):
        assert main(["mail", "words", label, "-n", str(most), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert len(found) == most
        own = ("spam", "ham").index(label)
        assert all(clue["counts"][own] > clue["counts"][1 - own] for clue in found)
        assert main(["mail", "words", label, "-n", str(most)]) == 0
        head, *lines = capsys.readouterr().out.splitlines()
        assert head.split() == ["for", label, "token", "spam", "ham"]
        shown = [[f"{clue['summand']:+.2f}", *clue["name"].split(), *map(str, clue["counts"])] for clue in found]
        assert [line.split() for line in lines] == shown


@pytest.mark.parametrize("words", [["spam"], ["--find", "casino"]])
@pytest.mark.usefixtures("store")
def test_whoever_asks_for_no_word_is_not_told_that_there_is_none(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mail", "words", *words, "-n", "0"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["mail", "words", "--find", "a", "-n", "2", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 2


def test_spam_and_ham_are_labels_of_every_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "1.eml").write_bytes(letter(1, "spam"))
    store, mail = ["--store", str(tmp_path / "sorter.db")], str(tmp_path / "1.eml")
    with Filter.open(tmp_path / "sorter.db", labels=("work", "family")) as sorter:
        sorter.train(letter(1, "spam"), "work")
    assert main(["mail", "correct", "junk", mail, *store]) == 70
    assert "expected one of work, family, spam, ham;" in capsys.readouterr().err
    assert main(["mail", "correct", "spam", mail, *store]) == 0
    assert capsys.readouterr().out == "1 corrected\n"


@pytest.mark.usefixtures("store")
def test_mails_of_an_mbox_are_told_apart_by_their_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = b"From a@example Mon Jan  1 10:00:00 2024\n"
    (tmp_path / "box").write_bytes(line + letter(1, "spam") + b"\n" + line + letter(90, "spam"))
    assert main(["mail", "forget", str(tmp_path / "box")]) == 70
    out, err = capsys.readouterr()
    assert out == "1 spam forgotten, 1 never learned\n"
    assert err.startswith(f"bayleaf: {tmp_path / 'box'}, mail 2: this mail was never learned here")


@pytest.mark.parametrize("command", [["forget"], ["correct", "ham"]])
@pytest.mark.usefixtures("store")
def test_a_folder_without_mails_is_told_as_such(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    assert main(["mail", *command, str(tmp_path / "empty")]) == 0
    assert capsys.readouterr().out == "no mails found\n"
