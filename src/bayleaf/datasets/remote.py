"""Remote: a file that is fetched once and kept."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bayleaf.datasets.download import download
from bayleaf.datasets.lock import locked
from bayleaf.errors import DataError
from bayleaf.whole import whole


@dataclass(frozen=True)
class Remote:
    """A published file: its name in the cache, where it can be had, and the SHA-256 of its bytes.

    Where no checksum has been published it is None; then the checksum of the first fetch is kept beside the file, and
    the file is held to it from then on, until somebody deletes it and it is fetched again.
    """

    file: str
    urls: tuple[str, ...]
    sha256: str | None

    def path(self) -> Path:
        """The file in the cache; fetched if it is not there, and checked in any case.

        The lock is for fetching alone: files come under their names as a whole, and a cache may be read-only.
        """
        folder = cache()
        path = folder / self.file
        try:
            if not path.exists():
                folder.mkdir(parents=True, exist_ok=True)
                with locked(folder / f"{self.file}.lock"):
                    if not path.exists():
                        self._fetch(path)
            self._check(path)
        except OSError as fault:
            raise DataError(f"{path}: {fault.strerror}; BAYLEAF_DATA can name another folder") from fault
        return path

    def _fetch(self, path: Path) -> None:
        part = path.with_name(f"{path.name}.part")
        reasons = []
        for url in self.urls:
            try:
                download(url, part)
            except DataError as fault:
                reasons.append(f"{url}: {fault}")
                continue
            found = checksum(part)
            if self.sha256 in (None, found):
                _note(path).unlink(missing_ok=True)  # it speaks of a file that was deleted, perhaps a broken one
                part.replace(path)
                return
            part.unlink()
            reasons.append(f"{url}: its SHA-256 is {found}")
        words = f"expected the SHA-256 {self.sha256}" if self.sha256 else "no checksum is published"
        raise DataError(
            f"{self.file} is not in the cache and could not be fetched ({'; '.join(reasons)}); "
            f"fetch {self.urls[0]} by hand and put it at {path} ({words})"
        )

    def _check(self, path: Path) -> None:
        note = _note(path)
        found = checksum(path)
        expected = self.sha256 or (note.read_text(encoding="ascii").strip() if note.exists() else None)
        if expected is None:  # in a cache that cannot be written it stays unnoted
            with suppress(OSError), whole(note) as sibling:
                sibling.write_text(f"{found}\n", encoding="ascii")
        elif found != expected:
            words = f"found the SHA-256 {found}, expected {expected}; delete the file and it is fetched again"
            raise DataError(f"{path}: {words}")


def _note(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")


def cache() -> Path:
    """The folder of fetched files: $BAYLEAF_DATA, else bayleaf in $XDG_CACHE_HOME (~/.cache)."""
    given = os.environ.get("BAYLEAF_DATA")
    if given:
        return Path(given)
    home = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (home if home.is_absolute() else Path.home() / ".cache") / "bayleaf"


def checksum(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
