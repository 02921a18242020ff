"""bayleaf mail judge: what a mail is."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from bayleaf._core import threads
from bayleaf.cli.mail.options import judging_filter, parser
from bayleaf.cli.mail.unread import REFUSED, Unread
from bayleaf.cli.parser import Parser, natural
from bayleaf.cli.screen import VERDICTS, named, paint
from bayleaf.cli.streams import complain
from bayleaf.mail.clue import telling
from bayleaf.mail.verdict import Verdict
from bayleaf.plain import aligned
from bayleaf.store.label import UNSURE

EXITS = {"ham": 0, "spam": 1, UNSURE: 2}

EXAMPLES = """  bayleaf mail judge some-mail.eml
  bayleaf mail judge --explain < some-mail.eml
"""


def main(argv: Sequence[str]) -> int:
    """Prints one line per mail; the exit code is that of the last: 0 ham (or any other label), 1 spam, 2 unsure.

    When there is one that cannot be read it is 70: who asks for several must not take them all for judged.
    """
    options = arguments().options(argv)
    code, unread, places = None, Unread(), deque[tuple[str, int, bool]]()
    found = raws(unread.named(options.mails or ["-"]), places)
    with judging_filter(options) as judge:
        shown = options.n if options.explain else None
        for verdict in judge.judge_many(found, threads()):
            path, number, several = places.popleft()
            code = EXITS.get(verdict.label, 0)
            if options.json:
                print(json.dumps({"path": path, "number": number or None, **verdict.to_dict(shown)}))
                continue
            where = f"{named(path)}, mail {number}: " if number else f"{named(path)}: "
            print((where if several else "") + line(verdict))
            if shown:
                print("\n".join(reasons(verdict, shown)))
    unread.tell()
    if code is None and not unread.left:  # where nothing was asked, "unsure" is no answer
        complain(f"bayleaf: {', '.join(options.mails)}: found no mail there, expected one")
    return REFUSED if code is None or unread.left or unread.refused else code


def raws(found: Iterator[tuple[str, int, bytes]], places: deque[tuple[str, int, bool]]) -> Iterator[bytes]:
    """Every mail; `places` gets its file, its number in an mbox, and whether there are several."""
    first = list(islice(found, 2))
    for path, number, raw in chain(first, found):
        places.append((path, number, len(first) > 1))
        yield raw


def arguments() -> Parser:
    """What the command takes."""
    about = """Says what mails are; the line of each begins with its path where there are several. Exit code: 0 ham or
    another label, 1 spam, 2 unsure, of the last mail; 70 on failure, also when only one of several cannot be read.
    With --explain, each clue adds to the score (the log-odds of the label), and the learned mails that have it stand
    on the right. base is how often each label comes; clip:KIND is what one kind of evidence says beyond its limit."""
    command = parser("judge", about, examples=EXAMPLES)
    command.add_argument("mails", nargs="*", metavar="PATH", help="mails, mboxes, folders; standard input without any")
    command.add_argument("--explain", action="store_true", help="show the strongest clues")
    command.add_argument("-n", type=natural, default=20, metavar="N", help="how many of them (20)")
    return command


def line(verdict: Verdict) -> str:
    """One verdict in words."""
    shares = " ".join(f"{label}={share:.4f}" for label, share in verdict.probabilities.items())
    notes = "".join(f"  ({note})" for note in verdict.notes)
    return f"{paint(verdict.label, VERDICTS.get(verdict.label))} {shares}{paint(notes, 'dim')}"


def reasons(verdict: Verdict, most: int, shown_here: bool = True) -> list[str]:
    """The table of clues: what speaks for the best label in green, what speaks against it in red.

    Without colour where it goes elsewhere than to standard output.
    """
    labels, (shown, rest) = [*verdict.probabilities], telling(verdict.clues, most)
    rows = [(f"for {verdict.best}", "clue", *labels)]
    for clue in shown:
        counts = clue.counts or ("",) * len(labels)
        rows.append((f"{clue.summand:+.3f}", clue.name or f"({clue.family})", *map(str, counts)))
    if rest:
        rows.append((f"{sum(clue.summand for clue in rest):+.3f}", f"{len(rest)} more", *[""] * len(labels)))
    rows.append((f"{verdict.score:+.3f}", "score", *[""] * len(labels)))
    lines = aligned(rows, "r" + "l" + "r" * len(labels))
    if not shown_here:
        return lines
    colours = [None, *("green" if clue.summand > 0 else "red" for clue in shown), *(["dim"] if rest else []), "bold"]
    return [paint(line, colour) for line, colour in zip(lines, colours, strict=True)]
