"""The tables of the mail filter."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from benchmarks.mails import Mail
from benchmarks.record import Record

HEAD = ("what", "bayleaf", "bogofilter BDB", "bogofilter SQLite", "bar")
PROGRAMS = {"bogofilter": "bogofilter-bdb", "bsfilter": "bsfilter", "SpamAssassin": "spamassassin"}
STORES = 5  # of ours: the secret of each decides which quarter of the pairs of words it looks at
NOTE = f"""Rates are in percent; ours are means of {STORES} stores, each with a secret of its own, which decides which
pairs of words it looks at. Speed is in mails per CPU second from files to a durable store, the best of three turns
(least to most in brackets)."""

HELD = """Spam of the last tenth carries good words. Recall at 0.5 % ham loss, by the filter's own scores; what it calls
ham by its own limits. In the picture half a percent is added to what each side misses, since some miss nothing."""


class Table:
    """Rows are printed as they come and written at the end."""

    def __init__(self) -> None:
        self.record = Record("The mail filter beside others")
        self.rows: list[tuple[str, ...]] = []
        self.held: list[tuple[str, ...]] = []  # the second table, its head first

    def add(self, *cells: str) -> None:
        self.rows.append(cells)
        print(" | ".join(cells), flush=True)

    def add_held(self, *cells: str) -> None:
        self.held.append(cells)
        print(" | ".join(cells), flush=True)

    def write(self, path: Path, mails: Sequence[Mail]) -> None:
        size = sum(len(raw) for _, raw, _ in mails) / 1e6
        self.record.programs = programs()
        text = f"{len(mails)} mails, {size:.1f} MB: SpamAssassin corpus, each body once, `random.Random(1)`."
        lines = [f"# {self.record.title}", "", self.record.setting(), f"One core. {text}", NOTE, ""]
        lines += [*markdown(HEAD, self.rows), ""]
        if self.held:
            lines += ["## Nine tenths learned, the last tenth judged", ""]
            lines += [HELD, ""]
            lines += [*markdown(self.held[0], self.held[1:]), ""]
        picture = self.record.write(path)
        path.write_text("\n".join([*lines, *picture]), encoding="utf-8")


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return ["| " + " | ".join(head) + " |", "|---" * len(head) + "|", *("| " + " | ".join(row) + " |" for row in rows)]


def cells(values: Sequence[object]) -> list[str]:
    """Three cells, the missing ones empty."""
    texts = [f"{value:.1f}" if isinstance(value, float) else str(value) for value in values]
    return [*texts, "", ""][:3]


def programs() -> dict[str, str]:
    """The versions of the filters that are installed."""
    found = {}
    for name, program in PROGRAMS.items():
        try:
            said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
        except OSError:
            continue
        if number := re.search(r"\d+\.[\d.]*\d", said.stdout + said.stderr):
            found[name] = number[0]
    return found
