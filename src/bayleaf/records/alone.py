"""Alone: records of nothing but text, read by the text classifier as it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayleaf.records.records import texts_of
from bayleaf.records.worth import Worth

if TYPE_CHECKING:
    from bayleaf.arrays import Array, Floats, Ints
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
        """Log probabilities of learned texts, each without itself and its copies: one would tell of the other."""
        same = alike(records)
        groups = same if same.max(initial=-1) + 1 < len(same) else None
        return self.text.loo_predict_log_proba(texts_of(records), labels, groups)

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


def alike(records: Records) -> Ints:
    """A number for each record, from 0 on, the same where the texts are."""
    known: dict[tuple[str, ...], int] = {}
    rows = zip(*records.texts.values(), strict=True)
    return np.array([known.setdefault(row, len(known)) for row in rows], dtype=np.int64)
