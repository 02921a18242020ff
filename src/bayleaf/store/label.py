"""Labels of a store: words that can stand in a header line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bayleaf.errors import BadValueError

SIGNS = frozenset(" =,")  # they are between labels and probabilities
UNSURE = "unsure"  # what a filter says when it does not know


def refuse_label(name: object) -> None:
    """Refuses what cannot be a label."""
    if not isinstance(name, str) or not name.isprintable() or set(name) & SIGNS or name in ("", UNSURE):
        raise BadValueError(
            f"found the label {name!r}, expected a word of printable characters without blanks, = and commas, other "
            f"than {UNSURE!r}: it stands in header lines"
        )


def refuse_unknown(name: str, known: Sequence[str]) -> None:
    """Refuses a label that is none of the known ones."""
    if name not in known:
        raise BadValueError(f"found the label {name[:40]!r}, expected one of {', '.join(known)}")


def refuse_twin(name: str, known: Iterable[str]) -> None:
    """Refuses a new label that is a known one but for its case: one of the two is a slip."""
    twin = next((label for label in known if label.casefold() == name.casefold()), None)
    if twin is not None:
        raise BadValueError(f"found the label {name!r}, expected {twin!r}, which is known, or another word")


def refuse_labels(names: Iterable[object]) -> None:
    """Refuses what cannot be the labels of a store: one word, whose letters they would be, or a label twice."""
    found = list(names)
    if isinstance(names, str) or len(set(found)) < len(found):
        raise BadValueError(f"found the labels {names!r}, expected several words, each one once: ('spam', 'ham')")
    for name in found:
        refuse_label(name)
