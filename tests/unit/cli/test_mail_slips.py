"""bayleaf mail: mistakes of people and accidents of machines are told, and nothing is called spam by accident."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from letters import letter, letters

from bayleaf.mail import Filter


@pytest.fixture
def store(tmp_path: Path) -> Path:
    with Filter.open(tmp_path / "m.db") as f:
        f.train_many(letters(20))
    (tmp_path / "new.eml").write_bytes(letter(90, "spam"))
    return tmp_path / "m.db"


def run(store: Path, words: str, shell: str = "") -> subprocess.CompletedProcess[str]:
    """A command in a shell, in the folder of the store."""
    line = f'{shell} "{sys.executable}" -m bayleaf mail {words}'
    env = {**os.environ, "BAYLEAF_STORE": str(store)}
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, cwd=store.parent, env=env, check=False)


@pytest.mark.parametrize("words", ["judge new.eml >/dev/full", "judge <&-", "judge a.eml/b", "learn --spam - <&-"])
def test_a_failure_is_never_the_exit_code_of_spam(store: Path, words: str) -> None:
    (store.parent / "a.eml").write_bytes(b"x")
    done = run(store, words)
    assert done.returncode == 70, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_without_a_reader_the_server_keeps_the_mail(store: Path) -> None:
    done = run(store, "filter <new.eml >&-")
    assert (done.returncode, done.stderr) == (75, "")


def test_help_needs_no_mail(store: Path) -> None:
    done = run(store, "filter -h <&-")
    assert done.returncode == 0
    assert done.stdout.startswith("usage: bayleaf mail filter")


@pytest.mark.parametrize("shell", ["exec 0<&-;", "exec 0>written;", "ulimit -v 400000; head -c 900000000 /dev/zero |"])
@pytest.mark.parametrize("words", ["filter", "filter --defer"])
def test_a_mail_that_cannot_be_read_is_kept_by_the_server(store: Path, words: str, shell: str) -> None:
    done = run(store, words, shell)
    assert (done.returncode, done.stdout) == (75, "")
    assert done.stderr.startswith("bayleaf mail filter: the mail could not be read: ")


@pytest.mark.parametrize(
    "words",
    [
        "expire --days -5",
        "expire --limit -5",
        "learn --threads -3 --spam new.eml",
        "evaluate --delay -3 --spam new.eml",
        "evaluate --noise 3 --spam new.eml",
        "words -n -5",
    ],
)
def test_numbers_that_make_no_sense_are_wrong_usage(store: Path, words: str) -> None:
    done = run(store, words)
    assert done.returncode == 64
    assert "expected a" in done.stderr
    with Filter.open(store) as judge:
        assert judge.evidence().totals == (20, 20)
        with pytest.raises(ValueError, match="expected 0 or more"):
            judge.expire(-5)


def test_mails_without_a_label_are_not_learned_and_the_options_are_named(store: Path) -> None:
    done = run(store, "learn new.eml")
    assert done.returncode == 64
    assert "found new.eml without a label, expected --spam, --ham or --as LABEL before it" in done.stderr


def test_a_label_without_mails_is_not_passed_over(store: Path) -> None:
    done = run(store, "learn --spam new.eml --as new.eml")
    assert done.returncode == 64
    assert "found --as new.eml without a path, expected --as LABEL PATH" in done.stderr
    assert "40 mails" in run(store, "check").stdout


def test_what_is_no_store_is_not_to_be_restored_alone(store: Path) -> None:
    (store.parent / "letters.csv").write_text("message,team\n" * 99)
    done = run(store, "restore --store other.db letters.csv")
    assert done.returncode == 70
    assert "letters.csv: file is not a database; expected a store: name another file" in done.stderr


def test_half_an_option_is_none_and_the_mail_goes_on(store: Path) -> None:
    done = run(store, "filter --def <new.eml")
    assert (done.returncode, done.stdout.encode()) == (0, letter(90, "spam"))
    assert "--def" in done.stderr


def test_a_database_of_another_program_is_not_touched(store: Path) -> None:
    other = store.with_name("other.db")
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE theirs(x)")
    before = other.read_bytes()
    done = run(other, "learn --spam new.eml")
    assert done.returncode == 70
    assert "found a database of another program" in done.stderr
    assert other.read_bytes() == before


def test_an_empty_file_is_no_backup_and_no_store(store: Path) -> None:
    empty = store.with_name("empty.bak")
    empty.touch()
    done = run(store.with_name("back.db"), "restore empty.bak")
    assert (done.returncode, empty.stat().st_size) == (70, 0)
    assert "expected a backup" in done.stderr
    assert run(empty, "status").returncode == 70
    assert json.loads(run(store, "backup --json good.bak").stdout)["bytes"] > 0
    assert json.loads(run(store.with_name("back.db"), "restore --json good.bak").stdout) == {
        "mails": {"spam": 20, "ham": 20}
    }


def test_forget_names_what_was_never_learned_and_does_the_rest(store: Path) -> None:
    for n in (1, 2):
        store.with_name(f"{n}.eml").write_bytes(letter(n, "spam"))
    done = run(store, "forget --json 1.eml new.eml 2.eml")
    assert done.returncode == 70
    assert json.loads(done.stdout) == {"spam forgotten": 2, "never learned": 1}
    assert "new.eml: this mail was never learned here" in done.stderr


@pytest.mark.parametrize("source", ["<(cat new.eml)", "/dev/stdin"])
def test_the_output_of_a_command_is_learned(store: Path, source: str) -> None:
    done = run(store, f"learn --spam {source}", shell="cat new.eml |")
    assert "1 learned" in done.stdout, done.stderr


@pytest.mark.parametrize("label", ["''", "unsure", "' spam'", "'two words'", "a=1,b", r"$'x\nX-Evil: 1'"])
def test_a_label_must_fit_into_a_header_line(store: Path, label: str) -> None:
    done = run(store, f"learn --as {label} new.eml")
    assert done.returncode == 70
    assert "expected a word of printable characters" in done.stderr
    with Filter.open(store) as judge:
        assert judge.evidence().labels == ("spam", "ham")


def test_json_has_no_nan(store: Path) -> None:
    for label in ("spam", "ham"):
        store.with_name(label).mkdir()
        for n in range(3):
            (store.with_name(label) / str(n)).write_bytes(letter(n, label))

    def refuse(word: str) -> None:
        raise AssertionError(word)

    done = run(store, "evaluate --json --bootstrap 0 --spam spam --ham ham")
    assert json.loads(done.stdout, parse_constant=refuse)["all"]["low%"] is None


def test_a_home_is_written_with_a_tilde(store: Path) -> None:
    done = run(store, f"status --store '~/{store.name}'", shell=f"cd / && HOME='{store.parent}'")
    assert done.returncode == 0, done.stderr


def test_learning_that_was_cut_short_is_finished_by_the_same_command(store: Path) -> None:
    with Filter.open(store) as f:
        f.store.set("layer", b"")
        assert f.stale()
        f.train_many(letters(20))
        assert not f.stale()


def test_a_mail_that_is_read_meanwhile_and_a_link_in_a_circle(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = store.parent / "box"
    for name in ("cur", "new", "tmp"):
        (box / name).mkdir(parents=True)
    shutil.copy(store.with_name("new.eml"), box / "cur" / "1:2,")
    (box / "cur" / "circle").symlink_to(box)
    from bayleaf.mail import mailbox

    listed = list(mailbox.files(box))
    assert [file.name for file in listed] == ["1:2,"]
    (box / "cur" / "1:2,").rename(box / "cur" / "1:2,S")
    monkeypatch.setattr(mailbox, "files", lambda *_: listed)
    assert [raw for _, _, raw in mailbox.named(box)] == [letter(90, "spam")]
    (box / "cur" / "1:2,S").unlink()
    left: list[str] = []
    assert list(mailbox.named(box, left)) == []
    assert "found nothing there any more" in left[0]


def test_a_mail_that_has_changed_is_left_out_and_the_others_are_learned(store: Path) -> None:
    with Filter.open(store) as judge:
        with judge.store.ledger(write=True) as book:
            book.db.execute("UPDATE ledger SET keys = NULL")  # as after 500 more mails of the label
        other = letter(3, "spam").replace(b"Subject:", b"X-List: some list\nSubject:", 1)
        done = judge.train_many([(other, "ham"), (letter(90, "ham"), "ham")])
        assert done["learned"] == 1
        assert sum(done.values()) == 2
        assert any("changed" in what for what in done)
        judge.check()


@pytest.mark.parametrize(
    "words", ["learn --spam ''", 'learn --ham "$UNSET"', "judge ''", "forget ''", "correct ham ''"]
)
def test_an_empty_name_is_not_the_folder_one_is_in(store: Path, words: str) -> None:
    done = run(store, words)
    assert (done.returncode, done.stdout) == (70, "")
    assert "found an empty name, expected a path" in done.stderr
    with Filter.open(store) as f:
        assert f.store.state().totals == (20, 20)


@pytest.mark.parametrize(
    "words", ["status --store /", "status --store .", "learn --store sub --spam new.eml", "backup .", "backup sub"]
)
def test_a_folder_is_no_store_and_no_backup(store: Path, words: str) -> None:
    (store.parent / "sub").mkdir()
    there = sorted(store.parent.iterdir())
    done = run(store, words)
    assert done.returncode == 70
    assert "found a folder, expected a file; name one in it, as " in done.stderr
    assert sorted(store.parent.iterdir()) == there


@pytest.mark.parametrize("locale", ["utf-8", "ascii", "latin-1"])
def test_names_of_files_come_back_byte_for_byte_in_any_locale(store: Path, locale: str) -> None:
    folder = os.fsencode(store.parent / "box")
    os.mkdir(folder)  # noqa: PTH102 - of bytes
    for name in (b"caf\xe9", "schön".encode(), b"zzz"):
        shutil.copy(store.parent / "new.eml", folder + b"/" + name)
    line = f'"{sys.executable}" -m bayleaf mail judge --store m.db box'
    env = {**os.environ, "PYTHONIOENCODING": f"{locale}:strict", "PYTHONUTF8": "1"}
    done = subprocess.run(["bash", "-c", line], capture_output=True, cwd=store.parent, env=env, check=False)
    assert done.returncode == 1, done.stderr
    assert len(done.stdout.splitlines()) == 3
    assert b"box/caf\xe9: spam" in done.stdout
    assert {"utf-8": "schön".encode(), "ascii": b"sch?n", "latin-1": b"sch\xf6n"}[locale] + b": spam" in done.stdout


@pytest.mark.parametrize("words", ["expire --limit 1{}", "learn --threads 1{} --spam new.eml"])
def test_a_number_that_no_machine_has_is_wrong_usage(store: Path, words: str) -> None:
    done = run(store, words.format("0" * 30))
    assert (done.returncode, done.stderr.count("\n")) == (64, 1), done.stderr
    assert "expected a whole number from 0 to 4294967295" in done.stderr


def test_learning_does_not_make_a_shared_store_of_a_mistyped_path(store: Path) -> None:
    done = run(store, "learn --store own.db --shared typo.db --spam new.eml")
    assert done.returncode == 70
    assert "there is no store at typo.db" in done.stderr
    assert sorted(path.name for path in store.parent.glob("*.db")) == ["m.db"]


@pytest.mark.parametrize("words", ["learn --store :memory: --spam new.eml", "judge --store :memory: new.eml"])
def test_a_store_in_memory_would_be_gone_with_the_command(store: Path, words: str) -> None:
    done = run(store, words)
    assert done.returncode == 70
    assert "found :memory:, expected a path or an address" in done.stderr


def test_a_label_that_is_refused_makes_no_store(store: Path) -> None:
    done = run(store, "learn --store other.db --as unsure new.eml")
    assert done.returncode == 70
    assert "found the label 'unsure'" in done.stderr
    assert not list(store.parent.glob("other.db*"))


def test_words_say_why_there_are_none(store: Path) -> None:
    assert run(store, "learn --store sorter.db --as junk new.eml").returncode == 0
    done = run(store, "words --store sorter.db")
    assert done.stderr == "bayleaf: found no mail of spam, expected some; learned so far: junk\n"
    with Filter.open(store.parent / "mute.db", names=False) as mute:
        mute.train_many(letters(20))
    assert "keeps no text of tokens" in run(store, "words --store mute.db").stderr
    assert "expected some that two mails have" in run(store, "words --store sorter.db junk").stderr


def test_a_folder_without_mails_is_not_called_unsure(store: Path) -> None:
    (store.parent / "empty").mkdir()
    done = run(store, "judge empty")
    assert (done.returncode, done.stdout) == (70, "")
    assert done.stderr == "bayleaf: empty: found no mail there, expected one\n"
