"""bayleaf mail correct: this was something else."""

from __future__ import annotations

from collections.abc import Sequence

from bayleaf.cli.mail.options import open_filter, parser
from bayleaf.cli.mail.tell import tell
from bayleaf.cli.parser import Parser
from bayleaf.mail.mailbox import mails


def main(argv: Sequence[str]) -> int:
    """Learns mails under a label; those learned under another are taken back exactly."""
    options = arguments().options(argv)
    with open_filter(options) as learner:
        tell(
            (learner.train(raw, options.label) for path in options.mails or ["-"] for raw in mails(path)), options.json
        )
    return 0


def arguments() -> Parser:
    """What the command takes."""
    command = parser("correct", main.__doc__ or "")
    command.add_argument("label", help="what the mails are: spam, ham or any other label")
    command.add_argument("mails", nargs="*", help="mails, mboxes, folders; standard input without any")
    return command
