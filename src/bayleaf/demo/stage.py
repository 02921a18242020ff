"""Stage: where the story is told. Headings, sentences, and commands followed by what they print."""

import io
import os
import shlex
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO

from bayleaf.cli.main import main
from bayleaf.cli.screen import paint
from bayleaf.errors import BayleafError

WIDTH = min(shutil.get_terminal_size((100, 24)).columns, 100)
MARGIN = " " * 4
WORDS: Any = {"break_long_words": False, "break_on_hyphens": False}
VERDICTS = (1, 2)  # exit codes of `mail judge`: spam, unsure


class Indented(io.TextIOBase):
    """A stream that moves every line to the right, and folds those that do not fit. A terminal if its target is one."""

    def __init__(self, target: TextIO, terminal: bool) -> None:
        self.target = target
        self.terminal = terminal
        self.line = ""

    def isatty(self) -> bool:
        """Whether colours are wanted."""
        return self.terminal

    def write(self, text: str) -> int:
        """Writes the lines that are whole."""
        *lines, self.line = (self.line + text).split("\n")
        for line in lines:
            self.target.write(f"{self.fitted(line)}\n")
        return len(text)

    @staticmethod
    def fitted(line: str) -> str:
        """The line behind the margin; where it is too long, its rest below, further to the right."""
        line = f"{MARGIN}{line}".rstrip()
        later = " " * (len(line) - len(line.lstrip()) + 4)
        return line if len(line) <= WIDTH else textwrap.fill(line, WIDTH, subsequent_indent=later, **WORDS)


def title(text: str) -> None:
    """Prints the heading of a chapter."""
    print(f"\n\n{paint(text, 'bold')}\n{paint('─' * WIDTH, 'green')}")


def say(text: str) -> None:
    """Prints a sentence or more, in lines that fit."""
    print()
    print(textwrap.fill(" ".join(text.split()), WIDTH, **WORDS))


@contextmanager
def own_environment() -> Iterator[None]:
    """Lets variables be exported for a while, and commands fill the lines behind the margin."""
    before = dict(os.environ)
    os.environ["COLUMNS"] = str(WIDTH - len(MARGIN))
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
    out, err = (Indented(sys.stdout, terminal) for terminal in (sys.stdout.isatty(), False))
    with redirect_stdout(out), redirect_stderr(err):
        return act()


def fold(words: Sequence[str]) -> str:
    r"""The words as a shell takes them, in lines that fit; an option stays with its values.

    >>> fold(["bayleaf", "mail", "judge", "a mail.eml"])
    "bayleaf mail judge 'a mail.eml'"
    """
    groups: list[str] = []
    for word in map(shlex.quote, words):
        if groups and groups[-1].startswith("-") and not word.startswith("-"):
            groups[-1] += f" {word}"
        else:
            groups.append(word)
    lines = [groups[0]]
    for group in groups[1:]:
        if len(lines[-1]) + len(group) > WIDTH - len(MARGIN) - 3:
            lines[-1] += " \\"
            lines.append(f"      {group}")
        else:
            lines[-1] += f" {group}"
    return "\n".join(lines)
