"""TableFace: an estimator, asked by named columns of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bayleaf.errors import BayleafError
from bayleaf.face.face import Face
from bayleaf.face.free import free
from bayleaf.missing import MISSING
from bayleaf.plain import listed
from bayleaf.records.cells import number, numbers


class TableFace(Face):
    """An estimator: its columns by name, or all there are in their order."""

    def table(self, columns: dict[str, list[Any]]) -> Any:
        """The rows: numbers as numbers, categories as the model knows them; what is missing is NaN."""
        names = [str(name) for name in getattr(self.model, "feature_names_in_", columns)]
        lost = [name for name in names if name not in columns]
        if lost or len(names) != self.model.n_features_in_:
            expected = listed(lost) if lost else f"{self.model.n_features_in_} columns"
            raise BayleafError(f"the model needs {expected}; found {listed(columns) or 'no column'}")
        known = self._categories()
        table = np.empty((len(columns[names[0]]), len(names)), dtype=object if known else np.float64)
        for place, name in enumerate(names):
            cells = columns[name]
            table[:, place] = categories(cells, known[place]) if place in known else numbers(name, cells)
        return table

    def _categories(self) -> dict[int, tuple[Any, ...]]:
        """The values that were learned of each column of categories."""
        encoder = getattr(self.model, "_encoder", None)
        if encoder is None:
            return {}
        parts = getattr(self.model, "_parts", (("categorical", range(self.model.n_features_in_)),))
        places = [place for name, some in parts if name == "categorical" for place in some]
        return dict(zip(places, encoder.categories, strict=True))

    def unnamed(self) -> list[str]:
        """By their place."""
        return [f"x{place}" for place in range(self.model.n_features_in_)]

    def text_of(self, columns: dict[str, list[Any]]) -> str:
        """There is none."""
        return ""

    def sample(self, n: int, seed: int | None) -> dict[str, list[Any]]:
        """Made-up rows with their labels."""
        rows, labels = self.model.sample(n, random_state=seed)
        names = self.names() or self.unnamed()
        return {**dict(zip(names, rows.T.tolist(), strict=True)), free("label", names): labels.tolist()}

    def text_column(self) -> str:
        """There is none."""
        raise BayleafError(f"a text alone needs a model of texts; found {type(self.model).__name__}. Give columns")


def categories(cells: Sequence[Any], known: Sequence[Any]) -> list[Any]:
    """Cells of a file as the values that were learned: the text "01" stays one, "1" is the number 1 if that was."""
    written: dict[Any, Any] = {}
    for value in known:
        if isinstance(value, bool):
            written |= {str(value).lower(): value, str(value).upper(): value}
        elif isinstance(value, int | float):
            written[float(value)] = value
    written |= {str(value): value for value in known}

    def meant(cell: Any) -> Any:
        text = str(cell).strip()
        if text in written:
            return written[text]
        if cell is None or text in MISSING:
            return float("nan")
        try:
            found = number(text)
            return written.get(found, cell if any(isinstance(value, str) for value in known) else found)
        except ValueError:
            return cell

    return [meant(cell) for cell in cells]
