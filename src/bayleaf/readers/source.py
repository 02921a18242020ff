"""Source: a table that is read in batches, whatever it lies in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self

from bayleaf.errors import DataError
from bayleaf.readers.batch import Batch
from bayleaf.readers.input import Input
from bayleaf.readers.numerals import Numerals

BATCH = 32 << 20  # texts are counted best so many at a time: with 8 MB counting took a tenth longer
CELLS = 1 << 20  # a cell of one byte takes 60 in memory


class Piece(NamedTuple):
    """A few rows as a format hands them over, about 256 KB of them."""

    size: int
    columns: list[list[Any]]
    places: Sequence[Any]


class Source:
    """A table that is read in batches. Made by `open_source`; each format is one subclass that gives `pieces`."""

    format = ""

    def __init__(self, source: Input, notes: Sequence[str] = ()) -> None:
        self._input = source
        self.name = source.name
        """What messages call it: the path, or standard input."""
        self.rereadable = source.rereadable
        """Whether `batches` may be asked for again: true of files, not of standard input and pipes."""
        self.notes = list(notes)
        """What was found out about the file, a sentence each."""
        self.names: list[str] = []
        """The names of the columns, the same in every batch."""
        self.kinds: dict[str, tuple[str, str]] = {}
        """What is to be learned of columns that need no guess, text or nothing ("ignore"), and why."""
        self.numerals: dict[str, Numerals] = {}
        """How columns write numbers with commas, where the first rows leave no doubt; `Batch.plain` reads them."""
        self._begun = False

    def expect(self, codes: Mapping[str, str]) -> None:
        """Read numbers as a model has learned them (column: `Numerals.code`) where the first rows leave that open."""

    def pieces(self) -> Iterator[Piece]:
        """The rows from the first one on."""
        raise NotImplementedError

    def batches(self, size_bytes: int = BATCH) -> Iterator[Batch]:
        """The rows in batches of about `size_bytes` of the file: memory does not grow with the file.

        Raises
        ------
        DataError
            When the file is broken, with its name and the line.

        """
        if self._begun and not self.rereadable:
            raise DataError(f"{self.name} was read before and cannot be read twice; put it into a file")
        self._begun = True
        return self._gathered(size_bytes)

    def _gathered(self, size_bytes: int) -> Iterator[Batch]:
        size = 0
        columns: list[list[Any]] = []
        places: Sequence[Any] = ()
        for piece in self._filled():
            if places:
                for column, more in zip(columns, piece.columns, strict=True):
                    column.extend(more)
                places = _joined(places, piece.places)
            else:
                columns, places = piece.columns, piece.places
            size += piece.size
            if size >= size_bytes or len(places) * len(columns) >= CELLS:
                yield Batch(dict(zip(self.names, columns, strict=True)), places, self.numerals)
                size, columns, places = 0, [], ()
        if places:
            yield Batch(dict(zip(self.names, columns, strict=True)), places, self.numerals)

    def _filled(self) -> Iterator[Piece]:
        """The pieces that hold rows; a fault of the disk on the way is a refusal like any other."""
        try:
            yield from (piece for piece in self.pieces() if piece.places)
        except OSError as fault:
            raise DataError(f"{fault.filename or self.name}: cannot be read ({fault.strerror})") from fault

    def close(self) -> None:
        """Let go of the file."""
        self._input.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def classed(labels: Sequence[str], what: str) -> str:
    """What a note says of the folders or mailboxes that rows are labelled by."""
    return f"{len(labels)} {what}, each a class: {', '.join(labels[:4])}{', …' if len(labels) > 4 else ''}"


def repeated(names: Iterable[str]) -> str | None:
    """The first name that is there twice.

    >>> repeated(["a", "b", "a"])
    'a'
    """
    known = set[str]()
    for name in names:
        if name in known:
            return name
        known.add(name)
    return None


def _joined(some: Sequence[Any], more: Sequence[Any]) -> Sequence[Any]:
    if isinstance(some, range) and isinstance(more, range) and some.stop == more.start:
        return range(some.start, more.stop)
    if isinstance(some, list):
        some += more
        return some
    return [*some, *more]
