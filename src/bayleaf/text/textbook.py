"""TextbookReader: keyed counts read by a family, with a temperature."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import minimize_scalar

from bayleaf.families import Bernoulli, Complement, Multinomial, Prior, Smoothing
from bayleaf.families.calibrating import GUARD
from bayleaf.families.evidence import EvidenceTable
from bayleaf.logarithms import LARGEST, log_sum
from bayleaf.model import Model
from bayleaf.scorers import Linear
from bayleaf.tally import Counts
from bayleaf.text.choice import Choice
from bayleaf.text.keytable import KeyTable

if TYPE_CHECKING:
    from bayleaf._core import KeyWeights
    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.families import Family
    from bayleaf.rows import Rows
    from bayleaf.tally.keyed import Fields

FAMILIES: dict[str, type[Multinomial] | type[Bernoulli]] = {
    "multinomial": Multinomial,
    "boolean": Multinomial,
    "complement": Complement,
    "bernoulli": Bernoulli,
}
LIFTS = {"multinomial": "count", "boolean": "presence", "complement": "count", "bernoulli": "presence"}
MOST = 4_000  # documents that one number, or two, are derived from
EXACT = 1e-9  # SciPy's 1e-5 leaves the fifth digit to the processor
FOLDS = 10  # groups are left out a tenth of them at a time: each such pass weighs the whole table again


class TextbookReader:
    """Multinomial, Boolean, complement or Bernoulli, with any smoothing; P is softmax(score / temperature)."""

    jobs = 1  # threads that read

    def __init__(self, table: KeyTable, name: str, kind: Any, choice: Choice, prior: Prior) -> None:
        self.table, self.name, self.kind, self.derived, self.prior_rule = table, name, kind, choice, prior
        self.tally = table.tally

    def family(self, alpha: float) -> Family:
        """The family with its smoothing."""
        return FAMILIES[self.name](smoothing=Smoothing(self.kind, alpha))

    @cached_property
    def model(self) -> Model:
        """The model over these counts."""
        return self._model(self.table.counts, self.derived.alpha)

    def _model(self, counts: Counts, alpha: float, prior: Prior | None = None) -> Model:
        return Model(np.arange(self.tally.k), (self.family(alpha),), (counts,), prior or self.prior_rule)

    def _rows(self, fields: Fields, groups: Array | None) -> tuple[Rows, Counts]:
        """Learned documents and the counts to leave them out of; groups are really taken away, key by key."""
        table = self.table if groups is None else KeyTable(self.tally, apart=True)
        return table.rows(fields, self.jobs), table.counts

    @property
    def prior(self) -> Floats:
        """The score of a text that says nothing."""
        return self.model.log_prior / self.derived.temperature

    @cached_property
    def scorer(self) -> Linear:
        """The model's weights."""
        scorer = self.model.scorers[0]
        assert isinstance(scorer, Linear)
        return scorer

    @cached_property
    def weights(self) -> KeyWeights:
        """The same by key."""
        return self.table.weights(self.scorer.weights)

    @cached_property
    def barrier(self) -> KeyWeights | None:
        """What counts impossibilities, by key, if there can be any."""
        return self.table.weights(self.scorer.barrier.weights) if self.scorer.barrier else None

    def joint(self, fields: Fields) -> Floats:
        """Scores (n, k)."""
        joint = np.tile(self.model.log_prior + self.scorer.bias, (len(fields[1][0]), 1))
        self.table.add_to(joint, self.weights, fields, self.jobs)
        if self.barrier is not None and self.scorer.barrier is not None:
            blocked = np.tile(self.scorer.barrier.bias, (len(joint), 1))
            self.table.add_to(blocked, self.barrier, fields, self.jobs)
            joint[blocked > 0.5] = -np.inf
        return joint / self.derived.temperature

    def posterior(self, joint: Floats) -> Floats:
        """P(c | x) for scores; texts that are impossible everywhere get the prior."""
        impossible = np.isneginf(joint.max(axis=1, keepdims=True))
        joint = np.where(impossible, self.prior_rule.generative.log(self.table.counts.weight), joint)
        return np.exp(joint - log_sum(joint))

    def most(self) -> int:
        """How many documents the choice is derived from: none where both numbers are given."""
        return MOST if self.derived.choose_alpha or self.derived.choose_temperature else 0

    def at_once(self) -> int:
        """How many documents a leave-one-out pass looks at."""
        return MOST

    def loo(self, fields: Fields, codes: Ints, groups: Array | None) -> Floats:
        """Scores of learned documents, each without itself or (a tenth at a time) the groups of its part."""
        joint = self._loo(*self._rows(fields, groups), codes, groups, self.derived.alpha) / self.derived.temperature
        lone = np.flatnonzero(~self._told(codes, groups))
        joint[lone, codes[lone]] = -np.inf  # nobody taught that class: no words of it are no reason for it
        return joint

    def _told(self, codes: Ints, groups: Array | None) -> Array:
        """Which documents leave others of their class behind when they are left out."""
        own = np.ones(len(codes))
        if groups is not None:
            cells = _parts(groups) * self.tally.k + codes
            own = np.bincount(cells)[cells].astype(np.float64)
        return self.table.counts.weight[codes] > own

    def _loo(self, rows: Rows, counts: Counts, codes: Ints, groups: Array | None, alpha: float) -> Floats:
        if groups is None:
            return self._model(counts, alpha).loo([rows], codes, fixed_prior=True)
        joint = np.zeros((len(codes), self.tally.k))
        parts = _parts(groups)
        for part in range(int(parts.max(initial=0)) + 1):
            inside = np.flatnonzero(parts == part)
            without = Counts(counts.weight.copy(), counts.table.copy())  # now class by class, as rows are counted
            without.learn(rows[inside], codes[inside], sign=-1.0)
            model = self._model(without.after_removal(counts), alpha, Prior("ignored"))
            joint[inside] = model.joint([rows[inside]]) + self.model.log_prior
        return joint

    def tuned(self, fields: Fields, codes: Ints, groups: Array | None) -> Choice:
        """The alpha and temperature of least leave-one-out log loss, where those are to be chosen.

        Documents that are the only ones of their class say nothing: a class without words is alike for all texts, so
        that the less the others are smoothed, the righter it would seem.
        """
        choice, told = self.derived, np.flatnonzero(self._told(codes, groups))
        if not len(told):
            guarded = 1 + GUARD / len(codes) if choice.choose_temperature else choice.temperature
            return replace(choice, temperature=guarded)
        alphas = [s.strength for s in Smoothing(self.kind).grid()] if choice.choose_alpha else [choice.alpha]
        rows, counts = self._rows(fields, groups)
        tried = []
        for alpha in alphas:
            joint = self._loo(rows, counts, codes, groups, float(np.min(alpha)))
            temperature, loss = self._temperature(codes[told], joint[told])
            tried.append((loss, float(np.min(alpha)), temperature))
        doubts = Smoothing(self.kind).doubts() if choice.choose_alpha else np.zeros(1)
        least = int(np.argmin([loss for loss, _, _ in tried] + doubts / len(told)))
        loss, alpha, temperature = tried[least]
        return replace(choice, alpha=alpha, temperature=temperature, documents=len(told), loo_log_loss=loss)

    def _temperature(self, codes: Ints, joint: Floats) -> tuple[float, float]:
        """The best temperature, or the one that is given, and the log loss with it."""

        def loss(log_temperature: float) -> float:
            own = self.posterior(np.exp(-log_temperature) * joint)[np.arange(len(codes)), codes]
            return float(-np.log(np.maximum(own, np.finfo(float).tiny)).mean())

        best = float(np.log(self.derived.temperature))
        if self.derived.choose_temperature:
            found = float(minimize_scalar(loss, bounds=(-1.0, 7.0), method="bounded", options={"xatol": EXACT}).x)
            best = found + float(np.log1p(GUARD / len(codes)))
        return float(np.exp(best)), loss(best)

    def clues(self, fields: Fields) -> tuple[list[int], list[str], list[int], Floats, Floats]:
        """Keys, names, counts and summands (m, k) of the first document, and what else belongs to its score."""
        tally, scorer, temperature = self.tally, self.scorer, self.derived.temperature
        _, columns, values = self.table.cells(fields, self.jobs)
        # Both list the known features in the order in which they occur; this one has their names.
        start = EvidenceTable.start(tally.orders, tally.k).numbers(self.table.counts.weight)
        keys, names, _, _ = tally.native.explain(tally.keys, fields, 1.0, start)
        summands = values[:, None] * scorer.weights[columns] / temperature
        rest = scorer.bias / temperature
        if scorer.barrier is not None:
            summands = np.where(scorer.barrier.weights[columns] > 0.5, -np.inf, summands)
            blocked = np.isneginf(self.joint(fields)[0]) & ~np.isneginf(summands).any(axis=0)
            rest = np.where(blocked, -np.inf, rest)
        return keys, names, values.astype(int).tolist(), summands, rest

    def strongest(self, count: int) -> list[list[tuple[int, float, int]]]:
        """For each class the keys that speak for it most: key, weight above the mean of the classes, documents."""
        weights, barrier = self.scorer.weights, self.scorer.barrier
        if barrier is not None:  # without smoothing: a count of 0 weighs as much as the smallest probability
            weights = weights - LARGEST * barrier.weights
        lead = weights - weights.mean(axis=1, keepdims=True)
        return [self._best(lead[:, c], count) for c in range(lead.shape[1])]

    def _best(self, lead: Floats, count: int) -> list[tuple[int, float, int]]:
        """The keys of the columns that lead most, common ones first where they lead equally."""
        order = np.argsort(-lead, kind="stable")
        enough = np.searchsorted(np.cumsum(self.table.counts.times[order]), count)
        least = lead[order[: enough + 1]].min(initial=np.inf)
        keys, documents, column = self.table.members(np.flatnonzero(lead >= least))
        best = np.lexsort((keys, -documents, -lead[column]))[:count]
        return [(int(keys[i]), float(lead[column[i]]), int(documents[i])) for i in best]

    @property
    def chosen(self) -> dict[str, Any]:
        """What was chosen by leave-one-out, and its figure there."""
        names = ("alpha", "temperature", "documents", "loo_log_loss")
        return {name: getattr(self.derived, name) for name in names}


def _parts(groups: Array) -> Ints:
    """The part of each document: by the rank of its group, not its hash, so that up to ten groups have one each."""
    ranks: Ints = np.unique(groups, return_inverse=True)[1]
    return ranks % FOLDS
