"""bayleaf mail filter: the pipe of procmail, maildrop and friends. No mail is ever lost or altered otherwise."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from bayleaf.cli.streams import complain, give
from bayleaf.standard_input import standard_input

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from bayleaf.cli.parser import Parser
    from bayleaf.mail import Verdict

DEFER = 75  # EX_TEMPFAIL: the mail server keeps the mail and tries again


def main(argv: Sequence[str]) -> int:
    """Reads a mail from standard input and writes it out with X-Bayleaf headers on top.

    On any failure it writes the mail as it came and exits 0; with --defer it writes nothing and exits 75. When
    the mail itself cannot be read or written, it exits 75 as well. A mail that --train could not learn has its headers.
    """
    defer = "--defer" in argv
    try:
        raw = b"" if {"-h", "--help"} & set(argv) else standard_input().read()
    except BaseException as error:
        complain(f"bayleaf mail filter: the mail could not be read: {type(error).__name__}: {error}")
        return DEFER  # there is no whole mail to pass on: whoever has it keeps it
    out = raw
    try:
        options, verdict = judged(raw, [word for word in argv if word != "--defer"])
        out = passed(raw, verdict)
        if options.train and verdict.label == verdict.best:
            teach(raw, verdict.label, options)
    except BaseException as error:
        if isinstance(error, SystemExit) and not raw:
            raise  # -h, or wrong usage by hand
        if not isinstance(error, SystemExit):  # wrong usage, which has been said
            complain(f"bayleaf mail filter: {type(error).__name__}: {error}")
        if defer:
            return DEFER
    try:
        give(out)
    except BaseException:
        sys.stdout = None  # or what is left would be tried again, and that failure be another exit code
        return DEFER  # whoever reads has not got it all: keep the mail
    return 0


def judged(raw: bytes, argv: Sequence[str]) -> tuple[Namespace, Verdict]:
    """What was asked, and the answer. What is imported here may fail, and the mail must go on."""
    from bayleaf.cli.mail.options import judging_filter

    options = arguments().options(argv)
    with judging_filter(options) as judge:
        return options, judge.judge(raw)


def teach(raw: bytes, label: str, options: Namespace) -> None:
    """Learns the mail."""
    from bayleaf.cli.mail.options import learning_filter

    with learning_filter(options) as learner:
        learner.train(raw, label)


def arguments() -> Parser:
    """What the command takes."""
    from bayleaf.cli.mail.options import parser

    command = parser("filter", main.__doc__ or "", json=False)
    command.add_argument("--defer", action="store_true", help="on failure write nothing and exit 75")
    command.add_argument("--train", action="store_true", help="learn the verdict as well, unless it is unsure")
    return command


def passed(raw: bytes, verdict: Verdict) -> bytes:
    """The mail with our lines at the top and without X-Bayleaf headers that came with it; else not a byte changed."""
    from bayleaf import __version__
    from bayleaf.mail.marked import marked, told

    return b"".join(marked(raw, [*told(verdict), f"X-Bayleaf-Version: {__version__}"]))
