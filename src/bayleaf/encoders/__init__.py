"""From what people have to rows of numbers."""

from bayleaf.encoders.categories import CategoryEncoder

__all__ = ["CategoryEncoder"]
