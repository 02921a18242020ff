"""Learner: fit, partial_fit, unlearn and merge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayleaf.errors import BayleafError, MismatchError
from bayleaf.estimators import door, labelling
from bayleaf.estimators.copied import Copied
from bayleaf.estimators.summed import Summed
from bayleaf.families import Prior
from bayleaf.model import Model, refuse_other_counts, united
from bayleaf.rows import Rows

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.families import Family


class Learner(Summed, Copied):
    """Keeps a `Model` and adds rows to it, takes them away, or adds another's."""

    _sparse: ClassVar[bool] = True
    new_labels: str
    n_features_in_: int

    # what each estimator says

    def _families(self) -> tuple[Family, ...]:
        raise NotImplementedError

    def _prior(self) -> Prior:
        raise NotImplementedError

    def _blocks(
        self, X: Any, reset: bool = False, learning: bool = False, known: bool = False, weights: Floats | None = None
    ) -> list[Rows]:
        """The rows of each family, checked.

        `reset` sets what is expected from now on, `learning` may add to it, `known` refuses what was never learned;
        rows that have no weight do neither.
        """
        checked = door.values(self, X, reset=reset, accept_sparse=self._sparse)
        names = getattr(self, "feature_names_in_", None)
        return [Rows.of(checked, source=f"{type(self).__name__} (input X)", names=names)]

    def _column_order(self) -> list[int]:
        """The numbers of the columns as the families hold them."""
        return list(range(self.n_features_in_))

    def _widths(self) -> list[int]:
        """Columns of each family."""
        return [self.n_features_in_]

    # learning

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget everything and learn these rows.

        Parameters
        ----------
        X : array, sparse matrix or dataframe of shape (n, d)
            The rows; NaN, None and NA are missing values.
        y : array of shape (n,)
            Their labels.
        sample_weight : array of shape (n,), optional
            Weight of each row; 0 means absent.

        Returns
        -------
        self
        """
        with self._all_or_nothing():
            self._validate_params()
            for learned in ("_model", "_tried"):
                self.__dict__.pop(learned, None)
            found, weights = labelling.labels(self, y), door.weights(sample_weight, X)
            blocks = self._blocks(X, reset=True, learning=True, weights=weights)
            labelling.same_length(len(blocks[0]), found)
            classes, codes = labelling.number(found)
            self._start(classes)
            self._learn(blocks, codes, weights)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn these rows on top of what is known; one row is a batch of one.

        `classes` lists all labels that may come; it is needed at the first call, and is the same at later ones. With
        ``new_labels="grow"`` it is never needed, and labels that are unknown, in it or in y, are not refused.

        Returns
        -------
        self
        """
        first = not self.__sklearn_is_fitted__()
        if first or classes is not None:
            self._check_classes(classes, first)
        if not first:
            return self._continue(X, y, classes, sample_weight)
        with self._all_or_nothing():
            self._validate_params()
            weights = door.weights(sample_weight, X)
            blocks = self._blocks(X, reset=True, learning=True, weights=weights)
            given = labelling.labels(self, y)
            self._start(self._numbered(given if classes is None else classes))
            self._learn(blocks, self._codes(given, len(blocks[0]), self.new_labels), weights)
        return self

    def _continue(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> Self:
        self._accept()
        before = dict(self.__dict__)
        try:  # by hand: as a context it would cost one row a tenth of its time
            if classes is not None:
                self._grow(self._numbered(classes))
            weights = door.weights(sample_weight, X, some=False)
            blocks = self._blocks(X, learning=True, weights=weights)
            self._learn(blocks, self._codes(y, len(blocks[0]), self.new_labels), weights)
        except BaseException:
            self._restore(before)
            raise
        return self

    def _check_classes(self, classes: Any, first: bool) -> None:
        if first and classes is None and self.new_labels != "grow":
            raise BayleafError("classes must be passed on the first call to partial_fit.")
        if first or self.new_labels == "grow":
            return
        if not np.array_equal(self.classes_, np.sort(labelling.labels(self, labelling.listed(classes)))):
            raise BayleafError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}"
            )

    def _numbered(self, classes: Any) -> Array:
        """The labels that may come, each once, sorted."""
        return labelling.number(labelling.labels(self, labelling.listed(classes)))[0]

    def _start(self, classes: Array) -> None:
        prior = self._prior()
        prior.log(np.zeros(len(classes)))  # refuses priors that do not fit the labels, before anything is learned
        self._model = Model.empty(classes, self._families(), self._widths(), prior)
        self._accepted = True

    def _codes(self, y: Any, n: int, new_labels: str | None = None) -> Ints:
        """Class numbers of known labels; the model grows by the unknown ones where rows are learned and it may."""
        given = labelling.labels(self, y) if type(y) is not np.ndarray or y.ndim != 1 else y
        labelling.same_length(n, given)
        codes, strange = labelling.codes_of(given, self._model.labels)
        if not strange.any():
            return codes
        names = labelling.number(labelling.labels(self, given[strange]))[0]
        if new_labels != "grow":
            remedy = "Pass the labels under which the rows were learned"
            if new_labels is not None:
                remedy = 'Pass all labels as `classes` at the first call, or set new_labels="grow"'
            raise BayleafError(
                f"The target label(s) {names} in y do not exist in the initial classes {self.classes_}. {remedy}"
            )
        self._grow(names)
        return labelling.codes_of(given, self.classes_)[0]

    def _grow(self, names: Array) -> None:
        """Take labels in."""
        labels = united(self.classes_, names)
        self._prior().log(np.zeros(len(labels)))  # refuses labels that no prior was given for
        self._model = self._model.relabelled(labels)

    def _counted(
        self, blocks: list[Rows], codes: Ints, weights: Floats | None
    ) -> tuple[list[Rows], Ints, Floats | None]:
        """What the model is shown of the rows; those without weight may be left out, and count nothing anyhow."""
        return blocks, codes, weights

    def _learn(self, blocks: list[Rows], codes: Ints, weights: Floats | None) -> None:
        self._model.learn(blocks, codes, weights)

    def unlearn(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows away that were learned before; counts are exactly back where they were.

        Categories and labels stay known, with count 0. Refuses, and changes nothing, where a count or a spread
        would fall below zero: such rows were never learned. A number like those that were learned cannot be told.

        Returns
        -------
        self
        """
        check_is_fitted(self)
        self._accept()
        weights = door.weights(sample_weight, X, some=False)
        blocks = self._blocks(X, known=True, weights=weights)
        self._model.unlearn(*self._counted(blocks, self._codes(y, len(blocks[0])), weights))
        return self

    def _merged(self, other: Self, sign: int) -> Self:
        check_is_fitted(self)
        if not isinstance(other, Learner):
            raise MismatchError(
                f"Cannot merge {type(self).__name__} with {type(other).__name__}; expected an estimator"
            )
        check_is_fitted(other)
        if self.n_features_in_ != other.n_features_in_:
            raise MismatchError(
                f"Cannot merge a model of {other.n_features_in_} columns with one of {self.n_features_in_}; expected "
                "the same columns"
            )
        mine, theirs = (list(getattr(side, "feature_names_in_", ())) for side in (self, other))
        if mine and theirs and mine != theirs:
            strange = next(a for a, b in zip(theirs, mine, strict=True) if a != b)
            raise MismatchError(
                f"Cannot merge models of different columns: found {strange!r}, expected {mine}. Bring the "
                "columns into the same order before fitting"
            )
        if self._column_order() != other._column_order():
            raise MismatchError(
                f"Cannot merge models whose families hold the columns in another order: found {other._column_order()}, "
                f"expected {self._column_order()}. Name them in the same order under families"
            )
        merged = self._twin()
        merged._model = self._read().merge(other._read(), sign)
        self._prior().log(merged._model.weight)  # refuses labels that no prior was given for
        return merged

    # what was learned

    def __sklearn_is_fitted__(self) -> bool:
        return "_model" in self.__dict__

    def _detach(self) -> None:
        self._model = self._model.copy()

    def _read(self) -> Model:
        """The model under the current parameters: changing one weighs again and never counts again."""
        if not self.__sklearn_is_fitted__():
            check_is_fitted(self)  # which raises; asked always, it would take a tenth of the time of one row
        self._accept()
        return self._model.read_as(self._families(), self._prior())

    def _refuse_parameters(self) -> None:
        refuse_other_counts(self._model.families, self._families())
        self._prior().refuse_fewer(len(self._model.labels))

    @property
    def classes_(self) -> Array:
        """Labels, sorted."""
        return self._fitted.labels

    @property
    def class_count_(self) -> Floats:
        """Weight of the rows learned per class."""
        return self._fitted.weight.copy()

    @property
    def _fitted(self) -> Model:
        try:
            model: Model = self.__dict__["_model"]
        except KeyError:
            raise AttributeError(f"this {type(self).__name__} is not fitted yet: call fit first") from None
        return model
