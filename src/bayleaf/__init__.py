"""Naive Bayes, complete: learn, unlearn, merge and explain, at native speed.

Names are loaded when they are first used, so that ``import bayleaf`` costs a few milliseconds.
"""

from importlib import import_module

TYPE_CHECKING = False  # importing typing for it would cost more than all the rest
if TYPE_CHECKING:
    from bayleaf._core import __version__ as __version__
    from bayleaf.errors import (
        BadValueError,
        BayleafError,
        DataError,
        ImpossibleRowsWarning,
        MismatchError,
        NegativeCountError,
        NoFileError,
        StoreError,
        TruncatedCodesWarning,
    )
    from bayleaf.estimators import (
        BernoulliNB,
        CategoricalNB,
        ComplementNB,
        GaussianNB,
        MixedNB,
        MultinomialNB,
        PoissonNB,
    )
    from bayleaf.explanation import Clue, Explanation
    from bayleaf.families.evidence import EvidenceTable
    from bayleaf.loading import load
    from bayleaf.records import RecordClassifier
    from bayleaf.tally import Counts, KeyedCounts, Moments
    from bayleaf.text import TextClassifier

_HOMES = {
    "__version__": "_core",  # that of the Cargo workspace
    "BadValueError": "errors",
    "BayleafError": "errors",
    "BernoulliNB": "estimators",
    "CategoricalNB": "estimators",
    "Clue": "explanation",
    "ComplementNB": "estimators",
    "Counts": "tally",
    "DataError": "errors",
    "EvidenceTable": "families.evidence",
    "Explanation": "explanation",
    "GaussianNB": "estimators",
    "ImpossibleRowsWarning": "errors",
    "KeyedCounts": "tally",
    "MismatchError": "errors",
    "MixedNB": "estimators",
    "Moments": "tally",
    "MultinomialNB": "estimators",
    "NegativeCountError": "errors",
    "NoFileError": "errors",
    "PoissonNB": "estimators",
    "RecordClassifier": "records",
    "StoreError": "errors",
    "TextClassifier": "text",
    "TruncatedCodesWarning": "errors",
    "load": "loading",
}
_PARTS = ("datasets", "mail", "plot", "readers", "spark", "text")  # found, but not listed: some need an extra

__all__ = [
    "BadValueError",
    "BayleafError",
    "BernoulliNB",
    "CategoricalNB",
    "Clue",
    "ComplementNB",
    "Counts",
    "DataError",
    "EvidenceTable",
    "Explanation",
    "GaussianNB",
    "ImpossibleRowsWarning",
    "KeyedCounts",
    "MismatchError",
    "MixedNB",
    "Moments",
    "MultinomialNB",
    "NegativeCountError",
    "NoFileError",
    "PoissonNB",
    "RecordClassifier",
    "StoreError",
    "TextClassifier",
    "TruncatedCodesWarning",
    "load",
]


def __getattr__(name: str) -> object:
    if name in _PARTS:
        return import_module(f"bayleaf.{name}")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'bayleaf' has no attribute {name!r}")
    value = getattr(import_module(f"bayleaf.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
