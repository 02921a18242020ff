"""bayleaf mail words: what tells labels apart, and what is known of a word."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence

from bayleaf.cli.mail.options import judging_filter, parser
from bayleaf.cli.parser import Parser, natural
from bayleaf.cli.streams import complain
from bayleaf.mail import Filter
from bayleaf.mail.evidence import Evidence
from bayleaf.mail.lexicon import Lexicon
from bayleaf.plain import aligned


def main(argv: Sequence[str]) -> int:
    """The readable tokens that speak most for a label, and in how many mails of each label they are.

    With --find, what is known of a word or a part of a token: the label it speaks for and when it was last learned.
    """
    options = arguments().options(argv)
    with judging_filter(options) as judge:
        if options.find is not None:
            return found(judge, options)
        words = judge.words(options.label, options.n)
        evidence = judge.evidence()
    labels = [evidence.labels[c] for c in evidence.known]
    if options.json:
        print(json.dumps([clue._asdict() for clue in words]))
        return 0
    if not words and options.n:
        complain(f"bayleaf: {nothing(options.label, evidence, judge.store.names)}")
    rows = [(f"for {options.label}", "token", *labels)]
    rows += [(f"{clue.summand:+.2f}", clue.name, *map(str, clue.counts)) for clue in words]
    print("\n".join(aligned(rows, "rl" + "r" * len(labels))))
    return 0


def found(judge: Filter, options: Namespace) -> int:
    """Looks a word up."""
    lexicon = Lexicon(judge)
    tokens = lexicon.search(options.find, options.n)
    labels = [lexicon.evidence.labels[c] for c in lexicon.evidence.known]
    if options.json:
        print(json.dumps([token.to_dict() for token in tokens]))
    elif tokens:
        rows = [("weight", "for", "token", *labels, "last learned")]
        rows += [
            (f"{t.weight:+.2f}", t.label, t.name, *(str(t.counts[label]) for label in labels), str(t.seen or "unknown"))
            for t in tokens
        ]
        print("\n".join(aligned(rows, "rll" + "r" * len(labels) + "r")))
    elif options.n:
        complain(f"bayleaf: found no learned token with {options.find!r}, expected a word as mails have it")
    return 0


def nothing(label: str, evidence: Evidence, names: bool) -> str:
    """Why there is no word for a label."""
    known = [name for name, mails in evidence.mails.items() if mails]
    if label not in known:
        return f"found no mail of {label}, expected some; learned so far: {', '.join(known) or 'nothing'}"
    if not names:
        return "found a store that keeps no text of tokens, expected one made without names=False"
    return f"found no token of {label} with its text, expected some that two mails have; learn more mails"


def arguments() -> Parser:
    """What the command takes."""
    command = parser("words", main.__doc__ or "")
    command.add_argument(
        "label", nargs="?", default="spam", metavar="LABEL", help="spam, ham or another label of the store (spam)"
    )
    command.add_argument("--find", metavar="TEXT", help="look a word or a part of a token up instead")
    command.add_argument("-n", type=natural, default=20, help="how many (20)")
    return command
