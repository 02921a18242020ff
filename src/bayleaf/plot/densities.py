"""Class-conditional densities of one column."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayleaf.errors import BayleafError
from bayleaf.plot.asking import nameless, refuse_other
from bayleaf.plot.canvas import SIZE, along, canvas, colours, look, name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bayleaf.arrays import Array, Floats, Ints

DRAWN = 2000  # rows drawn from the model to see where its values lie
BARS = 30  # values that have room for bars
POINTS = 400  # of a curve
BAGS = ("multinomial", "complement")  # families whose counts share out the total of their row


def densities(model: Any, column: Any, ax: Axes | None = None, **style: Any) -> Axes:
    """p(value | class) of a column (name or number), every other column left out as missing.

    Curves for numbers, bars for categories (the 30 most frequent) and counts, curves over the whole values of many
    counts. Works for any fitted estimator, since a missing value adds nothing; where to draw comes from rows that the
    model itself makes up. Of multinomial counts it is the probability that all of a row's are in the column; so it is
    of `ComplementNB`, whose own scores are no probabilities. `style` goes to curves or bars.
    """
    refuse_other(model, "score_samples", "a fitted estimator such as GaussianNB or MixedNB")
    check_is_fitted(model)
    place, named = _place(model, column)
    drawn = np.asarray(model.sample(DRAWN, random_state=0)[0], dtype=object)[:, place]
    family = _family(model, place)
    values = _values(drawn, family)
    if not len(values):
        raise BayleafError(f"Column {named!r} never had a value; expected some to draw. Take another column")
    likelihood, evidence = _likelihood(model, place, values)
    curves = values.dtype.kind == "f"
    if not curves and len(values) > BARS:
        named = f"{named}\nthe {BARS} most frequent values"
        first = _most(evidence)
        values, likelihood = values[first], likelihood[first]
    wide = SIZE[0] if curves else max(SIZE[0], 1.2 + 0.2 * len(values))  # inches: a fifth for a name that is aslant
    ax = canvas(ax, named, _measure(family, curves), size=(wide, SIZE[1]))
    (_curves if curves else _bars)(ax, model.classes_, values, likelihood, style)
    ax.set_ylim(bottom=0)
    along(ax, list(zip(map(name, model.classes_), colours(model.classes_), strict=True)))
    return ax


def _place(model: Any, column: Any) -> tuple[int, str]:
    names = [str(each) for each in getattr(model, "feature_names_in_", [f"x{j}" for j in range(model.n_features_in_)])]
    if isinstance(column, str) and column in names:
        return names.index(column), name(column)
    number = isinstance(column, Integral) and not isinstance(column, bool)
    if number and 0 <= column < len(names):
        return int(column), name(names[int(column)])
    raise BayleafError(f"Found no column {column!r}; expected a number below {len(names)} or one of {names[:5]}")


def _family(model: Any, place: int) -> str:
    """The name of the column's family."""
    pairs = zip(model._families(), model._widths(), strict=True)
    names: list[str] = [family.name for family, columns in pairs for _ in range(columns)]
    order: list[int] = model._column_order()
    return names[order.index(place)]


def _values(drawn: Array, family: str) -> Array:
    """Where to look: each value as an object, for bars; as floats a range of numbers or of many counts."""
    kept = [value for value in drawn if value is not None and value == value]
    distinct = sorted(set(kept), key=lambda value: (isinstance(value, str), value))
    few = len(distinct) <= (1 if family == "gaussian" else BARS)  # a column that never varied has no density
    if few or family == "categorical":
        return np.array(distinct, dtype=object)
    if family != "gaussian":
        return np.unique(np.rint(np.linspace(distinct[0], distinct[-1], POINTS)))
    low, high = np.quantile(np.array(kept, dtype=np.float64), [0.001, 0.999])
    return np.linspace(low - 0.08 * (high - low), high + 0.08 * (high - low), POINTS)


def _most(evidence: Floats) -> Ints:
    """The places of the most frequent values, in the order of the values."""
    return np.sort(np.argsort(-evidence, kind="stable")[:BARS])


def _measure(family: str, curves: bool) -> str:
    """What is drawn. A single count of a bag is probable or not only among as many counts as its row has."""
    if family in BAGS:
        return "probability given class and total"
    return "density given the class" if curves and family == "gaussian" else "probability given the class"


def _likelihood(model: Any, place: int, values: Array) -> tuple[Floats, Floats]:
    """P(value | class) (values, k) and log P(value).

    The first is posterior x evidence / prior, the prior being what a row without values gets; all of them of the model
    that rows are drawn from.
    """
    rows = np.full((len(values) + 1, model.n_features_in_), np.nan, dtype=object)
    rows[1:, place] = values
    if all(isinstance(value, float | int) for value in values):
        rows = rows.astype(np.float64)
    with nameless():
        evidence = model.score_samples(rows)
        logs = model._read().generative().posterior(model._blocks(rows), log=True)[0]
    prior = np.where(np.isneginf(logs[0]), 0.0, logs[0])  # of a class that was never seen nothing is known
    return np.exp(logs[1:] - prior + evidence[1:, None]), evidence[1:]


def _curves(ax: Axes, labels: Array, values: Array, density: Floats, style: dict[str, Any]) -> None:
    for curve, colour in zip(density.T, colours(labels), strict=True):
        ax.fill_between(values, curve, color=colour, alpha=0.14, linewidth=0)
        ax.plot(values, curve, **look(style, color=colour, linewidth=1.6))
    ax.margins(x=0)


def _bars(ax: Axes, labels: Array, values: Array, share: Floats, style: dict[str, Any]) -> None:
    width = 0.8 / len(labels)
    for number, (heights, colour) in enumerate(zip(share.T, colours(labels), strict=True)):
        places = np.arange(len(values)) - 0.4 + (number + 0.5) * width
        ax.bar(places, heights, **look(style, color=colour, width=0.92 * width))
    texts = [name(f"{value:g}" if isinstance(value, float) else value) for value in values]
    steep = sum(map(len, texts)) > 40
    slant: dict[str, Any] = {"rotation": 45, "ha": "right"} if steep else {}
    ax.set_xticks(range(len(values)), texts, parse_math=False, **slant)
    ax.tick_params(axis="x", length=0)
