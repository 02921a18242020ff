"""Keeper: an estimator as an archive, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bayleaf.archive import Archive
from bayleaf.archive.archived import Archived
from bayleaf.archive.labels import PLAIN, labels_of, written
from bayleaf.archive.values import packed, unpacked
from bayleaf.encoders.categories import plain
from bayleaf.errors import BayleafError, NegativeCountError
from bayleaf.estimators.learner import Learner
from bayleaf.model import Model, refuse_nonsense

if TYPE_CHECKING:
    from bayleaf.arrays import Array

Arrays = dict[str, "Array"]


class Keeper(Archived, Learner):
    """Writes parameters, labels, names of columns and tallies. What else an estimator keeps, it notes itself."""

    def _notes(self) -> tuple[dict[str, Any], Arrays]:
        """What belongs to this kind of estimator only: entries of `about`, and arrays."""
        return {}, {}

    def _recall(self, about: dict[str, Any], arrays: Arrays) -> None:
        """Take from both what `_notes` gave; refuses what cannot have come from there."""

    def _refuse_unfit(self) -> None:
        """Refuse tallies that do not fit what was recalled."""

    def _archive(self) -> Archive:
        model = self._read()
        self._prior().log(model.weight)  # refuses priors of other labels
        refuse_nonsense(model.families, model.tallies)  # here, where nothing is lost yet, rather than on loading
        about, arrays = self._notes()
        parameters, given = _parameters(self.get_params(deep=False))
        about |= {"parameters": parameters, "columns": self.n_features_in_, **written(model.labels)}
        arrays |= under("parameters", given)
        if hasattr(self, "feature_names_in_"):
            arrays |= under("columns", packed([str(name) for name in self.feature_names_in_]))
        for family, tally in zip(model.families, model.tallies, strict=True):
            arrays |= under(family.name, tally.arrays())
        return Archive(self._kind_name(), about, arrays)

    @classmethod
    def _from_archive(cls, archive: Archive) -> Self:
        nb, about, left = cls(), archive.about, dict(archive.arrays)
        parameters = {**about["parameters"], **taken(left, "parameters")}
        if set(parameters) != set(nb.get_params(deep=False)):
            raise BayleafError(f"Found the parameters {sorted(parameters)}, expected those of {cls.__name__}")
        nb.set_params(**parameters)
        nb._validate_params()
        nb._recall_columns(about, left)
        nb._recall(about, left)
        labels, families = labels_of(about), nb._families()
        pairs = zip(families, nb._widths(), strict=True)
        tallies = tuple(
            type(family.zero(1, 0)).restored(taken(left, family.name), len(labels), width) for family, width in pairs
        )
        if left:
            raise BayleafError(f"Found the array {min(left)[:80]!r}, which belongs to nothing")
        prior = nb._prior()
        prior.log(np.zeros(len(labels)))  # refuses priors that do not fit the labels
        nb._model = Model(labels, families, tallies, prior)
        nb._refuse_unfit()
        nb._accept()
        try:
            refuse_nonsense(families, tallies)
        except NegativeCountError:
            raise BayleafError("Found counts that no rows can have left, larger than their class") from None
        return nb

    def _recall_columns(self, about: dict[str, Any], left: Arrays) -> None:
        width, names = about["columns"], taken(left, "columns")
        if type(width) is not int or width < 1:
            raise BayleafError(f"Found {str(width)[:80]} columns, expected a number above 0")
        self.n_features_in_ = width
        if names:
            values = unpacked(names)
            if len(values) != width or not all(isinstance(name, str) for name in values):
                raise BayleafError(f"Found {len(values)} names of columns, expected {width}, all of them text")
            self.feature_names_in_ = np.array(values, dtype=object)


def under(name: str, arrays: Mapping[str, Array]) -> Arrays:
    """The arrays with a name in front."""
    return {f"{name}/{key}": array for key, array in arrays.items()}


def taken(left: Arrays, name: str) -> Arrays:
    """The arrays that have this name in front, taken out of those that are left."""
    start = name + "/"
    return {key.removeprefix(start): left.pop(key) for key in sorted(left) if key.startswith(start)}


def _parameters(given: dict[str, Any]) -> tuple[dict[str, Any], Arrays]:
    """Parameters as JSON and, where they are arrays, as arrays."""
    simple: dict[str, Any] = {}
    arrays: Arrays = {}
    for name, value in given.items():
        if isinstance(value, Mapping):
            simple[name] = {str(key): _list(name, part) for key, part in value.items()}
        elif value is None or isinstance(value, (*PLAIN, np.generic)):
            simple[name] = plain(value)
        elif isinstance(value, list | tuple):
            simple[name] = _list(name, value)
        else:
            arrays[name] = np.asarray(value)
            if arrays[name].dtype.kind not in "biuf":
                raise BayleafError(f"Found {name}={value!r}; a file holds numbers, text and lists of them")
    return simple, arrays


def _list(name: str, values: Any) -> list[Any]:
    plains = [plain(value) for value in values]
    strange = next((value for value in plains if type(value) not in PLAIN), None)
    if strange is not None:
        raise BayleafError(f"Found {strange!r} in {name}; a file holds numbers, text and lists of them")
    return plains
