"""bayleaf mail: the mail filter."""
