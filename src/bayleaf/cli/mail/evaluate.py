"""bayleaf mail evaluate: how good the filter is on your own mail."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from itertools import chain
from math import isnan
from pathlib import Path

from bayleaf.cli.mail.options import add_mails
from bayleaf.cli.parser import Parser, natural, share
from bayleaf.cli.screen import number_of, progress
from bayleaf.cli.streams import complain
from bayleaf.errors import BayleafError
from bayleaf.evaluate.attack import attack, lacking
from bayleaf.evaluate.index import Index
from bayleaf.evaluate.place import Held, Place
from bayleaf.evaluate.rates import rates, stretches
from bayleaf.evaluate.stream import Protocol
from bayleaf.plain import aligned

ROWS = """1-ROCA% is how often a ham scores above a spam, with its 95 % interval low% to high%; hm% the ham called spam;
sm% the spam not called spam; lam% the logistic average of the two; unsure% the mails called neither; recall@0.1% the
spam caught by the threshold that loses 0.1 % of the ham; ECE how far probabilities and outcomes are apart. The columns
are stretches of the mails in the order in which they were judged."""


def main(argv: Sequence[str]) -> int:
    """Judges mails in order by a filter that is empty at first, and teaches it each one afterwards.

    Prints the measures of the spam track of TREC (the Text Retrieval Conference). No store is read or changed.
    """
    options = arguments().options(argv)
    if options.scores and not options.scores.parent.is_dir():
        raise BayleafError(f"{options.scores}: found no folder {options.scores.parent}, expected one; make it first")
    if options.scores and options.scores.is_dir():
        raise BayleafError(f"{options.scores}: found a folder, expected a file to write; name one in it")
    stream = collect(options)
    if not stream and options.index:
        raise BayleafError(f"{options.index}: found no mail in it, expected lines of label and path")
    if not stream:
        raise BayleafError("nothing to evaluate: give --index FILE, or --spam PATH and --ham PATH")
    if options.scores:
        refuse_read(options, stream)
    if options.attack:
        refuse_unattacked(stream)
    protocol = Protocol(options.delay, options.feedback, options.noise, options.seed)
    with protocol.fresh() as judge:
        judged = list(protocol.run(judge, progress(stream, len(stream), "judging")))
        attacked = attack(judge, stream) if options.attack else {}
    if len(kinds := {mail.label for mail in judged}) == 1:
        complain(f"bayleaf: note: found only {kinds.pop()}, expected spam and ham: give --spam PATH and --ham PATH")
    if options.scores:
        options.scores.write_text("".join(f"{mail.label} {mail.score!r} {mail.verdict}\n" for mail in judged))
    found = {"all": rates(judged, options.bootstrap), **stretches(judged), **attacked}
    print(json.dumps(measured(found), allow_nan=False) if options.json else "\n".join(show(found)))
    return 0


def arguments() -> Parser:
    """What the command takes."""
    command = Parser("mail evaluate", main.__doc__ or "", wrong=64)
    command.epilog = ROWS
    command.beyond = "mails are given by --spam PATH and --ham PATH"
    command.add_argument("--json", action="store_true", help="print JSON")
    command.add_argument(
        "--index", type=Path, metavar="FILE", help="a TREC index: lines of label and path, relative to the index"
    )
    add_mails(command, ", in random order")
    command.add_argument("--delay", type=natural, default=0, metavar="N", help="teach each mail N mails later")
    command.add_argument(
        "--feedback", type=share, default=1.0, metavar="SHARE", help="teach only this share of the mails, 0 to 1"
    )
    command.add_argument(
        "--noise", type=share, default=0.0, metavar="SHARE", help="teach this share of the mails wrongly, 0 to 1"
    )
    command.add_argument("--attack", action="store_true", help="good-word attack on the spam in the last tenth")
    command.add_argument(
        "--seed",
        type=int,
        default=1,
        help="of the order (without --index), feedback, noise and the secret of the keys (1)",
    )
    command.add_argument(
        "--bootstrap", type=natural, default=200, metavar="N", help="samples for the interval; 0 for none (200)"
    )
    command.add_argument("--scores", type=Path, metavar="FILE", help="write `label score verdict` lines there")
    return command


def collect(options: Namespace) -> Index:
    """The mails: in the order of the index, or shuffled."""
    if options.index is not None and (options.spam or options.ham):
        raise BayleafError("found --index with --spam or --ham, expected one or the other: an index has its own mails")
    if options.index is not None:
        return Index.read(options.index)
    return Index.shuffled(options.spam, options.ham, options.seed)


def refuse_read(options: Namespace, stream: Index) -> None:
    """Refuse scores in a file that is read: the mails in it would be lost."""
    mails = (mail.file if isinstance(mail, Place) else mail for mail, _ in stream.lines if not isinstance(mail, Held))
    named = (Path(path) for path in (options.index, *options.spam, *options.ham) if path is not None)
    there = options.scores.is_file()
    if there and any(path.exists() and options.scores.samefile(path) for path in chain(named, mails)):
        raise BayleafError(f"{options.scores}: found a file that is read here, expected another one; name a new file")


def refuse_unattacked(stream: Index) -> None:
    """Refuse an attack without spam to attack or ham to take the words from, before anything is judged."""
    if what := lacking(stream):
        raise BayleafError(
            f"--attack: found no {what} the last tenth of {number_of(len(stream), 'mail')}, expected spam there and "
            "ham before it, whose words it is given; evaluate more mails, or leave --attack out"
        )


def measured(found: dict[str, dict[str, float]]) -> dict[str, dict[str, float | None]]:
    """The same for JSON, which has no NaN: a rate that was not measured is null."""
    return {
        name: {rate: None if isnan(value) else value for rate, value in rates.items()} for name, rates in found.items()
    }


def show(found: dict[str, dict[str, float]]) -> list[str]:
    """One column per stretch or attack, one row per rate; a rate that was not measured is left empty."""
    rows = [("", *found)]
    for name in next(iter(found.values())):
        cells = [cell(rate[name]) for rate in found.values()]
        if any(cells):
            rows.append((name, *cells))
    return aligned(rows, "l" + "r" * len(found))


def cell(value: float) -> str:
    """A count in full, a rate with four digits."""
    return "" if isnan(value) else str(value) if isinstance(value, int) else f"{value:.4g}"
