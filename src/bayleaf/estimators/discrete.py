"""DiscreteNB: the parameters that estimators of counts and categories share."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from bayleaf.errors import BayleafError
from bayleaf.estimators.base import NaiveBayes
from bayleaf.families import Prior, Smoothing
from bayleaf.families.smoothing import KINDS, USUAL
from bayleaf.logarithms import LARGEST
from bayleaf.tally.residue import less
from bayleaf.tally.sound import numbers

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.families import Family
    from bayleaf.rows import Rows

SMALLEST = 1e-10  # what force_alpha=False raises alpha to
MOST_ROWS = 20_000  # rows that alpha="auto" looks at per batch: more move the choice by less than a step of the grid

PRIOR_CONSTRAINTS: dict[str, Any] = {
    "fit_prior": ["boolean"],
    "class_prior": ["array-like", None],
    "new_labels": [StrOptions({"error", "grow"})],
}


def _numbers(alpha: Any) -> Array:
    try:
        return np.asarray(alpha, dtype=np.float64)
    except (TypeError, ValueError):
        raise BayleafError(f"Found alpha={alpha!r}; expected a number for each column, or one for all") from None


def untried(kind: Any) -> Floats:
    """Losses and errors of each strength before any batch, (2, g)."""
    doubts = Smoothing(kind).doubts()
    return np.stack([doubts, np.zeros_like(doubts)])


class DiscreteNB(NaiveBayes):
    """Smoothing and priors by scikit-learn's parameters, and the choice of alpha by leave-one-out."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "alpha": [Interval(Real, 0, None, closed="left"), "array-like", StrOptions({"auto"})],
        "force_alpha": ["boolean"],
        "smoothing": [StrOptions(set(KINDS))],
        "denominator": [Interval(Real, 0, None, closed="left"), None],
        **PRIOR_CONSTRAINTS,
    }
    _positive: ClassVar[bool] = True  # values are counts or codes
    alpha: Any
    force_alpha: bool
    fit_prior: bool
    class_prior: Any
    smoothing: Any
    denominator: float | None
    # The parameters that read the counts, and losses and errors of each strength under them; none before the first row.
    _tried: tuple[dict[str, Any], Floats | None] = ({}, None)

    def _prior(self) -> Prior:
        return Prior.of(self.fit_prior, self.class_prior)

    def _family(self, smoothing: Smoothing) -> Family:
        raise NotImplementedError

    def _families(self) -> tuple[Family, ...]:
        return (self._family(self._smoothing()),)

    def _smoothing(self) -> Smoothing:
        alpha = self._chosen() if isinstance(self.alpha, str) else self._check_alpha(warn=False)
        strength = float(alpha) if np.ndim(alpha) == 0 else tuple(np.asarray(alpha, dtype=np.float64).tolist())
        return Smoothing(self.smoothing, strength, self.denominator)

    def _check_alpha(self, warn: bool = True) -> Any:
        """Alpha as it is used: checked, and raised to 1e-10 unless `force_alpha`."""
        alpha = self.alpha
        if isinstance(alpha, float | int) and (alpha >= SMALLEST or self.force_alpha):
            return alpha
        if not isinstance(alpha, Real):
            alpha = _numbers(alpha)
            if alpha.shape != (self.n_features_in_,):
                found = f"{alpha.size} elements" if alpha.ndim == 1 else f"the shape {alpha.shape}"
                raise BayleafError(
                    "When alpha is an array, it should contains `n_features`. "
                    f"Got {found} instead of {self.n_features_in_}."
                )
            if not (alpha >= 0).all():
                raise BayleafError(f"All values in alpha must be greater than 0. Found {alpha.min()}.")
            if np.isinf(alpha).any():
                raise BayleafError("All values in alpha must be finite. Found inf.")
        if np.min(alpha) < SMALLEST and not self.force_alpha:
            if warn:
                warnings.warn(
                    f"alpha too small will result in numeric errors, setting alpha = {SMALLEST:.1e}. "
                    "Use `force_alpha=True` to keep alpha unchanged.",
                    stacklevel=3,
                )
            return np.maximum(alpha, SMALLEST)
        return alpha

    # alpha="auto"

    @property
    def alpha_(self) -> Any:
        """The smoothing strength in use; with ``alpha="auto"`` the one that leave-one-out answers speak for.

        Of the strengths whose errors are within one standard error, √errors, of the fewest, the one with the least log
        loss: log loss alone may want all classes alike where the model is too sure of itself (TRIED.md). A decade away
        from 1 costs half a nat of it, so that a few rows do not go to the edge of what is tried. Both add up
        over the batches learned, each against the model of its time; unlearning and subtracting leave them alone. Rows
        that are the only one of their class are left out; where nothing speaks for any strength it is 1, or 0.5 where
        it is a share.

        Each strength costs about a prediction of the batch. Models whose columns all change with each row are weighed
        anew, d columns x k classes of logarithms: Bernoulli and Categorical once for all rows of one class and one
        weight, `ComplementNB(norm=True)` for each row. With 20,000 columns and 20 classes 40 rows take seconds, where
        the weights are all different or `norm` is set; choose alpha on a part of the rows, or of the columns, there.
        """
        try:
            return self._chosen() if isinstance(self.alpha, str) else self._check_alpha(warn=False)
        except BayleafError as error:
            raise AttributeError(str(error)) from None

    def _read_by(self) -> dict[str, Any]:
        """The parameters that say how counts are read, for which alpha is chosen.

        Priors are none of them: what is expected of other rows may change, and says nothing of the columns.
        """
        return {"smoothing": self.smoothing, "denominator": self.denominator}

    def _chosen(self) -> Any:
        now = self._read_by()
        then, tried = self._tried
        if tried is None and (not self.__sklearn_is_fitted__() or not self._model.weight.any()):
            return USUAL[self.smoothing]  # nothing learned yet
        if tried is None or then != now:
            other = ", ".join(f"{name}={value!r}" for name, value in now.items() if then.get(name, ...) != value)
            raise BayleafError(f'alpha="auto" was not chosen for {other}; fit again to choose it')
        losses, errors = tried
        fewest = max(errors.min(), 0.0)
        close = errors <= fewest + np.sqrt(fewest)
        return Smoothing(self.smoothing).grid()[int(np.argmin(np.where(close, losses, np.inf)))].strength

    def _learn(self, blocks: list[Rows], codes: Ints, weights: Floats | None) -> None:
        if isinstance(self.alpha, str):
            self._chosen()  # refuses rows beside those that nothing was tried on
            self._model = self._model.copy()  # what is refused only after counting leaves the one before as it was
            super()._learn(blocks, codes, weights)
            self._tune(blocks, codes, weights)
            return
        self._check_alpha()
        super()._learn(blocks, codes, weights)

    def _tune(self, blocks: list[Rows], codes: Ints, weights: Floats | None) -> None:
        """Add the leave-one-out losses and errors of a batch under each strength to those of earlier batches."""
        some = self._telling(codes, weights)
        if len(some) < len(codes):
            blocks, codes = [rows[some] for rows in blocks], codes[some]
            weights = None if weights is None else weights[some]
        grid = Smoothing(self.smoothing, denominator=self.denominator).grid()
        tried = np.zeros((2, len(grid)))
        for i, smoothing in enumerate(grid):
            model = self._model.read_as((self._family(smoothing),), self._prior())
            joint = model.loo(blocks, codes, weights, fixed_prior=True)
            top = joint.max(axis=1, keepdims=True)
            joint = np.where(
                np.isneginf(top), model.prior.log(model.weight), joint - np.where(np.isneginf(top), 0, top)
            )
            joint = np.maximum(joint, -LARGEST)  # no row counts more, nor less for being impossible throughout
            loss = np.log(np.exp(joint).sum(axis=1)) - joint[np.arange(len(codes)), codes]
            found = np.stack([loss, joint.argmax(axis=1) != codes])
            tried[:, i] = found.sum(axis=1) if weights is None else found @ weights
        then, before = self._tried
        earlier = untried(self.smoothing) if before is None or then != self._read_by() else before
        self._tried = (self._read_by(), tried + earlier)

    def _telling(self, codes: Ints, weights: Floats | None) -> Ints:
        """The rows that tell of smoothing, at most 20,000: those that leave others of their class behind.

        A class without rows has all columns alike, so that the less the others are smoothed, the more a lone row would
        seem to belong to it.
        """
        told = np.flatnonzero(less(self._model.weight[codes], np.ones(len(codes)) if weights is None else weights) > 0)
        return told[np.linspace(0, len(told) - 1, MOST_ROWS).astype(np.int64)] if len(told) > MOST_ROWS else told

    def _merged(self, other: Self, sign: int) -> Self:
        merged = super()._merged(other, sign)
        (by, mine), (other_by, theirs) = self._tried, getattr(other, "_tried", DiscreteNB._tried)  # MixedNB has none
        if sign > 0 and by == other_by and mine is not None and theirs is not None:
            merged._tried = (by, mine + theirs - untried(by["smoothing"]))
        return merged

    def _notes(self) -> tuple[dict[str, Any], dict[str, Array]]:
        about, arrays = super()._notes()
        then, tried = self._tried
        if tried is None or then != self._read_by():  # of no use under the parameters that the file has
            return {**about, "losses": None}, arrays
        named = {"losses": tried[0]} | ({"errors": tried[1]} if tried[1].any() else {})
        return {**about, "losses": self.smoothing}, {**arrays, **named}

    def _recall(self, about: dict[str, Any], arrays: dict[str, Array]) -> None:
        super()._recall(about, arrays)
        if about["losses"] is not None:
            shape = (len(Smoothing(about["losses"]).grid()),)
            # Without them none was made, or the file is older and goes by log loss alone.
            arrays.setdefault("errors", np.zeros(shape))
            tried = [numbers({name: arrays.pop(name)}, name, shape) for name in ("losses", "errors")]
            self._tried = ({**self._read_by(), "smoothing": about["losses"]}, np.stack(tried))

    # attributes

    @property
    def class_log_prior_(self) -> Floats:
        """Log prior per class."""
        return self._prior().log(self._fitted.weight)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        tags.input_tags.positive_only = self._positive
        return tags
