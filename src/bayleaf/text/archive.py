"""Model files: counts and derived numbers as safetensors. Loading one runs no code."""

from __future__ import annotations

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
from bayleaf.tally import KeyedCounts
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
    data = to_bytes(
        {name: np.ascontiguousarray(a) for name, a in classifier._tally.arrays().items()}, _about(classifier)
    )
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
    }
    return {"format": FORMAT, "encoder": classifier._encoder.to_json(), "about": json.dumps(about)}


def load(path: str | Path) -> Any:
    """The classifier in a file, checked before it is believed."""
    try:
        with safe_open(path, framework="numpy") as file:
            about = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dict
    except SafetensorError as error:
        raise BayleafError(f"{path} is not a model file ({error}); expected one that was written by save()") from None
    if about.get("format") != FORMAT:
        raise BayleafError(
            f"{path} holds {about.get('format', 'no model')!r}, expected {FORMAT!r}; use the matching version"
        )
    try:
        return _restored(about["encoder"], json.loads(about["about"]), arrays)
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise BayleafError(f"{path} is damaged ({error}); restore it from a copy") from None


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
    classifier._sample, classifier._ready = Sample(), None
    keys, k = classifier._encoder.keys, len(classifier.classes_)
    tally = KeyedCounts(keys, k, classifier._lift(), buckets=classifier.buckets, named=classifier.keep_text)
    tally.fill(arrays)
    classifier._tally = tally
    return classifier
