"""bayleaf mail forget: as if it had never been learned."""

from __future__ import annotations

from collections.abc import Sequence

from bayleaf.cli.mail.options import parser, standing_filter
from bayleaf.cli.mail.tell import tell
from bayleaf.cli.mail.unread import REFUSED, Unread
from bayleaf.cli.parser import Parser
from bayleaf.errors import NotLearnedError
from bayleaf.mail.lessons import CHANGED


def main(argv: Sequence[str]) -> int:
    """Takes back, exactly, what was learned from mails.

    A mail that was never learned, or a path that cannot be read, is named and makes the exit code 70; the others are
    forgotten. A file inside a folder that cannot be read is named only.
    """
    options = arguments().options(argv)
    kept, unread = [], Unread()
    with standing_filter(options) as learner:

        def outcome(name: str, raw: bytes) -> str:
            if learner.knows(learner.taught(raw)) is None:
                kept.append(f"{name}: this mail was never learned here: nothing was taken back")
                return "never learned"
            try:
                return f"{learner.untrain(raw)} forgotten"
            except NotLearnedError as error:
                kept.append(f"{name}: {error}")
                return CHANGED

        found = unread.named(options.mails or ["-"])
        named = ((f"{where}, mail {number}" if number else where, raw) for where, number, raw in found)
        tell((outcome(name, raw) for name, raw in named), kept, options.json)
    return unread.tell() or (REFUSED if kept else 0)


def arguments() -> Parser:
    """What the command takes."""
    command = parser("forget", main.__doc__ or "")
    command.add_argument("mails", nargs="*", metavar="PATH", help="mails, mboxes, folders; standard input without any")
    return command
