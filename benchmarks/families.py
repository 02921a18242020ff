"""Accuracy of the families on the tables that ship with scikit-learn: ``python -m benchmarks families``.

Ten-fold, stratified and shuffled with a fixed seed; figures are taken over all folds' judgements together. The drop-ins
must give what scikit-learn's estimators give; the last two rows of a set are what bayleaf has beyond them.

river's GaussianNB falls behind on digits because 123 of the 640 pairs of class and pixel never vary: it gives such a
pixel the density 0, plus 1e-9, even at the one value it always had, so a class pays 20.7 nats for every pixel that is
always blank in it. That rule alone, in numpy, gives the same 39.68 %; with those pairs left out it gives 90.54 %.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import sklearn.naive_bayes as peer
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import StratifiedKFold

import bayleaf
from benchmarks import figures
from benchmarks.record import Record

SETS = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer, "digits": load_digits}
HEAD = ("classifier", "bayleaf", "scikit-learn", "river", "log loss", "scikit-learn", "river")
Table = tuple[np.ndarray, np.ndarray]
Judge = Callable[[np.ndarray], np.ndarray]
FAMILIES = ("GaussianNB", "MultinomialNB", "ComplementNB", "BernoulliNB")
BEYOND: dict[str, Callable[[], Any]] = {
    'GaussianNB(var_scope="feature")': lambda: bayleaf.GaussianNB(var_scope="feature"),
    "PoissonNB": bayleaf.PoissonNB,
}


def cells(name: str, X: np.ndarray) -> np.ndarray:
    """For Bernoulli whether a value is above its column's mean; all others take the table as it is."""
    return np.greater(X, X.mean(axis=0)).astype(float) if name == "BernoulliNB" else X


def judged(learn: Callable[[np.ndarray, np.ndarray], Judge], table: Table) -> np.ndarray:
    """Probabilities of every row, each given by a model that has not seen its fold."""
    X, y = table
    scores = np.zeros((len(y), int(y.max()) + 1))
    for learned, held in StratifiedKFold(10, shuffle=True, random_state=0).split(X, y):
        scores[held] = learn(X[learned], y[learned])(X[held])
    return scores


def river(name: str) -> Callable[[np.ndarray, np.ndarray], Judge]:
    """The same family of river, row by row."""
    from river import naive_bayes  # noqa: PLC0415 - a peer may be missing

    def learn(X: np.ndarray, y: np.ndarray) -> Judge:
        model = getattr(naive_bayes, name)()
        for row, label in zip(X, y, strict=True):
            model.learn_one(dict(enumerate(row.tolist())), int(label))

        def judge(rows: np.ndarray) -> np.ndarray:
            answers = [model.predict_proba_one(dict(enumerate(row.tolist()))) for row in rows]
            return np.array([[answer.get(c, 0.0) for c in range(int(y.max()) + 1)] for answer in answers])

        return judge

    return learn


def sides(name: str, record: Record) -> dict[str, Callable[[np.ndarray, np.ndarray], Judge]]:
    """How each library learns this family."""
    make = BEYOND.get(name) or getattr(bayleaf, name)
    found: dict[str, Callable[[np.ndarray, np.ndarray], Judge]] = {
        "bayleaf": lambda X, y: make().fit(X, y).predict_proba,
    }
    if name in FAMILIES:
        found["scikit-learn"] = lambda X, y: getattr(peer, name)().fit(X, y).predict_proba
        try:
            found["river"] = river(name)
        except ImportError as error:
            record.not_run["river"] = str(error)
    return found


def rows(key: str, table: Table, record: Record) -> list[str]:
    """One row per family, also remembered."""
    lines = []
    for name in (*FAMILIES, *BEYOND):
        data = cells(name, table[0]), table[1]
        scores = {who: judged(learn, data) for who, learn in sides(name, record).items()}
        right = {who: 100 * figures.accuracy(table[1], found) for who, found in scores.items()}
        loss = {who: figures.log_loss(table[1], found) for who, found in scores.items()}
        for who in scores:
            record.figures[f"{key}.{name}.{who}.accuracy"] = round(right[who], 4)
            record.figures[f"{key}.{name}.{who}.log-loss"] = round(loss[who], 4)
            if who != "bayleaf":
                record.bar(
                    f"{key}.{name}.{who}", f"{key}, {name}: log loss, {who} to ours", loss[who] / loss["bayleaf"]
                )
        order = ("bayleaf", "scikit-learn", "river")
        shares = [f"{right[who]:.2f}" if who in right else "–" for who in order]
        losses = [f"{loss[who]:.3f}" if who in loss else "–" for who in order]
        lines.append("| " + " | ".join([name, *shares, *losses]) + " |")
        print(key, lines[-1], flush=True)
    return lines


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", default="", help="only the sets whose name contains this")
    parser.add_argument("--out", type=Path, default=None, help="write the table here")
    arguments = parser.parse_args(words)
    record, lines = Record("Families on small tables"), [(__doc__ or "").partition("\n\n")[2]]
    for key, load in SETS.items():
        if arguments.sets in key:
            X, y = load(return_X_y=True)
            lines += [f"## {key}, {X.shape[0]} x {X.shape[1]}, {len(set(y))} classes", ""]
            lines += ["| " + " | ".join(HEAD) + " |", "|---" * len(HEAD) + "|"]
            lines += [*rows(key.replace(" ", "-"), (X, y), record), ""]
    if arguments.out:
        head = [f"# {record.title}", "", record.setting(), ""]
        arguments.out.write_text("\n".join([*head, *lines, *record.write(arguments.out)]), encoding="utf-8")
