"""State: what a store holds at one moment."""

from __future__ import annotations

from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bayleaf._core import Run


@dataclass(frozen=True)
class State:
    """Labels, mails learned per label, and the runs whose sum are the counts."""

    labels: tuple[str, ...]
    totals: tuple[int, ...]
    runs: tuple[Run, ...]
    age: int
    layer: str = field(default="", repr=False)

    @property
    def mails(self) -> int:
        """How many mails were learned."""
        return sum(self.totals)
