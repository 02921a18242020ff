"""Lazy: a classifier that stays in its file until it is asked something."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from bayleaf.loading import load
from bayleaf.records import RecordClassifier
from bayleaf.text import TextClassifier


class _Unread:
    """Becomes the classifier in the file as soon as something is wanted that only the file knows."""

    _path: Path

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_path":
            raise AttributeError(name)
        return getattr(self._opened(), name)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._opened().__reduce_ex__(protocol)

    def _opened(self) -> Any:
        read = load(self._path)
        self.__dict__.clear()
        self.__class__ = type(read)
        self.__dict__.update(read.__dict__)
        return self


class UnreadText(_Unread, TextClassifier):
    """A text classifier in its file."""


class UnreadRecords(_Unread, RecordClassifier):
    """A classifier for records in its file."""


def unread(kind: type, path: str | os.PathLike[str]) -> Any:
    """The classifier in a file, which is not read yet."""
    found = object.__new__(UnreadText if issubclass(kind, TextClassifier) else UnreadRecords)
    found._path = Path(path).resolve()
    return found
