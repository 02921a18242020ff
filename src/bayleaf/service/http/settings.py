"""Settings: what the HTTP face serves, and what one client, and all of them, may take."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from bayleaf.service.limits import INLINE, MAIL


class Settings(NamedTuple):
    """Each limit is a number that honest clients stay far below."""

    models: Path | None = None  # the folder of model files
    mail: int = MAIL  # of a request
    upload: int = 500 * 10**6  # bytes of a form of the page, which goes to the disk
    head: int = 32 * 2**10  # bytes of the head of a request
    send: float = 30.0  # seconds for a whole request, and between two of them
    answer: float = 300.0  # seconds from a request to the last byte of its answer
    drain: float = 20.0  # seconds for requests under way when the daemon stops
    connections: int = 1000  # one more, and the one that has kept us waiting longest is cut
    waiting: int = 512 * 2**20  # bytes of requests that have not been answered, of all clients together
    inline: int = INLINE
    rows: int = 10_000  # texts or records of one question to a model
    retry: int = 5  # seconds after which a client should come again when the store does not answer
