"""Face: a model asked by named columns of text, as files have them. This one is for records, which need no more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

import numpy as np

from bayleaf.arrays import Array, Floats
from bayleaf.errors import BayleafError
from bayleaf.face.free import free
from bayleaf.missing import label_text
from bayleaf.plain import listed
from bayleaf.readers.numerals import numeral


class Face:
    """A model and its labels as text. `records` need no translation."""

    provenance: Mapping[str, str] = {}  # of the file of the model
    plain_texts = False  # whether it was learned from texts without names

    def __init__(self, model: Any) -> None:
        self.model = model
        self.labels = [label_text(label) for label in model.classes_.tolist()]

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
        names = self.names() or self.unnamed()
        pairs = [pair(word, names) for word in words]
        name, sign, _ = pairs[0]
        if len(words) == 1 and (not sign or (name not in names and not self._meant(name, sign))):
            return self.lines([words[0]])
        strange = [name for name, _, _ in pairs if name not in names]
        if not any(sign for _, sign, _ in pairs):
            text = "one text, or NAME=VALUE for each column; put quotes around a text"
            expected = f"NAME=VALUE for each column, of {listed(names)}" if names and not self._reads_text() else text
            raise BayleafError(f"found {len(words)} words, expected {expected}")
        if strange:
            raise BayleafError(f"the model has no column {strange[0]!r}; found {listed(names) or 'a text only'}")
        if (bare := next((name for name, sign, _ in pairs if not sign), None)) is not None:
            raise BayleafError(f"found {bare!r} without a value, expected {bare}=VALUE")
        given = {name: value for name, _, value in pairs}
        if len(given) < len(pairs):
            raise BayleafError(f"found {len(pairs)} values for {listed(given)}; expected one for each column")
        codes = getattr(self.model, "numerals_", {})
        return {
            name: [numeral(codes[name]).plain(given.get(name)) if name in codes else given.get(name)] for name in names
        }

    def unnamed(self) -> list[str]:
        """What columns without names are called."""
        return []

    def _reads_text(self) -> bool:
        return "text" in getattr(self.model, "columns_", {}).values()

    def _meant(self, name: str, sign: str) -> bool:
        """Whether one word that names no column was meant to: it can be no text, or a letter of the name is wrong."""
        columns = {known.lower(): kind for known, kind in getattr(self.model, "columns_", {}).items()}
        if not sign or not columns:
            return False
        return not self._reads_text() or bool(get_close_matches(name.lower(), columns, n=1, cutoff=0.8))

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
        return None if tell is None else {label_text(label): found for label, found in tell(count).items()}

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


def pair(word: str, names: Sequence[str]) -> tuple[str, str, str]:
    """Name, sign and value of NAME=VALUE; a name may hold a sign itself.

    >>> pair("a=b=1", ["a=b"]), pair("a=b=1", ["a"])
    (('a=b', '=', '1'), ('a', '=', 'b=1'))
    """
    known = max((name for name in names if word.startswith(f"{name}=")), key=len, default=None)
    return word.partition("=") if known is None else (known, "=", word[len(known) + 1 :])
