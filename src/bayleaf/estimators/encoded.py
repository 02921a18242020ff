"""Encoded: estimators that keep a dictionary of categories."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import compress, islice
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayleaf.archive.values import packed, unpacked
from bayleaf.encoders import CategoryEncoder
from bayleaf.encoders.categories import UNKNOWN, plain
from bayleaf.errors import BadValueError, BayleafError, MismatchError
from bayleaf.estimators.base import NaiveBayes
from bayleaf.estimators.keeper import taken, under
from bayleaf.families import Categorical

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.model import Model
    from bayleaf.rows import Rows


class Encoded(NaiveBayes):
    """Values become codes by a sorted dictionary; when it grows, the counts move to their new places."""

    _encoder: CategoryEncoder | None

    def _learn_values(self, columns: Sequence[Any], weights: Floats | None) -> None:
        """Put new values into the dictionary, except those of rows without weight."""
        if weights is not None and not weights.all():
            columns = [list(compress(column, weights > 0)) for column in columns]
        before, found = self._encoder, CategoryEncoder.of(columns)
        self._encoder = self._united(found)
        if before is not None and self.__sklearn_is_fitted__():
            self._model = moved(self._model, before, self._encoder)

    def _united(self, found: CategoryEncoder) -> CategoryEncoder:
        """The known categories and these; refuses text and another value that are written alike."""
        both = found if self._encoder is None else self._encoder.united(found)
        for column, known in enumerate(both.categories if both is not self._encoder else ()):
            if (twins := both.twins(column, known)) is not None:
                raise self._mixed(column, *twins)
        return both

    def _coded(self, columns: Sequence[Any]) -> Array:
        """The codes of values; refuses those that would be unseen only for being text, or for being none."""
        assert self._encoder is not None
        codes = self._encoder.codes(columns)
        for column in np.flatnonzero((codes == UNKNOWN).any(axis=0)).tolist():
            values = {columns[column][row] for row in np.flatnonzero(codes[:, column] == UNKNOWN).tolist()}
            if (twins := self._encoder.twins(column, map(plain, values))) is not None:
                raise self._mixed(column, *twins)
        return codes

    def _mixed(self, column: int, value: Any, other: Any) -> BayleafError:
        return BayleafError(
            f"Found {reprlib.repr(value)} in column {self._category_names()[column]} where {reprlib.repr(other)} is "
            "known; expected text in both places or in none, since '1' and 1 are two categories. Convert the column, "
            "for example by astype(str)"
        )

    def _category_names(self) -> list[str]:
        """The names of the columns that hold categories."""
        return self._names()[0]

    def _counted(
        self, blocks: list[Rows], codes: Ints, weights: Floats | None
    ) -> tuple[list[Rows], Ints, Floats | None]:
        if weights is None or weights.all():
            return blocks, codes, weights
        kept = np.flatnonzero(weights)  # the others may hold categories that have no place
        return [rows[kept] for rows in blocks], codes[kept], weights[kept]

    def _learn(self, blocks: list[Rows], codes: Ints, weights: Floats | None) -> None:
        blocks, codes, weights = self._counted(blocks, codes, weights)
        if len(codes):
            super()._learn(blocks, codes, weights)

    def _refuse_unseen(
        self,
        codes: Array,
        sizes: Ints,
        columns: Sequence[Any],
        names: Sequence[str],
        weights: Floats | None,
        learned: bool,
    ) -> None:
        """Refuse codes that were never learned, by their value; `learned`: of rows that are said to have been."""
        unseen = codes >= (sizes if self._encoder is None else self._encoder.sizes)
        strange = np.argwhere(unseen if weights is None else unseen & (weights > 0)[:, None])
        if len(strange):
            row, column = (int(i) for i in strange[0])
            found = plain(columns[column][row])
            remedy = 'Learn it first, or set unseen="ignore" to pass it over'
            raise BadValueError(
                f"Unseen category {found!r} in row {row}, column {names[column]}; expected one that was learned. "
                f"{'Pass rows as they were learned' if learned else remedy}"
            )

    def _merged(self, other: Self, sign: int) -> Self:
        check_is_fitted(self)
        if isinstance(other, Encoded):
            check_is_fitted(other)
        mine, theirs = self._encoder, getattr(other, "_encoder", None)
        if isinstance(other, Encoded) and (mine is None) != (theirs is None):
            raise MismatchError("Cannot merge a model of category codes with one of values; expected the same kind")
        if mine is None or theirs is None or mine == theirs or len(mine.categories) != len(theirs.categories):
            return super()._merged(other, sign)
        both = self._united(theirs)
        left, right = self._twin(), other._twin()
        left._model, right._model = moved(self._model, mine, both), moved(other._model, theirs, both)
        left._encoder = right._encoder = both
        return super(Encoded, left)._merged(right, sign)

    # keeping

    def _notes(self) -> tuple[dict[str, Any], dict[str, Array]]:
        about, arrays = super()._notes()
        if self._encoder is None:
            return about, arrays
        values = [value for known in self._encoder.categories for value in known]
        return about, arrays | under("categories", {**packed(values), "sizes": self._encoder.sizes})

    def _recall(self, about: dict[str, Any], arrays: dict[str, Array]) -> None:
        super()._recall(about, arrays)
        self._encoder, lists = None, taken(arrays, "categories")
        if lists:
            sizes = lists.pop("sizes")
            values = iter(unpacked(lists))
            found = [list(islice(values, size)) for size in sizes.tolist()]
            self._encoder = CategoryEncoder.of(found)
            if next(values, None) is not None or [list(known) for known in self._encoder.categories] != found:
                raise BayleafError("Found categories that are not sorted or not distinct; expected each one once")

    def _refuse_unfit(self) -> None:
        if self._encoder is None:
            return
        pairs = zip(self._model.families, self._model.tallies, strict=True)
        sizes = [tally.sizes for family, tally in pairs if isinstance(family, Categorical)]
        known = self._encoder.sizes
        if len(sizes) != 1 or len(sizes[0]) != len(known) or (sizes[0] < known).any():
            raise BayleafError("Found categories without counts; expected as many as were counted")

    def _category(self, column: int, code: float) -> Any:
        """The value that a code stands for, NaN where it is missing and a question mark where it was never learned."""
        if code != code:
            return float(code)
        known = () if self._encoder is None else self._encoder.categories[column]
        return known[int(code)] if 0 <= code < len(known) else "?"


def moved(model: Model, before: CategoryEncoder, after: CategoryEncoder) -> Model:
    """The model with its categories at the places of another encoder."""
    if before == after:
        return model
    places = before.places(after)
    pairs = zip(model.families, model.tallies, strict=True)
    tallies = [tally.reordered(places) if isinstance(family, Categorical) else tally for family, tally in pairs]
    return replace(model, tallies=tuple(tallies), _ready=None)
