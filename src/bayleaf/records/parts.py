"""Parts: counts of numbers and categories (`MixedNB`, `Bins`) and of texts (`TextClassifier`) side by side."""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.encoders import Table
from bayleaf.estimators import MixedNB
from bayleaf.families.binned import Binned
from bayleaf.families.evidence import shares
from bayleaf.model import united
from bayleaf.records.alone import Alone
from bayleaf.records.records import texts_of
from bayleaf.records.worth import GROUPS
from bayleaf.tally.bins import Bins, cells
from bayleaf.text.classifier import TextClassifier

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.records.records import Records
    from bayleaf.records.worth import Worth
    from bayleaf.rows import Rows

KINDS = {"numbers": "number", "bins": "number", "categories": "category", "text": "text"}  # of the columns of each part
NAMES = {"gaussian": "numbers", "categorical": "categories"}
LEAST = -1e300  # stands for -inf where a class is empty without the record: a worth of 0 times it is 0


@dataclass(eq=False)
class Parts:
    """What was counted. Learning changes it in place; a failed call leaves it as it was.

    Numbers are counted twice: their moments, for a normal distribution, and how many fall into each cell of a grid, for
    any other. Model files of before have no such cells.
    """

    kinds: dict[str, str]  # of the columns that are used, by name in sorted order
    table: MixedNB | None
    text: TextClassifier | None
    bins: Bins | None = None
    groups: int = GROUPS  # that the cells of a column are read in
    _reading: tuple[Bins | None, int, list[Binned]] | None = None

    @classmethod
    def empty(cls, kinds: dict[str, str], encoder: Any, jobs: int | None) -> Parts:
        """Nothing seen yet of columns of these kinds."""
        kinds = {name: kind for name, kind in sorted(kinds.items()) if kind != "ignore"}
        held = list(kinds.values())
        numbers, both = held.count("number"), held.count("number") + held.count("category")
        families = {"gaussian": list(range(numbers)), "categorical": list(range(numbers, both))}
        table = MixedNB(families=families, new_labels="grow") if both else None
        # Leanings are not in the leave-one-out scores by which texts are weighed against the rest.
        text = TextClassifier(encoder, table="kinds" if both else "auto", n_jobs=jobs) if "text" in held else None
        return cls(kinds, table, text, Bins.zero(0, numbers) if numbers else None)

    # counting

    def learn(self, records: Records, labels: Array, classes: Array) -> None:
        """Add records; `classes` are all labels that are known from now on."""
        before = [dict(part.__dict__) for part in (self.table, self.text) if part is not None]
        rows, texts = self._counted()
        bins = self._binned(records, labels, classes, 1)
        try:
            if self.text is not None:
                self.text.partial_fit(texts_of(records), labels, classes=classes)
            if self.table is not None and not self.table.__sklearn_is_fitted__():
                self.table.partial_fit(self.table_of(records), labels, classes=classes)
            elif self.table is not None:
                model = self.table._model
                self.table._model = model.relabelled(united(model.labels, classes))
                self.table.partial_fit(self.table_of(records), labels)
            self.bins = bins
        except BaseException:
            if self.table is not None and self._counted()[0] != rows:  # an interrupt came when all was done
                self.bins = bins
            elif self.table is not None:
                if self.text is not None:
                    if self._counted()[1] != texts:
                        self.text.unlearn(texts_of(records), labels)
                    self.text.__dict__.update(before[1])  # labels that came with the records go again
                self.table.__dict__.update(before[0])
            raise

    def unlearn(self, records: Records, labels: Array) -> None:
        """Take records away; refuses, and changes nothing, where they were never learned."""
        held = self._counted()
        bins = self._binned(records, labels, self.classes, -1)
        try:
            if self.text is not None:
                self.text.unlearn(texts_of(records), labels)
            if self.table is not None:
                self.table.unlearn(self.table_of(records), labels)
            self.bins = bins
        except BaseException:
            rows, texts = self._counted()
            if rows != held[0]:
                self.bins = bins
            elif self.text is not None and self.table is not None and texts != held[1]:
                self.text.partial_fit(texts_of(records), labels)
            raise

    def _binned(self, records: Records, labels: Array, classes: Array, sign: int) -> Bins | None:
        """The cells with, or without, records, for all of these classes."""
        if self.bins is None or self.table is None:
            return None
        known = self.table.classes_ if self.table.__sklearn_is_fitted__() else classes[:0]
        bins = self.bins.regrouped(np.searchsorted(classes, known), len(classes))
        return bins.learned(records.numbers, np.searchsorted(classes, labels), sign)

    def _counted(self) -> tuple[float, int]:
        """How many rows of numbers and categories, and how many texts, have been learned."""
        table = self.table is not None and self.table.__sklearn_is_fitted__()
        rows = float(self.table.class_count_.sum()) if self.table is not None and table else 0.0
        return rows, 0 if self.text is None else self.text._documents

    def merged(self, other: Parts, sign: int) -> Parts:
        """What both have seen, or what only this one has."""
        table = None if self.table is None or other.table is None else self.table._merged(other.table, sign)
        text = None if self.text is None or other.text is None else self.text._merged(other.text, sign)
        bins = None
        if table is not None and self.bins is not None and other.bins is not None:
            one, two = (np.searchsorted(table.classes_, part.classes) for part in (self, other))
            k = len(table.classes_)
            bins = self.bins.regrouped(one, k).added(other.bins.regrouped(two, k), sign)
        return Parts(self.kinds, table, text, bins)

    def copy(self) -> Parts:
        """The same counts in places of their own."""
        return Parts(self.kinds, copy.copy(self.table), copy.copy(self.text), self.bins, self.groups)

    # what is known

    @property
    def names(self) -> list[str]:
        """The parts there are."""
        there = set(self.kinds.values())
        return [part for part, kind in KINDS.items() if kind in there and (part != "bins" or self.bins is not None)]

    def columns(self, part: str) -> list[str]:
        """The names of the columns of a part, in the order in which it holds them."""
        return [name for name, kind in self.kinds.items() if kind == KINDS[part]]

    def text_column(self, token: str) -> str:
        """The column in front of a token's name; of a:b:word it is a:b where there is one called so, not a."""
        return max((name for name in self.columns("text") if token.startswith(f"{name}:")), key=len)

    @property
    def alone(self) -> Alone | None:
        """The texts, where there is nothing else."""
        return Alone(self.text) if self.table is None and self.text is not None else None

    def read_with(self, worth: Worth) -> None:
        """Smooth numbers and categories as derived."""
        self.groups = worth.groups
        if self.table is not None:
            self.table.set_params(alpha=worth.alpha, var_smoothing=worth.var_smoothing)

    @property
    def classes(self) -> Array:
        """The labels, sorted."""
        return self.table.classes_ if self.table is not None else self.text.classes_  # type: ignore[union-attr]

    @property
    def weight(self) -> Floats:
        """Records per class."""
        if self.table is not None:
            return self.table.class_count_
        assert self.text is not None
        return self.text._tally.documents.astype(np.float64)

    # scoring

    def table_of(self, records: Records) -> Table:
        """Numbers and categories as `MixedNB` takes them."""
        names = [*self.columns("numbers"), *self.columns("categories")]
        return Table.of_columns([*records.numbers.T, *records.categories], names)

    def likelihoods(self, records: Records, worth: Worth) -> dict[str, Floats]:
        """By part, log P(x | c) up to a term that is the same for all classes, (n, k); columns have their worth."""
        found: dict[str, Floats] = {}
        if self.table is not None:
            model, blocks = self.table._read(), self.table._blocks(self.table_of(records))
            for (name, _), scorer, rows in zip(self.table._parts, model.scorers, model.lift(blocks), strict=True):
                part = NAMES[name]
                found[part] = np.zeros((len(records), len(model.labels)))
                self.weighed(scorer, rows, worth.by(part, self.columns(part))).add_to(rows, found[part])
        if self.bins is not None:
            by = worth.by("bins", self.columns("bins"))
            found["bins"] = np.zeros((len(records), len(self.classes)))
            for codes, own, binned in zip(cells(records.numbers).T, by.tolist(), self.binned, strict=True):
                found["bins"] += own * binned.scores(codes)
        if self.text is not None:
            found["text"] = self._ratios(records, self.text.predict_joint_log_proba(texts_of(records)))
        return found

    @property
    def binned(self) -> list[Binned]:
        """How the cells of each column of numbers are read."""
        if self._reading is None or self._reading[:2] != (self.bins, self.groups):
            assert self.bins is not None
            columns = range(self.bins.d)
            self._reading = self.bins, self.groups, [Binned.of(self.bins, j, self.groups) for j in columns]
        return self._reading[2]

    @staticmethod
    def weighed(scorer: Any, rows: Rows, by: Floats) -> Any:
        """The scorer of a part with what its columns are worth, where that is not 1."""
        if (by == 1).all():
            return scorer
        return scorer.by_column(by if rows.starts is None else np.repeat(by, np.diff(rows.starts)))

    def loo(
        self, records: Records, codes: Ints, names: Collection[str], worth: Mapping[str, Mapping[str, float | Floats]]
    ) -> dict[str, Floats]:
        """The same of some parts for learned records, each without itself."""
        found: dict[str, Floats] = {}
        whole = [] if worth else [name for name in names if name in NAMES.values()]
        for part, family, tally, rows in self._known(records, codes, whole):
            found[part] = possible(family.loo(tally, rows, codes, np.ones(len(codes))))
        for part, name, scores in self.loo_columns(records, codes, [name for name in names if name not in found]):
            by = worth.get(part, {}).get(name, 1.0)
            found[part] = found.get(part, 0.0) + np.reshape(by, (-1, 1)) * scores
        if self.text is not None and "text" in names:
            found["text"] = self._ratios(records, self.text._loo_joint(texts_of(records), self.classes[codes]))
        return found

    def loo_columns(self, records: Records, codes: Ints, names: Collection[str]) -> Iterator[tuple[str, str, Floats]]:
        """The same of each column of some parts but the texts, with part and name."""
        for part, family, tally, rows in self._known(records, codes, names):
            for j, name in enumerate(self.columns(part)):
                yield part, name, possible(family.loo(tally.column(j), rows.column(j), codes, np.ones(len(codes))))
        if "bins" in names:
            read = zip(self.columns("bins"), cells(records.numbers).T, self.binned, strict=True)
            yield from (("bins", name, binned.loo(column, codes)) for name, column, binned in read)

    def _known(self, records: Records, codes: Ints, names: Collection[str]) -> Iterator[tuple[str, Any, Any, Rows]]:
        """Part, family, tally and rows of learned records; refuses those that were not learned."""
        if self.table is None or not set(NAMES.values()).intersection(names):
            return
        model, blocks = self.table._read(), self.table._blocks(self.table_of(records), known=True)
        for (name, _), family, tally, rows in zip(
            self.table._parts, model.families, model.tallies, model.lift(blocks), strict=True
        ):
            if NAMES[name] in names:
                tally.refuse_unlearned(family.lift(rows), codes, np.ones(len(codes)))
                yield NAMES[name], family, tally, rows

    def _ratios(self, records: Records, joint: Floats) -> Floats:
        """Scores of texts without the prior; a record without a text says nothing by it."""
        ratios = joint - np.log(shares(self.weight))
        ratios[records.silent] = 0.0
        return ratios


def possible(scores: Floats) -> Floats:
    """Scores without -inf, which a worth of 0 could not take back."""
    return np.where(np.isneginf(scores), LEAST, scores)
