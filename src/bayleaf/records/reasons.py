"""Reasons: the explanations of records."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.explanation import Clue, Explanation, Explanations
from bayleaf.families.evidence import shares
from bayleaf.records.parts import NAMES
from bayleaf.records.records import texts_of
from bayleaf.records.worth import bounded
from bayleaf.tally.bins import cells

if TYPE_CHECKING:
    from bayleaf.arrays import Floats
    from bayleaf.records.classifier import RecordClassifier
    from bayleaf.records.records import Records


def reasons(classifier: RecordClassifier, records: Records) -> Explanations:
    """Why each record gets its label: one clue per value and per token, in the order of the columns."""
    joint = classifier._joint(records)
    posterior = classifier._posterior(joint)
    clues = _values(classifier, records)
    rest: Floats = np.zeros(joint.shape)
    _add_tokens(classifier, records, clues, rest)
    prior, labels = classifier._log_prior, classifier.classes_
    if classifier._parts.alone is not None:
        prior = classifier._parts.alone.text._reader().prior
    elif classifier._worth().mix:
        clues, rest = _mixed(classifier, records, clues, rest)
    order = {name: i for i, name in enumerate(classifier.columns_)}
    return Explanations(
        Explanation(
            labels,
            prior,
            [clue for _, clue in sorted(found, key=lambda pair: order[pair[0]])],
            rest[i],
            joint[i],
            posterior[i],
            labels[posterior[i].argmax()],
        )
        for i, found in enumerate(clues)
    )


def _mixed(
    classifier: RecordClassifier, records: Records, clues: list[list[tuple[str, Clue]]], rest: Floats
) -> tuple[list[list[tuple[str, Clue]]], Floats]:
    """The same with what each clue says about other classes; what was beyond the bounds of that is in the rest."""
    worth = classifier._worth()
    heard = worth.heard(classifier._parts.likelihoods(records, worth))
    beyond = worth.linear(bounded(heard, classifier._log_prior)) - worth.linear(heard)
    said = [
        [(name, replace(clue, summands=clue.summands + worth.linear(clue.summands[None])[0])) for name, clue in found]
        for found in clues
    ]
    return said, rest + worth.linear(rest) + beyond + worth.offsets


def _values(classifier: RecordClassifier, records: Records) -> list[list[tuple[str, Clue]]]:
    """For each record the columns and clues of its numbers and categories that are there."""
    table, derived = classifier._parts.table, classifier._worth()
    clues: list[list[tuple[str, Clue]]] = [[] for _ in range(len(records))]
    if table is None:
        return clues
    model, blocks = table._read(), table._blocks(classifier._parts.table_of(records))
    cells: dict[str, Any] = {"numbers": records.numbers.T.tolist(), "categories": records.categories}
    binned = _binned(classifier, records)
    for (family, _), scorer, rows in zip(table._parts, model.scorers, model.lift(blocks), strict=True):
        part = NAMES[family]
        names = classifier._parts.columns(part)
        worth = derived.worth[part] * derived.by(part, names)[:, None]
        known = [] if part == "numbers" or table._encoder is None else list(map(set, table._encoder.categories))
        for i in range(len(records)):
            summands = worth * scorer.summands(rows[i : i + 1])
            if part == "numbers":
                summands += binned[i]
            for j, (name, column, row) in enumerate(zip(names, cells[part], summands, strict=True)):
                if column[i] is not None and column[i] == column[i]:
                    clue = Clue(name, column[i], row, known=not known or column[i] in known[j])
                    clues[i].append((name, clue))
    return clues


def _binned(classifier: RecordClassifier, records: Records) -> Floats:
    """What the cells of the numbers add, (n, columns, k)."""
    parts, derived = classifier._parts, classifier._worth()
    if parts.bins is None:
        return np.zeros((len(records), records.numbers.shape[1], len(parts.classes)))
    by = derived.worth["bins"] * derived.by("bins", parts.columns("bins"))
    read = zip(cells(records.numbers).T, by.tolist(), parts.binned, strict=True)
    return np.stack([own * binned.scores(codes) for codes, own, binned in read], axis=1)


def _add_tokens(
    classifier: RecordClassifier, records: Records, clues: list[list[tuple[str, Clue]]], rest: Floats
) -> None:
    """Add the clues of the texts, and what else belongs to their scores."""
    text, worth = classifier._parts.text, classifier._worth().worth.get("text", 0.0)
    if text is None:
        return
    (first, *others), alone = classifier._parts.columns("text"), classifier._parts.alone is not None
    share = np.log(shares(classifier._parts.weight))
    for i, silent in enumerate(records.silent.tolist()):
        if silent and not alone:
            continue
        found = text.explain(texts_of(records[np.array([i])]))
        assert isinstance(found, Explanations)
        for clue in found[0].clues:
            name = clue.name if others else f"{first}:{clue.name}"
            column = classifier._parts.text_column(name)
            clues[i].append((column, replace(clue, name=name, summands=worth * clue.summands)))
        rest[i] = worth * found[0].rest + (0.0 if alone else worth * (found[0].prior - share))
