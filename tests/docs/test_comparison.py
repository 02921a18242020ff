"""The comparison table of the README, row by row: each yes or no is tried on the library itself."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn.naive_bayes

import bayleaf

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import river.naive_bayes

README = Path(__file__).parents[2] / "README.md"
X, y = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [0.0, 1.0]]), np.array([0, 1, 0, 1])
GAPS = np.array([[1.0, np.nan], [2.0, 3.0], [2.5, 3.5], [2.5, 3.2], [1.5, 9.0], [2.2, np.nan]])
GAP_LABELS = [0, 1, 0, 1, 0, 1]
LIBRARIES = {"bayleaf 0.1": bayleaf, "scikit-learn 1.9": sklearn.naive_bayes, "river 0.26": river.naive_bayes}


def has(*names: str) -> Callable[[Any], bool]:
    return lambda library: all(hasattr(library, name) for name in names)


def can(*methods: str) -> Callable[[Any], bool]:
    return lambda library: all(hasattr(library.MultinomialNB(), method) for method in methods)


def tried(work: Callable[[Any], object]) -> Callable[[Any], bool]:
    def probe(library: Any) -> bool:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return work(library) is not False
            except (AttributeError, IndexError, KeyError, NotImplementedError, TypeError, ValueError):
                return False

    return probe


def river_row(row: np.ndarray) -> dict[int, float]:
    return dict(enumerate(row.tolist()))


def by_batch(library: Any) -> bool:
    model = library.MultinomialNB()
    if library is river.naive_bayes:
        for row, label in zip(X, y.tolist(), strict=True):
            model.learn_one(river_row(row), label)
        return model.predict_one(river_row(X[0])) == 0
    model.partial_fit(X[:2], y[:2], classes=[0, 1]).partial_fit(X[2:], y[2:])
    return bool(model.predict(X[:1])[0] == 0)


def taken_back(library: Any) -> bool:
    model = library.MultinomialNB().fit(X, y).unlearn(X[2:], y[2:])
    return np.array_equal(model.feature_count_, library.MultinomialNB().fit(X[:2], y[:2]).feature_count_)


def merged(library: Any) -> bool:
    model = library.MultinomialNB().fit(X[:2], y[:2]).merge(library.MultinomialNB().fit(X[2:], y[2:]))
    return np.array_equal(model.feature_count_, library.MultinomialNB().fit(X, y).feature_count_)


def missing(library: Any) -> bool:
    """A row with a gap gets the probabilities that a model of the other column alone gives it."""
    if library is not river.naive_bayes:
        answer = library.GaussianNB().fit(GAPS, GAP_LABELS).predict_proba(GAPS[:1])
        return np.allclose(answer, library.GaussianNB().fit(GAPS[:, :1], GAP_LABELS).predict_proba(GAPS[:1, :1]))
    both, alone = library.GaussianNB(), library.GaussianNB()
    for row, label in zip(GAPS, GAP_LABELS, strict=True):
        both.learn_one(river_row(row), label)
        alone.learn_one(river_row(row[:1]), label)
    return both.predict_proba_one(river_row(GAPS[0])) == alone.predict_proba_one(river_row(GAPS[0, :1]))


def weighted(library: Any) -> bool:
    if library is river.naive_bayes:
        library.MultinomialNB().learn_one(river_row(X[0]), 0, w=2.0)
    else:
        library.MultinomialNB().fit(X, y, sample_weight=[1, 2, 3, 4])
    return True


def smoothed(library: Any) -> bool:
    for kind in ("background", "jelinek-mercer", "absolute"):
        library.MultinomialNB(smoothing=kind, alpha=0.5).fit(X, y).predict(X)
    return True


def new_labels(library: Any) -> bool:
    if library is river.naive_bayes:
        model = library.MultinomialNB()
        for label in (0, 1, 2):
            model.learn_one(river_row(X[0]), label)
        return len(model.predict_proba_one(river_row(X[0]))) == 3
    grow = {"new_labels": "grow"} if library is bayleaf else {}
    model = library.MultinomialNB(**grow).partial_fit(X, y, classes=[0, 1]).partial_fit(X[:1], [2])
    return len(model.classes_) == 3


def new_columns(library: Any) -> bool:
    if library is river.naive_bayes:
        model = library.MultinomialNB()
        model.learn_one({0: 1}, 0)
        model.learn_one({7: 1}, 1)
        return True
    library.MultinomialNB().partial_fit(X, y, classes=[0, 1]).partial_fit(np.ones((1, 3)), [0])
    return True


def unseen(library: Any) -> bool:
    return bool(np.isfinite(library.CategoricalNB().fit([[0], [1]], [0, 1]).predict_proba([[2]])).all())


PROBES = {
    "Gaussian, multinomial, Bernoulli, complement": has("GaussianNB", "MultinomialNB", "BernoulliNB", "ComplementNB"),
    "categorical": has("CategoricalNB"),
    "Poisson": has("PoissonNB"),
    "a family per column": has("MixedNB"),
    "learn batch by batch": tried(by_batch),
    "take learned rows back, exactly": tried(taken_back),
    "merge two models, exactly": tried(merged),
    "missing values (NaN) in training and prediction": tried(missing),
    "an unseen category is not an error": tried(unseen),
    "sample weights": tried(weighted),
    "smoothing by the background, Jelinek-Mercer, absolute discounting": tried(smoothed),
    "explain one prediction": can("explain"),
    "draw samples, log P(x)": can("sample", "score_samples"),
    "leave-one-out without refitting": can("loo_predict_log_proba"),
    "new labels while learning": tried(new_labels),
    "new columns while learning": tried(new_columns),
}
BY_NATURE = {"runs on a cluster"}  # nothing to try


def table() -> list[list[str]]:
    section = README.read_text(encoding="utf-8").partition("## How it compares")[2]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [rows[0], *rows[2:]]


def test_every_row_is_probed() -> None:
    assert {row[0] for row in table()[1:]} == PROBES.keys() | BY_NATURE


@pytest.mark.parametrize("claim", PROBES)
@pytest.mark.parametrize("library", LIBRARIES)
def test_cell(claim: str, library: str) -> None:
    header, *rows = table()
    cell = next(row for row in rows if row[0] == claim)[header.index(library)]
    if cell != "–":
        assert PROBES[claim](LIBRARIES[library]) == (cell == "yes")
