"""What each treatment of the words brings a multinomial model on public sets: ``python -m benchmarks features``."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import numpy as np

from bayleaf import MultinomialNB
from bayleaf.text import CountVectorizer, TfidfVectorizer
from benchmarks import figures
from benchmarks.corpora import CORPORA, Corpus
from benchmarks.report import sections

PAIRS = {"ngram_range": (1, 2)}
FEATURES: dict[str, tuple[Any, dict[str, Any]]] = {  # the first is what the others are compared with
    "words": (CountVectorizer, {}),
    "upper and lower case": (CountVectorizer, {"lowercase": False}),
    "no stop words": (CountVectorizer, {"stop_words": "en"}),
    "stems": (CountVectorizer, {"stemmer": "english"}),
    "words of two texts or more": (CountVectorizer, {"min_df": 2}),
    "present or not": (CountVectorizer, {"binary": True}),
    "words and pairs": (CountVectorizer, PAIRS),
    "letters, 3 to 5 in a word": (CountVectorizer, {"analyzer": "char_wb", "ngram_range": (3, 5)}),
    "tf-idf": (TfidfVectorizer, {}),
    "tf-idf of words and pairs": (TfidfVectorizer, PAIRS),
    "all: stems, no stop words, pairs, tf-idf": (TfidfVectorizer, {**PAIRS, "stemmer": "english", "stop_words": "en"}),
}
SETS = ("stripped", "r8", "sms")  # whole posts name their group in the header, so that any words will do
HEAD = ("features", "columns", "accuracy %", "against words", "log loss", "alpha", "accuracy % at alpha 1")
ALPHAS = (0.01, 0.1, 1.0)
NOTE = """`MultinomialNB` on one treatment of the words at a time. Alpha is the one of .01, .1 and 1 with the best
leave-one-out accuracy on the learned texts, so that a treatment with more columns is not punished for them; the last
column has the text books' alpha of 1. Against words: points of accuracy won, with the 95 % interval of the paired
difference (folds are taken together, as if their rows were independent). Columns and alpha are those of the first
split."""


def scores(corpus: Corpus, make: Any, settings: dict[str, Any]) -> tuple[np.ndarray, np.ndarray, int, float]:
    """Probabilities of all judged texts at the chosen alpha and at 1, and columns and alpha of the first split."""
    chosen, plain, columns, alphas = [], [], [], []
    for split in corpus.splits:
        vectorizer = make(**settings)
        X, X_new = vectorizer.fit_transform(split.learn), vectorizer.transform(split.judge)
        model = MultinomialNB().fit(X, split.known)
        plain.append(model.predict_proba(X_new))
        alphas.append(max(ALPHAS, key=lambda alpha: alone(model.set_params(alpha=alpha), X, split.known)))
        chosen.append(model.set_params(alpha=alphas[-1]).predict_proba(X_new))
        columns.append(X.shape[1])
    return np.concatenate(chosen), np.concatenate(plain), columns[0], alphas[0]


def alone(model: MultinomialNB, X: Any, y: np.ndarray) -> float:
    """Leave-one-out accuracy on what was learned."""
    return figures.accuracy(y, model.loo_predict_log_proba(X, y))


def gain(truth: np.ndarray, ours: np.ndarray, words: np.ndarray) -> str:
    """Points of accuracy won, with the 95 % interval of a paired difference."""
    won, lost, _ = figures.mcnemar(truth, ours, words)
    n = len(truth)
    half = 1.96 * np.sqrt(won + lost - (won - lost) ** 2 / n) / n
    return f"{100 * (won - lost) / n:+.2f} ± {100 * half:.2f}"


def table(corpus: Corpus) -> list[str]:
    """One line per treatment."""
    lines = [f"| {' | '.join(HEAD)} |", "|" + "---|" * len(HEAD)]
    words: np.ndarray | None = None
    for name, (make, settings) in FEATURES.items():
        chosen, plain, columns, alpha = scores(corpus, make, settings)
        against = "" if words is None else gain(corpus.truth, chosen, words)
        words = chosen if words is None else words
        right, at_one = (100 * figures.accuracy(corpus.truth, each) for each in (chosen, plain))
        loss = figures.log_loss(corpus.truth, chosen)
        cells = (name, f"{columns:,}", f"{right:.2f}", against, f"{loss:.3f}", f"{alpha:.2g}", f"{at_one:.2f}")
        lines.append(f"| {' | '.join(cells)} |")
        print(corpus.name, lines[-1], flush=True)
    return [*lines, ""]


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", default="", help="only the sets whose name contains this")
    parser.add_argument("--out", type=Path, default=None, help="write the table here")
    arguments = parser.parse_args(words)
    os.environ["BAYLEAF_NUM_THREADS"] = "1"
    lines = [NOTE, ""]
    for key in SETS:
        if arguments.sets in key:
            corpus = CORPORA[key]()
            lines += [f"### {corpus.name}", "", *table(corpus)]
    if arguments.out:
        sections(arguments.out, "What each treatment of the words brings", {"Accuracy": lines})


if __name__ == "__main__":
    main()
