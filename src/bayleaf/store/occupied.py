"""Occupied: what is at a place already, where a store or a backup of one shall be."""

from __future__ import annotations

from pathlib import Path
from stat import S_ISDIR, S_ISREG

from bayleaf.errors import StoreError
from bayleaf.store.address import Address
from bayleaf.store.database import refusals
from bayleaf.store.runs import Runs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bayleaf.store.store import Store


def expect_file(path: Path) -> None:
    """A store, and a backup of one, is a file; what belongs to it is named after it and lies beside it."""
    with refusals(path):
        try:
            mode = path.stat().st_mode
        except FileNotFoundError:
            return
    if S_ISDIR(mode):
        raise StoreError(f"{path}: found a folder, expected a file; name one in it, as {path / 'mail.db'}")
    if not S_ISREG(mode):
        raise StoreError(f"{path}: found a pipe or a device, expected a file or nothing; name another")


def refuse_runs(path: Path) -> None:
    """Refuses a place with the counts of a store that is gone from there: a new one would sweep them away."""
    folder = Runs(path).folder
    with refusals(path):
        left = folder is not None and not exists(path) and folder.is_dir() and any(folder.iterdir())
        if folder is not None and left and not exists(path):  # nobody has made one meanwhile: counts come second
            raise StoreError(
                f"{path}: found {folder.name} there, with the counts of a store that was moved or deleted; "
                "move it away as well, named after that store, or delete it"
            )


def refuse_store(place: Path | Address) -> None:
    """Refuses a place where there is something already."""
    if exists(place):
        raise StoreError(f"{place} exists: found a store there, expected none; move it away first")


def exists(place: Path | Address, beside: Store | None = None) -> bool:
    """Whether there is something already; `beside` lends its connection."""
    if isinstance(place, Path):
        with refusals(place):
            return place.exists() and place.stat().st_size > 0  # an empty file is none: a full disk leaves such
    from bayleaf.store.postgres.database import PostgresDatabase  # noqa: PLC0415 - not for every mail

    look = PostgresDatabase(place, lambda: None, None if beside is None else beside._database)
    try:
        return look.found() != 0
    finally:
        look.close()
