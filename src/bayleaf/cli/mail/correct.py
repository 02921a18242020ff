"""bayleaf mail correct: this was something else."""

from __future__ import annotations

import os
from collections.abc import Sequence

from bayleaf.cli.mail.options import parser, standing_filter
from bayleaf.cli.mail.reading import Reading, surveyed
from bayleaf.cli.mail.tell import tell
from bayleaf.cli.mail.unread import REFUSED
from bayleaf.cli.parser import Parser
from bayleaf.errors import BayleafError, NotLearnedError
from bayleaf.mail.filter import LABELS
from bayleaf.mail.lessons import CHANGED


def main(argv: Sequence[str]) -> int:
    """Learns mails under a label; those learned under another are taken back exactly.

    A mail that has changed since it was learned, so that it cannot be taken back, is named and makes the exit code 70.
    """
    options = arguments().options(argv)
    sources, reading = [(options.label, path) for path in options.mails], Reading()
    kept: list[str] = []
    with standing_filter(options) as learner:
        check(options.label, learner.evidence().labels)
        surveyed(sources)

        def outcome(raw: bytes) -> str:
            try:
                return learner.train(raw, options.label)
            except NotLearnedError as error:  # it cannot be taken back from its other label: the rest is learned
                kept.append(f"{reading.name}: {error}")
                return CHANGED

        tell((outcome(raw) for raw, _ in reading.labelled(sources)), kept, options.json)
    return reading.tell() or (REFUSED if kept else 0)


def arguments() -> Parser:
    """What the command takes."""
    command = parser("correct", main.__doc__ or "")
    command.add_argument("label", metavar="LABEL", help="what the mails are: spam, ham or a label of the store")
    command.add_argument("mails", metavar="PATH", nargs="+", help="mails, mboxes, folders; - is standard input")
    return command


def check(label: str, known: Sequence[str]) -> None:
    """Refuses a label that is likely a mistake: new ones are made by learning."""
    if label in (*LABELS, *known):
        return
    if os.path.isfile(label):  # noqa: PTH113
        raise BayleafError(f"found the file {label!r} where a label was expected: bayleaf mail correct spam {label}")
    names = ", ".join(dict.fromkeys((*known, *LABELS)))
    raise BayleafError(
        f"found the label {label!r}, expected one of {names}; a new one is made by bayleaf mail learn --as {label} PATH"
    )
