"""Choice: the two numbers of a textbook family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from bayleaf.errors import BayleafError
from bayleaf.families.evidence import COLDEST
from bayleaf.families.smoothing import USUAL


@dataclass(frozen=True)
class Choice:
    """The two numbers by which a textbook family reads its counts, and what decided them."""

    alpha: float
    temperature: float
    choose_alpha: bool = False
    choose_temperature: bool = False
    documents: int = 0
    loo_log_loss: float | None = None

    @classmethod
    def start(cls, alpha: Any, temperature: Any, kind: str) -> Self:
        """What the parameters of `TextClassifier` mean before anything is chosen."""
        free = isinstance(alpha, str), isinstance(temperature, str)
        return cls(
            USUAL[kind] if free[0] or alpha is None else float(alpha), 1.0 if free[1] else float(temperature), *free
        )

    @classmethod
    def from_fields(cls, fields: dict[str, Any]) -> Self:
        """The choice with these fields; refuses what cannot have been chosen."""
        choice = cls(**fields)
        loss = 0.0 if choice.loo_log_loss is None else choice.loo_log_loss
        numbers = all(type(v) is float and np.isfinite(v) for v in (choice.alpha, choice.temperature, loss))
        free = all(type(v) is bool for v in (choice.choose_alpha, choice.choose_temperature))
        if not (numbers and free and type(choice.documents) is int and choice.documents >= 0):
            raise BayleafError(f"Found {fields}; expected finite numbers")
        if choice.alpha < 0 or choice.temperature < COLDEST:
            raise BayleafError(
                f"Found alpha {choice.alpha:g} and temperature {choice.temperature:g}; "
                f"expected 0 and {COLDEST:g} at least"
            )
        return choice
