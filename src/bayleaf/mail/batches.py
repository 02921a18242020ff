"""Batches: many mails, read some at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bayleaf._core import MailFeatures
from bayleaf.errors import BadValueError
from bayleaf.mail.mailtype import expect_mail

BYTES = 64 << 20  # of a batch: large mails are read a few at a time


def batches(mails: Iterable[bytes | str], most: int) -> Iterator[list[bytes | str]]:
    """The mails by as many, or fewer large ones.

    >>> list(batches([b"a", b"b", b"c"], 2))
    [[b'a', b'b'], [b'c']]
    """
    batch: list[bytes | str] = []
    size = 0
    for raw in mails:
        expect_mail(raw)
        batch.append(raw)
        size += len(raw)
        if len(batch) == most or size >= BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def read(batch: list[bytes | str], secret: bytes, threads: int) -> list[MailFeatures]:
    """The features of mails, in their order; of texts without headers where a str is among them."""
    mails = iter(MailFeatures.read_many([raw for raw in batch if isinstance(raw, bytes)], secret, False, threads))
    return [next(mails) if isinstance(raw, bytes) else MailFeatures.read_text(raw, secret, False) for raw in batch]


def expect_threads(threads: int) -> None:
    """Refuses a number of threads below 0; 0 is 1."""
    if threads < 0:
        raise BadValueError(f"found {threads} threads, expected 1 or more")
