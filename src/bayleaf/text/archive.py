"""Model files: counts and derived numbers as safetensors. Loading one runs no code."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save as to_bytes

from bayleaf.encoders.text import TextEncoder
from bayleaf.errors import BayleafError
from bayleaf.families.evidence import EvidenceTable
from bayleaf.text.classifier import TextClassifier
from bayleaf.text.sample import Sample
from bayleaf.text.textbook import Choice

if TYPE_CHECKING:
    from bayleaf.arrays import Array

FORMAT = "bayleaf text classifier 1"
LABELS = "biufU"  # kinds of labels that can be written


def save(classifier: TextClassifier, path: str | Path) -> None:
    """Write a classifier: to a sibling first, so that the file is the old one or the new one, never half of it."""
    path = Path(path)
    sibling = path.with_name(f".{path.name}.{os.getpid()}")
    arrays = {name: np.ascontiguousarray(a) for name, a in classifier._tally.arrays().items()}
    about = _about(classifier)
    # One entry: several would be written in an order of their own, and equal classifiers would differ.
    data = to_bytes(arrays, {"bayleaf": json.dumps({**about, "checksum": _checksum(arrays, about)})})
    try:
        with sibling.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        sibling.replace(path)
    finally:
        sibling.unlink(missing_ok=True)


def _about(classifier: TextClassifier) -> dict[str, str]:
    labels = classifier.classes_
    if labels.dtype.kind == "O" and all(isinstance(label, str) for label in labels):
        labels = labels.astype(str)
    if labels.dtype.kind not in LABELS:
        raise BayleafError(
            f"Found labels of type {labels.dtype}; expected text, numbers or truth values. Convert them to str"
        )
    parameters = classifier.get_params()
    for name in ("encoder", "table"):
        if not isinstance(parameters[name], str):
            parameters[name] = None
    if parameters["class_prior"] is not None:
        parameters["class_prior"] = [float(p) for p in parameters["class_prior"]]
    derived = classifier._reader().derived
    about = {
        "parameters": parameters,
        "labels": labels.tolist(),
        "label_type": labels.dtype.str,
        "fields": classifier._tags,
        "derived": asdict(derived),
        "derived_at": classifier._derived_at,
        "aged": classifier._aged,
    }
    return {"format": FORMAT, "encoder": json.dumps(asdict(classifier._encoder)), "about": json.dumps(about)}


def load(path: str | Path) -> Any:
    """The classifier in a file, checked before it is believed."""
    try:
        with safe_open(path, framework="numpy") as file:
            about = json.loads((file.metadata() or {}).get("bayleaf", "{}"))
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dict
    except (SafetensorError, json.JSONDecodeError) as error:
        raise BayleafError(f"{path} is not a model file ({error}); expected one that was written by save()") from None
    found = about.get("format", "no model") if isinstance(about, dict) else "no model"
    if found != FORMAT:
        raise BayleafError(f"{path} holds {found!r}, expected {FORMAT!r}; use the matching version")
    if about.pop("checksum", None) != _checksum(arrays, about):
        raise BayleafError(f"{path} is damaged: its checksum is not that of its contents. Restore it from a copy")
    try:
        return _restored(about["encoder"], json.loads(about["about"]), arrays)
    except BayleafError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BayleafError(f"{path} is no model that can be used ({error}); write it again with save()") from None


def _checksum(arrays: dict[str, Array], about: dict[str, str]) -> str:
    """Of everything in a file: a flipped bit in a count would pass every other check."""
    digest = hashlib.blake2b(json.dumps(about, sort_keys=True).encode(), digest_size=16)
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype.str} {array.shape} ".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def _restored(encoder: str, about: dict[str, Any], arrays: dict[str, Array]) -> TextClassifier:
    parameters = about["parameters"]
    classifier = TextClassifier()
    classifier._encoder = TextEncoder.from_json(encoder)
    derived = about["derived"]
    classifier._derived = EvidenceTable.from_fields(derived) if "worth" in derived else Choice(**derived)
    parameters["encoder"] = parameters["encoder"] or classifier._encoder
    parameters["table"] = parameters["table"] or classifier._derived
    classifier.set_params(**parameters)
    classifier._validate_params()
    classifier.classes_ = np.array(about["labels"], dtype=about["label_type"])
    classifier._tags, classifier._derived_at = about["fields"], int(about["derived_at"])
    classifier._aged = bool(about["aged"])
    classifier._sample, classifier._ready = Sample(), None
    classifier._tally = classifier._empty(len(classifier.classes_))
    classifier._tally.fill(arrays)
    return classifier
