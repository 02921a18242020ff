"""RecordClassifier: numbers, categories and texts in, labels out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import StrOptions

from bayleaf.encoders.text import PRESETS, TextEncoder
from bayleaf.estimators.classified import Classified
from bayleaf.estimators.door import at_most
from bayleaf.explanation import Explanations
from bayleaf.families import Prior
from bayleaf.families.evidence import shares
from bayleaf.records.drawing import drawn
from bayleaf.records.learning import RecordLearning
from bayleaf.records.reasons import reasons
from bayleaf.records.strongest import strongest
from bayleaf.text.jobs import JOBS

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats


class RecordClassifier(Classified, RecordLearning):
    """Naive Bayes for tables of numbers, categories and texts, as they come out of a CSV file.

    Numbers and categories are counted by a `MixedNB`, texts by a `TextClassifier`. The counts are exact: learning,
    unlearning and merging give the same in any order. What each of the three parts is worth beside the others, how it
    is smoothed, and what evidence for one label says about the others, is derived from at most 20,000 records, each
    judged by what is left without it: no validation set is needed. A table of nothing but text gives the probabilities
    of `TextClassifier`.

    Parameters
    ----------
    columns : dict, optional
        What columns hold: "number", "category", "text" or "ignore", by name. Others are guessed from the first records.
    encoder : str or TextEncoder, default="default"
        How texts become features, as in `TextClassifier`.
    n_jobs : int, optional
        Threads; all cores by default and with -1. The answers do not depend on it.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    feature_names_in_, n_features_in_ : array and int
        The names of the columns, in the order in which they came, and their number.
    columns_ : dict
        The kind of each column.
    guesses_ : dict
        The same with the reason: (kind, why).
    numerals_ : dict
        How the files of `bayleaf train` wrote the numbers of a column where `float` does not read them: decimal
        "comma", "point" or "apostrophe", a sign such as "%" behind it. Commands read further files alike.
    chosen_ : dict
        The smoothing of categories (alpha) and numbers (var_smoothing) and in how many groups numbers are read, where
        there are such columns; the worth of each part and of each column (what their evidence is multiplied by; numbers
        as normal ones and in groups together), the floor of the probabilities, and the leave-one-out log loss and
        accuracy, on how many rows.
    aged_ : bool
        Whether records were learned or unlearned since these were derived. They are derived again when the number of
        records has doubled, or by `retune`.

    Examples
    --------
    >>> from bayleaf import RecordClassifier
    >>> X = {
    ...     "price": ["900", "1200", "15", "", "20", "800"],
    ...     "colour": ["grey", "grey", "red", "red", "blue", None],
    ...     "title": ["fast laptop", "laptop for work", "warm jacket", "rain jacket", "jacket, warm", "used laptop"],
    ... }
    >>> clf = RecordClassifier().fit(X, ["computer", "computer", "clothes", "clothes", "clothes", "computer"])
    >>> clf.columns_
    {'price': 'number', 'colour': 'category', 'title': 'text'}
    >>> clf.predict([{"price": "1000", "colour": "red", "title": "laptop"}]).tolist()
    ['computer']
    """

    _kind, _home = "records", "bayleaf.records.archive"
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "columns": [dict, None],
        "encoder": [StrOptions(set(PRESETS)), TextEncoder],
        "n_jobs": JOBS,
    }

    def __init__(
        self,
        columns: dict[str, str] | None = None,
        *,
        encoder: str | TextEncoder = "default",
        n_jobs: int | None = None,
    ) -> None:
        self.columns = columns
        self.encoder = encoder
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.categorical, tags.input_tags.allow_nan = True, True, True
        return tags

    def predict_proba(self, X: Any) -> Floats:
        """P(label | record), (n, k); columns as in `classes_`.

        Every column that was learned must be there; others are passed over. Missing values are left out.
        """
        return self._posterior(self.predict_joint_log_proba(X))

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """The scores whose softmax gives the probabilities (up to their floor), (n, k)."""
        return self._joint(self._records(X))

    def loo_predict_log_proba(self, X: Any, y: Any) -> Floats:
        """Log probabilities of learned records, each judged by the counts without it.

        The counts are exactly those without the record, and of nothing but text without its copies too, though its
        class keeps its size, as in `TextClassifier`. The derived numbers have seen it, so that the level is a little
        optimistic.
        """
        records = self._records(X)
        codes, worth = self._codes(y, len(records)), self._worth()
        if self._parts.alone is not None:
            return self._parts.alone.loo(records, self.classes_[codes])
        own = np.arange(len(codes)), codes
        left = np.tile(self._parts.weight, (len(codes), 1))
        left[own] = np.maximum(left[own] - 1.0, 0.0)
        joint = worth.joint(Prior().log(left), self._parts.loo(records, codes, self._parts.names, worth.columns))
        with np.errstate(divide="ignore"):
            return np.log(worth.posterior(joint, shares(left)))

    def explain(self, X: Any) -> Explanations:
        """Why each record gets its label: prior, and what every value and token adds, adding up to the score.

        Tokens have their places in the text as `spans`; missing values are left out.
        """
        return reasons(self, self._records(X))

    def strongest(self, count: int = 10) -> dict[Any, list[tuple[str, float]]]:
        """For each label what speaks for it most in its records, with its weight in nats.

        A token and a category weigh what they add to the score of the label, above the average of all labels, where
        they are there, a token once in a text of average length; a number weighs what its values add on average. They
        are ranked by what they add on average to the records of the label, so that rare ones come late.
        """
        return strongest(self, at_most(count))

    def sample(self, n_samples: int = 1, random_state: Any = None) -> tuple[dict[str, list[Any]], Array]:
        """Columns and labels of records drawn from the model.

        Categories are drawn from their distributions, numbers in the proportion of the counts of the class, to three or
        four digits (from normal distributions by model files of before). So are words: their order and the length of a
        text are not part of the model, and each text is as long as learned ones are on average, or 12 words where that
        is not known.
        """
        return drawn(self, n_samples, random_state)
