"""bayleaf mail learn: from the folders you have."""

from __future__ import annotations

import json
from argparse import SUPPRESS
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from bayleaf._core import threads
from bayleaf.cli.mail.options import add_mails, learning_filter, parser
from bayleaf.cli.mail.reading import Reading, is_pipe, is_uncounted, surveyed
from bayleaf.cli.parser import Parser, natural
from bayleaf.cli.screen import progress
from bayleaf.errors import BayleafError
from bayleaf.mail import Filter
from bayleaf.mail.mailbox import files, mails
from bayleaf.mail.policy import FEW, lack
from bayleaf.store.label import refuse_label

SAMPLE = 200  # mails per label that are judged before and after

EXAMPLES = """  bayleaf mail learn --spam ~/Mail/Junk --ham ~/Mail/Inbox ~/Mail/Archive
  bayleaf mail learn --store sorter.db --as work ~/Maildir/.Work --as family ~/Maildir/.Family
"""


def main(argv: Sequence[str]) -> int:
    """Learns mails and shows what the filter made of some of them before and makes of them now."""
    command = arguments()
    options = command.options(argv)
    if options.stray:
        command.error(f"found {options.stray[0]} without a label, expected --spam, --ham or --as LABEL before it")
    sources = [("spam", path) for path in options.spam] + [("ham", path) for path in options.ham]
    for label, *paths in options.label:
        if not paths:
            command.error(f"found --as {label} without a path, expected --as LABEL PATH")
        sources += [(label, path) for path in paths]
        refuse_label(label)  # before a store is made
    if not sources:
        raise BayleafError("nothing to learn: give --spam PATH, --ham PATH or --as LABEL PATH")
    total, reading = surveyed(sources), Reading()
    left: list[int] = []
    with learning_filter(options) as learner:
        before = figures(learner, sources)
        uncounted = any(is_uncounted(path) for _, path in sources)
        shown = progress(reading.labelled(sources), None if uncounted else total, "learning")
        outcome = learner.train_many(shown, threads=options.threads or threads(), left=left)
        after, evidence = learner.hindsight(SAMPLE), learner.evidence()
    code = reading.tell(left)
    if options.json:
        print(json.dumps({**outcome, "before": before, "after": after}))
        return code
    print(", ".join(f"{count} {what}" for what, count in outcome.items() if count) or "nothing found")
    for when, rates in (("before", before), ("now", after)):
        for label, rate in rates.items():
            print(f"{when:6} {label}: " + ", ".join(f"{share:.1%} {verdict}" for verdict, share in rate.items()))
    if not evidence.ready:
        print(lack([label for label, mails in evidence.mails.items() if mails]))
    for c in set(evidence.known) - set(evidence.told):
        there = "is 1" if evidence.totals[c] == 1 else f"are {evidence.totals[c]}"
        print(f"no mail is called {evidence.labels[c]} before {FEW} have been learned; there {there}")
    return code


def arguments() -> Parser:
    """What the command takes."""
    command = parser(
        "learn",
        "Learns mails. Shows what the filter said of them before, and what it says of each now with that mail left "
        "out. A mail that is known is not learned twice; one that was learned under another label is corrected.",
        EXAMPLES,
    )
    add_mails(command, "; - is stdin")
    command.add_argument(
        "--as",
        nargs="+",
        action="append",
        default=[],
        dest="label",
        metavar=("LABEL", "PATH"),
        help="the same for any other label, such as work; may be given several times",
    )
    command.add_argument("stray", nargs="*", metavar="PATH", help=SUPPRESS)
    command.add_argument("--threads", type=natural, default=0, metavar="N", help="for parsing (all cores)")
    return command


def figures(learner: Filter, sources: Sequence[tuple[str, str]]) -> dict[str, dict[str, float]]:
    """Verdicts on some mails of each source before they are learned; those that are known are left out."""
    rates: dict[str, dict[str, int]] = {}
    for label, path in sources:
        for raw in _some(path):
            features = learner.taught(raw)
            if not learner.knows(features):
                verdict = learner.judge_features(features, raw).label
                rate = rates.setdefault(label, {})
                rate[verdict] = rate.get(verdict, 0) + 1
    return {label: {what: n / sum(rate.values()) for what, n in rate.items()} for label, rate in rates.items()}


def _some(path: str) -> Iterator[bytes]:
    """Mails spread over a source; none of a pipe, which can be read only once."""
    found: list[Path] = []
    with suppress(BayleafError):  # told when it is learned
        found += [] if is_pipe(path) else files(path, [])
    for file in found[:: max(len(found) // SAMPLE, 1)][:SAMPLE]:
        with suppress(BayleafError):  # whoever reads their mail meanwhile renames it
            yield from islice(mails(file), SAMPLE if len(found) == 1 else 1)
