"""Ledger: which mail was learned as what, inside a transaction that its caller holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bayleaf.store.entry import Entry, signed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bayleaf.store.session import Session

COLUMNS = ", ".join(Entry._fields)
# Keys (8 kB a mail) are kept for the most recent mails of each label, so that they
# can be unlearned when their headers have changed, and scored again when the layer is fitted.
RECALL = 500
TRIM = 64  # mails learned between two looks at what may go


def put(db: Session, name: str, value: str | int) -> None:
    """One of the few values that belong to the whole store."""
    db.execute("INSERT INTO meta VALUES (?, ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value", (name, value))


class Ledger:
    """The table `ledger`."""

    def __init__(self, db: Session) -> None:
        self.db = db

    def find(self, identity: bytes) -> Entry | None:
        """The line of this mail."""
        row = self.db.execute(f"SELECT {COLUMNS} FROM ledger WHERE identity = ?", (identity,)).fetchone()
        return None if row is None else Entry(*row)

    def add(
        self, identity: bytes, label: int, day: int, age: int, fingerprint: int, pair: bytes | None, keys: bytes | None
    ) -> bool:
        """Adds a mail; False when it is there already. Its keys may follow."""
        added = self.db.execute(
            "INSERT INTO ledger(identity, label, day, age, fingerprint, pair, keys) VALUES (?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT(identity) DO NOTHING",
            (identity, label, day, age, signed(fingerprint), pair, keys),
        )
        if added.rowcount and keys is not None:
            (seq,) = self.db.execute("SELECT seq FROM ledger WHERE identity = ?", (identity,)).fetchone()
            # A number is spent on each mail that is there already: a multiple may never come.
            last = "SELECT coalesce(max(seq), 0) FROM ledger WHERE seq < ?"
            if self.db.execute(last, (seq,)).fetchone()[0] // TRIM < seq // TRIM:
                self.trim()
        return bool(added.rowcount)

    def remove(self, identity: bytes) -> None:
        """A mail that was unlearned."""
        self.db.execute("DELETE FROM ledger WHERE identity = ?", (identity,))

    def remember(self, mails: Iterable[tuple[bytes, bytes, int]]) -> None:
        """Keys of mails, by identity and fingerprint: one that was learned anew meanwhile may have others."""
        self.db.executemany(
            "UPDATE ledger SET keys = ? WHERE identity = ? AND fingerprint = ?",
            ((keys, identity, signed(fingerprint)) for identity, keys, fingerprint in mails),
        )
        self.trim()

    def trim(self) -> None:
        """Forgets the keys of all but the most recent mails of each label."""
        for (label,) in self.db.execute("SELECT id FROM label").fetchall():
            self.db.execute(
                "UPDATE ledger SET keys = NULL WHERE keys IS NOT NULL AND label = ? AND seq <= "
                "(SELECT seq FROM ledger WHERE keys IS NOT NULL AND label = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)",
                (label, label, RECALL),
            )

    def recalled(self, label: int, most: int) -> list[Entry]:
        """The most recent mails of a label whose keys are still here."""
        rows = self.db.execute(
            f"SELECT {COLUMNS} FROM ledger WHERE keys IS NOT NULL AND label = ? ORDER BY seq DESC LIMIT ?",
            (label, most),
        )
        return [Entry(*row) for row in rows.fetchall()]

    def pair(self, identity: bytes, pair: bytes) -> None:
        """What the families say about a mail, without the mail itself."""
        self.db.execute("UPDATE ledger SET pair = ? WHERE identity = ?", (pair, identity))

    def pairs(self, most: int) -> Iterator[tuple[int, bytes]]:
        """Label and pair of the most recent mails that have one."""
        sql = "SELECT label, pair FROM ledger WHERE pair IS NOT NULL ORDER BY seq DESC LIMIT ?"
        return iter(self.db.execute(sql, (most,)).fetchall())

    def sums(self) -> dict[int, tuple[int, int]]:
        """Per label: mails and the sum of their fingerprints, counted again."""
        sums: dict[int, tuple[int, int]] = {}
        for label, fingerprint in self.db.execute("SELECT label, fingerprint FROM ledger"):
            mails, total = sums.get(label, (0, 0))
            sums[label] = (mails + 1, total + fingerprint)
        return sums
