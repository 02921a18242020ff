"""Models as files: arrays and a description in the layout of safetensors. Needs numpy, so no mail passes here."""

from bayleaf.archive.archive import Archive

__all__ = ["Archive"]
