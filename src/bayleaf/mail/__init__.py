"""The mail filter: raw mail in, verdict with reasons out. Nothing but the standard library and the compiled module."""

from bayleaf.mail.clue import Clue
from bayleaf.mail.filter import Filter
from bayleaf.mail.verdict import Verdict

__all__ = ["Clue", "Filter", "Verdict"]
