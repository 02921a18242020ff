"""Standard input, output and error as callers leave them: closed, full, without a buffer. No mail is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest
from daemon import taught
from letters import letter

from bayleaf.mail import Filter

SPAM = letter(90, "spam")
LARGE = SPAM + b"click here\n" * 100_000  # more than a pipe holds


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    taught(tmp_path / "bayleaf.db", 40)
    (tmp_path / "new.eml").write_bytes(SPAM)
    (tmp_path / "large.eml").write_bytes(LARGE)
    return tmp_path


def run(
    folder: Path, line: str, unbuffered: bool = False, output: IO[bytes] | int = subprocess.PIPE
) -> subprocess.CompletedProcess[bytes]:
    """A line for a shell; `bayleaf` and `bogofilter` are ours. Containers often set PYTHONUNBUFFERED."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    env = {**clean, "BAYLEAF_STORE": str(folder / "bayleaf.db"), **({"PYTHONUNBUFFERED": "1"} if unbuffered else {})}
    names = f'bayleaf() {{ "{sys.executable}" -m bayleaf "$@"; }}; '
    names += f'bogofilter() {{ "{sys.executable}" -c "from bayleaf.cli.bogofilter import main; exit(main())" "$@"; }}; '
    return subprocess.run(
        ["bash", "-c", names + line], stdout=output, stderr=subprocess.PIPE, cwd=folder, env=env, check=False
    )


@pytest.mark.parametrize("unbuffered", [False, True])
@pytest.mark.parametrize("mail", ["new.eml", "large.eml"])
@pytest.mark.parametrize(
    ("command", "code"), [("bayleaf mail filter", 75), ("bogofilter -d . -p -e", 3), ("bogofilter -d . -p", 3)]
)
def test_a_mail_that_nobody_takes_is_kept_by_the_server(
    command: str, code: int, mail: str, unbuffered: bool, folder: Path
) -> None:
    gone, pipe = os.pipe()
    os.close(gone)
    with Path("/dev/full").open("wb") as full, os.fdopen(pipe, "wb", 0) as broken:
        for output in (full, broken):
            done = run(folder, f"{command} <{mail}", unbuffered, output)
            assert done.returncode == code, done.stderr
            assert b"Traceback" not in done.stderr
            assert b"Exception ignored" not in done.stderr


@pytest.mark.parametrize("command", ["bayleaf mail filter", "bogofilter -d . -p -e"])
def test_a_reader_that_takes_a_part_has_not_taken_the_mail(command: str, folder: Path) -> None:
    """A pipe takes a part of a large mail and then breaks: without a buffer, Python calls that written."""
    line = f"{command} <large.eml | head -c 10 >/dev/null; exit ${{PIPESTATUS[0]}}"
    for unbuffered in (False, True):
        assert run(folder, line, unbuffered).returncode != 0


def test_a_disk_that_is_nearly_full_is_not_called_delivered(folder: Path, small_disk: Path) -> None:
    line = f"(head -c 1500000 /dev/zero; bayleaf mail filter <large.eml) >{small_disk}/mail"
    assert run(folder, line, unbuffered=True).returncode == 75


@pytest.mark.parametrize(
    ("command", "code"), [("bayleaf mail filter --store nowhere.db", 0), ("bogofilter -d nowhere -p -e", 3)]
)
def test_no_complaint_gets_into_the_mail(command: str, code: int, folder: Path) -> None:
    """Printing to a standard error that is closed is printing to standard output."""
    done = run(folder, f"{command} <new.eml 2>&-")
    assert (done.returncode, done.stdout) == (code, SPAM)


def test_a_closed_output_leaves_the_exit_code(folder: Path) -> None:
    done = run(folder, "bayleaf mail judge new.eml >&-")
    assert (done.returncode, done.stderr) == (1, b"")
    for line, code in (
        ("bogofilter -d . <new.eml", 0),
        ("bogofilter -d . -s <new.eml", 0),
        ("bogofilter -d . -v <new.eml", 3),
    ):
        assert run(folder, f"{line} >&-").returncode == code


@pytest.mark.parametrize(
    "command",
    [
        "bayleaf mail judge",
        "bayleaf mail learn --spam -",
        "bayleaf train - --label a -o m.bayleaf",
        "bogofilter -d . -p",
    ],
)
def test_a_closed_input_is_said_in_one_line(command: str, folder: Path) -> None:
    done = run(folder, f"{command} <&-")
    assert done.returncode in (70, 1, 3)
    assert b"standard input is closed" in done.stderr
    assert done.stderr.count(b"\n") == 1
    with Filter.open(folder / "bayleaf.db") as found:
        assert found.check()["mails"] == 80


@pytest.mark.parametrize(("words", "code"), [("mail status --json", 70), ("completion bash", 1)])
def test_an_answer_that_finds_no_room_is_told_with_the_remedy(words: str, code: int, folder: Path) -> None:
    for unbuffered in (False, True):
        done = run(folder, f"bayleaf {words} >/dev/full", unbuffered)
        told = "the answer cannot be written: No space left on device. Make room, or send it elsewhere"
        assert (done.returncode, done.stderr.decode()) == (code, f"bayleaf: {told}\n")


def test_a_filter_that_is_used_wrongly_says_so_once_and_passes_the_mail_on(folder: Path) -> None:
    done = run(folder, "bayleaf mail filter --nosuch <new.eml")
    assert (done.returncode, done.stdout) == (0, SPAM)
    assert "unrecognized arguments: --nosuch" in done.stderr.decode()
    assert "SystemExit" not in done.stderr.decode()


@pytest.mark.parametrize("words", ["", "--version", "--help", "mail", "mail learn -h", "train -h"])
def test_help_that_nobody_reads_makes_no_noise(words: str, folder: Path) -> None:
    for unbuffered in (False, True):
        done = run(folder, f"bayleaf {words} >/dev/full", unbuffered)
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("command", "code", "out"),
    [
        ("bayleaf mail filter --store nowhere.db", 0, SPAM),
        ("bogofilter -d nowhere -p", 3, SPAM),
        ("bayleaf mail judge nothing.eml", 70, b""),
        ("bayleaf mail judge --wrong", 64, b""),
        ("bayleaf mail juge", 64, b""),
        ("bayleaf mail forget new.eml", 70, b"1 never learned\n"),
    ],
)
def test_a_complaint_that_nobody_takes_costs_neither_mail_nor_exit_code(
    command: str, code: int, out: bytes, folder: Path
) -> None:
    """A journal on a full disk, or one that has gone: 1 would call a mail spam."""
    for line in (f"{command} <new.eml 2>/dev/full", f"{command} <new.eml 2> >(exec 0<&-)"):
        done = run(folder, line)
        assert (done.returncode, done.stdout) == (code, out)
