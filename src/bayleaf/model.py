"""Model: families and their tallies over one set of labels."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf._core import normalise
from bayleaf.errors import MismatchError
from bayleaf.families import Family, Prior
from bayleaf.logarithms import log_sum
from bayleaf.tally.residue import less

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.rows import Rows
    from bayleaf.scorers import Scorer


@dataclass(eq=False)
class Model:
    """What was learned, and how it is read. One family per block of columns; most models have one block.

    `families` and `prior` may be exchanged at any time: the tallies stay, only the weighing is done again.
    Rows come as one batch per block.
    """

    labels: Array
    families: tuple[Family, ...]
    tallies: tuple[Any, ...]
    prior: Prior
    _ready: tuple[tuple[Scorer, ...], Floats, Floats] | None = field(default=None, repr=False)

    @classmethod
    def empty(cls, labels: Array, families: Sequence[Family], widths: Sequence[int], prior: Prior) -> Model:
        """A model that has seen nothing of these labels and columns."""
        k = len(labels)
        tallies = tuple(family.zero(k, width) for family, width in zip(families, widths, strict=True))
        return cls(labels, tuple(families), tallies, prior)

    def __post_init__(self) -> None:
        self.labels = self.labels.copy()
        self.labels.flags.writeable = False  # estimators hand them out
        self._lock = Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_ready", "_lock")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _ready=None, _lock=Lock())

    @property
    def weight(self) -> Floats:
        """Weight of the rows seen per class."""
        weight: Floats = self.tallies[0].weight
        return weight

    def copy(self) -> Model:
        """The same model with tallies of its own."""
        with self._lock:
            return replace(self, tallies=tuple(tally.copy() for tally in self.tallies))

    def read_as(self, families: tuple[Family, ...], prior: Prior) -> Model:
        """This model, weighed by other settings of the same families."""
        if families != self.families or prior != self.prior:
            refuse_other_counts(self.families, families)
            with self._lock:
                self.families, self.prior, self._ready = families, prior, None
        return self

    # learning

    def learn(self, blocks: Sequence[Rows], codes: Ints, weights: Floats | None = None) -> None:
        """Add rows; a refused batch leaves the model as it was. Threads may learn at the same time."""
        with self._lock:
            if len(blocks) == 1:
                family, rows = self.families[0], self.families[0].lift(blocks[0])
                tally = _writeable(family.room(self.tallies[0], rows))
                tally.learn(rows, codes, weights)
                self.tallies = (tally,)
            else:
                self.tallies = self._changed(blocks, codes, weights, 1.0)
            self._ready = None

    def unlearn(self, blocks: Sequence[Rows], codes: Ints, weights: Floats | None = None) -> None:
        """Take rows away; refuses what was never learned and leaves the model as it was."""
        with self._lock:
            changed = self._changed(blocks, codes, weights, -1.0)
            parts = zip(changed, self.tallies, blocks, strict=True)
            self._take(tuple(new.after_removal(old, rows.names) for new, old, rows in parts))

    def _take(self, tallies: tuple[Any, ...]) -> None:
        """Keep what is left after a removal, if rows can have left it."""
        refuse_nonsense(self.families, tallies)
        self.tallies, self._ready = tallies, None

    def _changed(self, blocks: Sequence[Rows], codes: Ints, weights: Floats | None, sign: float) -> tuple[Any, ...]:
        tallies = []
        for family, tally, rows in zip(self.families, self.tallies, blocks, strict=True):
            lifted = family.lift(rows)
            grown = (family.room(tally, lifted) if sign > 0 else tally).copy()
            grown.learn(lifted, codes, weights, sign)
            tallies.append(grown)
        return tuple(tallies)

    def merge(self, other: Model, sign: float = 1.0) -> Model:
        """A model of both, or of this one without the other."""
        mine, theirs = ([type(family) for family in model.families] for model in (self, other))
        if mine != theirs:
            names = [", ".join(kind.name for kind in kinds) for kinds in (theirs, mine)]
            raise MismatchError(
                f"Cannot merge a model of {names[0]} into one of {names[1]}; expected the same families"
            )
        refuse_other_counts(self.families, other.families)
        labels = united(self.labels, other.labels)
        left, right = self.relabelled(labels), other.relabelled(labels)
        pairs = zip(left.tallies, right.tallies, strict=True)
        merged = replace(left, _ready=None)
        merged._take(tuple(a + b if sign > 0 else (a - b).after_removal(a) for a, b in pairs))
        return merged

    def relabelled(self, labels: Array) -> Model:
        """The same model over a larger set of labels."""
        if len(labels) == len(self.labels):
            return self
        places = np.searchsorted(labels, self.labels)
        tallies = tuple(tally.regrouped(places, len(labels)) for tally in self.tallies)
        return Model(labels, self.families, tallies, self.prior)

    # reading

    @property
    def log_prior(self) -> Floats:
        """Log prior per class."""
        return self.prior.log(self.weight)

    @property
    def scorers(self) -> tuple[Scorer, ...]:
        """The tallies weighed."""
        return self._weighed()[0]

    def _weighed(self) -> tuple[tuple[Scorer, ...], Floats, Floats]:
        """Scorers, log prior and what rows that are impossible get instead, kept until something changes.

        They are of the same counts: who learns meanwhile is waited for, or half of it would be kept.
        """
        with self._lock:
            if self._ready is None:
                pairs = zip(self.families, self.tallies, strict=True)
                scorers = tuple(family.weigh(tally) for family, tally in pairs)
                self._ready = scorers, self.log_prior, self.prior.generative.log(self.weight)
            return self._ready

    def lift(self, blocks: Sequence[Rows]) -> list[Rows]:
        """The rows as they are scored."""
        parts = zip(self.families, self.tallies, blocks, strict=True)
        return [family.admit(tally, family.lift(rows)) for family, tally, rows in parts]

    def joint(self, blocks: Sequence[Rows]) -> Floats:
        """log P(x, c) up to a term that is the same for all classes, (n, k)."""
        scorers, log_prior, _ = self._weighed()
        joint = np.empty((len(blocks[0]), len(self.labels)))
        joint[:] = sum((scorer.bias for scorer in scorers), log_prior)
        for scorer, rows in zip(scorers, self.lift(blocks), strict=True):
            scorer.add_to(rows, joint)
        return joint

    def posterior(self, blocks: Sequence[Rows], log: bool = False) -> tuple[Floats, int]:
        """P(c | x) or its log, (n, k), and how many rows were impossible and got the prior."""
        joint = self.joint(blocks)
        return joint, normalise(joint, self._weighed()[2], log)

    def evidence(self, blocks: Sequence[Rows]) -> Floats:
        """log P(x), (n,)."""
        reader = self.generative()
        joint = reader.joint(blocks)
        carriers = [family.carrier(rows) for family, rows in zip(reader.families, reader.lift(blocks), strict=True)]
        return log_sum(joint)[:, 0] + sum(carriers)

    def generative(self) -> Model:
        """The model that rows are drawn from, whose probabilities add up to 1: not every score is one."""
        families = tuple(family.generative for family in self.families)
        prior = self.prior.generative
        return self if (families, prior) == (self.families, self.prior) else replace(self).read_as(families, prior)

    def loo(
        self, blocks: Sequence[Rows], codes: Ints, weights: Floats | None = None, fixed_prior: bool = False
    ) -> Floats:
        """Joint scores of learned rows, each against the model without it, (n, k).

        With `fixed_prior` the prior keeps the row: whatever is fitted on such scores would otherwise read the label
        off the prior, since in a balanced set the smaller class *is* the answer.
        """
        weights = np.ones(len(codes)) if weights is None else weights
        for family, tally, rows in zip(self.families, self.tallies, blocks, strict=True):
            tally.refuse_unlearned(family.lift(rows), codes, weights)
        joint = self.prior.log(self._left(codes, 0.0 * weights if fixed_prior else weights))
        for family, tally, rows in zip(self.families, self.tallies, self.lift(blocks), strict=True):
            joint = joint + family.loo(tally, rows, codes, weights)
        return joint

    def loo_log_posterior(self, blocks: Sequence[Rows], codes: Ints, weights: Floats | None = None) -> Floats:
        """log P(c | x) of learned rows, each under the model without it, (n, k); impossible ones get the prior."""
        joint = self.loo(blocks, codes, weights)
        left = self._left(codes, np.ones(len(codes)) if weights is None else weights)
        joint = np.where(np.isneginf(joint.max(axis=1, keepdims=True)), self.prior.generative.log(left), joint)
        normalise(joint, np.zeros(joint.shape[1]), True)
        return joint

    def _left(self, codes: Ints, weights: Floats) -> Floats:
        """Class weights without each row, (n, k)."""
        left = np.tile(self.weight, (len(codes), 1))
        own = np.arange(len(codes)), codes
        left[own] = less(left[own], weights)
        return left

    def sample(self, n: int, rng: np.random.Generator) -> tuple[list[Array], Ints]:
        """Rows per block and class numbers, drawn from the model."""
        prior = self.prior.share(self.weight)
        codes = rng.choice(len(prior), size=n, p=prior / prior.sum()).astype(np.int64)
        pairs = zip(self.families, self.tallies, strict=True)
        return [family.sample(tally, codes, rng) for family, tally in pairs], codes


def _writeable(tally: Any) -> Any:
    """The tally, or a copy where its arrays cannot be written: joblib maps large ones into memory."""
    return tally if all(array.flags.writeable for array in tally.arrays().values()) else tally.copy()


def refuse_nonsense(families: Sequence[Family], tallies: Sequence[Any]) -> None:
    """Refuse tallies that no rows can have left."""
    for family, tally in zip(families, tallies, strict=True):
        family.refuse_nonsense(tally)


def refuse_other_counts(mine: Sequence[Family], theirs: Sequence[Family]) -> None:
    """Refuse families that would have counted the same rows otherwise."""
    for a, b in zip(mine, theirs, strict=True):
        if a.counted != b.counted:
            raise MismatchError(
                f"The rows learned before were counted with {a.counted}, not {b.counted}; expected the same. Set it "
                "back, or fit again to count them anew"
            )


def united(a: Array, b: Array) -> Array:
    """Both sets of labels, sorted."""
    if len(a) == len(b) and (a == b).all():
        return a
    kinds = {a.dtype.kind, b.dtype.kind}
    try:
        # Whole numbers with a sign or without are one kind, unless both together would be floats.
        whole = kinds == {"i", "u"} and np.result_type(a, b).kind == "i"
        if len(kinds) == 1 or "O" in kinds or whole:
            return np.unique(np.concatenate([a, b]))
    except TypeError:  # text among objects does not compare with numbers
        pass
    raise MismatchError(f"Cannot unite labels of {a.dtype} with labels of {b.dtype}; expected the same kind in both")
