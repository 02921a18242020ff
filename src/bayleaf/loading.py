"""load: the model in a file, whatever its kind."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bayleaf.archive import Archive
from bayleaf.errors import BayleafError

if TYPE_CHECKING:
    import os

ESTIMATORS = ("GaussianNB", "MultinomialNB", "BernoulliNB", "CategoricalNB", "ComplementNB", "PoissonNB", "MixedNB")
KINDS = {
    "text": ("bayleaf.text", "TextClassifier"),
    "records": ("bayleaf.records", "RecordClassifier"),
    **{name: ("bayleaf.estimators", name) for name in ESTIMATORS},
}


def load(path: str | os.PathLike[str]) -> Any:
    """The model in a file that `save` wrote, of whatever kind. No code in the file is run: there is none.

    Refuses, with a `BayleafError` that names the file, whatever is not such a file or is damaged.

    Examples
    --------
    >>> import tempfile, bayleaf
    >>> nb = bayleaf.PoissonNB().fit([[1], [2], [9], [11]], ["quiet", "quiet", "busy", "busy"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     nb.save(folder + "/calls.bayleaf", source="calls.csv")
    ...     again = bayleaf.load(folder + "/calls.bayleaf")
    >>> again.predict([[3], [8]]).tolist()
    ['quiet', 'busy']
    """
    return restored(Archive.read(path), path)


def restored(archive: Archive, path: str | os.PathLike[str]) -> Any:
    """The model in an archive that was read from a file of this name."""
    if archive.kind not in KINDS:
        raise BayleafError(
            f"{path} holds a model of kind {archive.kind[:80]!r}, expected one of {', '.join(KINDS)}; load it with the "
            "class that wrote it"
        )
    home, name = KINDS[archive.kind]
    return getattr(import_module(home), name)._restored(archive, path)
