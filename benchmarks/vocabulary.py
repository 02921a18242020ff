"""Vocabulary: how often the words of real corpora occur (Zipf's law), for the lecture on smoothing. No times."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from bayleaf.text import CountVectorizer
from benchmarks.corpora import CORPORA

NAMES = ("sms", "r8", "stripped")
RANKS = [10**power * digit for power in range(6) for digit in (1, 2, 5)]


def main(words: Sequence[str]) -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    out = parser.parse_args(words).out
    found = {}
    for name in NAMES:
        corpus = CORPORA[name]()
        texts = [*corpus.splits[0].learn, *corpus.splits[0].judge]
        counts = CountVectorizer().fit_transform(texts).sum(axis=0)
        found[corpus.name.partition(",")[0]] = (len(texts), np.sort(np.asarray(counts).ravel())[::-1])
    out.write_text(table(found), encoding="utf-8")
    print(table(found))


def table(found: dict[str, tuple[int, np.ndarray]]) -> str:
    """The sizes of the vocabularies, then the count of the word at each rank."""
    lines = ["# Vocabularies", "", f"{datetime.now(UTC):%Y-%m-%d}, words as `CountVectorizer()` cuts them.", ""]
    lines += ["| corpus | texts | words read | different | once | twice |", "|---|---|---|---|---|---|"]
    for name, (texts, counts) in found.items():
        numbers = (texts, counts.sum(), len(counts), np.sum(counts == 1), np.sum(counts == 2))
        lines.append(f"| {name} | {' | '.join(f'{number:,}' for number in numbers)} |")
    lines += ["", "How often the word of a rank occurs:", "", f"| rank | {' | '.join(found)} |"]
    lines.append("|---" * (len(found) + 1) + "|")
    for rank in RANKS:
        cells = [f"{counts[rank - 1]:,}" if rank <= len(counts) else "" for _, counts in found.values()]
        if any(cells):
            lines.append(f"| {rank:,} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
