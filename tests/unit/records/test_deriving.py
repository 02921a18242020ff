"""What is derived does not depend on the last bits of sums."""

from __future__ import annotations

from copy import copy
from pathlib import Path

import numpy as np
import pytest

from bayleaf import BayleafError, RecordClassifier

KINDS = {"size": "number", "colour": "category", "shape": "category"}
SIZES = [
    -862.4048655156082,
    -2032.5524274567251,
    1410.4234840116703,
    -47.63223719233393,
    2522.327410749435,
    826.2182491746161,
    277.78052697538277,
    -657.4310585061062,
    None,
    -506.28911447878687,
    1569.949132247599,
    -398.36128088991194,
]


def test_unlearned_records_leave_the_choice_of_smoothing_alone() -> None:
    """Where numbers are worth nothing every smoothing of theirs is as good: the first is taken, not one by rounding."""
    X = {
        "size": SIZES,
        "colour": ["p", "q", None, "q", "p", "q", None, "p", "p", "r", None, "p"],
        "shape": [None, "r", "r", "p", "s", "r", "p", "r", None, "p", None, None],
    }
    y = np.array(list("zxxyzzyzzzzz"))
    twice = {name: [*column, *column[:2]] for name, column in X.items()}
    some = {name: column[:2] for name, column in X.items()}
    plain = RecordClassifier(KINDS).fit(X, y)
    changed = RecordClassifier(KINDS).fit(twice, [*y, *y[:2]]).unlearn(some, y[:2]).retune()
    assert plain.chosen_["worth"]["numbers"] == 0
    for name in ("alpha", "var_smoothing"):
        assert changed.chosen_[name] == plain.chosen_[name]
    np.testing.assert_allclose(changed.predict_proba(X), plain.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("asked", [False, True])
def test_a_difference_is_read_as_the_model_it_is_left_of(asked: bool) -> None:
    """Never by what was derived for the other, and not by nothing because nobody had asked before."""
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    X = {"size": rng.normal(y, 1.0).round(2).tolist(), "word": [f"w{n} x" for n in rng.integers(0, 4, 120) + 2 * y]}
    more = {name: column[:40] for name, column in X.items()}
    whole, other = (RecordClassifier().partial_fit(more, y[:40]) for _ in range(2))
    whole.partial_fit({name: column[40:] for name, column in X.items()}, y[40:])
    if asked:
        other.predict(more)
    wanted = copy(whole)
    wanted.predict(X)
    wanted.unlearn(more, y[:40])
    left = whole - other
    assert left.chosen_ == wanted.chosen_
    assert left.chosen_["loo_rows"] == 120
    np.testing.assert_allclose(left.predict_proba(X), wanted.predict_proba(X), rtol=1e-9)


def test_nothing_is_derived_of_the_few_records_that_came_after_loading(tmp_path: Path) -> None:
    X = {"word": [f"w{n % 5} x" for n in range(40)], "shape": list("pqqr" * 10)}
    y = list("ab" * 20)
    clf = RecordClassifier({"word": "text", "shape": "category"}).fit(X, y)
    clf.save(tmp_path / "model")
    loaded = RecordClassifier.load(tmp_path / "model")
    for n in (0, 2):
        loaded.partial_fit({name: column[:n] for name, column in X.items()}, y[:n])
        with pytest.raises(BayleafError, match=f"Found {n} of {40 + n} learned records to derive from, expected half"):
            loaded.retune()
    assert loaded.chosen_ == clf.chosen_
    assert loaded.retune(X, y).chosen_["loo_rows"] == 40
    loaded = RecordClassifier.load(tmp_path / "model")
    loaded.partial_fit(X, y)  # 20 different ones, as many as the file has
    assert not loaded.aged_
