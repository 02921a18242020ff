"""A folder of folders of text files: the name of the inner folder is the label. Text files without one have none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bayleaf.errors import DataError
from bayleaf.readers.encoding import decode
from bayleaf.readers.input import Input
from bayleaf.readers.source import Piece, Source, classed
from bayleaf.readers.text import LONGEST


class Folder(Source):
    """Text files, one row each, with the columns text, label and path; no label where there are no inner folders."""

    format = "folder"

    def __init__(self, source: Input, path: Path) -> None:
        super().__init__(source)
        self.rereadable = True
        self._path = path
        labels = [label for label, _ in classes(path)]
        if not labels and next(files(path), None) is None:
            words = "found no file in it, expected text files, to learn from in one folder for each class"
            raise DataError(f"{self.name}: {words}, as spam/ and ham/")
        self.names = ["text", *(["label"] if labels else []), "path"]
        self.kinds = {"text": ("text", "the files"), "path": ("ignore", "it holds the label" if labels else "a name")}
        self.notes.append(classed(labels, "folders") if labels else "text files without labels")

    def pieces(self) -> Iterator[Piece]:
        """A piece for each file."""
        labelled = "label" in self.names
        for label, folder in classes(self._path) if labelled else [("", self._path)]:
            for file in files(folder):
                raw = content(file)
                if b"\0" in raw and not raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                    raise DataError(f"{file}: found a NUL byte, expected a text file; take the file away")
                name = str(file.relative_to(self._path))
                answer = [[label]] if labelled else []
                yield Piece(len(raw) + 200, [[decode(raw) or None], *answer, [name]], [name])


def classes(path: Path) -> list[tuple[str, Path]]:
    """The inner folders that hold files, by name."""
    inner = sorted(folder for folder in path.iterdir() if folder.is_dir() and not folder.name.startswith("."))
    return [(folder.name, folder) for folder in inner if next(files(folder), None) is not None]


def files(folder: Path) -> Iterator[Path]:
    """The files in a folder and the folders in it, in a fixed order; hidden ones are left out."""
    for inner in sorted(folder.iterdir()):
        if inner.name.startswith("."):
            continue
        if inner.is_dir() and not inner.is_symlink():
            yield from files(inner)
        elif inner.is_file():
            yield inner


def content(file: Path) -> bytes:
    """The bytes of a small file."""
    try:
        if file.stat().st_size > LONGEST:
            raise DataError(f"{file}: found more than 64 MB in one text; cut it up")
        return file.read_bytes()
    except OSError as fault:
        raise DataError(f"{file}: cannot be read ({fault.strerror})") from fault
