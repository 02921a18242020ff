"""faced: the face of the model in a file."""

from __future__ import annotations

import os

from bayleaf.archive import Archive
from bayleaf.face.face import Face
from bayleaf.face.table import TableFace
from bayleaf.face.text import TextFace
from bayleaf.loading import restored
from bayleaf.records import RecordClassifier
from bayleaf.text import TextClassifier

FACES: dict[type, type[Face]] = {RecordClassifier: Face, TextClassifier: TextFace}  # every other model is an estimator


def faced(path: str | os.PathLike[str]) -> Face:
    """The model in a file, whatever its kind."""
    archive = Archive.read(path)
    model = restored(archive, path)
    face = FACES.get(type(model), TableFace)(model)
    face.provenance = archive.provenance
    return face
