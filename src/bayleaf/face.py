"""Face: any model file, asked by named columns of text as files have them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from itertools import chain, count
from typing import Any

import numpy as np

from bayleaf.arrays import Array, Floats
from bayleaf.errors import BayleafError
from bayleaf.loading import restored
from bayleaf.missing import MISSING
from bayleaf.plain import listed
from bayleaf.records import RecordClassifier
from bayleaf.records.cells import number, numbers
from bayleaf.store.archive import Archive
from bayleaf.text import TextClassifier


class Face:
    """A model and its labels as text. `records` need no translation."""

    sources = ""  # the files that it was learned from, where the file of the model says so
    plain_texts = False  # whether it was learned from texts without names

    def __init__(self, model: Any) -> None:
        self.model = model
        self.labels = [str(label) for label in model.classes_.tolist()]

    @staticmethod
    def of(path: Any) -> Face:
        """The model in a file."""
        archive = Archive.read(path)
        model = restored(archive, path)
        kind = {RecordClassifier: Face, TextClassifier: TextFace}.get(type(model), TableFace)
        face = kind(model)
        face.sources = archive.provenance.get("sources", "")
        return face

    def table(self, columns: dict[str, list[Any]]) -> Any:
        """Columns of a file as the model takes them; one that is not there is refused: its name may have changed."""
        lost = [name for name, kind in self.model.columns_.items() if kind != "ignore" and name not in columns]
        if lost:
            raise BayleafError(
                f"the model needs {listed(lost)}; found {listed(columns) or 'no column'}. Add what is not there, "
                "with empty cells where its values are not known"
            )
        return columns

    def answers(self, labels: Sequence[str]) -> Array:
        """Labels of a file as the model's own; a label it does not know is refused."""
        places = {label: place for place, label in enumerate(self.labels)}
        strange = [label for label in labels if label not in places]
        if strange:
            raise BayleafError(f"the model knows no label {strange[0]!r}; it learned {listed(self.labels)}")
        found: Array = self.model.classes_[[places[label] for label in labels]]
        return found

    def log_proba(self, columns: dict[str, list[Any]]) -> Floats:
        """Log probabilities of the rows."""
        found: Floats = self.model.predict_log_proba(self.table(columns))
        return found

    def probabilities(self, columns: dict[str, list[Any]]) -> list[list[float]]:
        """Probabilities of the rows, for printing."""
        found: list[list[float]] = np.exp(self.log_proba(columns)).tolist()
        return found

    def text_column(self) -> str:
        """The one column of texts."""
        names = [name for name, kind in self.model.columns_.items() if kind == "text"]
        if len(names) != 1:
            raise BayleafError(
                f"a text alone needs a model of one text column; found {len(names)}. Give NAME=VALUE, a "
                f"table or records, of {listed(self.names())}"
            )
        return str(names[0])

    def lines(self, some: list[str]) -> dict[str, list[Any]]:
        """Rows of nothing but a text."""
        blank: list[None] = [None] * len(some)
        return {**dict.fromkeys(self.names(), blank), self.text_column(): some}

    def names(self) -> list[str]:
        """The columns that the model knows by name."""
        return [str(name) for name in getattr(self.model, "columns_", getattr(self.model, "feature_names_in_", ()))]

    def row(self, words: Sequence[str]) -> dict[str, list[Any]]:
        """One row from the words of a command: a text, or NAME=VALUE for each column."""
        names = self.names()
        pairs = [word.partition("=") for word in words]
        if len(words) == 1 and pairs[0][0] not in names and not self._meant(*pairs[0][:2]):
            return self.lines([words[0]])
        strange = [name for name, _, _ in pairs if name not in names]
        if strange and not any(sign for _, sign, _ in pairs):
            raise BayleafError(
                f"found {len(words)} words, expected one text, or NAME=VALUE for each column; put quotes around a text"
            )
        if strange:
            raise BayleafError(f"the model has no column {strange[0]!r}; found {listed(names) or 'a text only'}")
        given = {name: value for name, _, value in pairs}
        if len(given) < len(pairs):
            raise BayleafError(f"found {len(pairs)} values for {listed(given)}; expected one for each column")
        return {name: [given.get(name)] for name in names}

    def _meant(self, name: str, sign: str) -> bool:
        """Whether one word that names no column was meant to: it can be no text, or a letter of the name is wrong."""
        columns = {known.lower(): kind for known, kind in getattr(self.model, "columns_", {}).items()}
        if not sign or not columns:
            return False
        return "text" not in columns.values() or bool(get_close_matches(name.lower(), columns, n=1, cutoff=0.8))

    def text_of(self, columns: dict[str, list[Any]]) -> str:
        """The text that the tokens of a row were found in, where it is one."""
        names = [name for name, kind in self.model.columns_.items() if kind == "text"]
        return str(columns[names[0]][0] or "") if len(names) == 1 else ""

    def counts(self) -> dict[str, int]:
        """How many rows of each label were learned."""
        return dict(zip(self.labels, map(int, self.model.class_count_), strict=True))

    def strongest(self, count: int) -> dict[str, list[tuple[str, float]]] | None:
        """What speaks for each label most, where the model can tell."""
        tell = getattr(self.model, "strongest", None) or getattr(self.model, "top_tokens", None)
        return None if tell is None else {str(label): found for label, found in tell(count).items()}

    def facts(self) -> dict[str, Any]:
        """What a report says of the model."""
        chosen, columns = dict(getattr(self.model, "chosen_", {})), {}
        if kinds := getattr(self.model, "columns_", {}):
            chosen.pop("worth")  # of the parts: it is in that of their columns
            worth = {name: f", worth {by:.2f}" for name, by in chosen.pop("columns").items()}
            columns = {f"column {name}": kind + worth.get(name, "") for name, kind in kinds.items()}
        return {"model": type(self.model).__name__, **columns, **chosen}

    def sample(self, n: int, seed: int | None) -> dict[str, list[Any]]:
        """Made-up rows with their labels."""
        columns, labels = self.model.sample(n, random_state=seed)
        return {**columns, free("label", columns): labels.tolist()}

    def explain(self, columns: dict[str, list[Any]]) -> Any:
        """Explanations of the rows."""
        return self.model.explain(self.table(columns))

    def unlearn(self, columns: dict[str, list[Any]], labels: Sequence[str]) -> None:
        """Take rows away."""
        self.model.unlearn(self.table(columns), self.answers(labels))

    @contextmanager
    def without(self, columns: dict[str, list[Any]], label: str) -> Iterator[None]:
        """Meanwhile, the model without a row that it has learned."""
        self.unlearn(columns, [label])
        try:
            yield
        finally:
            self.model.partial_fit(self.table(columns), self.answers([label]))


class TextFace(Face):
    """A classifier of texts: its fields by name, or the one column there is."""

    @property
    def plain_texts(self) -> bool:  # type: ignore[override]
        """Whether there are no fields."""
        return not self.names()

    def table(self, columns: dict[str, list[Any]]) -> Any:
        """The texts."""
        if fields := self.names():
            return {field: texts(columns, field) for field in fields}
        name = "text" if "text" in columns or len(columns) != 1 else next(iter(columns))
        return texts(columns, name)

    def names(self) -> list[str]:
        """The fields; none of plain texts."""
        tags = self.model._tags or [""]
        return [] if tags == [""] else [tag.removesuffix(":") for tag in tags]

    def text_column(self) -> str:
        """Any name will do."""
        if fields := self.names():
            raise BayleafError(
                f"a text alone needs a model of plain texts; found the fields {listed(fields)}. Give NAME=VALUE, a "
                "table or records"
            )
        return "text"

    def text_of(self, columns: dict[str, list[Any]]) -> str:
        """The text, where there are no fields."""
        found = self.table(columns)
        return "" if isinstance(found, dict) else str(found[0])

    def strongest(self, count: int) -> dict[str, list[tuple[str, float]]] | None:
        """What speaks for each label most, where the words were kept."""
        kept = self.model.keep_text and self.model.buckets is None
        return super().strongest(count) if kept else None

    def sample(self, n: int, seed: int | None) -> dict[str, list[Any]]:
        """Refused: a text is more than its words."""
        raise BayleafError("a text classifier makes no texts up; `bayleaf train` writes models that can")


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

    def text_of(self, columns: dict[str, list[Any]]) -> str:
        """There is none."""
        return ""

    def sample(self, n: int, seed: int | None) -> dict[str, list[Any]]:
        """Made-up rows with their labels."""
        rows, labels = self.model.sample(n, random_state=seed)
        names = self.names() or [f"x{place}" for place in range(rows.shape[1])]
        return {**dict(zip(names, rows.T.tolist(), strict=True)), free("label", names): labels.tolist()}

    def text_column(self) -> str:
        """There is none."""
        raise BayleafError(f"a text alone needs a model of texts; found {type(self.model).__name__}. Give columns")


def free(name: str, taken: Collection[str]) -> str:
    """A name for one column more: this one, or with a number behind it where there is a column called so.

    >>> free("label", ["label", "size"])
    'label_2'
    """
    numbered = (f"{name}_{number}" for number in count(2))
    return next(some for some in chain([name], numbered) if some not in taken)


def texts(columns: dict[str, list[Any]], name: str) -> list[str]:
    """A column of texts; a missing one is empty."""
    if name not in columns:
        raise BayleafError(f"the model needs a column {name!r}; found {listed(columns) or 'no column'}")
    return ["" if text is None else str(text) for text in columns[name]]


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
            return written.get(number(text), cell)
        except ValueError:
            return cell

    return [meant(cell) for cell in cells]
