"""Asked: the rows of a file without labels, as a model is asked about them."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from bayleaf.cli.desk.rows import Rows, cut, table, unit
from bayleaf.errors import BayleafError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayleaf.face import Face
    from bayleaf.readers import Source


def asked(face: Face, source: Source, columns: dict[str, list[Any]], places: Sequence[Any]) -> Rows:
    """Some rows. Texts in a folder have no column of their own, so that they go to the one that the model has."""
    if source.format == "folder" and face.names() and "text" not in face.names():
        columns = {**columns, **face.lines(columns["text"])}
    return Rows(columns, [], list(places), source.name, unit(source))


def refuse_swallowed(face: Face, source: Source, options: Namespace, remedy: str) -> None:
    """Refuse a first line that would be taken for a name: a model of plain texts takes one column of any name."""
    headed = table(source) and not options.no_header
    if not headed or len(source.names) != 1 or source.names == ["text"] or not face.plain_texts:
        return
    raise BayleafError(
        f"{source.name}: the first line, {cut(repr(source.names[0]), 60)}, is no name of a column that the model "
        f"knows; expected text. If it is a text give {remedy}, and if it is a name call the column text"
    )
