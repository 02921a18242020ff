"""Stage: where the story is told. Headings, sentences, and commands followed by what they print."""

import io
import os
import shlex
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import TextIO

from bayleaf.cli.main import main
from bayleaf.cli.screen import paint
from bayleaf.errors import BayleafError

WIDTH = min(shutil.get_terminal_size((100, 24)).columns, 100)
VERDICTS = (1, 2)  # exit codes of `mail judge`: spam, unsure


class Indented(io.TextIOBase):
    """A stream that moves every line to the right. It is a terminal when what it writes to is one."""

    def __init__(self, target: TextIO, margin: str, terminal: bool) -> None:
        self.target = target
        self.margin = margin
        self.terminal = terminal
        self.fresh = True

    def isatty(self) -> bool:
        """Whether colours are wanted."""
        return self.terminal

    def write(self, text: str) -> int:
        """Writes with the margin in front of every line that is not empty."""
        for line in text.splitlines(keepends=True):
            self.target.write(self.margin + line if self.fresh and line.strip() else line)
            self.fresh = line.endswith("\n")
        return len(text)


def title(text: str) -> None:
    """Prints the heading of a chapter."""
    print(f"\n\n{paint(text, 'bold')}\n{paint('─' * WIDTH, 'green')}")


def say(text: str) -> None:
    """Prints a sentence or more, in lines that fit."""
    print()
    print(textwrap.fill(" ".join(text.split()), WIDTH, break_long_words=False, break_on_hyphens=False))


@contextmanager
def own_environment() -> Iterator[None]:
    """Lets variables be exported for a while."""
    before = dict(os.environ)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def export(name: str, value: str) -> None:
    """Sets a variable of the environment, and shows how."""
    os.environ[name] = value
    print(f"\n  {paint('$', 'green')} {paint(f'export {name}={shlex.quote(value)}', 'bold')}")


def command(words: Sequence[str]) -> None:
    """Prints a command and runs it here, in this process; what it prints follows. A failure ends the story."""
    print(f"\n  {paint('$', 'green')} {paint(fold(['bayleaf', *words]), 'bold')}")
    code = show(lambda: main(words))
    if code and not (words[:2] == ["mail", "judge"] and code in VERDICTS):
        raise BayleafError(f"`{shlex.join(['bayleaf', *words])}` ended with exit code {code}")


def show(act: Callable[[], int | None]) -> int | None:
    """Runs something that prints, indented. Errors are printed in their place, and progress bars are not."""
    out, err = (Indented(sys.stdout, "    ", terminal) for terminal in (sys.stdout.isatty(), False))
    with redirect_stdout(out), redirect_stderr(err):
        return act()


def fold(words: Sequence[str]) -> str:
    r"""The words as a shell takes them, in lines that fit.

    >>> fold(["bayleaf", "mail", "judge", "a mail.eml"])
    "bayleaf mail judge 'a mail.eml'"
    """
    quoted = [shlex.quote(word) for word in words]
    lines = [quoted[0]]
    for word in quoted[1:]:
        if len(lines[-1]) + len(word) > WIDTH - 8:
            lines[-1] += " \\"
            lines.append(f"      {word}")
        else:
            lines[-1] += f" {word}"
    return "\n".join(lines)
