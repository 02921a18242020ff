"""What is derived does not depend on the last bits of sums."""

from __future__ import annotations

import numpy as np

from bayleaf import RecordClassifier

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
