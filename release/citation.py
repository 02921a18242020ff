"""CITATION.cff is valid."""

from __future__ import annotations

from pathlib import Path

from release.room import Room


def check(root: Path, room: Room) -> str:
    """Validated by cffconvert, in a room of its own: it wants an old jsonschema."""
    room.install("cffconvert", "setuptools<81")  # it imports pkg_resources
    room.run(room.folder / "bin" / "cffconvert", "--validate", "-i", root / "CITATION.cff")
    return "CITATION.cff is valid"
