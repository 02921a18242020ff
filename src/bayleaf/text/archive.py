"""A text classifier as an archive, and back."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from bayleaf.archive import Archive
from bayleaf.archive.labels import labels_of, written
from bayleaf.encoders.text import TextEncoder
from bayleaf.errors import BayleafError
from bayleaf.families.evidence import EvidenceTable
from bayleaf.tally.keyed import CLASSES, TEXTS
from bayleaf.text.choice import Choice
from bayleaf.text.sample import Sample

if TYPE_CHECKING:
    from bayleaf.text.classifier import TextClassifier

HERE = "n_jobs"  # a matter of the machine, not of the model


def archive_of(classifier: TextClassifier) -> Archive:
    """Counts, and how they are read; no text is in it, and without `keep_text` no word.

    Counts may know words that are not to be kept: those of the one classifier in a sum, or from before the parameter
    was changed.
    """
    reader = classifier._reader()  # refuses wrong parameters
    parameters = classifier.get_params()
    del parameters[HERE]
    for name in ("encoder", "table"):
        if not isinstance(parameters[name], str):
            parameters[name] = None
    if parameters["class_prior"] is not None:
        parameters["class_prior"] = [float(p) for p in parameters["class_prior"]]
    about = {
        "parameters": parameters,
        "encoder": asdict(classifier._encoder),
        "fields": classifier._tags,
        "derived": without_empty(asdict(reader.derived)),
        "derived_at": classifier._derived_at,
        "aged": classifier._aged,
        **written(classifier.classes_),
    }
    arrays = classifier._tally.arrays()
    kept = arrays if classifier.keep_text else {name: array for name, array in arrays.items() if name not in TEXTS}
    return Archive("text", about, kept)


def without_empty(derived: dict[str, Any]) -> dict[str, Any]:
    """Derived numbers but for lists of none: a model that needs no more is the file that it was in older versions."""
    return {name: value for name, value in derived.items() if value not in ((), {})}


def fill(classifier: TextClassifier, archive: Archive) -> None:
    """Make an unfitted classifier the one in an archive; refuses what does not fit together."""
    about = archive.about
    parameters = dict(about["parameters"])
    encoder = TextEncoder(**about["encoder"])
    derived = _derived(about["derived"])
    parameters["encoder"] = parameters["encoder"] or encoder
    parameters["table"] = parameters["table"] or derived
    if HERE in parameters:
        raise BayleafError(f"Found {HERE} in the file; expected parameters of the model only")
    classifier.set_params(**parameters)
    classifier._validate_params()
    classifier.classes_ = labels_of(about)
    if len(classifier.classes_) > CLASSES:
        raise BayleafError(f"Found {len(classifier.classes_)} labels, expected at most {CLASSES}")
    classifier._encoder, classifier._derived = encoder, derived
    classifier._tags, classifier._derived_at, classifier._aged = _told(about)
    classifier._sample, classifier._ready = Sample(whole=False), None
    classifier._tally = classifier._empty(len(classifier.classes_))
    classifier._tally.fill(archive.arrays)
    classifier._accept()
    classifier._read(derived)  # refuses a table of other orders and priors of other labels
    classifier._read_as = classifier._settings()


def _told(about: dict[str, Any]) -> tuple[list[str] | None, int, bool]:
    tags, derived_at, aged = about["fields"], about["derived_at"], about["aged"]
    fine = tags is None or (isinstance(tags, list) and all(isinstance(tag, str) for tag in tags) and len(tags) > 0)
    if not fine or type(derived_at) is not int or derived_at < 0 or type(aged) is not bool:
        raise BayleafError(
            "Found fields, derived_at or aged of the wrong kind; expected names, a number, a truth value"
        )
    return tags, derived_at, aged


def _derived(fields: dict[str, Any]) -> EvidenceTable | Choice:
    return EvidenceTable.from_fields(fields) if "worth" in fields else Choice.from_fields(fields)
