"""bayleaf demo: everything, on data that ships with the package."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from bayleaf.cli.parser import Parser
from bayleaf.errors import BayleafError

ABOUT = """Tells the whole story in one run: the arithmetic of six mails, sums that are exact, a mailbox, a labelled
table with its report, pictures. Each command is shown before what it prints, and can be typed again."""
EXAMPLES = """  bayleaf demo
  bayleaf demo /tmp/look
"""


def main(argv: Sequence[str]) -> int:
    """Tells the story."""
    options = arguments().options(argv)
    try:
        import_module("bayleaf.demo.tour").tell(options.folder)  # by name: it stands on the commands, not under them
    except OSError as error:
        raise BayleafError(f"{error.filename}: {error.strerror}; give a folder that can be written to") from error
    return 0


def arguments() -> Parser:
    """What the command takes."""
    command = Parser("demo", ABOUT, EXAMPLES)
    command.add_argument(
        "folder", nargs="?", metavar="FOLDER", type=Path, default=Path("out"), help="where files are put (out)"
    )
    return command
