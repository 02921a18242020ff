"""What bayleaf raises. Each message says what was found, what was expected and what to do."""

from __future__ import annotations


class BayleafError(ValueError):
    """Anything bayleaf refuses; a ``ValueError``, so that callers of scikit-learn estimators already catch it."""


class NegativeCountError(BayleafError):
    """Unlearning or subtracting more than was learned."""


class MismatchError(BayleafError):
    """Two models or tallies that do not fit together."""


class BadValueError(BayleafError):
    """A value in the rows that the family cannot count: negative, infinite, not 0 or 1, an unseen category.

    `row` and `column` tell where it was found, if that is known.
    """

    def __init__(self, words: str, kind: str = "", row: int | None = None, column: str | None = None) -> None:
        super().__init__(words)
        self.kind, self.row, self.column = kind, row, column


class StoreError(BayleafError):
    """A store that cannot be opened, read or written."""


class StoreAwayError(StoreError):
    """A store whose database cannot be reached at the moment; nothing is known to be wrong with it."""


class OtherSecretError(StoreError):
    """The store of a user whose keys cannot be compared with those of the shared one."""


class NotLearnedError(StoreError):
    """A mail whose learning cannot be taken back: it was never learned here, or is no longer known as it was."""


class NoFileError(BayleafError, FileNotFoundError):
    """A model file that is not there; a ``FileNotFoundError`` too, so that callers may ask for either."""


class DataError(BayleafError):
    """A data file that cannot be read, or a data set that cannot be had; the words name the file and the line."""


class ImpossibleRowsWarning(UserWarning):
    """Some rows are impossible under every class (no smoothing); their posterior is the prior."""


class TruncatedCodesWarning(UserWarning):
    """Category codes that are not whole numbers; they are cut, as scikit-learn does without a word."""
