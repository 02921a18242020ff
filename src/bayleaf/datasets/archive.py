"""Archives read in memory: nothing is unpacked to the disk, so no name in them can lead anywhere."""

from __future__ import annotations

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from bayleaf.errors import DataError

MEMBERS = 100_000
LARGEST = 1 << 25  # 32 MB for one file
WHOLE = 1 << 29
FAULTS = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
)


def members(path: Path) -> Iterator[tuple[str, bytes]]:
    """The names and contents of the files in a tar or zip archive, in their order."""
    count = size = 0
    try:
        for name, content in _zipped(path) if zipfile.is_zipfile(path) else _tarred(path):
            count += 1
            size += len(content)
            if len(content) > LARGEST or count > MEMBERS or size > WHOLE:
                words = f"found more than {MEMBERS} files, {LARGEST} bytes in one or {WHOLE} bytes in all"
                raise DataError(f"{path}: {words}; this is not the published archive")
            yield name, content
    except FAULTS as fault:
        raise DataError(f"{path}: found a broken archive ({fault}); delete the file and it is fetched again") from fault


def _zipped(path: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                with archive.open(info) as file:
                    yield info.filename, file.read(LARGEST + 1)


def _tarred(path: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isreg() else None  # neither links nor devices
            if file is not None:
                yield member.name, file.read(LARGEST + 1)
