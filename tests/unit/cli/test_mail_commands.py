"""bayleaf mail: what a person or a mail server sees."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from letters import letter

from bayleaf.cli.main import MAIL
from bayleaf.mail import Filter


@pytest.fixture
def store(tmp_path: Path) -> Path:
    for label in ("spam", "ham"):
        (tmp_path / label).mkdir()
        for n in range(20):
            (tmp_path / label / f"{n}.eml").write_bytes(letter(n, label))
    done = run(
        "mail", "learn", "--spam", str(tmp_path / "spam"), "--ham", str(tmp_path / "ham"), store=tmp_path / "m.db"
    )
    assert done.returncode == 0, done.stderr
    assert b"40 learned" in done.stdout
    return tmp_path / "m.db"


def run(
    *words: str, store: Path, raw: bytes = b"", module: str = "bayleaf", **env: str
) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "BAYLEAF_STORE": str(store), **env}
    return subprocess.run(
        [sys.executable, "-m", module, *words], input=raw, capture_output=True, env=environment, check=False
    )


def test_every_command_explains_itself(tmp_path: Path) -> None:
    assert run("--help", store=tmp_path / "m.db").returncode == 0
    for command in MAIL:
        done = run("mail", command, "-h", store=tmp_path / "m.db")
        assert done.returncode == 0, command
        assert f"usage: bayleaf mail {command}".encode() in done.stdout
    assert not (tmp_path / "m.db").exists()
    assert run("mail", "nonsense", store=tmp_path / "m.db").returncode == 64
    done = run("mail", "judge", "--nonsense", store=tmp_path / "m.db")
    assert done.returncode == 64, "2 would say unsure"
    assert b"--nonsense" in done.stderr


def test_a_broken_configuration_stops_no_mail(store: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("store = [")
    done = run("mail", "filter", store=store, raw=letter(1, "ham"), BAYLEAF_CONFIG=str(tmp_path / "bad.toml"))
    assert done.returncode == 0
    assert done.stdout == letter(1, "ham")
    done = run("mail", "status", store=store, BAYLEAF_CONFIG=str(tmp_path / "bad.toml"))
    assert done.returncode == 70
    assert b"bad.toml" in done.stderr


@pytest.mark.parametrize(("label", "code"), [("ham", 0), ("spam", 1)])
def test_judge_says_it_by_word_and_exit_code(store: Path, label: str, code: int) -> None:
    done = run("mail", "judge", store=store, raw=letter(90, label))
    assert done.returncode == code
    assert done.stdout.startswith(label.encode())


def test_judge_is_unsure_about_nothing_learned(tmp_path: Path) -> None:
    Filter.open(tmp_path / "new.db").close()
    assert run("mail", "judge", store=tmp_path / "new.db", raw=letter(1, "spam")).returncode == 2


@pytest.mark.parametrize(
    "words", [["judge"], ["status"], ["words"], ["check"], ["backup", "copy"], ["forget"], ["expire"]], ids=" ".join
)
def test_only_learning_makes_a_store(tmp_path: Path, words: list[str]) -> None:
    path = tmp_path / "nowhere" / "z.db"
    done = run("mail", *words, store=path, raw=letter(1, "spam"))
    assert done.returncode == 70
    assert f"there is no store at {path}; make one with bayleaf mail learn --store {path}".encode() in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_filter_passes_the_mail_on_unmarked_when_there_is_no_store(tmp_path: Path) -> None:
    raw = letter(1, "ham")
    for words, code, out in (([], 0, raw), (["--train"], 0, raw), (["--defer"], 75, b"")):
        done = run("mail", "filter", *words, store=tmp_path / "zz.db", raw=raw)
        assert (done.returncode, done.stdout) == (code, out)
        assert b"there is no store at" in done.stderr
        assert done.stderr.count(b"\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_user_without_a_store_is_judged_by_the_shared_one(store: Path, tmp_path: Path) -> None:
    raw, own = letter(90, "spam"), tmp_path / "own.db"
    assert run("mail", "judge", "--shared", str(store), store=own, raw=raw).returncode == 1
    assert run("mail", "filter", "--shared", str(store), store=own, raw=raw).stdout.startswith(
        b"X-Bayleaf-Verdict: spam"
    )
    assert not own.exists()
    done = run("mail", "filter", "--train", "--shared", str(store), store=own, raw=raw)
    assert done.stdout.startswith(b"X-Bayleaf-Verdict: spam")
    with Filter.open(own, shared=store) as f:
        assert f.store.state().totals == (1, 0)
    done = run("mail", "judge", "--shared", str(tmp_path / "no.db"), store=own, raw=raw)
    assert done.returncode == 70
    assert not (tmp_path / "no.db").exists()


def test_judge_names_each_of_several_mails(store: Path, tmp_path: Path) -> None:
    one, box = tmp_path / "one.eml", tmp_path / "box"
    one.write_bytes(letter(90, "ham"))
    line = b"From a@example Mon Jan  1 10:00:00 2024\n"
    box.write_bytes(line + letter(91, "spam") + b"\n" + line + letter(92, "ham"))
    lines = run("mail", "judge", str(one), str(box), store=store).stdout.decode().splitlines()
    begun = [f"{one}: ham spam=", f"{box}, mail 1: spam spam=", f"{box}, mail 2: ham spam="]
    assert [found.startswith(begin) for found, begin in zip(lines, begun, strict=True)] == [True] * 3
    assert run("mail", "judge", str(one), store=store).stdout.startswith(b"ham spam=")
    found = [
        json.loads(each) for each in run("mail", "judge", "--json", str(one), str(box), store=store).stdout.splitlines()
    ]
    assert [(each["path"], each["number"]) for each in found] == [(str(one), None), (str(box), 1), (str(box), 2)]


def test_judge_explains_as_table_and_json(store: Path) -> None:
    done = run("mail", "judge", "--explain", "-n", "5", store=store, raw=letter(90, "spam"))
    assert b"for spam" in done.stdout
    assert b"\x1b[" not in done.stdout
    whole = run("mail", "judge", "--explain", "-n", "100000", store=store, raw=letter(90, "spam"))
    assert (b" more" in done.stdout, b" more" in whole.stdout) == (True, False)
    done = run("mail", "judge", "--json", "--explain", "-n", "100000", store=store, raw=letter(90, "spam"))
    verdict = json.loads(done.stdout)
    assert sum(clue["summand"] for clue in verdict["clues"]) == pytest.approx(verdict["score"])


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_filter_adds_headers_and_changes_nothing_else(store: Path, end: bytes) -> None:
    raw = letter(90, "spam").replace(b"\n", end)
    lines = (b"X-Bayleaf-Verdict: ham", b"\tfolded", b"x-bayleaf-verdict: ham", b"To:")
    forged = raw.replace(b"To:", end.join(lines), 1)
    done = run("mail", "filter", store=store, raw=forged)
    assert done.returncode == 0
    added, _, rest = done.stdout.partition(b"X-Bayleaf-Version: ")
    assert added.startswith(b"X-Bayleaf-Verdict: spam" + end)
    assert rest.partition(end)[2] == raw
    assert b"verdict: ham" not in done.stdout.lower()


@pytest.mark.parametrize("raw", [b"", b"\n", b"no header\nat all", b"\x00\xff" * 999, b"From x\n", b"A: b\r\n\r\n"])
def test_filter_loses_no_mail(store: Path, raw: bytes) -> None:
    done = run("mail", "filter", store=store, raw=raw)
    assert done.returncode == 0
    kept = b"".join(line for line in done.stdout.splitlines(keepends=True) if not line.startswith(b"X-Bayleaf-"))
    assert kept == raw


def test_filter_passes_the_mail_on_when_anything_fails(tmp_path: Path) -> None:
    (tmp_path / "broken.db").write_bytes(b"this is not a database at all" * 99)
    raw = letter(1, "ham")
    done = run("mail", "filter", store=tmp_path / "broken.db", raw=raw)
    assert (done.returncode, done.stdout) == (0, raw)
    assert b"not a database" in done.stderr
    assert run("mail", "filter", store=tmp_path / "broken.db").returncode == 0, "nor an empty one is sent back"
    done = run("mail", "filter", "--defer", store=tmp_path / "broken.db", raw=raw)
    assert (done.returncode, done.stdout) == (75, b"")


def test_filter_marks_a_mail_that_it_cannot_learn(store: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    words = ["mail", "filter", "--train", "--shared", str(store)]
    done = run(*words, store=tmp_path / "file" / "own.db", raw=letter(90, "spam"))
    assert done.returncode == 0
    assert done.stdout.startswith(b"X-Bayleaf-Verdict: spam")
    assert done.stdout.endswith(letter(90, "spam"))
    assert b"exists" in done.stderr
    done = run(*words, "--defer", store=tmp_path / "file" / "own.db", raw=letter(90, "spam"))
    assert (done.returncode, done.stdout) == (75, b"")


def test_filter_learns_no_verdict_that_is_unsure(store: Path) -> None:
    done = run("mail", "filter", "--train", "--defer", store=store, raw=b"Subject: hm\n\nhm\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"X-Bayleaf-Verdict: unsure")
    assert b"40 mails" in run("mail", "check", store=store).stdout


def test_correct_and_forget(store: Path) -> None:
    assert b"1 corrected" in run("mail", "correct", "ham", "-", store=store, raw=letter(3, "spam")).stdout
    assert b"1 ham forgotten" in run("mail", "forget", store=store, raw=letter(3, "spam")).stdout
    done = run("mail", "forget", store=store, raw=letter(3, "spam"))
    assert done.returncode == 70
    assert b"never learned" in done.stderr
    assert b"39 mails" in run("mail", "check", store=store).stdout


def test_correct_refuses_what_is_likely_a_mistake(store: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.eml", tmp_path / "two.eml"
    for n, path in enumerate((one, two)):
        path.write_bytes(letter(90 + n, "spam"))
    done = run("mail", "correct", str(one), store=store)
    assert done.returncode == 64, "a path is missing"
    done = run("mail", "correct", str(one), str(two), store=store)
    assert done.returncode == 70
    assert f"found the file '{one}' where a label was expected: bayleaf mail correct spam {one}".encode() in done.stderr
    done = run("mail", "correct", "spma", str(one), store=store)
    assert done.returncode == 70
    assert b"found the label 'spma', expected one of spam, ham" in done.stderr
    assert run("mail", "correct", "spam", str(one), store=tmp_path / "none.db").returncode == 70
    assert not (tmp_path / "none.db").exists(), "only learning makes a store"
    done = run("mail", "correct", "spam", "-", store=store)
    assert done.returncode == 70
    assert b"standard input: found nothing in it" in done.stderr
    assert json.loads(run("mail", "status", "--json", store=store).stdout)["mails"] == {"spam": 20, "ham": 20}
    assert run("mail", "learn", "--as", "work", str(two), store=store).returncode == 0
    assert b"1 learned" in run("mail", "correct", "work", str(one), store=store).stdout, "learning made the label"


def test_status_words_expire(store: Path) -> None:
    status = json.loads(run("mail", "status", "--json", store=store).stdout)
    assert status["mails"] == {"spam": 20, "ham": 20}
    assert b"word:" in run("mail", "words", "spam", "-n", "40", store=store).stdout
    assert json.loads(run("mail", "expire", "--limit", "100", "--json", store=store).stdout)["expired"] > 0
    assert run("mail", "check", store=store).returncode == 0


def test_backup_and_restore(store: Path, tmp_path: Path) -> None:
    assert run("mail", "backup", str(tmp_path / "copy"), store=store).returncode == 0
    assert run("mail", "restore", str(tmp_path / "copy"), store=tmp_path / "new.db").returncode == 0
    assert run("mail", "judge", store=tmp_path / "new.db", raw=letter(90, "spam")).returncode == 1


def test_learning_again_says_known_and_shows_before_and_now(store: Path, tmp_path: Path) -> None:
    done = run("mail", "learn", "--spam", str(tmp_path / "spam"), "--json", store=store)
    assert json.loads(done.stdout)["known"] == 20
    assert json.loads(done.stdout)["after"]["spam"]["spam"] > 0.8
    assert json.loads(done.stdout)["before"] == {}, "who knows a mail is no judge of it"


def test_learn_refuses_nothing_and_two_labels_for_one_file(tmp_path: Path) -> None:
    (tmp_path / "spam").mkdir()
    (tmp_path / "spam" / "1.eml").write_bytes(letter(1, "spam"))
    (tmp_path / "empty.eml").touch()
    some, store = str(tmp_path / "spam"), tmp_path / "m.db"
    for words, said in (
        (["--ham", str(tmp_path / "empty.eml")], "empty.eml: found nothing in it, expected a mail"),
        (["--spam", "-"], "standard input: found nothing in it, expected a mail"),
        (["--spam", some, "--ham", str(tmp_path)], "1.eml: found as spam and as ham, expected one label"),
    ):
        done = run("mail", "learn", *words, store=store)
        assert done.returncode == 70, words
        assert said.encode() in done.stderr
    with Filter.open(store) as f:
        assert f.store.state().totals == (0, 0)


def test_learn_passes_over_empty_files_in_folders_and_notes_what_has_no_header(tmp_path: Path) -> None:
    (tmp_path / "spam").mkdir()
    (tmp_path / "spam" / "1.eml").write_bytes(letter(1, "spam"))
    (tmp_path / "spam" / "2.eml").touch()
    (tmp_path / "spam" / "3.eml").write_bytes(bytes(4096))
    (tmp_path / "own.csv").write_text("team,message\nbilling,where is my refund\n")
    words = ["--spam", str(tmp_path / "spam"), "--ham", str(tmp_path / "own.csv")]
    done = run("mail", "learn", *words, store=tmp_path / "m.db")
    assert b"2 learned" in done.stdout
    assert b"2 empty files or mails were left out" in done.stderr
    assert f"{tmp_path / 'own.csv'}: found no header, expected a mail".encode() in done.stderr


def test_learn_warns_of_a_mail_that_lies_in_two_folders(tmp_path: Path) -> None:
    for name in ("a.eml", "b.eml"):
        (tmp_path / name).write_bytes(letter(1, "spam"))
    words = ["--spam", str(tmp_path / "a.eml"), "--ham", str(tmp_path / "b.eml")]
    done = run("mail", "learn", *words, store=tmp_path / "m.db")
    assert b"1 learned, 1 corrected" in done.stdout
    assert f"{tmp_path / 'b.eml'}: found under another label before".encode() in done.stderr


def test_learn_says_why_everything_is_unsure(tmp_path: Path) -> None:
    (tmp_path / "1.eml").write_bytes(letter(1, "spam"))
    done = run("mail", "learn", "--spam", str(tmp_path / "1.eml"), store=tmp_path / "m.db")
    assert b"only spam has been learned so far: teach at least two labels" in done.stdout


def test_learn_without_anything_is_refused(tmp_path: Path) -> None:
    done = run("mail", "learn", store=tmp_path / "m.db")
    assert done.returncode == 70
    assert b"--spam PATH" in done.stderr


def test_the_default_store_is_in_the_xdg_data_folder(tmp_path: Path) -> None:
    env = {key: value for key, value in os.environ.items() if key != "BAYLEAF_STORE"}
    words = [sys.executable, "-m", "bayleaf", "mail", "learn", "--spam", "-"]
    subprocess.run(
        words, input=letter(1, "spam"), env={**env, "XDG_DATA_HOME": str(tmp_path)}, check=True, capture_output=True
    )
    assert (tmp_path / "bayleaf" / "mail.db").exists()
    assert (tmp_path / "bayleaf").stat().st_mode & 0o077 == 0, "mail is private"
