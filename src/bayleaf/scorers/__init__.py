"""Frozen weights that turn rows into joint log scores."""

from bayleaf.scorers.linear import Linear
from bayleaf.scorers.quadratic import Quadratic

Scorer = Linear | Quadratic

__all__ = ["Linear", "Quadratic", "Scorer"]
