"""What bayleaf raises. Each message says what was found, what was expected and what to do."""

from __future__ import annotations


class BayleafError(ValueError):
    """Anything bayleaf refuses; a ``ValueError``, so that callers of scikit-learn estimators already catch it."""


class NegativeCountError(BayleafError):
    """Unlearning or subtracting more than was learned."""


class MismatchError(BayleafError):
    """Two models or tallies that do not fit together."""


class BadValueError(BayleafError):
    """A value in the rows that the family cannot count: negative, infinite, a fraction where a code is expected."""


class ImpossibleRowsWarning(UserWarning):
    """Some rows are impossible under every class (no smoothing); their posterior is the prior."""
