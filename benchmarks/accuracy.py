"""Accuracy and probabilities of text classifiers on public sets: ``python -m benchmarks accuracy``."""

from __future__ import annotations

import argparse
import gc
import os
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from bayleaf.errors import DataError
from benchmarks import figures
from benchmarks.alone import alone
from benchmarks.corpora import CORPORA, Corpus, Split
from benchmarks.record import Record
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


def measured(rival: Rival, truth: np.ndarray, scores: np.ndarray) -> dict[str, float]:
    found = {"accuracy": 100 * figures.accuracy(truth, scores), "macro-f1": figures.macro_f1(truth, scores)}
    if rival.probabilities:
        found |= {"log-loss": figures.log_loss(truth, scores), "ece": figures.calibration_error(truth, scores)}
    return found


def row(name: str, found: dict[str, float], learning: float, judging: float) -> tuple[str, ...]:
    sure = [f"{found[name]:.3f}" if name in found else "–" for name in ("log-loss", "ece")]
    return name, f"{found['accuracy']:.2f}", f"{found['macro-f1']:.3f}", *sure, f"{learning:.2f}", f"{judging:.2f}"


def remember(record: Record, key: str, corpus: Corpus, everyone: dict[str, dict[str, float]]) -> None:
    """What may be claimed: our figures, the best of each figure among the peers, and how their errors compare."""
    ours = everyone[RIVALS[0].name]
    peers = [everyone[rival.name] for rival in RIVALS if not rival.ours and rival.name in everyone]
    record.figures |= {f"{key}.{name}": round(value, 4) for name, value in ours.items()}
    if not peers:
        return
    best = {name: (max if name in ("accuracy", "macro-f1") else min) for name in ours}
    for name, choose in best.items():
        record.figures[f"{key}.peers.{name}"] = round(choose(peer[name] for peer in peers if name in peer), 4)
    for name, what in (("accuracy", "errors"), ("log-loss", "log loss")):
        mine, other = ours[name], record.figures[f"{key}.peers.{name}"]
        ratio = (100 - other) / (100 - mine) if name == "accuracy" else other / mine
        record.bar(f"{key}.fewer-{what.replace(' ', '-')}", f"{corpus.name}: {what}, best peer to ours", ratio)


def table(record: Record, key: str, corpus: Corpus, only: str) -> tuple[list[str], np.ndarray]:
    """The section of one set, and the scores of the default classifier."""
    lines = [f"### {corpus.name}", "", "| " + " | ".join(HEAD) + " |", "|---" * len(HEAD) + "|"]
    truth, everyone, found = corpus.truth, {}, {}
    for number, rival in enumerate(RIVALS):
        if (only not in rival.name and rival is not RIVALS[0]) or len(corpus.labels) not in rival.classes:
            continue
        try:
            scores, *seconds = alone(judged, number, corpus.splits, zeroed="fastText" in rival.name)
        except ImportError as error:
            lines.append(f"| {rival.name} | not run: {error} |" + " |" * (len(HEAD) - 2))
            record.not_run[rival.name] = str(error)
            continue
        everyone[rival.name], found[rival.name] = scores, measured(rival, truth, scores)
        lines.append("| " + " | ".join(row(rival.name, found[rival.name], *seconds)) + " |")
        print(corpus.name, lines[-1], flush=True)
    remember(record, key, corpus, found)
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


def accuracy(record: Record, sets: str, rivals: str, picture: Path | None) -> list[str]:
    """The lines of the report; the reliability diagram is drawn beside it."""
    lines, ours = [NOTE, ""], {}
    for key, make in CORPORA.items():
        if sets not in key:
            continue
        try:
            corpus = make()
        except DataError as error:
            record.not_run[key] = str(error)
            continue
        more, scores = table(record, key, corpus, rivals)
        lines += more
        ours[corpus.name] = corpus.truth, scores
    if picture is not None and ours:
        figures.reliability(picture, ours)
        lines += ["### How sure and how often right", "", f"![Reliability of TextClassifier()]({picture.name})", ""]
        lines += ["The area of a dot is the share of the texts; bars are 95 % intervals.", ""]
    return lines


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", default="", help="only the sets whose name contains this")
    parser.add_argument("--rivals", default="", help="only the classifiers whose name contains this")
    parser.add_argument("--out", type=Path, default=None, help="write the table here")
    arguments = parser.parse_args(words)
    if arguments.out:
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
    os.environ["BAYLEAF_NUM_THREADS"] = "1"
    record = Record("Text classifiers, accuracy")
    with threadpool_limits(1):
        picture = arguments.out.with_suffix(".png") if arguments.out else None
        lines = accuracy(record, arguments.sets, arguments.rivals, picture)
    if arguments.out:
        head = [f"# {record.title}", "", record.setting(), ""]
        arguments.out.write_text("\n".join([*head, *lines, *record.write(arguments.out)]), encoding="utf-8")
