"""The native half of bayleaf."""

from typing import final

from bayleaf.arrays import Array, Floats, Ints

__all__ = ["Batch", "largest_codes", "normalise", "threads"]

@final
class Batch:
    """Rows for the kernels; see `bayleaf.rows.Rows`."""

    @staticmethod
    def dense(values: Array, above: float | None = None) -> Batch: ...
    @staticmethod
    def csr(starts: Array, columns: Array, values: Array, width: int, above: float | None = None) -> Batch: ...
    @staticmethod
    def codes(cells: Array, starts: Ints) -> Batch: ...
    def count(
        self,
        classes: Ints,
        weights: Floats | None,
        sign: float,
        weight: Floats,
        table: Floats,
    ) -> bool: ...
    def count_absent(
        self,
        classes: Ints,
        weights: Floats | None,
        sign: float,
        absent: Floats,
    ) -> None: ...
    def pivots(self, classes: Ints, k: int) -> Floats: ...
    def moments(
        self,
        classes: Ints,
        weights: Floats | None,
        pivot: Floats,
    ) -> tuple[Floats, Floats, Floats, Floats]: ...
    def add_linear(self, weights: Floats, base: Floats | None, out: Floats) -> None: ...
    def add_quadratic(
        self,
        centre: Floats,
        rest: Floats | None,
        scale: Floats,
        base: Floats,
        out: Floats,
    ) -> None: ...

def largest_codes(cells: Array) -> tuple[list[int], tuple[int, int, float] | None]: ...
def normalise(joint: Floats, log_prior: Floats, log: bool) -> int: ...
def threads() -> int: ...
