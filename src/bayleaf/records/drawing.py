"""Drawing: records from the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.estimators.door import draws
from bayleaf.families.evidence import shares
from bayleaf.tally.bins import least, plainest

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Ints
    from bayleaf.records.classifier import RecordClassifier
    from bayleaf.records.parts import Parts

WHOLE = 2.0**53  # whole numbers beyond are written with an exponent


def drawn(classifier: RecordClassifier, n: Any, random_state: Any) -> tuple[dict[str, list[Any]], Array]:
    """Columns, in the order they came, and labels."""
    classifier._worth()
    n, rng = draws(n, random_state)
    parts = classifier._parts
    prior = parts.weight / parts.weight.sum() if parts.weight.any() else shares(parts.weight)
    codes = rng.choice(len(prior), size=n, p=prior).astype(np.int64)
    columns = {**_values(parts, codes, rng), **_texts(parts, codes, rng, classifier._length)}
    return {name: columns[name] for name in classifier.columns_ if name in columns}, classifier.classes_[codes]


def _values(parts: Parts, codes: Ints, rng: np.random.Generator) -> dict[str, list[Any]]:
    if parts.table is None:
        return {}
    model = parts.table._read()
    blocks = [family.sample(tally, codes, rng) for family, tally in zip(model.families, model.tallies, strict=True)]
    names = [*parts.columns("numbers"), *parts.columns("categories")]
    values = dict(zip(names, parts.table._joined(blocks).T.tolist(), strict=True))
    if parts.bins is not None:
        for j, name in enumerate(parts.columns("bins")):
            _redraw(values[name], parts.bins.column(j), codes, rng)
    return values


def _redraw(values: list[Any], column: tuple[Ints, Ints, Ints], codes: Ints, rng: np.random.Generator) -> None:
    """Normal numbers replaced by cells in the proportion of the counts of the class, as far as there are some."""
    cells, classes, counts = column
    numbers = least(cells)
    kind = int if bool(((numbers % 1 == 0) & (np.abs(numbers) < WHOLE)).all()) else float
    for code in np.unique(codes).tolist():
        rows = np.flatnonzero(codes == code).tolist()
        found = cells[_chosen(np.flatnonzero(classes == code), counts, len(rows), rng)].tolist()
        plain = {cell: kind(plainest(cell)) for cell in set(found)}
        for row, cell in zip(rows, found, strict=False):
            values[row] = plain[cell]


def _texts(parts: Parts, codes: Ints, rng: np.random.Generator, length: float) -> dict[str, list[Any]]:
    """Single words in the proportion of the counts of the class, each in the column it was counted in."""
    if parts.text is None:
        return {}
    lists, name = parts.text._tally.arrays(), parts.text._tally.native.name
    starts = lists["starts"].astype(np.int64)
    held = starts[1:] - starts[:-1]
    keys, single = np.repeat(lists["keys"], held), np.repeat(lists["orders"], held) == lists["orders"].min(initial=255)
    columns = parts.columns("text")
    texts: dict[str, list[Any]] = {column: [""] * len(codes) for column in columns}
    for code in np.unique(codes).tolist():  # per class: walking over 800,000 words takes 5 ms
        rows, own = np.flatnonzero(codes == code).tolist(), np.flatnonzero(single & (lists["classes"] == code))
        chosen = _chosen(own, lists["counts"], len(rows) * round(length), rng).reshape(len(rows), -1)
        for row, words in zip(rows, keys[chosen].tolist(), strict=True):
            for column, text in _sorted(parts, columns, [name(word) for word in words]).items():
                texts[column][row] = text
    return texts


def _sorted(parts: Parts, columns: list[str], words: list[str]) -> dict[str, str]:
    """The words of each column as a text."""
    if len(columns) == 1:
        return {columns[0]: " ".join(words)}
    found: dict[str, list[str]] = {}
    for word in words:
        column = parts.text_column(word)
        found.setdefault(column, []).append(word.removeprefix(f"{column}:"))
    return {column: " ".join(some) for column, some in found.items()}


def _chosen(places: Ints, counts: Ints, n: int, rng: np.random.Generator) -> Ints:
    """n of these places in the proportion of their counts; none where there are none."""
    if not len(places):
        return places
    ladder = np.cumsum(counts[places], dtype=np.float64)
    return places[np.searchsorted(ladder, rng.random(n) * ladder[-1], side="right")]
