"""Evidence: what each kind of evidence is worth, and what common words lean to: derived numbers beside exact counts.

A document's score for class c is

    e[c] = t L^-g Σ_w (u[kind of w] + u[position] + u[repeats]) ln(1 + x[w]) z[w,c],
    s[c] = τ (e[c] + Σ_d e[d] M[d,c]  +  b ln π[c] + β[c])  +  L^-1/2 Σ_w ln(1 + x[w]) δ[w,c],

with z the log-ratio of the multinomial and the complement view in one (see `bayleaf._core`), less half of u[overlap]
for the words of every known pair, since the pair has said it already; L is the number of tokens. M is what evidence for
one class says about another (see `mixing`), δ what common words say beyond their kind (see `leaning`). P(c | x) is
(1 - ε) softmax(s) + ε q, with q the shares of the classes.
The weights u ≥ 0 act like a learned idf and stop list. They are the same for all words of a kind, so a few thousand
documents decide them. After the leave-one-out bucket layer of the pilot (TRIED.md); the two halves of z are Rennie,
Shih, Teevan & Karger, ICML 2003.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from bayleaf._core import KeyLeanings
from bayleaf.errors import BayleafError
from bayleaf.families.floored import floored

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayleaf.arrays import Array, Floats

HELD = (
    "1",
    "2",
    "3-4",
    "5-8",
    "9-16",
    "17-32",
    "33-64",
    "65-128",
    "129-256",
    "257-512",
    "513-1024",
    "1025-2048",
    "2049+",
)
STRENGTHS = ("<0.5", "<1", "<1.5", "<2.5", "<4", "4+")
# What each strength is worth before documents have their say, for the first order and for later ones (TRIED.md): a few
# documents leave most of the table as it began.
FIRST, LATER = (0.7, 0.7, 0.7, 0.8, 1.3, 2.0), (0.7, 0.6, 0.6, 0.6, 0.8, 1.0)
POSITIONS = ("first 8", "first 32", "first 128", "later")
REPEATS = ("once", "twice", "3-4 times", "5+ times")

LARGEST, COLDEST, STEEPEST = 1_000_000, 1e-6, 10  # numbers, temperature, power: whatever a text says, scores are finite


def kinds(orders: tuple[int, ...]) -> list[str]:
    """The names of the weights, in their order.

    >>> len(kinds((1, 2))), kinds((1,))[0], kinds((1,))[-1]
    (185, '1-gram in 1 documents, strength <0.5', 'overlap of a pair in 2049+ documents')
    """
    grams = [f"{order}-gram" if order < 128 else f"pair {order - 128} apart" for order in orders]
    return [
        *(
            f"{gram} in {held} documents, strength {strength}"
            for gram in grams
            for held in HELD
            for strength in STRENGTHS
        ),
        *(f"{gram}, {position}" for gram in grams for position in POSITIONS),
        *(f"{gram}, {repeats}" for gram in grams for repeats in REPEATS),
        *(f"overlap of a pair in {held} documents" for held in HELD),
    ]


def shares(documents: Floats) -> Floats:
    """The shares of the classes, (..., k), half a document added to each."""
    total = documents.sum(axis=-1, keepdims=True) + 0.5 * documents.shape[-1]
    smoothed: Floats = (documents + 0.5) / total
    return smoothed


class Numbers(NamedTuple):
    """What the native judge reads."""

    worth: Floats
    scale: float
    power: float
    bias: Floats
    temperature: float
    mix: Floats
    leanings: KeyLeanings


@dataclass(frozen=True)
class EvidenceTable:
    """The derived numbers of a text classifier; fixed by hand or fitted on leave-one-out evidence.

    Examples
    --------
    >>> table = EvidenceTable.start((1, 2), classes=2)
    >>> table.weights()["1-gram, first 8"]
    0.0
    >>> EvidenceTable.from_json(table.to_json()) == table
    True
    """

    orders: tuple[int, ...]
    worth: tuple[float, ...]
    scale: float
    power: float
    prior: float
    offsets: tuple[float, ...]
    temperature: float
    floor: float
    documents: int = 0
    loo_log_loss: float | None = None
    loo_accuracy: float | None = None
    mix: tuple[float, ...] = ()
    common: tuple[int, ...] = ()
    leanings: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        expected = len(kinds(self.orders))
        if len(self.worth) != expected:
            raise BayleafError(f"Found {len(self.worth)} weights, expected {expected} for the orders {self.orders}")
        if len(self.mix) not in (0, len(self.offsets) ** 2):
            raise BayleafError(
                f"Found {len(self.mix)} numbers that mix {len(self.offsets)} classes, expected their square, or none"
            )
        if len(self.leanings) != len(self.common) * len(self.offsets):
            raise BayleafError(
                f"Found {len(self.leanings)} leanings of {len(self.common)} words towards {len(self.offsets)} classes, "
                "expected one for each word and class"
            )
        strange: list[Any] = [v for v in self.common if type(v) is not int or not 0 <= v < 1 << 64]
        if strange:
            raise BayleafError(
                f"Found the key {strange[0]!r:.80} in an evidence table; expected whole numbers of 64 bits"
            )
        strange = [v for v in self._floats() if not (issubclass(type(v), Real) and abs(v) <= LARGEST)]
        if strange:
            raise BayleafError(
                f"Found {strange[0]!r:.80} in an evidence table; expected finite numbers, of {LARGEST:,} at most"
            )
        if self.temperature < COLDEST or not 0 <= self.floor < 1 or abs(self.power) > STEEPEST:
            raise BayleafError(
                f"Found temperature {self.temperature:g}, floor {self.floor:g} and power {self.power:g} in an evidence "
                f"table; expected a temperature of {COLDEST:g} at least, a floor from 0 to below 1 and a power of "
                f"{STEEPEST} at most"
            )

    def _floats(self) -> tuple[Any, ...]:
        told = [v for v in (self.loo_log_loss, self.loo_accuracy) if v is not None]
        derived = (*self.worth, self.scale, self.power, self.prior, *self.offsets, *self.mix, *self.leanings)
        return (*derived, self.temperature, self.floor, *told)

    @classmethod
    def start(cls, orders: tuple[int, ...], classes: int) -> Self:
        """The table that every fit begins with: strong evidence is worth more, place and number of times nothing."""
        by_order = (FIRST, *[LATER] * (len(orders) - 1))
        worth = [of for strengths in by_order for _ in HELD for of in strengths]
        rest = [0.0] * (len(kinds(orders)) - len(worth))
        return cls(orders, (*worth, *rest), 0.1, 0.5, 1.0, (0.0,) * classes, 1.0, 0.02)

    def weights(self) -> dict[str, float]:
        """What each kind of evidence is worth, by name."""
        return dict(zip(kinds(self.orders), self.worth, strict=True))

    def numbers(self, documents: Floats) -> Numbers:
        """What the native judge reads, for classes of these sizes."""
        bias, leanings = self.bias(documents), KeyLeanings(*self.rows())
        return Numbers(np.asarray(self.worth), self.scale, self.power, bias, self.temperature, self.square(), leanings)

    def bias(self, documents: Floats) -> Floats:
        """b ln π + β: what a text that says nothing scores, before the temperature."""
        bias: Floats = self.prior * np.log(shares(documents)) + np.asarray(self.offsets)
        return bias

    def scores(self, evidence: Floats, documents: Floats) -> Floats:
        """Scores (n, k) for evidence e (n, k), as above, but for what common words lean to."""
        scores = evidence + self.bias(documents)
        return (scores + evidence @ self.square() if self.mix else scores) / self.temperature

    def square(self) -> Floats:
        """What evidence for one class (row) says about another (column), (k, k); (0, 0) where nothing is known."""
        k = len(self.offsets) if self.mix else 0
        return np.asarray(self.mix).reshape(k, k)

    def rows(self) -> tuple[Array, Floats]:
        """The keys of common words, (m,), and what each leans to, (m, k)."""
        keys = np.asarray(self.common, dtype=np.uint64)
        return keys, np.asarray(self.leanings, dtype=np.float64).reshape(len(keys), len(self.offsets))

    def posterior(self, joint: Floats, share: Floats) -> Floats:
        """P(c | x) for scores (n, k) and the shares of the classes."""
        return floored(joint, share, self.floor)

    def relabelled(self, places: Sequence[int], classes: int) -> Self:
        """The same table with its classes at other places; new ones have no offset, no mixing and no leanings."""
        offsets, mix, leanings = np.zeros(classes), np.zeros((classes, classes)), np.zeros((len(self.common), classes))
        offsets[places] = self.offsets
        leanings[:, places] = self.rows()[1]
        if self.mix:
            mix[np.ix_(places, places)] = self.square()
        mixed = tuple(mix.ravel().tolist()) if self.mix else ()
        return replace(self, offsets=tuple(offsets.tolist()), mix=mixed, leanings=tuple(leanings.ravel().tolist()))

    def to_json(self) -> str:
        """The table as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The table that was written."""
        return cls.from_fields(json.loads(text))

    @classmethod
    def from_fields(cls, fields: dict[str, Any]) -> Self:
        """The table with these fields, lists for tuples; refuses what is no number."""
        values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in fields.items()}
        table = cls(**values)
        strange = [v for v in table._floats() if type(v) is not float]
        strange += [v for v in (*table.orders, table.documents) if type(v) is not int or v < 0]
        if strange:
            raise BayleafError(
                f"Found {strange[0]!r:.80} in an evidence table; expected decimals, and counts as orders and documents"
            )
        return table
