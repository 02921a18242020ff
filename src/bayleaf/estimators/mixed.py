"""MixedNB: numbers, categories and counts in one table."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from bayleaf.encoders import Table
from bayleaf.errors import BayleafError, MismatchError
from bayleaf.estimators.discrete import PRIOR_CONSTRAINTS
from bayleaf.estimators.encoded import Encoded
from bayleaf.families import Bernoulli, Categorical, Family, Gaussian, Multinomial, Poisson, Prior, Smoothing
from bayleaf.families.smoothing import KINDS
from bayleaf.rows import Rows

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats

Part = tuple[str, tuple[int, ...]]
NAMES = ("gaussian", "categorical", "bernoulli", "multinomial", "poisson")


class MixedNB(Encoded):
    """Naive Bayes with a family per column or block of columns; tables with missing values as they are.

    The score of a row is the prior plus the scores of its blocks, so every block may be of its own kind.

    Parameters
    ----------
    families : dict, optional
        Columns (names or numbers) per family: "gaussian", "categorical", "bernoulli", "multinomial", "poisson". All
        multinomial columns form one bag. By default numbers are gaussian, and text, categories and booleans
        categorical; `families_` tells.
    alpha : float, default 1.0
        Strength of the smoothing of all counts: one number, neither per column nor "auto".
    smoothing
        As in `MultinomialNB`.
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
        return Prior.of(self.fit_prior, self.class_prior)

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

    def _blocks(
        self, X: Any, reset: bool = False, learning: bool = False, known: bool = False, weights: Floats | None = None
    ) -> list[Rows]:
        table = Table.of(X, type(self).__name__)
        validate_data(self, table.frame, reset=reset, skip_check_array=True)
        if reset:
            self._parts, self._agreed = self._planned(table), self.families
            self._encoder = None
        return [self._block(table, name, list(columns), learning, known, weights) for name, columns in self._parts]

    def _block(
        self, table: Table, name: str, columns: list[int], learning: bool, known: bool, weights: Floats | None
    ) -> Rows:
        source, names = f"{type(self).__name__} (input X, {name} columns)", [table.names[j] for j in columns]
        if name != "categorical":
            return Rows.of(table.numbers(columns), source=source, names=names)
        values = [table.values(j) for j in columns]
        if learning:
            self._learn_values(values, weights)
        assert self._encoder is not None
        codes, sizes = self._coded(values), self._encoder.sizes
        if known or (self.unseen == "error" and not learning):
            self._refuse_unseen(codes, sizes, values, names, weights, known)
        return Rows.codes(codes, np.concatenate([[0], np.cumsum(sizes)]), source=source, names=names)

    def _planned(self, table: Table) -> tuple[Part, ...]:
        """Families and their column numbers, in the order of `NAMES`."""
        if self.families is None:
            kinds = [table.kind(j) for j in range(len(table.names))]
            parts = [(name, tuple(j for j, kind in enumerate(kinds) if kind == name)) for name in NAMES[:2]]
        else:
            strange = sorted(set(self.families) - set(NAMES))
            if strange:
                raise BayleafError(f"Unknown family {strange[0]!r}; expected {', '.join(NAMES)}")
            single = [
                given for given in self.families.values() if isinstance(given, str) or not hasattr(given, "__len__")
            ]
            if single:
                raise BayleafError(f"families must list the columns of each; found {single[0]!r}. Put it in a list")
            parts = [(name, tuple(table.place(c) for c in self.families.get(name, ()))) for name in NAMES]
            taken = [j for _, columns in parts for j in columns]
            if sorted(taken) != list(range(len(table.names))):
                wrong = [name for j, name in enumerate(table.names) if taken.count(j) != 1]
                raise BayleafError(f"families must name every column once; found {wrong[0]!r} not so")
        return tuple((name, columns) for name, columns in parts if columns)

    def _refuse_parameters(self) -> None:
        """No families say nothing: a table of which nothing was said keeps its columns as they were found."""
        super()._refuse_parameters()
        if self.families is not None and self.families is not self._agreed:
            now = self._planned(Table(None, self._column_names(), None))
            if now != self._parts:
                raise MismatchError(
                    f"The rows learned before were counted with the families {self.families_}, not {self.families}; "
                    "expected the same. Set them back, or fit again to count the rows anew"
                )
        self._agreed = self.families

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

    def _merged(self, other: Self, sign: int) -> Self:
        check_is_fitted(self)
        if isinstance(other, MixedNB) and other.__sklearn_is_fitted__() and other._parts != self._parts:
            raise MismatchError(f"Cannot merge families {other.families_} with {self.families_}; expected the same")
        return super()._merged(other, sign)

    # keeping

    def _notes(self) -> tuple[dict[str, Any], dict[str, Array]]:
        about, arrays = super()._notes()
        return {**about, "parts": [[name, list(columns)] for name, columns in self._parts]}, arrays

    def _recall(self, about: dict[str, Any], arrays: dict[str, Array]) -> None:
        super()._recall(about, arrays)
        parts = tuple((name, tuple(columns)) for name, columns in about["parts"])
        names, columns = [name for name, _ in parts], [column for _, some in parts for column in some]
        if names != [name for name in NAMES if name in names] or not all(some for _, some in parts):
            raise BayleafError(f"Found the families {str(names)[:80]}, expected some of {', '.join(NAMES)}")
        # Their number first: the list of as many columns as a file may say is larger than the memory.
        whole = len(columns) == self.n_features_in_ and sorted(columns) == list(range(len(columns)))
        if not whole or {type(column) for column in columns} != {int}:
            raise BayleafError("Found families of other columns, expected every column once")
        given = {} if self.families is None else self.families
        fine = all(isinstance(some, list) and {type(c) for c in some} <= {int, str} for some in given.values())
        if not fine or not set(given) <= set(NAMES):
            raise BayleafError("Found families of something else, expected lists of columns")
        self._parts, self._agreed = parts, self.families

    def _column_order(self) -> list[int]:
        return [column for _, columns in self._parts for column in columns]

    def _widths(self) -> list[int]:
        return [len(columns) for _, columns in self._parts]

    def _refuse_unfit(self) -> None:
        super()._refuse_unfit()
        known = [] if self._encoder is None else self._encoder.sizes.tolist()
        pairs = zip(self._parts, self._model.tallies, strict=True)
        if known != [size for (name, _), tally in pairs if name == "categorical" for size in tally.sizes.tolist()]:
            raise BayleafError("Found counts of categories that are not named; expected the same number of both")

    def _joined(self, blocks: list[Array]) -> Array:
        plain = all(name != "categorical" for name, _ in self._parts)
        joined = np.empty((len(blocks[0]), self.n_features_in_), dtype=np.float64 if plain else object)
        for (name, columns), block in zip(self._parts, blocks, strict=True):
            values = self._encoder.values(block) if name == "categorical" and self._encoder is not None else block
            joined[:, list(columns)] = values
        return joined

    def _names(self) -> list[list[str]]:
        names = self._column_names()
        return [[names[j] for j in columns] for _, columns in self._parts]

    def _category_names(self) -> list[str]:
        return self._names()[[name for name, _ in self._parts].index("categorical")]

    def _shown(self, block: int, column: int, value: Any) -> Any:
        if self._parts[block][0] == "categorical":
            return self._category(column, value)
        return super()._shown(block, column, value)
