"""TextClassifier: documents in, labels out."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from bayleaf.encoders.text import PRESETS, TextEncoder
from bayleaf.errors import BayleafError
from bayleaf.estimators.classified import Classified
from bayleaf.estimators.door import at_most
from bayleaf.estimators.labelling import same_length
from bayleaf.explanation import Explanation, Explanations
from bayleaf.families.evidence import COLDEST, EvidenceTable
from bayleaf.families.smoothing import KINDS
from bayleaf.text.batches import held_list, in_parts, in_slices
from bayleaf.text.jobs import JOBS
from bayleaf.text.learning import TextLearning
from bayleaf.text.reasons import reasons
from bayleaf.text.sample import places_of
from bayleaf.text.textbook import FAMILIES

if TYPE_CHECKING:
    from bayleaf.arrays import Floats
    from bayleaf.text.evidence import EvidenceReader
    from bayleaf.text.textbook import TextbookReader


class TextClassifier(Classified, TextLearning):
    """Naive Bayes for texts: counts by 64-bit key, read with what each kind of evidence has proved to be worth.

    The counts are exact: learning, unlearning and merging give the same numbers in any order. How they are read is
    derived from them and from a sample of at most 100,000 documents, each judged by what is left without it (and
    without its copies): no validation set is needed. `chosen_` and `table_` show what was chosen, `aged_` whether
    documents came or went since.

    Parameters
    ----------
    encoder : str or TextEncoder, default="default"
        What the features are: the name of a preset ("default": words, marks and their pairs; "small": no pairs;
        "words", "sparse", "letters") or an encoder.
    family : {"evidence", "multinomial", "boolean", "complement", "bernoulli"}, default="evidence"
        How counts are read: the evidence table, or a textbook model.
    alpha : float, "auto" or None, default=None
        Smoothing strength; None is 1.6 for "evidence" (in units of 1/128 document) and 1 for the others, 0.5 where it
        is a share ("jelinek-mercer", "absolute"); "auto" chooses by leave-one-out (textbook families).
    smoothing : {"lidstone", "background", "jelinek-mercer", "absolute"}, default="lidstone"
        Kind of smoothing of the textbook families; see `bayleaf.families.Smoothing`.
    fit_prior, class_prior : bool and array, default=True and None
        Priors from the data, uniform (``fit_prior=False``) or given.
    table : {"auto", "kinds"} or EvidenceTable, default="auto"
        The evidence table; fitted on leave-one-out evidence unless given. "kinds" leaves out what common words say
        beyond their kind.
    temperature : "auto" or float, default="auto"
        Of the textbook families: what log-odds are divided by. 1 is the textbook itself, whose probabilities are far
        too sure; more is less sure.
    buckets : int, optional
        Keep at most so many keys of each order apart, for endless streams; not with "bernoulli".
    keep_text : bool, default=True
        Keep the text of the tokens, which `top_tokens` needs; `explain` does not.
    n_jobs : int, optional
        Threads that read texts; all cores by default and with -1. The answers do not depend on it.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    class_count_ : array
        How many texts were learned per class.
    chosen_ : dict
        What was chosen by leave-one-out, with its log loss there.
    table_ : EvidenceTable or None
        The derived numbers with their names (``table_.weights()``).
    aged_ : bool
        Whether documents were learned or unlearned since these were derived. They are derived again when the number of
        documents has doubled, or by `retune`.

    Examples
    --------
    >>> from bayleaf import TextClassifier
    >>> texts = ["win money now", "cheap money offer", "lunch at noon?", "see you at lunch"]
    >>> clf = TextClassifier().fit(texts, ["spam", "spam", "ham", "ham"])
    >>> clf.predict(["money offer", "noon lunch"]).tolist()
    ['spam', 'ham']
    """

    _kind, _home = "text", "bayleaf.text.archive"
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "encoder": [StrOptions(set(PRESETS)), TextEncoder],
        "family": [StrOptions({"evidence", *FAMILIES})],
        "alpha": [Interval(Real, 0, None, closed="left"), StrOptions({"auto"}), None],
        "smoothing": [StrOptions(set(KINDS))],
        "fit_prior": ["boolean"],
        "class_prior": ["array-like", None],
        "table": [StrOptions({"auto", "kinds"}), EvidenceTable],
        "temperature": [StrOptions({"auto"}), Interval(Real, COLDEST, None, closed="left")],
        "buckets": [Interval(Integral, 1, None, closed="left"), None],
        "keep_text": ["boolean"],
        "n_jobs": JOBS,
    }

    def __init__(
        self,
        encoder: str | TextEncoder = "default",
        *,
        family: str = "evidence",
        alpha: float | str | None = None,
        smoothing: str = "lidstone",
        fit_prior: bool = True,
        class_prior: Any = None,
        table: str | EvidenceTable = "auto",
        temperature: float | str = "auto",
        buckets: int | None = None,
        keep_text: bool = True,
        n_jobs: int | None = None,
    ) -> None:
        self.encoder = encoder
        self.family = family
        self.alpha = alpha
        self.smoothing = smoothing
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.table = table
        self.temperature = temperature
        self.buckets = buckets
        self.keep_text = keep_text
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array, tags.input_tags.one_d_array = True, False, True
        return tags

    # reading

    @property
    def class_count_(self) -> Floats:
        """How many texts were learned per class."""
        check_is_fitted(self)
        return self._tally.documents.astype(np.float64)

    def predict_proba(self, X: Any) -> Floats:
        """P(label | text), (n, k); columns as in `classes_`."""
        reader = self._reader()
        return reader.posterior(self._joint(reader, X))

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """The scores whose softmax gives the probabilities, (n, k)."""
        return self._joint(self._reader(), X)

    def _joint(self, reader: EvidenceReader | TextbookReader, X: Any) -> Floats:
        fields = self._fields(X)
        parts = [reader.joint(part) for part in in_slices(fields)] or [reader.joint(fields)]
        return np.concatenate(parts) if len(parts) > 1 else parts[0]

    def loo_predict_log_proba(self, X: Any, y: Any, groups: Any = None) -> Floats:
        """Log probabilities of learned texts, each judged by the counts without it (or without its group).

        The counts are exactly those without the text; the sizes of the classes keep it, which shows where a class has
        a few texts. The derived numbers have seen it too, so that the level is a little optimistic, though what common
        words lean to is left out. On texts that quote each other it is much too good unless `groups` says which belong
        together. Textbook families leave out a tenth of the groups at a time where there are more than ten.
        """
        joint = self._loo_joint(X, y, groups)
        with np.errstate(divide="ignore"):
            return np.log(self._reader().posterior(joint))

    def _loo_joint(self, X: Any, y: Any, groups: Any = None) -> Floats:
        """The scores of learned texts, each without itself (or its group), (n, k)."""
        reader, fields = self._reader(), self._fields(X)
        codes = self._codes(held_list(y))
        same_length(len(fields[1][0]), codes)
        places = None if groups is None else places_of(groups)
        same_length(len(codes), codes if places is None else places)
        joint = np.zeros((len(codes), len(self.classes_)))
        for part, some in in_parts(fields, codes, places, reader.at_once()):
            joint[part] = reader.loo(*some)
        return joint

    def explain(self, X: str | Mapping[str, str] | Any) -> Explanation | Explanations:
        """Why a text (or record of fields) gets its label: prior and every token's summand, adding up to the score.

        Each clue has the places of its token in the text as `spans`; a space that pads a word (`"letters"`) has no
        width there. Several texts give several explanations.
        """
        check_is_fitted(self)
        if isinstance(X, str):
            return reasons(self, self._fields([X]))
        if isinstance(X, Mapping) and all(isinstance(text, str) for text in X.values()):
            return reasons(self, self._fields({name: [text] for name, text in X.items()}))
        tags, columns = self._fields(X)
        return Explanations(reasons(self, (tags, [[text] for text in texts])) for texts in zip(*columns, strict=True))

    def top_tokens(self, count: int = 10) -> dict[Any, list[tuple[str, float]]]:
        """For each label the tokens that speak for it most, with their weight."""
        check_is_fitted(self)
        if not self.keep_text or self.buckets is not None:
            raise BayleafError("The text of the tokens was not kept; fit with keep_text=True and without buckets")
        name = self._tally.native.name
        ranks = self._reader().strongest(at_most(count))
        return {
            label: [(name(key), weight) for key, weight, _ in rank]
            for label, rank in zip(self.classes_.tolist(), ranks, strict=True)
        }
