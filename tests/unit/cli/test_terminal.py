"""What mails and names of files hold is shown on a terminal, not obeyed by it; programs are given it as it is."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import termios
import threading
from pathlib import Path

import pytest
from letters import letter, letters

from bayleaf.mail import Filter

RED, TITLE = "\x1b[31m", "\x1b]0;owned\x07"
NAME = f"in{RED}voice{TITLE}.eml"
HOSTILE = b"X-Mailer: " + f"mailer{RED}{TITLE}".encode() + b"\xc2\x9b31m\n"
END = b"\0the end\0"
BOGOFILTER = "from bayleaf.cli.bogofilter import main; exit(main())"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Filter.open(tmp_path / "bayleaf.db") as f:
        f.train_many(
            (HOSTILE + raw if isinstance(raw, bytes) and label == "spam" else raw, label) for raw, label in letters(20)
        )
    (tmp_path / "mails").mkdir()
    for name in (NAME, f"b{RED}"):
        (tmp_path / "mails" / name).write_bytes(HOSTILE + letter(90, "spam"))
    return tmp_path


def shown(folder: Path, *words: str, columns: int = 0) -> str:
    """What a command writes to a terminal, output and complaints; one of 0 columns does not say how wide it is."""
    here, there = pty.openpty()
    termios.tcsetwinsize(there, (24, columns))
    env = {**os.environ, "BAYLEAF_STORE": str(folder / "bayleaf.db"), "NO_COLOR": "1"}
    env.pop("COLUMNS", None)  # workers of pytest have one
    done = subprocess.Popen(
        [sys.executable, *words], stdin=subprocess.DEVNULL, stdout=there, stderr=there, cwd=folder, env=env
    )
    # A terminal that its last writer closed may end before what was written to it was read, so this one stays open.
    ended = threading.Thread(target=lambda: (done.wait(), os.write(there, END)))
    ended.start()
    said = b""
    while not said.endswith(END):
        said += os.read(here, 65536)
    ended.join()
    os.close(there)
    os.close(here)
    return said.removesuffix(END).decode()


@pytest.mark.parametrize(
    "words",
    [
        "judge mails",
        "judge --explain -n 2000 mails",
        "words -n 2000",
        "forget mails",
        f"judge nothing{RED}{TITLE}",
        f"judge --wrong{RED}{TITLE}",
        f"status --store {RED}{TITLE}.db",
    ],
)
def test_nothing_in_a_mail_or_a_name_is_obeyed(folder: Path, words: str) -> None:
    out = shown(folder, "-m", "bayleaf", "mail", *words.split(" "))
    assert "␛[31m" in out
    assert not {"\x1b", "\x07", "\x9b"} & set(out)


def test_nor_by_way_of_bogofilter(folder: Path) -> None:
    names = [str(file) for file in sorted((folder / "mails").iterdir())]
    for form in ("-T", "-v", "-vvv"):
        out = shown(folder, "-c", BOGOFILTER, "-d", ".", form, "-B", *names, f"none{RED}")
        assert out.count("␛[31m") >= 3
        assert not {"\x1b", "\x07", "\x9b"} & set(out)


def test_programs_are_given_names_and_tokens_as_they_are(folder: Path) -> None:
    def said(*words: str) -> str:
        command = [sys.executable, "-m", "bayleaf", "mail", *words, "--store", "bayleaf.db"]
        return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False).stdout

    assert f"mails/{NAME}: spam" in said("judge", "mails")
    assert f"mails/{NAME}" in [json.loads(line)["path"] for line in said("judge", "--json", "mails").splitlines()]
    assert any(RED in clue["name"] for clue in json.loads(said("words", "--json", "-n", "2000")))
    assert RED not in said("words", "-n", "2000"), "a table is for people, also when it goes through a pager"


@pytest.mark.parametrize("source", ["box", "folder"])
def test_the_bar_does_not_count_mails_against_files(tmp_path: Path, source: str) -> None:
    box = b"".join(b"From me Thu Jan  1 10:00:00 2026\n" + letter(n, "spam") + b"\n\n" for n in range(5))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "box").write_bytes(box)
    (tmp_path / "box").write_bytes(box)
    drawn = shown(tmp_path, "-m", "bayleaf", "mail", "learn", "--store", "m.db", "--spam", source)
    bars = [line for line in drawn.replace("\n", "").split("\r") if line.startswith("learning")]
    assert bars[-1].strip() == "learning 5"


@pytest.mark.parametrize(("columns", "widest"), [(0, 51), (20, 18), (40, 39), (80, 51)])
def test_the_bar_fits_the_terminal(tmp_path: Path, columns: int, widest: int) -> None:
    code = "from bayleaf.cli.screen import progress; list(progress(range(135), 135, 'judging'))"
    drawn = shown(tmp_path, "-c", code, columns=columns).replace("\n", "").split("\r")
    assert max(map(len, drawn)) == widest
    assert drawn[-2].startswith("judging 135 of 135")


def test_sentences_of_caution_are_as_wide_as_the_terminal(folder: Path) -> None:
    (folder / "rows.csv").write_text("text,label\nhello there,a\ngood bye,b\nhello again,a\nbye bye,b\n")
    told = shown(folder, "-m", "bayleaf", "evaluate", "rows.csv", columns=40).splitlines()
    assert told[-2:] == ["  figures of such a class are mostly", "  chance."]
