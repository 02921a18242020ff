"""From what people have to rows of numbers."""

from bayleaf.encoders.categories import CategoryEncoder
from bayleaf.encoders.table import Table
from bayleaf.encoders.text import TextEncoder

__all__ = ["CategoryEncoder", "Table", "TextEncoder"]
