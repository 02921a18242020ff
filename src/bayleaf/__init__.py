"""Naive Bayes, complete: learn, unlearn, merge and explain, at native speed.

Names are loaded when they are first used, so that ``import bayleaf`` costs a millisecond.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bayleaf.errors import (
        BadValueError,
        BayleafError,
        ImpossibleRowsWarning,
        MismatchError,
        NegativeCountError,
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
    from bayleaf.tally import Counts, Moments

__version__ = "0.1.0"

_HOMES = {
    "BadValueError": "errors",
    "BayleafError": "errors",
    "BernoulliNB": "estimators",
    "CategoricalNB": "estimators",
    "Clue": "explanation",
    "ComplementNB": "estimators",
    "Counts": "tally",
    "Explanation": "explanation",
    "GaussianNB": "estimators",
    "ImpossibleRowsWarning": "errors",
    "MismatchError": "errors",
    "MixedNB": "estimators",
    "Moments": "tally",
    "MultinomialNB": "estimators",
    "NegativeCountError": "errors",
    "PoissonNB": "estimators",
    "TruncatedCodesWarning": "errors",
}

__all__ = [
    "BadValueError",
    "BayleafError",
    "BernoulliNB",
    "CategoricalNB",
    "Clue",
    "ComplementNB",
    "Counts",
    "Explanation",
    "GaussianNB",
    "ImpossibleRowsWarning",
    "MismatchError",
    "MixedNB",
    "Moments",
    "MultinomialNB",
    "NegativeCountError",
    "PoissonNB",
    "TruncatedCodesWarning",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'bayleaf' has no attribute {name!r}")
    value = getattr(import_module(f"bayleaf.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
