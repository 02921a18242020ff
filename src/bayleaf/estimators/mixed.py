"""MixedNB: numbers, categories and counts in one table."""

from __future__ import annotations

import copy
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from bayleaf.encoders import CategoryEncoder, Table
from bayleaf.errors import BadValueError, BayleafError, MismatchError
from bayleaf.estimators.base import NaiveBayes
from bayleaf.estimators.discrete import PRIOR_CONSTRAINTS, prior
from bayleaf.families import Bernoulli, Categorical, Family, Gaussian, Multinomial, Poisson, Prior, Smoothing
from bayleaf.families.smoothing import KINDS
from bayleaf.rows import Rows

if TYPE_CHECKING:
    from bayleaf.arrays import Array
    from bayleaf.model import Model

Part = tuple[str, tuple[int, ...]]
NAMES = ("gaussian", "categorical", "bernoulli", "multinomial", "poisson")


class MixedNB(NaiveBayes):
    """Naive Bayes with a family per column or block of columns; tables with missing values as they are.

    The score of a row is the prior plus the scores of its blocks, so every block may be of its own kind.

    Parameters
    ----------
    families : dict, optional
        Columns (names or numbers) per family: "gaussian", "categorical", "bernoulli", "multinomial", "poisson". All
        multinomial columns form one bag. By default numbers are gaussian, and text, categories and booleans
        categorical; `families_` tells.
    alpha, smoothing
        Smoothing of the counts, as in `MultinomialNB`.
    var_smoothing : float, default 1e-9
        Share of a column's variance that is added to the variances of the classes.
    fit_prior, class_prior, new_labels
        As in `MultinomialNB`.
    unseen : {"ignore", "smooth", "error"}, default "ignore"
        As in `CategoricalNB`.

    Examples
    --------
    >>> import numpy as np
    >>> from bayleaf import MixedNB
    >>> X = np.array([[1.8, "short"], [1.1, "long"], [1.7, None], [1.3, "long"]], dtype=object)
    >>> nb = MixedNB().fit(X, ["adult", "child", "adult", "child"])
    >>> nb.families_
    {'gaussian': ['x0'], 'categorical': ['x1']}
    >>> nb.predict(np.array([[1.0, None], [None, "short"]], dtype=object)).tolist()
    ['child', 'adult']
    """

    _sparse = False
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "families": [dict, None],
        "alpha": [Interval(Real, 0, None, closed="left")],
        "var_smoothing": [Interval(Real, 0, None, closed="left")],
        "smoothing": [StrOptions(set(KINDS))],
        "unseen": [StrOptions({"ignore", "smooth", "error"})],
        **PRIOR_CONSTRAINTS,
    }

    def __init__(
        self,
        *,
        families: dict[str, Any] | None = None,
        alpha: float = 1.0,
        var_smoothing: float = 1e-9,
        fit_prior: bool = True,
        class_prior: Any = None,
        smoothing: Any = "lidstone",
        unseen: Any = "ignore",
        new_labels: str = "error",
    ) -> None:
        self.families = families
        self.alpha = alpha
        self.var_smoothing = var_smoothing
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.smoothing = smoothing
        self.unseen = unseen
        self.new_labels = new_labels

    def _prior(self) -> Prior:
        return prior(self.fit_prior, self.class_prior)

    def _families(self) -> tuple[Family, ...]:
        smoothing = Smoothing(self.smoothing, float(self.alpha))
        kinds: dict[str, Family] = {
            "gaussian": Gaussian(float(self.var_smoothing), "feature"),
            "categorical": Categorical(smoothing, self.unseen == "smooth"),
            "bernoulli": Bernoulli(smoothing),
            "multinomial": Multinomial(smoothing),
            "poisson": Poisson(float(self.alpha)),
        }
        return tuple(kinds[name] for name, _ in self._parts)

    # from a table to blocks

    def _blocks(self, X: Any, reset: bool = False, learning: bool = False, known: bool = False) -> list[Rows]:
        table = Table.of(X, type(self).__name__)
        validate_data(self, table.frame, reset=reset, skip_check_array=True)
        if reset:
            self._parts = self._planned(table)
            self._encoder: CategoryEncoder | None = None
        strict = known or (self.unseen == "error" and not learning)
        return [self._block(table, name, list(columns), learning, strict) for name, columns in self._parts]

    def _block(self, table: Table, name: str, columns: list[int], learning: bool, strict: bool) -> Rows:
        source = f"{type(self).__name__} (input X, {name} columns {', '.join(table.names[j] for j in columns)})"
        if name != "categorical":
            return Rows.of(table.numbers(columns), source=source)
        values = [table.values(j) for j in columns]
        if learning:
            before, found = self._encoder, CategoryEncoder.of(values)
            self._encoder = found if before is None else before.united(found)
            if before is not None and self.__sklearn_is_fitted__():
                self._model = _moved(self._model, before, self._encoder)
        assert self._encoder is not None
        starts = np.concatenate([[0], np.cumsum(self._encoder.sizes)])
        codes = self._encoder.codes(values)
        if strict and (place := self._encoder.unknown(codes)) is not None:
            row, j = place
            raise BadValueError(
                f"Unseen category {values[j][row]!r} in row {row}, column {table.names[columns[j]]}; expected one that "
                'was learned. Learn it first; to predict all the same, set unseen="ignore" or "smooth"'
            )
        return Rows.codes(codes, starts, source=source)

    def _planned(self, table: Table) -> tuple[Part, ...]:
        """Families and their column numbers, in the order of `NAMES`."""
        if self.families is None:
            kinds = [table.kind(j) for j in range(len(table.names))]
            parts = [(name, tuple(j for j, kind in enumerate(kinds) if kind == name)) for name in NAMES[:2]]
        else:
            strange = sorted(set(self.families) - set(NAMES))
            if strange:
                raise BayleafError(f"Unknown family {strange[0]!r}; expected {', '.join(NAMES)}")
            parts = [(name, tuple(table.place(c) for c in self.families.get(name, ()))) for name in NAMES]
            taken = [j for _, columns in parts for j in columns]
            if sorted(taken) != list(range(len(table.names))):
                wrong = [name for j, name in enumerate(table.names) if taken.count(j) != 1]
                raise BayleafError(f"families must name every column once; found {wrong[0]!r} not so")
        return tuple((name, columns) for name, columns in parts if columns)

    @property
    def families_(self) -> dict[str, list[str]]:
        """The columns of each family."""
        self._fitted  # noqa: B018  (an AttributeError where nothing is fitted)
        names = self._column_names()
        return {name: [names[j] for j in columns] for name, columns in self._parts}

    @property
    def class_log_prior_(self) -> Array:
        """Log prior per class."""
        return self._prior().log(self._fitted.weight)

    # merging, sampling, explaining

    def _merged(self, other: Self, sign: float) -> Self:
        check_is_fitted(self)
        if isinstance(other, MixedNB) and other.__sklearn_is_fitted__():
            if other._parts != self._parts:
                raise MismatchError(f"Cannot merge families {other.families_} with {self.families_}; expected the same")
            if self._encoder is not None and other._encoder is not None:
                both = self._encoder.united(other._encoder)
                left, right = copy.copy(self), copy.copy(other)
                left._model = _moved(self._model, self._encoder, both)
                right._model = _moved(other._model, other._encoder, both)
                left._encoder = right._encoder = both
                return super(MixedNB, left)._merged(right, sign)
        return super()._merged(other, sign)

    def _joined(self, blocks: list[Array]) -> Array:
        plain = all(name != "categorical" for name, _ in self._parts)
        joined = np.empty((len(blocks[0]), self.n_features_in_), dtype=np.float64 if plain else object)
        for (name, columns), block in zip(self._parts, blocks, strict=True):
            decoded = name == "categorical" and self._encoder is not None
            joined[:, list(columns)] = self._encoder.values(block) if decoded and self._encoder else block
        return joined

    def _names(self) -> list[list[str]]:
        names = self._column_names()
        return [[names[j] for j in columns] for _, columns in self._parts]

    def _column_names(self) -> list[str]:
        given = getattr(self, "feature_names_in_", None)
        return [f"x{j}" for j in range(self.n_features_in_)] if given is None else [str(name) for name in given]

    def _shown(self, block: int, column: int, value: Any) -> Any:
        if self._parts[block][0] == "categorical" and self._encoder is not None:
            known = self._encoder.categories[column]
            return known[value] if 0 <= value < len(known) else "?"
        return super()._shown(block, column, value)


def _moved(model: Model, before: CategoryEncoder, after: CategoryEncoder) -> Model:
    """The model with its categories at the places of another encoder."""
    if before == after:
        return model
    pairs = zip(model.families, model.tallies, strict=True)
    places = before.places(after)
    tallies = [tally.reordered(places) if isinstance(family, Categorical) else tally for family, tally in pairs]
    return replace(model, tallies=tuple(tallies), _scorers=None)
