"""Archive: a model as a file. Arrays and a description, in the layout of safetensors; reading one runs no code."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from bayleaf.errors import BayleafError, NoFileError
from bayleaf.whole import whole

if TYPE_CHECKING:
    from bayleaf.arrays import Array

FORMAT = "bayleaf model 1"
PARTS = {"format": str, "kind": str, "about": dict, "provenance": dict, "checksum": str}
HEADER = 1 << 24  # bytes; 65,535 labels of 200 letters. JSON takes up to 30 times its size in memory


@dataclass(frozen=True, eq=False)
class Archive:
    """What a model file holds: everything a model needs to go on, and where it came from.

    Parameters
    ----------
    kind : str
        What the model is: "text", "records", or the name of an estimator.
    about : dict
        Settings and labels, as JSON can write them.
    arrays : dict
        Counts by name; a name may have parts, "text/keys".
    provenance : dict of str
        When and from what it was made; not part of the `hash`.

    Examples
    --------
    >>> import numpy as np, tempfile
    >>> archive = Archive("example", {"labels": ["a", "b"]}, {"weight": np.array([2.0, 1.0])})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     archive.write(folder + "/model")
    ...     again = Archive.read(folder + "/model")
    >>> again.about, again.arrays["weight"].tolist(), again.hash == archive.hash
    ({'labels': ['a', 'b']}, [2.0, 1.0], True)
    """

    kind: str
    about: dict[str, Any]
    arrays: dict[str, Array]
    provenance: dict[str, str] = field(default_factory=dict)

    @property
    def hash(self) -> str:
        """A checksum of kind, about and arrays: equal models have equal hashes, whenever they were written."""
        digest = hashlib.blake2b(_json([self.kind, self.about]).encode(), digest_size=16)
        for name, array in sorted(self.arrays.items()):
            little = np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")
            digest.update(_json([name, little.dtype.str, little.shape]).encode())
            digest.update(little.data if little.size else b"")
        return digest.hexdigest()

    def part(self, name: str) -> Archive:
        """The archive of a part: ``about[name]``, and the arrays whose names begin with ``name/``."""
        start = name + "/"
        inside = {key.removeprefix(start): array for key, array in self.arrays.items() if key.startswith(start)}
        return Archive(name, self.about[name], inside, self.provenance)

    # writing

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file; it is the old one or the new one, never half of one."""
        folder = Path(path).parent
        if not folder.is_dir():
            raise BayleafError(f"{path} cannot be written: there is no folder {folder}; make it or choose another")
        try:
            self._write(path)
        except (OSError, SafetensorError, ValueError, RuntimeError) as error:
            raise BayleafError(
                f"{path} cannot be written ({reason(error)}); what was there before is unchanged"
            ) from error

    def _write(self, path: str | os.PathLike[str]) -> None:
        parts = {"format": FORMAT, "kind": self.kind, "about": self.about, "provenance": self.provenance}
        arrays = {name: np.asarray(array, order="C") for name, array in self.arrays.items()}
        with whole(path) as sibling:
            # One entry: several would be written in an order of their own, and equal models would differ.
            save_file(arrays, sibling, {"bayleaf": _json({**parts, "checksum": self.hash})})
            _head(sibling)

    # reading

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """The archive in a file, checked before it is believed; every fault is a `BayleafError` that names the file."""
        try:
            return cls._read(path)
        except FileNotFoundError as error:
            raise NoFileError(f"{path} is not there; expected a model that save() or `bayleaf train` wrote") from error
        except Exception as error:  # the libraries that parse it raise nearly all there are, AttributeError included
            raise BayleafError(
                f"{path} is not a model file ({reason(error)}); expected one that save() or `bayleaf train` wrote"
            ) from error

    @classmethod
    def _read(cls, path: str | os.PathLike[str]) -> Self:
        _head(path)
        with safe_open(path, framework="numpy") as file:
            entries = file.metadata() or {}
            parts: Any = _parsed(entries["bayleaf"]) if set(entries) == {"bayleaf"} else None
            found = parts.get("format", "no model") if isinstance(parts, dict) else "no model"
            if found != FORMAT:
                raise BayleafError(f"it holds {str(found)[:80]!r}, expected {FORMAT!r}; use the matching version")
            if {name: type(part) for name, part in parts.items()} != PARTS:
                raise BayleafError(f"its header is damaged, expected {', '.join(PARTS)}")
            if not all(isinstance(note, str) for note in parts["provenance"].values()):
                raise BayleafError("its provenance is damaged, expected texts")
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dict
        archive = cls(parts["kind"], parts["about"], arrays, parts["provenance"])
        if parts["checksum"] != archive.hash:
            raise BayleafError("it is damaged: its checksum is not that of its contents; restore it from a copy")
        return archive


def reason(error: Exception) -> str:
    """What an error says, cut and without signs that a terminal would obey: it may quote the file."""
    said = f"{type(error).__name__}: {error}" if isinstance(error, LookupError) else str(error)
    return "".join(letter if letter.isprintable() else "?" for letter in said[:300])


def _json(parts: Any) -> str:
    """JSON that every reader takes: ASCII, keys sorted, no NaN."""
    try:
        return json.dumps(parts, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise BayleafError(
            f"A setting cannot be written ({error}); expected text, finite numbers, truth values and lists of them"
        ) from None


def _parsed(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_distinct, parse_constant=_strange)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name occurs twice in its header")
    return found


def _strange(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")


def _head(path: str | os.PathLike[str]) -> None:
    """Refuse what is no file or begins with the length of a header that it cannot have."""
    handle = os.open(
        path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )  # a pipe would block
    try:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            raise ValueError("it is a folder, pipe or device")
        length = int.from_bytes(os.read(handle, 8), "little")
    finally:
        os.close(handle)
    if about.st_size < 8 or length > about.st_size - 8:
        raise ValueError(f"{about.st_size} bytes that do not begin as one, or are cut off")
    if length > HEADER:
        raise ValueError(f"its header has {length} bytes, at most {HEADER} are allowed")
