"""Noted: warnings of the library as a line for people, without a place in the code."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from bayleaf.cli.streams import complain

Command = Callable[[Sequence[str]], int]


def noted(command: Command) -> Command:
    """The command; meanwhile warnings are notes, and -q leaves them out."""

    @wraps(command)
    def run(argv: Sequence[str]) -> int:
        quiet = not {"-q", "--quiet"}.isdisjoint(argv)

        def note(message: Warning | str, *_: Any, **__: Any) -> None:
            if not quiet:
                complain(f"bayleaf: note: {message}")

        with warnings.catch_warnings():
            warnings.simplefilter("default")
            # Columns are found by their names before the model is asked; that it gets an array is not a person's fault.
            warnings.filterwarnings("ignore", "X does not have valid feature names", UserWarning)
            warnings.showwarning = note
            return command(argv)

    return run
