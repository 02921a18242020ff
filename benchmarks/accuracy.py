"""Accuracy and probabilities of text classifiers on public sets; a part of ``python -m benchmarks classifier``."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import figures
from benchmarks.alone import alone
from benchmarks.corpora import CORPORA, Corpus, Split
from benchmarks.rivals import RIVALS, Rival

HEAD = ("classifier", "accuracy %", "macro-F1", "log loss", "ECE", "fit CPU s", "predict CPU s")
GOALS = {  # of TextClassifier(): accuracy at least, log loss and ECE at most
    "20news": (87.7, 0.43, 0.03),
    "stripped": (73.6, 0.95, 0.04),
    "r8": (97.1, 0.09, 0.015),
    "sms": (98.9, 0.042, 0.012),
}
NOTE = """Learned from the training part, judged on the test part; SMS by ten-fold cross-validation, its figures taken
over all folds' judgements together and its seconds summed. CPU seconds of one thread from a list of str, with all that
a classifier needs for itself (tokens, vocabulary, tuning). `TextClassifier()` has its defaults and saw no test text;
peers have library defaults unless named; LogisticRegression runs until it converges by its default tolerance, on words
alone for 20 classes, where pairs take too long. Which C and which fastText row is best is known from the test set only,
so read the best as what a good guess would give.
ECE: 15 equal bins of the top probability. LinearSVC has no probabilities. McNemar: exact, two-sided."""


def spent(call: Callable[[], Any]) -> tuple[Any, float]:
    """What it returns, and CPU seconds."""
    gc.collect()
    start = time.process_time()
    result = call()
    return result, time.process_time() - start


def judged(number: int, splits: list[Split]) -> tuple[np.ndarray, float, float]:
    """Scores that a rival gives all judged texts, and CPU seconds for learning and judging."""
    rival = RIVALS[number]
    import_module(rival.needs)
    parts, learning, judging = [], 0.0, 0.0
    for split in splits:
        judge, took = spent(lambda split=split: rival.learn(split.learn, split.known))
        learning += took
        scores, took = spent(lambda split=split, judge=judge: judge(split.judge))
        judging += took
        parts.append(scores)
    return np.concatenate(parts), learning, judging


def row(rival: Rival, truth: np.ndarray, scores: np.ndarray, learning: float, judging: float) -> tuple[str, ...]:
    sure = ("–", "–")
    if rival.probabilities:
        sure = (f"{figures.log_loss(truth, scores):.3f}", f"{figures.calibration_error(truth, scores):.3f}")
    right = f"{100 * figures.accuracy(truth, scores):.2f}", f"{figures.macro_f1(truth, scores):.3f}"
    return rival.name, *right, *sure, f"{learning:.2f}", f"{judging:.2f}"


def table(key: str, corpus: Corpus, only: str) -> tuple[list[str], np.ndarray]:
    """The section of one set, and the scores of the default classifier."""
    lines = [f"### {corpus.name}", "", "| " + " | ".join(HEAD) + " |", "|---" * len(HEAD) + "|"]
    truth, everyone = corpus.truth, {}
    for number, rival in enumerate(RIVALS):
        if (only not in rival.name and rival is not RIVALS[0]) or len(corpus.labels) not in rival.classes:
            continue
        try:
            scores, *seconds = alone(judged, number, corpus.splits, zeroed="fastText" in rival.name)
        except ImportError as error:
            lines.append(f"| {rival.name} | not run: {error} |" + " |" * (len(HEAD) - 2))
            continue
        everyone[rival.name] = scores
        lines.append("| " + " | ".join(row(rival, truth, scores, *seconds)) + " |")
        print(corpus.name, lines[-1], flush=True)
    return [*lines, "", *verdict(key, truth, everyone), ""], everyone[RIVALS[0].name]


def verdict(key: str, truth: np.ndarray, everyone: dict[str, np.ndarray]) -> list[str]:
    """The goals of the default classifier, and McNemar's test against the peer with the best accuracy."""
    ours = everyone[RIVALS[0].name]
    found = 100 * figures.accuracy(truth, ours), figures.log_loss(truth, ours), figures.calibration_error(truth, ours)
    least, *most = GOALS[key]
    met = found[0] >= least, found[1] <= most[0], found[2] <= most[1]
    words = [
        f"{name} {side} {goal:g} {'met' if fine else '**missed**'}"
        for name, side, goal, fine in zip(
            ("accuracy", "log loss", "ECE"), ("≥", "≤", "≤"), (least, *most), met, strict=True
        )
    ]
    lines = [f"Goals: {', '.join(words)}."]
    peers = [rival.name for rival in RIVALS if not rival.ours and rival.name in everyone]
    if peers:
        best = max(peers, key=lambda name: figures.accuracy(truth, everyone[name]))
        a, b, p = figures.mcnemar(truth, ours, everyone[best])
        lines.append(
            f"Against {best}: only we are right on {a}, only they on {b} of {len(truth)}; McNemar p = {p:.2g}."
        )
    return lines


def accuracy(sets: str, rivals: str, picture: Path | None) -> list[str]:
    """The lines of the report; the reliability diagram is drawn beside it."""
    lines, ours = [NOTE, ""], {}
    for key, make in CORPORA.items():
        if sets in key:
            corpus = make()
            more, scores = table(key, corpus, rivals)
            lines += more
            ours[corpus.name] = corpus.truth, scores
    if picture is not None:
        figures.reliability(picture, ours)
        lines += ["### How sure and how often right", "", f"![Reliability of TextClassifier()]({picture.name})", ""]
        lines += ["The area of a dot is the share of the texts; bars are 95 % intervals.", ""]
    return lines
