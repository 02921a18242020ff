"""From what people have to rows of numbers."""

from bayleaf.encoders.categories import CategoryEncoder
from bayleaf.encoders.table import Table

__all__ = ["CategoryEncoder", "Table"]
