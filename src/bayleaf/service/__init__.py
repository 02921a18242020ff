"""The daemon: one live filter, and the faces that other software speaks to. Standard library and compiled module only."""

from bayleaf.service.live import LiveFilter

__all__ = ["LiveFilter"]
