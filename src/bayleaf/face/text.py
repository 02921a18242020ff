"""TextFace: a classifier of texts, asked by named columns."""

from __future__ import annotations

from typing import Any

from bayleaf.errors import BayleafError
from bayleaf.face.face import Face
from bayleaf.plain import listed


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


def texts(columns: dict[str, list[Any]], name: str) -> list[str]:
    """A column of texts; a missing one is empty."""
    if name not in columns:
        raise BayleafError(f"the model needs a column {name!r}; found {listed(columns) or 'no column'}")
    return ["" if text is None else str(text) for text in columns[name]]
