"""Alone: records of nothing but text, read by the text classifier as it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayleaf.records.records import texts_of
from bayleaf.records.worth import Worth

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats
    from bayleaf.records.records import Records
    from bayleaf.text.classifier import TextClassifier


@dataclass(frozen=True, eq=False)
class Alone:
    """The probabilities are those of the text classifier, bit for bit."""

    text: TextClassifier

    def joint(self, records: Records) -> Floats:
        """Scores (n, k)."""
        return self.text.predict_joint_log_proba(texts_of(records))

    def posterior(self, joint: Floats) -> Floats:
        """P(c | x) for scores."""
        return self.text._reader().posterior(joint)

    def loo(self, records: Records, labels: Array) -> Floats:
        """Log probabilities of learned texts, each without itself."""
        return self.text.loo_predict_log_proba(texts_of(records), labels)

    @property
    def worth(self) -> Worth:
        """The figures of the text classifier; text is worth 1."""
        table = self.text.table_
        assert table is not None
        return Worth(
            {"text": 1.0},
            floor=table.floor,
            rows=table.documents,
            loo_log_loss=table.loo_log_loss,
            loo_accuracy=table.loo_accuracy,
        )
