"""A report with everything in it, from texts that mean harm."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bayleaf import TextClassifier
from bayleaf.evaluate.curve import learning_curve
from bayleaf.evaluate.mistakes import worst
from bayleaf.evaluate.scores import measure
from bayleaf.report import Mistake, write_report

EVIL = "<script>alert(1)</script>"
HAM = "<b>ham</b>"
SPAM = "sp\u202eam"


def texts(n: int) -> tuple[list[str], list[str]]:
    rng = np.random.default_rng(0)
    words = {HAM: ["lunch", "meeting", "see", "you"], SPAM: ["win", "cash", "now", EVIL]}
    both = ["the", "a", "an", "it"]
    labels = [HAM if rng.random() < 0.8 else SPAM for _ in range(n)]
    drawn = [" ".join(rng.choice(words[label] + 2 * both + words[HAM], 6)) for label in labels]
    return drawn, labels


def write(path: Path) -> Path:
    X, y = texts(600)
    clf = TextClassifier().fit(X[:300], y[:300])
    logs = clf.predict_log_proba(X[300:])
    places = worst(clf.classes_, y[300:], logs, 5)
    return write_report(
        path,
        title=f"Sample {EVIL} $x ${{y}}",
        scores=measure(clf.classes_, [*y[300:-1], 'new "label"'], logs),
        model_facts={"from": f'"{EVIL}', "made\x07": "a\u202eb"},
        strongest=clf.top_tokens(8),
        mistakes=[Mistake(f"line {i}", y[300 + i], clf.explain(X[300 + i]), X[300 + i]) for i in places],
        curve=learning_curve(TextClassifier, X[:300], y[:300], X[300:], y[300:]),
    )
