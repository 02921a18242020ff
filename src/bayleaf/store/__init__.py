"""The store of a filter: its ledger, and the runs whose sum its counts are.

What a mail needs imports no more than the standard library and the compiled module: a process is started per mail.
"""

from bayleaf.store.entry import Entry
from bayleaf.store.state import State
from bayleaf.store.store import Store

__all__ = ["Entry", "State", "Store"]
