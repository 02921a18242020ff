"""Model files of every version that ever was: readable for ever, with the answers that were written beside them.

BAYLEAF_WRITE_GOLDEN=1 writes those that are not there yet; none is ever written again.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from models import FITTED, example

import bayleaf
from bayleaf.archive import Archive
from bayleaf.loading import ESTIMATORS

HERE = Path(__file__).parent / "models"
VERSION = "v1"


def write(name: str) -> None:
    """A file, and what it must answer."""
    path, right = HERE / f"{VERSION}-{name}.bayleaf", example(name)
    os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
    right.model.save(path, source="tests/models.py")
    told = {
        "asked": right.X if isinstance(right.X, dict) else np.asarray(right.X, dtype=object).tolist(),
        "labels": right.model.classes_.tolist(),
        "probabilities": right.asked.tolist(),
        "hash": Archive.read(path).hash,
        "provenance": Archive.read(path).provenance,
    }
    path.with_suffix(".json").write_text(json.dumps(told, indent=1) + "\n")


if os.environ.get("BAYLEAF_WRITE_GOLDEN"):
    HERE.mkdir(exist_ok=True)
    for name in FITTED:
        if not (HERE / f"{VERSION}-{name}.bayleaf").exists():
            write(name)


def rows(told: Any) -> Any:
    """What was asked, as it was: columns, texts, numbers, or values of any kind."""
    if isinstance(told, dict) or all(isinstance(row, str) for row in told):
        return told
    kinds = {type(cell) for row in told for cell in row}
    return np.array(told, dtype=float if kinds <= {int, float} else object)


@pytest.mark.parametrize("path", sorted(HERE.glob("*.bayleaf")), ids=lambda path: path.stem)
def test_a_file_is_read_for_ever(path: Path) -> None:
    told = json.loads(path.with_suffix(".json").read_text())
    archive, model = Archive.read(path), bayleaf.load(path)
    assert archive.hash == told["hash"]
    assert archive.provenance == told["provenance"]
    assert model.classes_.tolist() == told["labels"]
    assert [type(label) for label in model.classes_.tolist()] == [type(label) for label in told["labels"]]
    asked = rows(told["asked"])
    # Not to the last bit: logarithms and exponentials differ between machines.
    np.testing.assert_allclose(model.predict_proba(asked), told["probabilities"], rtol=1e-9, atol=1e-15)
    assert len(model.explain(asked)) == len(told["probabilities"])


@pytest.mark.parametrize("path", sorted(HERE.glob(f"{VERSION}-*.bayleaf")), ids=lambda path: path.stem)
def test_what_is_written_today_is_what_was_written_then(path: Path) -> None:
    assert bayleaf.load(path)._archive().hash == json.loads(path.with_suffix(".json").read_text())["hash"]


def test_there_is_a_file_of_every_kind() -> None:
    kinds = {Archive.read(path).kind for path in HERE.glob("*.bayleaf")}
    assert kinds >= {*ESTIMATORS, "text", "records"}
    assert all(path.stat().st_size < 16_000 for path in HERE.iterdir())
