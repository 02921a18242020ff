"""Entry: one line of the ledger."""

from __future__ import annotations

from typing import NamedTuple

from bayleaf._core import run_fingerprint
from bayleaf.errors import NotLearnedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bayleaf._core import MailFeatures

AGED = (
    "this mail was learned, but its headers or text have changed since and its keys are no longer kept: give it as it "
    "was when it was learned"
)


class Entry(NamedTuple):
    """Which mail was learned as what. While it is recent, `keys` holds its keys."""

    seq: int
    identity: bytes
    label: int
    day: int
    age: int
    fingerprint: int
    pair: bytes | None
    keys: bytes | None

    def learned(self, features: MailFeatures) -> bytes:
        """The keys that the mail was learned with, given what it looks like now."""
        if self.keys is not None:
            return self.keys
        if signed(run_fingerprint(features)) == self.fingerprint:
            return features.keys
        raise NotLearnedError(AGED)


def signed(fingerprint: int) -> int:
    """A fingerprint as databases store it."""
    fingerprint &= 0xFFFF_FFFF_FFFF_FFFF
    return fingerprint - (fingerprint >> 63 << 64)
