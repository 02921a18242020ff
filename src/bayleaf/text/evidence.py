"""EvidenceReader: keyed counts read with an evidence table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from bayleaf._core import KeyColumns, KeyLeanings
from bayleaf.families import leaning
from bayleaf.families.evidence import EvidenceTable, kinds, shares
from bayleaf.families.tuning import Evidence, tune
from bayleaf.tally.keyed import refusal
from bayleaf.text.batches import in_parts
from bayleaf.text.sample import DOCUMENTS

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.families import Prior
    from bayleaf.tally.keyed import Fields, KeyedCounts

ALPHA = 1.6  # 0.03 to 0.3 on documents of length 8 changed held-out accuracy by less than half a point; this is 0.1
MOST = 1 << 28  # numbers that one leave-one-out pass may hold, 1 GiB
TABLE = 20_000  # documents that a table is fitted on; 3,000 were nearly as good, and more moved no choice in the pilot
SCORES = 1 << 22  # documents times classes that tell of leanings and how sure a table may be: some seconds


class EvidenceReader:
    """Scores, probabilities and reasons from counts and a table; the default of `TextClassifier`."""

    lift = "unit"
    jobs = 1  # threads that read

    def __init__(
        self, tally: KeyedCounts, table: EvidenceTable, alpha: float, prior: Prior, leans: bool = True
    ) -> None:
        self.tally, self.derived, self.alpha, self.leans = tally, table, alpha, leans
        weight = tally.documents.astype(np.float64)
        self.numbers = table.numbers(weight)
        self.share = shares(weight)
        self.shift: Floats = np.zeros(tally.k)
        if prior.kind != "empirical":
            self.shift = prior.log(weight) - np.log(self.share)
        self.shifted = bool(self.shift.any())

    @property
    def prior(self) -> Floats:
        """The score of a text that says nothing."""
        return self.numbers.bias / self.derived.temperature + self.shift

    def joint(self, fields: Fields) -> Floats:
        """Scores (n, k)."""
        tally = self.tally
        scores = tally.native.judge(tally.keys, fields, self.alpha, self.numbers, self.jobs)
        return scores + self.shift if self.shifted else scores

    def posterior(self, joint: Floats) -> Floats:
        """P(c | x) for scores. Another prior multiplies the odds behind the floor, which fits the learned shares."""
        if not self.shifted:
            return self.derived.posterior(joint, self.share)
        learned = joint - np.where(np.isneginf(self.shift), 0.0, self.shift)
        posterior: Floats = self.derived.posterior(learned, self.share) * np.exp(self.shift)
        posterior /= posterior.sum(axis=1, keepdims=True)
        return posterior

    def most(self) -> int:
        """How many documents the table is derived from."""
        return max(self.at_once(), min(DOCUMENTS, SCORES // self.tally.k))

    def at_once(self) -> int:
        """How many of them a leave-one-out pass looks at: enough for each class, few enough for the memory."""
        k = self.tally.k
        return min(max(200_000 // k, 4_000), TABLE, max(MOST // (len(kinds(self.tally.orders)) * k), 1))

    def evidence(self, fields: Fields, codes: Ints, groups: Array | None) -> Evidence:
        """Leave-one-out sums of learned documents; those of a group stand together."""
        tally = self.tally
        try:
            sums, tokens = tally.native.loo(tally.keys, fields, codes.astype(np.uint16), groups, self.alpha, self.jobs)
        except ValueError as error:
            raise refusal(error) from None
        numbered = np.arange(len(codes)) if groups is None else np.unique(groups, return_inverse=True)[1]
        return Evidence(sums, np.maximum(tokens, 1.0), codes, tally.documents.astype(np.float64), numbered)

    def loo(self, fields: Fields, codes: Ints, groups: Array | None) -> Floats:
        """Scores of learned documents, each without itself or its group."""
        evidence = self.evidence(fields, codes, groups)
        return self.derived.scores(evidence.heard(self.derived), evidence.documents) + self.shift

    def tuned(self, fields: Fields, codes: Ints, groups: Array | None) -> EvidenceTable:
        """The table that fits these learned documents."""
        tally = self.tally
        common = tally.native.common(leaning.HELD, leaning.most(tally.k)) if self.leans else None

        def told(fields: Fields, codes: Ints, groups: Array | None) -> Evidence:
            evidence = self.evidence(fields, codes, groups)
            if common is None:
                return evidence.told()
            cells = KeyColumns(common).rows(tally.native, tally.keys, fields, "count", self.jobs)
            counts = sparse.csr_array(cells[::-1], shape=(len(codes), len(common)))
            return replace(evidence, said=leaning.said(counts, evidence.tokens)).told()

        parts = in_parts(fields, codes, groups, self.at_once())
        return tune((told(*part) for _, part in parts), tally.orders, self.jobs, common)

    def clues(self, fields: Fields) -> tuple[list[int], list[str], list[int], Floats, Floats]:
        """Keys, names, counts and summands (m, k) of the first document, and what else belongs to its score."""
        tally = self.tally
        found = tally.native.explain(tally.keys, fields, self.alpha, self.numbers)
        return *found, np.zeros(tally.k)

    def strongest(self, count: int, further: Floats | None = None) -> list[list[tuple[int, float, int]]]:
        """For each class the keys that speak for it most: key, weight, and how many documents of the class have it.

        `further`: what somebody who adds these scores to others makes of them, a map (k, k).
        """
        numbers = self.numbers
        if further is not None:
            one, mix = np.eye(self.tally.k), numbers.mix
            mix = (one + (mix if len(mix) else 0.0)) @ (one + further) - one
            keys, rows = self.derived.rows()
            numbers = numbers._replace(mix=mix, leanings=KeyLeanings(keys, rows @ (one + further)))
        return self.tally.native.strongest(self.alpha, numbers, count)

    @property
    def chosen(self) -> dict[str, Any]:
        """What was chosen by leave-one-out, and its figures there."""
        names = ("scale", "power", "prior", "temperature", "floor", "documents", "loo_log_loss", "loo_accuracy")
        return {"alpha": self.alpha, **{name: getattr(self.derived, name) for name in names}}
