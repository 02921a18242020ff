"""Audit: ledger and counts compared, the counts by reading every run."""

from __future__ import annotations

from bayleaf.errors import StoreError
from bayleaf.store.entry import signed
from bayleaf.store.ledger import Ledger
from bayleaf.store.runs import Runs, readable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bayleaf.store.session import Session


def audit(db: Session, runs: Runs, damage: Callable[[], str | None]) -> dict[str, int]:
    """Counts everything again; mails, keys and runs found. Inside a transaction.

    The runs are opened first: what somebody merges away meanwhile stays as it was seen.

    Per label, the mails of the ledger must be those of the label's total, and the sum of their fingerprints must be
    that of the counts plus what expiry dropped. One count wrong by one changes the sum.
    """
    opened = runs.load(db)
    if why := damage():
        raise StoreError(f"the database is damaged ({why}): restore it from a backup")
    found: dict[int, int] = {}
    for run in opened:
        with readable("the store"):
            run.verify()
        for label, fingerprint in enumerate(run.fingerprints()):
            found[label] = found.get(label, 0) + fingerprint
    sums = Ledger(db).sums()
    for label, name, mails, gone in db.execute("SELECT id, name, mails, gone FROM label"):
        listed, fingerprint = sums.get(label, (0, 0))
        if listed != mails:
            raise StoreError(f"the ledger has {listed} mails of {name}, the total says {mails}: restore a backup")
        if signed(found.get(label, 0) + gone - fingerprint):
            raise StoreError(f"the counts of {name} are not those of its {listed} mails: restore a backup")
    keys = sum(run.entries for run in opened)  # one in two runs counts twice
    return {"mails": sum(listed for listed, _ in sums.values()), "keys": keys, "runs": len(opened)}
