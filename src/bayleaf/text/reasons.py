"""Reasons: the explanation of one text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayleaf.explanation import Clue, Explanation
from bayleaf.text.runs import runs

if TYPE_CHECKING:
    from bayleaf.tally.keyed import Fields
    from bayleaf.text.classifier import TextClassifier


def reasons(classifier: TextClassifier, fields: Fields) -> Explanation:
    """Why the one document in these fields gets its label; each clue with the places of its token in the text."""
    reader = classifier._reader()
    keys, names, counts, summands, rest = reader.clues(fields)
    encoder = classifier._encoder
    places: dict[int | str, list[tuple[int, int]]] = {}
    for tag, (part,) in zip(*fields, strict=True):
        if encoder.analyzer != "word":
            places |= {tag + name: spans for name, spans in runs(encoder, part).items()}
        for key, _, start, end in encoder.trace(part, tag.removesuffix(":")):
            places.setdefault(key, []).append((start, end))
    clues = [
        Clue(name, count, row, tuple(places.get(key if encoder.analyzer == "word" else name, ())))
        for key, name, count, row in zip(keys, names, counts, summands, strict=True)
    ]
    prior = reader.prior
    joint = reader.joint(fields)[0]  # the clues add up to it but for the last bit, which decides where two labels tie
    posterior = reader.posterior(joint[None])[0]
    return Explanation(
        classifier.classes_, prior, clues, rest, joint, posterior, classifier.classes_[posterior.argmax()]
    )
