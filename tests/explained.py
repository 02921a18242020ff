"""What holds for every record classifier: its explanations add up, and its file is the same model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from bayleaf import RecordClassifier


def adds_up_and_is_kept(clf: RecordClassifier, columns: dict[str, list[Any]], folder: Path) -> RecordClassifier:
    """The model of the file, once all this has been found true of some records."""
    for told in clf.explain(columns):
        total = told.prior + told.rest + sum((clue.summands for clue in told.clues), np.zeros(len(clf.classes_)))
        np.testing.assert_allclose(total, told.joint, rtol=1e-9, atol=1e-9)
    clf.save(folder / "model")
    again = RecordClassifier.load(folder / "model")
    found = clf.predict_proba(columns)
    assert np.isfinite(found).all()
    np.testing.assert_array_equal(again.predict_proba(columns), found)
    assert again.strongest() == clf.strongest()
    return again
