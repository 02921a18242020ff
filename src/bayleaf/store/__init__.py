"""The store of a filter: a log of learned deltas, its ledger and a mapped snapshot.

Nothing here imports more than the standard library and the compiled module: a process is started per mail.
"""

from bayleaf.store.entry import Entry
from bayleaf.store.state import State
from bayleaf.store.store import Store

__all__ = ["Entry", "State", "Store"]
