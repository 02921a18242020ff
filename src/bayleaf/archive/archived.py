"""Archived: models that can be saved to a file and loaded again."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Self

from bayleaf import __version__
from bayleaf.archive.archive import Archive, reason
from bayleaf.errors import BayleafError


class Archived:
    """Gives `save` and `load` to a model that can become an `Archive` and be made of one."""

    _kind: ClassVar[str] = ""  # the name of the class, unless given

    def _archive(self) -> Archive:
        """Everything in it, without provenance."""
        raise NotImplementedError

    @classmethod
    def _from_archive(cls, archive: Archive) -> Self:
        """The model in an archive; anything may be in there, and what does not fit is refused."""
        raise NotImplementedError

    @classmethod
    def _kind_name(cls) -> str:
        return cls._kind or cls.__name__

    def save(self, path: str | os.PathLike[str], **provenance: str) -> None:
        """Write the model to a file: whole or not at all. No row and no text is in it, and loading it runs no code.

        The time (that of ``SOURCE_DATE_EPOCH`` if set) and the version are noted; `provenance` adds other notes, such
        as ``source="mails.csv"``.
        """
        notes = noted(provenance)
        replace(self._archive(), provenance=notes).write(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """The model in a file that `save` wrote; it predicts the same to the last bit, and can learn on."""
        archive = Archive.read(path)
        if archive.kind != cls._kind_name():
            raise BayleafError(
                f"{path} holds a model of kind {archive.kind[:80]!r}, expected {cls._kind_name()!r} for "
                f"{cls.__name__}; bayleaf.load() takes every kind"
            )
        return cls._restored(archive, path)

    @classmethod
    def _restored(cls, archive: Archive, path: str | os.PathLike[str]) -> Self:
        """The model in an archive that was read from a file of this name."""
        try:
            return cls._from_archive(archive)
        except Exception as error:  # whatever is in the file: what cannot be made a model is refused
            raise BayleafError(
                f"{path} is no model that can be used ({reason(error)}); write it again with save()"
            ) from error


def noted(provenance: Mapping[str, str]) -> dict[str, str]:
    """Notes for a model file, with the time and the version."""
    strange = next((name for name, value in provenance.items() if not isinstance(value, str)), None)
    if strange is not None:
        raise BayleafError(f"Found {strange}={provenance[strange]!r}; expected text. Convert it to str")
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is not None and not epoch.isdecimal():
        raise BayleafError(f"Found SOURCE_DATE_EPOCH={epoch!r}, expected seconds since 1970; unset or correct it")
    written = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(None if epoch is None else int(epoch)))
    return {**provenance, "written": written, "bayleaf": __version__}
