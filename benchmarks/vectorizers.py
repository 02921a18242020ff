"""Vectorisers against scikit-learn's, from a list of str, in one process: ``python -m benchmarks vectorizers``.

The text is 20 Newsgroups and the SpamAssassin bodies, repeated to at least 100 MB. BAYLEAF_CORPORA names the folder
with their archives. The Cyrillic text is the same with every Latin letter replaced, so words keep their lengths and
frequencies; the Turkish text is mail, repeated to 20 MB.

Ratios are of CPU seconds of one thread, the least of several runs of both sides taken in turn, so that other work on
the machine matters less. "Two threads" is how much sooner two are done than one, by the clock.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sklearn.feature_extraction.text as peer
from threadpoolctl import threadpool_limits

import bayleaf.text
from benchmarks.corpora import files, mail, news
from benchmarks.report import Report, slug

CYRILLIC = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "абцдефгхийклмнопярстужвьызАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗ"
)
PAIRS = {"ngram_range": (1, 2)}


@dataclass
class Work:
    """One row of the table: the same call on both sides."""

    name: str
    documents: list[str]
    options: dict[str, Any] = field(default_factory=dict)
    kind: str = "CountVectorizer"
    method: str = "fit_transform"
    goal: float | None = None

    def call(self, module: Any, **more: Any) -> Callable[[], Any]:
        vectorizer = getattr(module, self.kind)(**self.options, **more)
        if self.method == "transform":
            vectorizer.fit(self.documents)
        return lambda: getattr(vectorizer, self.method)(self.documents)


def news_and_mail() -> list[str]:
    """Posts whole, mails without their headers."""
    return [text for _, text in (*news(""), *mail())]


def turkish() -> list[str]:
    """Paragraphs of mail."""
    return "".join(raw.decode() for _, raw in files("sms_other_languages", "trspam.csv")).split("\n \n")


def repeated(base: list[str], megabytes: float) -> list[str]:
    return base * max(1, -(-int(megabytes * 1e6) // size(base)))


def size(documents: list[str]) -> int:
    return sum(len(text.encode()) for text in documents)


def works(megabytes: float) -> list[Work]:
    base = news_and_mail()
    long = repeated(base, megabytes)
    cyrillic = [text.translate(CYRILLIC) for text in base]
    mail = repeated(turkish(), megabytes / 5)
    return [
        Work("CountVectorizer.fit_transform (1,1)", long, goal=18),
        Work("CountVectorizer.fit_transform (1,2)", long, PAIRS, goal=30),
        Work("CountVectorizer.transform (1,1)", long, method="transform"),
        Work("CountVectorizer.transform (1,2)", long, PAIRS, method="transform"),
        Work("TfidfVectorizer.fit_transform (1,1)", long, kind="TfidfVectorizer"),
        Work("HashingVectorizer.fit_transform (1,1)", long, kind="HashingVectorizer"),
        Work("HashingVectorizer.fit_transform (1,2)", long, PAIRS, kind="HashingVectorizer"),
        Work("Cyrillic, fit_transform (1,1)", cyrillic),
        Work("Cyrillic, fit_transform (1,2)", cyrillic, PAIRS),
        Work("Turkish, fit_transform (1,1)", mail),
        Work("Turkish, fit_transform (1,2)", mail, PAIRS),
        Work("accents to ASCII, fit_transform (1,1)", base, {"strip_accents": "ascii"}),
        Work("char_wb (3,5), fit_transform", base[::10], {"analyzer": "char_wb", "ngram_range": (3, 5)}),
        Work("pattern [a-z]+, fit_transform (1,1)", base, {"token_pattern": "[a-z]+"}),
    ]


def spent(call: Callable[[], Any]) -> tuple[float, float]:
    """CPU and wall seconds."""
    gc.collect()
    cpu, wall = time.process_time(), time.perf_counter()
    kept = call()
    took = time.process_time() - cpu, time.perf_counter() - wall
    del kept
    return took


def measure(report: Report, work: Work, runs: int) -> None:
    one, two = work.call(bayleaf.text, n_jobs=1), work.call(bayleaf.text, n_jobs=2)
    theirs = work.call(peer)
    ones, twos, others = [], [], []
    for _ in range(runs):
        others.append(spent(theirs))
        for _ in range(3):  # ours are so much shorter that they are disturbed more easily
            ones.append(spent(one))
            twos.append(spent(two))
    mine, other = (min(cpu for cpu, _ in runs) for runs in (ones, others))
    threads = min(wall for _, wall in ones) / min(wall for _, wall in twos)
    name = f"{work.name}, {len(work.documents):,} texts, {size(work.documents) / 1e6:.0f} MB"
    both = tuple([cpu for cpu, _ in runs] for runs in (ones, others))
    seconds = f"{mine:.2f} s", f"{other:.2f} s"
    report.add(name, "scikit-learn", *seconds, other / mine, work.goal, threads, key=slug(work.name), runs=both)


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=100, help="size of the text, less for a quick look")
    parser.add_argument("--only", default="", help="only the rows whose name contains this")
    parser.add_argument("--runs", type=int, default=2, help="runs of scikit-learn's; ours run three times as often")
    parser.add_argument("--out", type=Path, default=None, help="write the table here")
    arguments = parser.parse_args(words)
    report = Report("Vectorisers, CPU seconds of one thread on both sides")
    with threadpool_limits(1):
        for work in works(arguments.megabytes):
            if arguments.only in work.name:
                measure(report, work, arguments.runs)
    report.write(arguments.out)


if __name__ == "__main__":
    main()
