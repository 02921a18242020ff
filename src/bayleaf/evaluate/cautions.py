"""Cautions: plain sentences on where measures mislead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bayleaf.plain import plain

if TYPE_CHECKING:
    from bayleaf.evaluate.scores import Scores

UNBALANCED = 0.7  # share of the largest class from which accuracy alone says little
GAP = 0.05  # accuracy above balanced accuracy, or confidence above accuracy, from which it is worth a sentence
FEW = 10
NAMED = 5


def cautions(scores: Scores) -> list[str]:
    """What a reader of these scores should know first, the gravest first."""
    return [
        *_unknown(scores),
        *_alone(scores),
        *_unbalanced(scores),
        *_overconfident(scores),
        *_impossible(scores),
        *_few(scores),
    ]


def _unknown(scores: Scores) -> list[str]:
    strange = [one for one in scores.classes if not one.known]
    if not strange:
        return []
    rows = sum(one.rows for one in strange)
    verb, errors = ("is", "an error") if rows == 1 else ("are", "errors")
    labels = [one.label for one in strange]
    written = {str(label) for label in labels}
    twins = [one.label for one in scores.classes if one.known and str(one.label) in written]
    told, remedy = f"{_names(labels)}, which the model never learned", ""
    if twins:  # that is why: of 0 and "0" it knows only one
        known = _names([repr(label) for label in twins], "and")
        told = f"{_names([repr(label) for label in labels])}, which the model never learned (it knows {known})"
        remedy = " Convert them to its type."
    return [f"{_count(rows, 'row')} {verb} labelled {told}: counted as {errors}.{remedy}"]


def _alone(scores: Scores) -> list[str]:
    if len(scores.labels) > 1:
        return []
    return [f"{plain(scores.majority)} is the only label: the model can give no other, and being right proves nothing."]


def _unbalanced(scores: Scores) -> list[str]:
    gap = scores.accuracy.value - scores.balanced_accuracy.value
    if len(scores.labels) < 2 or (scores.baseline < UNBALANCED and gap < GAP):
        return []
    majority = plain(scores.majority)
    told = f"always saying {majority} would be right {scores.baseline:.0%} of the time"
    if scores.accuracy.low <= scores.baseline:
        return [f"The accuracy of {scores.accuracy.value:.1%} is no proof of skill: {told}."]
    return [
        f"Accuracy flatters where classes are unbalanced: {told}. "
        f"Look at balanced accuracy ({scores.balanced_accuracy.value:.1%}) and at each class."
    ]


def _overconfident(scores: Scores) -> list[str]:
    sure = scores.reliability.confidence
    if sure <= scores.accuracy.high or sure - scores.accuracy.value < GAP:
        return []
    return [
        f"Overconfident: answers claim to be right {sure:.0%} of the time and are {scores.accuracy.value:.0%} of it. "
        "Do not take its probabilities at face value."
    ]


def _impossible(scores: Scores) -> list[str]:
    if not scores.impossible:
        return []
    rows = _count(scores.impossible, "row")
    return [f"The truth had probability 0 in {rows}: each adds 36 to the sum behind the log loss. Smooth more."]


def _few(scores: Scores) -> list[str]:
    told = []
    absent = [one.label for one in scores.classes if not one.rows]
    scarce = [one for one in scores.classes if one.known and 0 < one.rows < FEW]
    if absent:
        told.append(f"No row is labelled {_names(absent)}: nothing is known about how well the model finds such rows.")
    if scarce:
        names = ", ".join(f"{plain(one.label)} ({one.rows})" for one in scarce[:NAMED])
        more = f" and {len(scarce) - NAMED} more" if len(scarce) > NAMED else ""
        told.append(f"Fewer than {FEW} rows: {names}{more}. The figures of such a class are mostly chance.")
    return told


def _names(labels: Sequence[object], link: str = "or") -> str:
    shown = [plain(label) for label in labels[:NAMED]]
    if len(labels) > NAMED:
        return f"{', '.join(shown)} {link} {len(labels) - NAMED} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {link} {shown[-1]}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
