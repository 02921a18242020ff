"""Reader: predictions, leave-one-out, samples and explanations."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from bayleaf.errors import ImpossibleRowsWarning
from bayleaf.estimators import door
from bayleaf.estimators.learner import Learner
from bayleaf.explanation import Clue, Explanation, Explanations

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.model import Model
    from bayleaf.rows import Rows


class Reader(Learner):
    """Answers from the model that it keeps."""

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """log P(c) + log P(x | c) per row and class, without terms that are the same for all classes."""
        model = self._read()
        return model.joint(self._blocks(X))

    def predict_log_proba(self, X: Any) -> Floats:
        """log P(c | x) per row and class."""
        return self._posterior(X, log=True)

    def predict_proba(self, X: Any) -> Floats:
        """P(c | x) per row and class; each row adds up to 1."""
        return self._posterior(X, log=False)

    def _posterior(self, X: Any, log: bool) -> Floats:
        model = self._read()
        posterior, impossible = model.posterior(self._blocks(X), log)
        if impossible:
            warnings.warn(
                f"{impossible} of {len(posterior)} rows are impossible under every class; their posterior is the "
                "prior. Use alpha > 0",
                ImpossibleRowsWarning,
                stacklevel=3,
            )
        return posterior

    def predict(self, X: Any) -> Array:
        """The most probable label of each row."""
        best = self._best(self._posterior(X, log=False))
        return self.classes_[best]

    def _best(self, posterior: Floats) -> Ints:
        """The number of the most probable class of each row."""
        best: Ints = posterior.argmax(axis=1)
        return best

    def score_samples(self, X: Any) -> Floats:
        """log P(x) = log Σ P(c) P(x | c) of each row under the model, for finding outliers.

        With a background (`smoothing` other than "lidstone") an outcome that no class has seen has probability 0, and
        a row that holds one -inf: by such a model it is never drawn either.
        """
        return self._read().evidence(self._blocks(X))

    def loo_predict_log_proba(self, X: Any, y: Any, sample_weight: Any = None) -> Floats:
        """log P(c | x) of rows that were learned, each under the model without it: exact, in one pass.

        `sample_weight` is the weight the rows were learned with.
        """
        model = self._read()
        weights = door.weights(sample_weight, X)
        blocks = self._blocks(X, known=True, weights=weights)
        return model.loo_log_posterior(blocks, self._codes(y, len(blocks[0])), weights)

    def sample(self, n_samples: Any = 1, random_state: Any = None) -> tuple[Array, Array]:
        """Rows and labels drawn from the model."""
        model = self._read()
        blocks, codes = model.sample(*door.draws(n_samples, random_state))
        return self._joined(blocks), self.classes_[codes]

    def _joined(self, blocks: list[Array]) -> Array:
        return blocks[0]

    def explain(self, X: Any) -> Explanations:
        """Prior and per-column summands of the score of each row; see `Explanation`."""
        model = self._read()
        blocks = self._blocks(X)
        posterior = model.posterior(blocks)[0]
        joint = model.joint(blocks)
        lifted = model.lift(blocks)
        best = self.classes_[self._best(posterior)]
        return Explanations(
            self._explanation(model, [rows[i : i + 1] for rows in lifted], joint[i], posterior[i], best[i])
            for i in range(len(joint))
        )

    def _explanation(
        self, model: Model, rows: list[Rows], joint: Floats, posterior: Floats, predicted: Any
    ) -> Explanation:
        clues: list[Clue] = []
        rest = np.zeros(len(joint))
        names = self._names()
        for block, (scorer, one) in enumerate(zip(model.scorers, rows, strict=True)):
            parts = scorer.summands(one)
            values = one.values.toarray()[0] if one.sparse else one.values[0]
            told = values != 0 if one.sparse else np.ones(len(values), dtype=bool)
            clues += [
                Clue(names[block][j], self._shown(block, j, values[j]), parts[j]) for j in np.flatnonzero(told).tolist()
            ]
            rest = rest + np.where(np.isneginf(scorer.bias), -np.inf, parts[~told].sum(axis=0))
        return Explanation(model.labels, model.log_prior, clues, rest, joint, posterior, predicted)

    def _names(self) -> list[list[str]]:
        return [self._column_names()]

    def _column_names(self) -> list[str]:
        given = getattr(self, "feature_names_in_", None)
        return [f"x{j}" for j in range(self.n_features_in_)] if given is None else [str(name) for name in given]

    def _shown(self, block: int, column: int, value: Any) -> Any:
        return value.item() if isinstance(value, np.generic) else value
