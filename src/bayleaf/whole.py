"""Whole: a file is the old one or the new one, never half of it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

OLD = 86_400  # seconds: who is still at work has written since


@contextmanager
def whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A sibling to write to; it takes the name, with the rights of what was there, when all of it is on the disk.

    What is there and no file, as a pipe or /dev/stdout, stays what it is: it is given all of it at the end.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with whole(Path(folder) / "a") as sibling:
    ...         size = sibling.write_text("all of it")
    ...     print((Path(folder) / "a").read_text())
    all of it
    """
    there = Path(path)  # not resolved: /dev/stdout leads to a name that no file has
    if there.exists() and not there.is_file() and not there.is_dir():
        # With these come random numbers and three compressors: every mail that is judged would pay for them.
        from shutil import copyfileobj  # noqa: PLC0415
        from tempfile import TemporaryDirectory  # noqa: PLC0415

        with TemporaryDirectory() as folder:
            sibling = Path(folder, "whole")
            sibling.touch()
            yield sibling
            with sibling.open("rb") as all_of_it, there.open("wb") as special:
                copyfileobj(all_of_it, special)
        return
    target = Path(path).resolve()
    sibling = draft(target)
    try:
        sibling.touch()
        mode = (target if target.exists() else sibling).stat().st_mode & 0o777
        yield sibling
        sibling.chmod(mode)
        sync(sibling)
        sibling.replace(target)
        sync(target.parent)
    finally:
        sibling.unlink(missing_ok=True)


def draft(target: Path) -> Path:
    """A hidden name beside a file to write it under; what a killed writer has left of the same file is deleted."""
    stem = f".{target.name}"  # others write the same file under other names
    with suppress(OSError):  # a folder that may not be listed, or a draft of another user
        for left in target.parent.iterdir():
            ours = left.stem == stem and len(left.suffix) == 9 and set(left.suffix[1:]) <= set("0123456789abcdef")
            if ours and left.lstat().st_mtime < time.time() - OLD:
                left.unlink()
    return target.with_name(f"{stem}.{os.urandom(4).hex()}")


def sync(path: Path) -> None:
    """Returns when a file, or the list of a folder, is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def size(path: Path) -> int:
    """The bytes of a file; 0 where it is gone."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
