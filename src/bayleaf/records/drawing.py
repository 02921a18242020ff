"""Drawing: records from the model."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import check_random_state

from bayleaf.errors import BayleafError
from bayleaf.families.evidence import shares

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Ints
    from bayleaf.records.classifier import RecordClassifier
    from bayleaf.records.parts import Parts


def drawn(classifier: RecordClassifier, n: Any, random_state: Any) -> tuple[dict[str, list[Any]], Array]:
    """Columns, in the order they came, and labels."""
    classifier._worth()
    if not isinstance(n, Integral) or n < 1:
        raise BayleafError(f"n_samples must be a whole number of at least 1; found {n!r}")
    rng = np.random.default_rng(check_random_state(random_state).randint(0, 2**31 - 1, size=4))
    parts = classifier._parts
    prior = parts.weight / parts.weight.sum() if parts.weight.any() else shares(parts.weight)
    codes = rng.choice(len(prior), size=int(n), p=prior).astype(np.int64)
    columns = {**_values(parts, codes, rng), **_texts(parts, codes, rng, classifier._length)}
    return {name: columns[name] for name in classifier.columns_ if name in columns}, classifier.classes_[codes]


def _values(parts: Parts, codes: Ints, rng: np.random.Generator) -> dict[str, list[Any]]:
    if parts.table is None:
        return {}
    model = parts.table._read()
    blocks = [family.sample(tally, codes, rng) for family, tally in zip(model.families, model.tallies, strict=True)]
    names = [*parts.columns("numbers"), *parts.columns("categories")]
    return dict(zip(names, parts.table._joined(blocks).T.tolist(), strict=True))


def _texts(parts: Parts, codes: Ints, rng: np.random.Generator, length: float) -> dict[str, list[Any]]:
    """Single words by their share in the counts of the class, each in the column it was counted in."""
    if parts.text is None:
        return {}
    lists, name = parts.text._tally.arrays(), parts.text._tally.native.name
    starts = lists["starts"].astype(np.int64)
    held = starts[1:] - starts[:-1]
    keys, single = np.repeat(lists["keys"], held), np.repeat(lists["orders"], held) == lists["orders"].min(initial=255)
    columns = parts.columns("text")
    texts: dict[str, list[Any]] = {column: [] for column in columns}
    ladders = {}
    for code in np.unique(codes).tolist():  # per class: walking over 800,000 words takes 5 ms
        own = np.flatnonzero(single & (lists["classes"] == code))
        ladders[code] = own, np.cumsum(lists["counts"][own], dtype=np.float64)
    for code in codes.tolist():
        own, ladder = ladders[code]
        count = round(length) if len(own) else 0
        chosen = own[np.searchsorted(ladder, rng.random(count) * ladder[-1], side="right")] if count else own[:0]
        found: dict[str, list[str]] = {column: [] for column in columns}
        for word in map(name, keys[chosen].tolist()):
            column = parts.text_column(word) if len(columns) > 1 else columns[0]
            found[column].append(word.removeprefix(f"{column}:") if len(columns) > 1 else word)
        for column, words in found.items():
            texts[column].append(" ".join(words))
    return texts
