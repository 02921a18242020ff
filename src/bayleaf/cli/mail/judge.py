"""bayleaf mail judge: what a mail is."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from bayleaf.cli.mail.options import open_filter, parser
from bayleaf.cli.parser import Parser
from bayleaf.cli.screen import VERDICTS, paint, table
from bayleaf.mail.mailbox import mails
from bayleaf.mail.verdict import UNSURE, Verdict

EXITS = {"ham": 0, "spam": 1, UNSURE: 2}


def main(argv: Sequence[str]) -> int:
    """Prints one line per mail; the exit code is that of the last: 0 ham (or any other label), 1 spam, 2 unsure."""
    options = arguments().options(argv)
    code = EXITS[UNSURE]
    with open_filter(options) as judge:
        for path in options.mails or ["-"]:
            for raw in mails(path):
                verdict = judge.judge(raw)
                code = EXITS.get(verdict.label, 0)
                shown = options.n if options.explain else 0
                print(as_json(verdict, shown) if options.json else line(verdict))
                if shown and not options.json:
                    print("\n".join(reasons(verdict, tuple(verdict.probabilities), shown)))
    return code


def arguments() -> Parser:
    """What the command takes."""
    about = "Says what mails are. Exit code: 0 ham or another label, 1 spam, 2 unsure, of the last mail; 70 on failure."
    command = parser("judge", about)
    command.add_argument("mails", nargs="*", help="mails, mboxes, folders; standard input without any")
    command.add_argument("--explain", action="store_true", help="show the strongest clues")
    command.add_argument("-n", type=int, default=20, metavar="N", help="how many of them (20)")
    return command


def line(verdict: Verdict) -> str:
    """One verdict in words."""
    shares = " ".join(f"{label}={share:.4f}" for label, share in verdict.probabilities.items())
    notes = "".join(f"  ({note})" for note in verdict.notes)
    return f"{paint(verdict.label, VERDICTS.get(verdict.label))} {shares}{paint(notes, 'dim')}"


def as_json(verdict: Verdict, clues: int) -> str:
    """One verdict as one line of JSON."""
    fields: dict[str, object] = {
        "label": verdict.label,
        "best": verdict.best,
        "probability": verdict.probability,
        "score": verdict.score,
        "probabilities": verdict.probabilities,
        "notes": verdict.notes,
    }
    if clues:
        fields["clues"] = [clue._asdict() for clue in verdict.clues[:clues]]
    return json.dumps(fields)


def reasons(verdict: Verdict, labels: Sequence[str], most: int) -> list[str]:
    """The table of clues: what speaks for the best label in green, what speaks against it in red."""
    shown, rest = verdict.clues[:most], verdict.clues[most:]
    rows = [(f"for {verdict.best}", "clue", *labels)]
    for clue in shown:
        counts = clue.counts or ("",) * len(labels)
        rows.append((f"{clue.summand:+.3f}", clue.name or f"({clue.family})", *map(str, counts)))
    rows.append((f"{sum(clue.summand for clue in rest):+.3f}", f"{len(rest)} more", *[""] * len(labels)))
    rows.append((f"{verdict.score:+.3f}", "score", *[""] * len(labels)))
    lines = table(rows, "r" + "l" + "r" * len(labels))
    colours = [None, *("green" if clue.summand > 0 else "red" for clue in shown), "dim", "bold"]
    return [paint(line, colour, sys.stdout) for line, colour in zip(lines, colours, strict=True)]
