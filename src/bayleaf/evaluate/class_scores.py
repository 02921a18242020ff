"""ClassScores: how one class fares."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from bayleaf.evaluate.estimate import Estimate
from bayleaf.evaluate.labels import said

if TYPE_CHECKING:
    from bayleaf.evaluate.margins import Margins
    from bayleaf.evaluate.ranking import Ranking


@dataclass(frozen=True, eq=False)
class ClassScores:
    """One class against the rest. Wilson intervals."""

    label: Any
    known: bool  # False for a label that the model never learned
    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int
    precision: Estimate
    recall: Estimate
    f1: Estimate
    ranking: Ranking | None

    @classmethod
    def of(cls, place: int, label: Any, known: bool, margins: Margins, ranking: Ranking | None) -> ClassScores:
        """The class number `place` of all."""
        hits, rows, called = (int(part[place]) for part in (margins.hits, margins.rows, margins.called))
        return cls(
            label=label,
            known=known,
            true_positives=hits,
            false_positives=called - hits,
            false_negatives=rows - hits,
            true_negatives=int(margins.rows.sum()) - rows - called + hits,
            precision=Estimate.share(hits, called),
            recall=Estimate.share(hits, rows),
            f1=Estimate.f1(hits, rows + called - hits),
            ranking=ranking,
        )

    @property
    def rows(self) -> int:
        """How many rows are of this class."""
        return self.true_positives + self.false_negatives

    def to_dict(self) -> dict[str, Any]:
        """Numbers and names only; areas are None where all rows are on one side."""
        plain = {name: value for name, value in self.__dict__.items() if name != "ranking"}
        for name in ("precision", "recall", "f1"):
            plain[name] = plain[name].to_dict()
        return plain | {
            "label": said(self.label),
            "rows": self.rows,
            "roc_auc": self.ranking.roc_auc if self.ranking else None,
            "average_precision": self.ranking.average_precision if self.ranking else None,
        }


@dataclass(frozen=True)
class Averages:
    """Precision, recall and F1 over all classes in one way of averaging."""

    precision: float
    recall: float
    f1: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Numbers and names only."""
        return asdict(self) | {"f1": self.f1.to_dict()}
