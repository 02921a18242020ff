"""bayleaf mail forget: as if it had never been learned."""

from __future__ import annotations

from collections.abc import Sequence

from bayleaf.cli.mail.options import parser, standing_filter
from bayleaf.cli.mail.tell import tell
from bayleaf.cli.parser import Parser
from bayleaf.mail.mailbox import mails


def main(argv: Sequence[str]) -> int:
    """Takes the learning of mails back, exactly. A mail that was never learned is refused."""
    options = arguments().options(argv)
    with standing_filter(options) as learner:
        forgotten = (f"{learner.untrain(raw)} forgotten" for path in options.mails or ["-"] for raw in mails(path))
        tell(forgotten, options.json)
    return 0


def arguments() -> Parser:
    """What the command takes."""
    command = parser("forget", main.__doc__ or "")
    command.add_argument("mails", nargs="*", help="mails, mboxes, folders; standard input without any")
    return command
