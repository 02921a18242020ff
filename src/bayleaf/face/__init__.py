"""Any model file, asked by named columns of text as files have them: for commands and the service."""

from bayleaf.face.face import Face
from bayleaf.face.faced import faced
from bayleaf.face.free import free

__all__ = ["Face", "faced", "free"]
