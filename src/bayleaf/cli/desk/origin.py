"""Origin: the data files that a model was learned from, as its provenance has them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path


def files_of(model: Path) -> list[str]:
    """The files that a model was learned from, and has not forgotten."""
    from bayleaf.archive import Archive  # noqa: PLC0415 - numpy, which -h need not wait for

    return files_in(Archive.read(model).provenance)


def files_in(provenance: Mapping[str, str]) -> list[str]:
    """The same of a provenance; it is only for people, so that what is no list is none.

    >>> files_in({"files": '["my data.csv"]'}), files_in({"files": "?"}), files_in({})
    (['my data.csv'], [], [])
    """
    try:
        found = json.loads(provenance.get("files", "[]"))
    except ValueError:
        return []
    return [str(path) for path in found] if isinstance(found, list) else []


def kept(files: Iterable[str], without: Iterable[str] = ()) -> str:
    """Files as a provenance holds them, each once."""
    gone = set(without)
    return json.dumps([path for path in dict.fromkeys(files) if path not in gone])
