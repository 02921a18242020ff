"""The mail filter beside bogofilter, bsfilter and SpamAssassin, in one run on one core: ``python -m benchmarks mail``.

Data: the SpamAssassin corpus, each body once, shuffled by `random.Random(1)`. A filter that is not installed is named
as not run. Speed is CPU seconds of a process that reads files and leaves a durable store, so that other work on the
machine matters little.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from bayleaf.evaluate.rates import Judged, rates
from bayleaf.evaluate.stream import Protocol
from bayleaf.mail import Filter
from benchmarks.bogofilter import Bogofilter
from benchmarks.mail_held import held_out
from benchmarks.mail_speed import inside, speed
from benchmarks.mail_table import STORES, Table, cells
from benchmarks.mails import Mail, corpus
from benchmarks.place import place

BARS = {"1-ROCA%": "at most 0.075", "recall@0.1%": "at least 90", "ECE": "at most 0.01"}
BARS |= {"unsure%": "below 5", "hm%": "at most 0.1"}


def online(table: Table, mails: Sequence[Mail], rival: Bogofilter | None) -> None:
    """Judge, then learn, one at a time."""
    ours = []
    for _ in range(STORES):
        with Filter.open(":memory:", names=False) as f:
            ours.append(list(Protocol().run(f, [(raw, label) for _, raw, label in mails])))
    theirs = []
    for _, raw, label in mails if rival else []:
        verdict, score = rival.judge(raw)
        theirs.append(Judged(label == "spam", score, verdict, score))
        rival.learn(raw, label)
    each = [rates(one, 1000) for one in ours]
    a, b = {name: fmean(one[name] for one in each) for name in each[0]}, rates(theirs, 1000) if theirs else {}
    for name, value in a.items():
        if name not in ("mails", "ham", "spam"):
            table.add(f"online, {name}", f"{value:.4f}", f"{b[name]:.4f}" if b else "not run", "", BARS.get(name, ""))
            table.record.figures[f"online.{name}"] = round(value, 4)
            if b:
                table.record.figures[f"online.bogofilter.{name}"] = round(b[name], 4)
    if b and a["1-ROCA%"]:
        table.record.bar("online.ratio", "ranking error, online – bogofilter to ours", b["1-ROCA%"] / a["1-ROCA%"])
    for start, end, bar in ((0, 50, "at most 20"), (50, 200, "at most 4")):
        wrong = [sum((m.probability >= 0.5) != m.spam for m in who[start:end]) for who in (*ours, theirs) if who]
        shares = [100 * n / (end - start) for n in wrong]
        found = [f"{fmean(shares[:STORES]):.1f} ({min(shares[:STORES]):.1f}–{max(shares[:STORES]):.1f})"]
        table.add(f"online, errors at P = 0.5 in mails {start + 1}-{end}, %", *cells([*found, *shares[STORES:]]), bar)


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mails", type=int, default=None, help="only so many, for a quick look")
    parser.add_argument(
        "--quick", action="store_true", help="no online accuracy of bogofilter: it starts two processes per mail"
    )
    parser.add_argument("--out", type=Path, default=place("mail"))
    options = parser.parse_args(words)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    table = Table()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # spamd gives its rights up
        mails = corpus(folder / "corpus")[: options.mails]
        flavours = [flavour for flavour in ("bdb", "sqlite") if shutil.which(f"bogofilter-{flavour}")]
        online(table, mails, Bogofilter(flavours[0], folder) if flavours and not options.quick else None)
        speed(table, mails, [Bogofilter(flavour, folder) for flavour in flavours], folder)
        inside(table, mails, folder / "speed.db")
        held_out(table, mails, folder)
    table.write(options.out, mails)
