"""The command line as people start it, for tests."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import forked
import pytest

from bayleaf.cli.main import main

ROWS = [
    ("where is my parcel, it is late", "phone", 12, "delivery"),
    ("the parcel came broken and late", "mail", 30, "delivery"),
    ("parcel not delivered by the courier", "phone", 14, "delivery"),
    ("courier left the parcel in the rain", "phone", 18, "delivery"),
    ("I was charged twice on this invoice", "mail", 3, "billing"),
    ("the invoice shows a wrong amount", "web", 4, "billing"),
    ("please send the invoice again", "web", 2, "billing"),
    ("charged the wrong amount", "mail", 5, "billing"),
]


def bayleaf(*words: str, stdin: str | bytes = b"", **env: str) -> subprocess.CompletedProcess[str]:
    """`bayleaf WORDS`, with everything that was printed."""
    raw = stdin.encode() if isinstance(stdin, str) else stdin
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("BAYLEAF_", "XDG_"))}
    code, out, err = forked.run(words, raw, {**clean, **env})
    return subprocess.CompletedProcess(words, code, out.decode(errors="replace"), err.decode(errors="replace"))


def write_rows(path: Path, times: int = 5) -> Path:
    """A labelled file of four columns."""
    lines = ["message,channel,waited,team"]
    lines += [
        f'"{text} {n}",{channel},{waited + n},{team}' for n in range(times) for text, channel, waited, team in ROWS
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command that is refused says, in this process."""
    assert main(words) == 1
    return capsys.readouterr().err.strip()


def refused(*words: str) -> str:
    """The one line that a command says, which is refused in a process of its own."""
    done = bayleaf(*words)
    assert done.returncode == 1, done.stdout
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr.strip()
