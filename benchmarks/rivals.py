"""Text classifiers to compare: each learns texts and class numbers and returns a function from texts to scores (n, k).

All run on one thread. fastText and Vowpal Wabbit want one document per line; they get lower case with the marks split
off, as fastText's tutorial does it, and the time for that is theirs.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from bayleaf import TextClassifier

MARKS = re.compile(r"([.!?,'/()])")
Judge = Callable[[list[str]], np.ndarray]
PAIRS = {"ngram_range": (1, 2)}
FEW = 10  # classes: on 20 Newsgroups, logistic regression on pairs was not done after four CPU minutes, at 7 GB


@dataclass
class Rival:
    """A way to learn; `probabilities` says whether its scores are such."""

    name: str
    learn: Callable[[list[str], np.ndarray], Judge]
    probabilities: bool = True
    ours: bool = False
    classes: range = range(2, 1000)  # how many classes it is tried on
    needs: str = "sklearn"  # imported before the clock runs


def line(text: str) -> str:
    return " ".join(MARKS.sub(r" \1 ", text.lower()).split())


def bayleaf_text(texts: list[str], codes: np.ndarray, **options: Any) -> Judge:
    return TextClassifier(n_jobs=1, **options).fit(texts, codes).predict_proba


def pipeline(texts: list[str], codes: np.ndarray, make: Callable[[], tuple[Any, Any]]) -> Judge:
    return make_pipeline(*make()).fit(texts, codes).predict_proba


def margins(texts: list[str], codes: np.ndarray) -> Judge:
    model = make_pipeline(TfidfVectorizer(**PAIRS), LinearSVC(random_state=0)).fit(texts, codes)

    def judge(texts: list[str]) -> np.ndarray:
        scores = model.decision_function(texts)
        return scores if scores.ndim == 2 else np.column_stack([-scores, scores])

    return judge


def fasttext_model(texts: list[str], codes: np.ndarray, **options: Any) -> Any:
    from fasttext import train_supervised  # noqa: PLC0415 - no wheels for the newest Pythons

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "learn.txt"
        path.write_text("".join(f"__label__{c} {line(t)}\n" for t, c in zip(texts, codes, strict=True)))
        return train_supervised(str(path), thread=1, verbose=0, **options)


def fasttext(texts: list[str], codes: np.ndarray, **options: Any) -> Judge:
    model, k = fasttext_model(texts, codes, **options), int(codes.max()) + 1

    def judge(texts: list[str]) -> np.ndarray:
        scores = np.zeros((len(texts), k))
        for row, text in zip(scores, texts, strict=True):
            # The inner object: the public method gives every label the first one's probability for a list of texts.
            for share, label in model.f.predict(line(text) + "\n", k, 0.0, "strict"):
                row[int(label.removeprefix("__label__"))] = share
        return (scores + 1e-12) / (scores + 1e-12).sum(axis=1, keepdims=True)

    return judge


def vowpal_wabbit(texts: list[str], codes: np.ndarray) -> Judge:
    """Five passes over words and pairs with two to the 24 weights; two classes as one logistic regression."""
    from vowpalwabbit import Workspace  # noqa: PLC0415

    k = int(codes.max()) + 1
    labels = (codes * 2 - 1 if k == 2 else codes + 1).tolist()
    kind = "--link logistic" if k == 2 else f"--oaa {k} --probabilities"

    def example(text: str, label: Any = "") -> str:
        return f"{label} | {line(text).replace(':', ' COLON ').replace('|', ' PIPE ')}"

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "learn.txt"
        path.write_text("".join(f"{example(t, c)}\n" for t, c in zip(texts, labels, strict=True)))
        options = f"--ngram 2 --loss_function logistic --passes 5 --holdout_off -b 24 {kind} --quiet --random_seed 1"
        model = Workspace(f"{options} -d {path} --cache_file {folder}/cache -k")

    def judge(texts: list[str]) -> np.ndarray:
        scores = np.array([model.predict(example(text)) for text in texts])
        scores = np.clip(np.column_stack([1 - scores, scores]) if k == 2 else scores, 1e-12, None)
        return scores / scores.sum(axis=1, keepdims=True)

    return judge


def logistic(pairs: int, strength: float) -> tuple[Any, Any]:
    return TfidfVectorizer(ngram_range=(1, pairs)), LogisticRegression(C=strength, max_iter=2000)


RIVALS = [
    Rival("TextClassifier()", bayleaf_text, ours=True),
    Rival('TextClassifier("small")', partial(bayleaf_text, encoder="small"), ours=True),
    Rival('TextClassifier(family="multinomial")', partial(bayleaf_text, family="multinomial"), ours=True),
    Rival("CountVectorizer + MultinomialNB", partial(pipeline, make=lambda: (CountVectorizer(), MultinomialNB()))),
    Rival("tf-idf + ComplementNB", partial(pipeline, make=lambda: (TfidfVectorizer(), ComplementNB()))),
    Rival("tf-idf (1,2) + LinearSVC", margins, probabilities=False),
    *(
        Rival(
            f"tf-idf (1,{n}) + LogisticRegression C={c}",
            partial(pipeline, make=partial(logistic, n, c)),
            classes=range(2, FEW) if n == 2 else range(FEW, 1000),
        )
        for n in (1, 2)
        for c in (1, 10, 100)
    ),
    Rival("fastText", fasttext, needs="fasttext"),
    Rival("fastText, pairs, 25 epochs, rate 0.5", partial(fasttext, wordNgrams=2, epoch=25, lr=0.5), needs="fasttext"),
    Rival("Vowpal Wabbit, pairs, 5 passes", vowpal_wabbit, needs="vowpalwabbit"),
]
