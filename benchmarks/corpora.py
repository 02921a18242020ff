"""Public texts for the benchmarks.

BAYLEAF_CORPORA names a folder with their archives; without it those that `bayleaf.datasets` knows are fetched once.
"""

from __future__ import annotations

import os
import random
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from sklearn.datasets import _twenty_newsgroups as cut
from sklearn.model_selection import StratifiedKFold

from bayleaf.datasets import newsgroups, sms_spam, spamassassin
from bayleaf.datasets.archive import members
from bayleaf.errors import DataError

DATA = Path(os.environ.get("BAYLEAF_CORPORA", Path(__file__).parents[2] / "shared" / "data"))
REMOTES = {
    "20news_bydate": [newsgroups.REMOTE],
    "spamassassin": list(spamassassin.PARTS.values()),
    "sms_spam": [sms_spam.REMOTE],
}
Labelled = list[tuple[str, str]]  # label, text


@dataclass
class Split:
    """Texts to learn from and texts to be judged on, with class numbers."""

    learn: list[str]
    known: np.ndarray
    judge: list[str]
    truth: np.ndarray


@dataclass
class Corpus:
    """A data set: one split, or the folds of a cross-validation."""

    name: str
    labels: list[str]
    splits: list[Split] = field(repr=False)

    @property
    def truth(self) -> np.ndarray:
        return np.concatenate([split.truth for split in self.splits])


def files(archive: str, suffix: str = "") -> Iterator[tuple[str, bytes]]:
    """Name and content of every file in an archive."""
    path = DATA / f"{archive}.tar.xz"
    if path.exists():
        with tarfile.open(path) as opened:
            for member in opened:
                if member.isfile() and member.name.endswith(suffix) and (file := opened.extractfile(member)):
                    yield member.name, file.read()
        return
    if archive not in REMOTES:
        raise DataError(f"{path.name} is not in {path.parent} and cannot be fetched; BAYLEAF_CORPORA names its folder")
    for remote in REMOTES[archive]:
        yield from ((name, raw) for name, raw in members(remote.path()) if name.endswith(suffix))


def news(part: str) -> Labelled:
    """Posts of 20 Newsgroups by date, `part` train, test or empty for both; the label is the folder."""
    return [
        (name.split("/")[-2], raw.decode("latin-1")) for name, raw in files("20news_bydate") if f"bydate-{part}" in name
    ]


def mail() -> Labelled:
    """Bodies of SpamAssassin's mails."""
    return [
        ("spam" if "spam" in name.split("/")[-2] else "ham", raw.partition(b"\n\n")[2].decode("latin-1"))
        for name, raw in files("spamassassin")
    ]


def news_full() -> Corpus:
    return _by_date("20 Newsgroups", lambda text: text)


def news_stripped() -> Corpus:
    def bare(text: str) -> str:
        return cut.strip_newsgroup_quoting(cut.strip_newsgroup_footer(cut.strip_newsgroup_header(text)))

    return _by_date("20 Newsgroups stripped", bare)


def _by_date(name: str, change: Callable[[str], str]) -> Corpus:
    learn, judge = ([(label, change(text)) for label, text in news(part)] for part in ("train", "test"))
    return _corpus(name, learn, judge)


def r8() -> Corpus:
    parts = {name.rpartition("/")[2]: _lines(raw) for name, raw in files("reuters_r8")}
    return _corpus("R8", parts["train.txt"], parts["test.txt"])


def sms() -> Corpus:
    """Distinct messages, stratified ten-fold."""
    distinct: dict[str, str] = {}
    for _, raw in files("sms_spam", "SMSSpamCollection"):
        for label, text in _lines(raw):
            distinct.setdefault(text, label)
    texts, codes = list(distinct), np.array([label == "spam" for label in distinct.values()], dtype=np.int64)
    splits = []
    for learn, judge in StratifiedKFold(10, shuffle=True, random_state=0).split(texts, codes):
        mixed = np.random.default_rng(0).permutation(learn)
        splits.append(Split([texts[i] for i in mixed], codes[mixed], [texts[i] for i in judge], codes[judge]))
    return Corpus("SMS, ten-fold", ["ham", "spam"], splits)


def _lines(raw: bytes) -> Labelled:
    return [(label, text) for label, _, text in (line.partition("\t") for line in raw.decode().split("\n") if line)]


def _corpus(name: str, learn: Labelled, judge: Labelled) -> Corpus:
    """The learned part is shuffled: Vowpal Wabbit and fastText suffer when it comes class by class."""
    learn = random.Random(0).sample(learn, len(learn))
    labels = sorted({label for label, _ in learn})
    (known, texts), (truth, others) = (zip(*rows, strict=True) for rows in (learn, judge))
    numbers = [np.array([labels.index(label) for label in column]) for column in (known, truth)]
    return Corpus(name, labels, [Split(list(texts), numbers[0], list(others), numbers[1])])


CORPORA = {"20news": news_full, "stripped": news_stripped, "r8": r8, "sms": sms}
