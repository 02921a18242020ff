"""bayleaf mail: what a person or a mail server sees."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from letters import letter, letters

from bayleaf.cli.main import MAIL


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
    assert run("mail", "judge", store=tmp_path / "new.db", raw=letter(1, "spam")).returncode == 2


def test_judge_explains_as_table_and_json(store: Path) -> None:
    done = run("mail", "judge", "--explain", "-n", "5", store=store, raw=letter(90, "spam"))
    assert b"for spam" in done.stdout
    assert b"\x1b[" not in done.stdout
    done = run("mail", "judge", "--json", "--explain", "-n", "100000", store=store, raw=letter(90, "spam"))
    verdict = json.loads(done.stdout)
    assert sum(clue["summand"] for clue in verdict["clues"]) == pytest.approx(verdict["score"])


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_filter_adds_headers_and_changes_nothing_else(store: Path, end: bytes) -> None:
    raw = letter(90, "spam").replace(b"\n", end)
    forged = raw.replace(b"To:", b"X-Bayleaf-Verdict: ham" + end + b"\tfolded" + end + b"To:", 1)
    done = run("mail", "filter", store=store, raw=forged)
    assert done.returncode == 0
    added, _, rest = done.stdout.partition(b"X-Bayleaf-Version: ")
    assert added.startswith(b"X-Bayleaf-Verdict: spam" + end)
    assert rest.partition(end)[2] == raw
    assert b"X-Bayleaf-Verdict: ham" not in done.stdout


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
    done = run("mail", "filter", "--defer", store=tmp_path / "broken.db", raw=raw)
    assert (done.returncode, done.stdout) == (75, b"")


def test_correct_and_forget(store: Path) -> None:
    assert b"1 corrected" in run("mail", "correct", "ham", store=store, raw=letter(3, "spam")).stdout
    assert b"1 ham forgotten" in run("mail", "forget", store=store, raw=letter(3, "spam")).stdout
    done = run("mail", "forget", store=store, raw=letter(3, "spam"))
    assert done.returncode == 70
    assert b"never learned" in done.stderr
    assert b"39 mails" in run("mail", "check", store=store).stdout


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


def test_learn_without_anything_is_refused(tmp_path: Path) -> None:
    done = run("mail", "learn", store=tmp_path / "m.db")
    assert done.returncode == 70
    assert b"--spam PATH" in done.stderr


def test_the_default_store_is_in_the_xdg_data_folder(tmp_path: Path) -> None:
    env = {key: value for key, value in os.environ.items() if key != "BAYLEAF_STORE"}
    words = [sys.executable, "-m", "bayleaf", "mail", "correct", "spam"]
    subprocess.run(
        words, input=letter(1, "spam"), env={**env, "XDG_DATA_HOME": str(tmp_path)}, check=True, capture_output=True
    )
    assert (tmp_path / "bayleaf" / "mail.db").exists()


def test_evaluate_runs_the_trec_protocol(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    lines = []
    for n, (raw, label) in enumerate(letters(60)):
        (tmp_path / "data" / str(n)).write_bytes(raw)
        lines.append(f"{label} data/{n}\n")
    (tmp_path / "index").write_text("".join(lines))
    words = ["mail", "evaluate", "--index", str(tmp_path / "index"), "--json", "--attack", "--bootstrap", "20"]
    done = run(*words, "--scores", str(tmp_path / "scores"), store=tmp_path / "none.db")
    found = json.loads(done.stdout)
    assert found["all"]["mails"] == 120
    assert found["51-120"]["1-ROCA%"] < 5
    assert {"attack: clean", "attack: append 500", "attack: interleave"} <= set(found)
    assert len((tmp_path / "scores").read_text().splitlines()) == 120
    assert not (tmp_path / "none.db").exists()
    for extra in (["--delay", "10"], ["--feedback", "0.5"], ["--noise", "0.1"]):
        assert (
            run("mail", "evaluate", "--index", str(tmp_path / "index"), *extra, store=tmp_path / "none.db").returncode
            == 0
        )
