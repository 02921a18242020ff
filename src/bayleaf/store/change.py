"""Change: what one transaction learns and unlearns."""

from __future__ import annotations

from collections.abc import Iterable

from bayleaf._core import MailFeatures, run_fingerprint
from bayleaf.store.entry import Entry, signed
from bayleaf.store.label import refuse_label, refuse_twin
from bayleaf.store.ledger import Ledger
from bayleaf.store.runs import Runs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bayleaf.store.session import Session

NEVER = 0xFFFF  # born after every expiry: an unlearned key is no sighting


class Change:
    """Collects documents; `finish` writes them as one run with their totals. Made by `Store.change`."""

    def __init__(self, db: Session, runs: Runs, day: int) -> None:
        self.db, self.runs, self.day = db, runs, day
        self.ledger = Ledger(db)
        self.labels: list[str] = [name for (name,) in db.execute("SELECT name FROM label ORDER BY id").fetchall()]
        (age,) = db.execute("SELECT value FROM meta WHERE name = 'age'").fetchone()
        self.age = int(age)
        self._documents: list[tuple[MailFeatures | bytes, int, int]] = []

    def label(self, name: str) -> int:
        """The number of a label; a new one is added."""
        if name not in self.labels:
            refuse_label(name)
            refuse_twin(name, self.labels)
            self.adopt([name])
        return self.labels.index(name)

    def adopt(self, names: Iterable[str]) -> None:
        """Adds those of another store's labels that are missing, as they are called there: nobody mistyped them now."""
        for name in names:
            if name not in self.labels:
                self.db.execute("INSERT INTO label(id, name) VALUES (?, ?)", (len(self.labels), name))
                self.labels.append(name)

    def learn(
        self,
        identity: bytes,
        label: int,
        keys: MailFeatures | bytes,
        pair: bytes | None = None,
        held: bytes | None = None,
    ) -> bool:
        """Learns a mail, unless the ledger has it; says which. `held`: its keys, to be kept while it is recent."""
        if not self.ledger.add(identity, label, self.day, self.age, run_fingerprint(keys), pair, held):
            return False
        self._documents.append((keys, label, 1))
        return True

    def unlearn(self, entry: Entry, keys: bytes) -> None:
        """A mail that the ledger has, by the keys it was learned with. What expiry dropped of it stays dropped."""
        self.ledger.remove(entry.identity)
        if entry.age < self.age:
            standing = self.runs.standing(self.db, keys, entry.age)
            self.drop(entry.label, run_fingerprint(standing) - run_fingerprint(keys))
            keys = standing
        self._documents.append((keys, entry.label, -1))

    def drop(self, label: int, fingerprint: int) -> None:
        """Counts that expiry took and the ledger still has."""
        (gone,) = self.db.execute("SELECT gone FROM label WHERE id = ?", (label,)).fetchone()
        self.db.execute("UPDATE label SET gone = ? WHERE id = ?", (signed(gone + fingerprint), label))

    def finish(self) -> None:
        """Writes what was collected."""
        if self._documents:
            for label in range(len(self.labels)):
                more = sum(sign for _, of, sign in self._documents if of == label)
                if more:
                    self.db.execute("UPDATE label SET mails = mails + ? WHERE id = ?", (more, label))
            sighted = any(sign > 0 for _, _, sign in self._documents)
            day, age = (self.day, self.age) if sighted else (0, NEVER)
            self.runs.add(self.db, self._documents, len(self.labels), day, age)
