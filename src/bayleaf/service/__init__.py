"""The daemon: one live filter, and the faces that other software speaks to."""

from bayleaf.service.live import LiveFilter

__all__ = ["LiveFilter"]
