"""CategoricalNB: one of a number of categories per column."""

from __future__ import annotations

import reprlib
import warnings
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import validate_data

from bayleaf._core import largest_codes
from bayleaf.encoders.categories import plain
from bayleaf.encoders.table import LARGEST, as_array, has_dates, narrowed, tabular, unmasked
from bayleaf.errors import BadValueError, BayleafError, TruncatedCodesWarning
from bayleaf.estimators.discrete import DiscreteNB
from bayleaf.estimators.door import passes
from bayleaf.estimators.encoded import Encoded
from bayleaf.families import Categorical, Smoothing
from bayleaf.rows import Rows

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints

# A code costs a column of the table for every class: more than this is an identity, not a category.
MOST_CATEGORIES = 1 << 20
SOME = 4096


class CategoricalNB(Encoded, DiscreteNB):
    """Naive Bayes for categories; a drop-in for `sklearn.naive_bayes.CategoricalNB`.

    Whole tables of numbers are taken as codes 0, 1, 2, ... as in scikit-learn; strings and objects are encoded;
    to a model of codes objects are codes too, and None a missing one.
    Since "1" and 1 are two categories, text is refused in a column where only other values were learned, and the other
    way round; so are both in one column where they are written alike.
    Parameters as in `MultinomialNB`, without `binary`.

    Parameters
    ----------
    min_categories : int or array of shape (d,), optional
        Number of categories that each column has at least, seen or not.
    unseen : {"ignore", "smooth", "error"}, default "ignore"
        What a category means that was never learned: the column is left out, or it is one with count 0, or refused.

    Examples
    --------
    >>> from bayleaf import CategoricalNB
    >>> nb = CategoricalNB().fit([["red", "round"], ["green", "long"]], ["apple", "pear"])
    >>> nb.predict([["red", "oval"]]).tolist()
    ['apple']
    """

    _sparse = False
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **DiscreteNB._parameter_constraints,
        "min_categories": [None, "array-like", Interval(Integral, 1, None, closed="left")],
        "unseen": [StrOptions({"ignore", "smooth", "error"})],
    }

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        min_categories: Any = None,
        smoothing: str = "lidstone",
        denominator: float | None = None,
        unseen: Any = "ignore",
        new_labels: str = "error",
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories
        self.smoothing = smoothing
        self.denominator = denominator
        self.unseen = unseen
        self.new_labels = new_labels

    def _family(self, smoothing: Smoothing) -> Categorical:
        return Categorical(smoothing, self.unseen == "smooth")

    def _read_by(self) -> dict[str, Any]:
        # Of learned rows "error" refuses nothing.
        return {**super()._read_by(), "unseen": "ignore" if self.unseen == "error" else self.unseen}

    # from values to codes

    def _blocks(
        self, X: Any, reset: bool = False, learning: bool = False, known: bool = False, weights: Floats | None = None
    ) -> list[Rows]:
        if reset:
            self._encoder = None
        cells = self._cells(X, reset)
        columns = list(cells.T)
        if learning and (self._encoder is not None or cells.dtype.kind in "OUS"):
            self._learn_values(columns, weights)
        codes = cells if self._encoder is None else self._coded(columns)
        if learning:
            sizes = self._room(codes)
        else:
            sizes = self._fitted.tallies[0].sizes
            if cells.dtype.kind == "f":
                self._sizes(cells)  # tells of fractions; the kernel itself refuses what is no code
            if known or self.unseen == "error":
                self._refuse_unseen(codes, sizes, columns, self._names()[0], weights, known)
        return [self._rows(codes, sizes)]

    def _learn(self, blocks: list[Rows], codes: Ints, weights: Floats | None) -> None:
        kept, codes, weights = self._counted(blocks, codes, weights)
        if kept is not blocks and len(codes) and self._encoder is None:  # fewer rows may show fewer categories
            kept = [self._rows(kept[0].values, self._room(kept[0].values))]
        blocks = kept
        try:
            super()._learn(blocks, codes, weights)
        except BadValueError as error:
            if error.kind != "unknown":
                raise
            rows = blocks[0]  # the first rows did not show all categories
            super()._learn([self._rows(rows.values, self._room(rows.values, some=False))], codes, weights)

    def _rows(self, codes: Array, sizes: Ints) -> Rows:
        starts = np.concatenate([[0], np.cumsum(sizes)])
        names = getattr(self, "feature_names_in_", None)
        return Rows.codes(codes, starts, source=f"{type(self).__name__} (input X)", names=names)

    def _room(self, codes: Array, some: bool = True) -> Ints:
        """Number of categories per column with those of a batch to learn.

        Of many integers only `some` are looked at: almost always they show all categories, and if not, learning says
        so. Looking at all of them first would take as long as counting them.
        """
        if self._encoder is not None:
            sizes = self._encoder.sizes
        else:
            sizes = self._sizes(codes[:SOME] if some and codes.dtype.kind in "iu" else codes)
        if self.__sklearn_is_fitted__():
            sizes = np.maximum(sizes, self._model.tallies[0].sizes)
        return self._at_least(sizes)

    def _cells(self, X: Any, reset: bool) -> Array:
        """X as a 2-d array of codes or of values to encode."""
        cells: Array = X
        if not reset and passes(self, X, accept_sparse=False):
            return cells
        X = tabular(X)
        if has_dates(X):
            raise BayleafError("Found dates or durations in X, expected categories. Convert them to str")
        X = as_array(X) if isinstance(X, list | tuple) else _kept_apart(unmasked(narrowed(X)))
        cells = validate_data(self, X, reset=reset, dtype=None, ensure_all_finite=False)
        if cells.dtype.kind == "T":
            cells = cells.astype(object)
        if cells.dtype.kind not in "biufOUS":
            raise BayleafError(f"Found values of {cells.dtype}, expected categories. Convert them to str or to codes")
        return _numbers(cells) if cells.dtype.kind in "OUS" and not reset and self._encoder is None else cells

    def _sizes(self, cells: Array) -> Ints:
        """Number of categories per column by their codes; refuses what is no code."""
        names = getattr(self, "feature_names_in_", range(cells.shape[1]))
        places = np.arange(cells.shape[1] + 1)
        rows = Rows.codes(cells, places, source=f"{type(self).__name__} (input X)", names=names)
        codes, fraction = rows.run(lambda _: largest_codes(rows.values))
        largest = np.array(codes, dtype=np.int64)
        if fraction is not None:
            row, column, value = fraction
            warnings.warn(
                f"Found the category code {value:g} in row {row}, column {names[column]}; expected whole numbers. It "
                f"is cut to {int(value)}: round the codes, or pass them as strings to have them encoded",
                TruncatedCodesWarning,
                stacklevel=5,
            )
        if (largest >= MOST_CATEGORIES).any():
            column = int(largest.argmax())
            raise BayleafError(
                f"Column {names[column]} holds the category code {largest[column]}; expected codes below "
                f"{MOST_CATEGORIES}. Number the categories 0, 1, 2, ..., or pass them as strings to have that done"
            )
        return largest + 1

    def _at_least(self, sizes: Ints) -> Ints:
        """Sizes raised to `min_categories`."""
        if self.min_categories is None:
            return sizes
        least = np.asarray(self.min_categories)
        if not np.issubdtype(least.dtype, np.signedinteger):
            raise BayleafError(f"'min_categories' should have integral type. Got {least.dtype} instead.")
        if least.shape not in ((), sizes.shape):
            raise BayleafError(
                f"'min_categories' should have shape ({len(sizes)},) when an array-like is provided. Got {least.shape} "
                "instead."
            )
        if least.max(initial=0) > MOST_CATEGORIES:
            raise BayleafError(f"Found min_categories of {least.max()}; expected at most {MOST_CATEGORIES}")
        raised: Ints = np.maximum(sizes, least).astype(np.int64)
        return raised

    def _refuse_parameters(self) -> None:
        super()._refuse_parameters()
        self._at_least(self._model.tallies[0].sizes)

    def _joined(self, blocks: list[Array]) -> Array:
        return blocks[0] if self._encoder is None else self._encoder.values(blocks[0])

    def _shown(self, block: int, column: int, value: Any) -> Any:
        return super()._shown(block, column, value) if self._encoder is None else self._category(column, value)

    # attributes

    @property
    def categories_(self) -> list[Array] | None:
        """The categories per column, in the order of their codes; None when codes were given."""
        encoder = self.__dict__.get("_encoder")
        return None if encoder is None else [np.array(known, dtype=object) for known in encoder.categories]

    @property
    def n_categories_(self) -> Ints:
        """Number of categories per column."""
        sizes: Ints = self._fitted.tallies[0].sizes
        return sizes

    @property
    def category_count_(self) -> list[Floats]:
        """Per column, the counts of its categories per class."""
        tally = self._fitted.tallies[0]
        return [part.copy() for part in np.split(tally.table, tally.starts[1:-1], axis=1)]

    @property
    def feature_log_prob_(self) -> list[Floats]:
        """Per column, the log probabilities of its categories per class."""
        tally = self._fitted.tallies[0]
        log_prob = np.ascontiguousarray(self._family(self._smoothing()).log_prob(tally).T)
        return np.split(log_prob, tally.starts[1:-1], axis=1)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags


def _numbers(cells: Array) -> Array:
    """Objects as the codes that the model was fitted on, and NaN where one is missing; refuses what is no number."""
    plains = [plain(cell) for cell in cells.flat]
    strange = [cell for cell in plains if not isinstance(cell, int | float | None) or abs(cell or 0) > LARGEST]
    if strange:
        raise BayleafError(
            f"Found {reprlib.repr(strange[0])}, expected category codes: the model was fitted on codes. Number the "
            "categories as for fit, or fit on them as they are"
        )
    return np.array([np.nan if cell is None else cell for cell in plains], dtype=np.float64).reshape(cells.shape)


def _kept_apart(X: Any) -> Any:
    """A pandas frame with words in it as objects: scikit-learn would make numbers of truth values beside categories."""
    if not hasattr(X, "isetitem"):
        return X
    inside = (getattr(getattr(kind, "categories", None), "dtype", kind) for kind in X.dtypes)
    return X.astype(object) if any(kind.kind not in "biuf" for kind in inside) else X
