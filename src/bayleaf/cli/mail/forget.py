"""bayleaf mail forget: as if it had never been learned."""

from __future__ import annotations

from collections.abc import Sequence

from bayleaf.cli.mail.options import parser, standing_filter
from bayleaf.cli.mail.tell import tell
from bayleaf.cli.parser import Parser
from bayleaf.cli.streams import complain
from bayleaf.mail.mailbox import named


def main(argv: Sequence[str]) -> int:
    """Takes the learning of mails back, exactly. A mail that was never learned is named, and the exit code is 70."""
    options = arguments().options(argv)
    unknown = []
    with standing_filter(options) as learner:

        def outcome(name: str, raw: bytes) -> str:
            if learner.knows(learner.read(raw)) is None:
                unknown.append(name)
                return "never learned"
            return f"{learner.untrain(raw)} forgotten"

        found = (mail for path in options.mails or ["-"] for mail in named(path))
        tell(
            (outcome(f"{where}, mail {number}" if number else where, raw) for where, number, raw in found), options.json
        )
    for name in unknown:
        complain(f"bayleaf: {name}: this mail was never learned here: nothing was taken back")
    return 70 if unknown else 0


def arguments() -> Parser:
    """What the command takes."""
    command = parser("forget", main.__doc__ or "")
    command.add_argument("mails", nargs="*", help="mails, mboxes, folders; standard input without any")
    return command
