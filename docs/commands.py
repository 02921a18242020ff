"""Write what each command says of itself into the reference: `python docs/commands.py`."""

import io
import os
import sys
from contextlib import redirect_stdout, suppress
from pathlib import Path

from bayleaf.cli import bogofilter
from bayleaf.cli.main import DESK, MAIL, main

PAGE = Path(__file__).parent / "reference" / "commands.md"
HEAD = """# Commands

What each command prints for `-h`; `python -m bayleaf` is the same as `bayleaf`. Written by `docs/commands.py`.
"""


def help_of(words: list[str]) -> str:
    """What `bayleaf WORDS -h` prints, on a screen of 100 columns."""
    os.environ["COLUMNS"] = "100"
    with redirect_stdout(io.StringIO()) as out, suppress(SystemExit):
        main([*words, "-h"])
    return out.getvalue().rstrip()


def page() -> str:
    """The whole page."""
    parts = [HEAD, f"## bayleaf\n\n```console\n{help_of([])}\n```\n"]
    commands = [*([command] for command in DESK), *(["mail", command] for command in MAIL)]
    parts += [f"## bayleaf {' '.join(words)}\n\n```console\n{help_of(words)}\n```\n" for words in commands]
    with redirect_stdout(io.StringIO()) as out:
        bogofilter.main(["-h"])
    parts.append(f"## bayleaf-bogofilter\n\n```console\n{out.getvalue().rstrip()}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdin = io.TextIOWrapper(io.BytesIO())
    PAGE.write_text(page(), encoding="utf-8")
