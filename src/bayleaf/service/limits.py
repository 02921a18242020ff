"""Limits: what one client, and all of them, may take."""

from __future__ import annotations

from typing import NamedTuple

MAIL = 25 * 2**20  # bytes of a mail, whichever way it comes; spamc sends 500 KB at most unless told otherwise
INLINE = 64 * 2**10  # bytes; a larger mail is judged in another thread, so that small ones need not wait


class Limits(NamedTuple):
    """Each a number that real clients stay far below."""

    mail: int = MAIL  # also after inflation
    fields: int = 256  # header lines of a request, as in spamd
    line: int = 8192  # bytes of one of them
    idle: float = 7210.0  # seconds between two words of a mail server, as in libmilter: it waits for its own clients
    send: float = 30.0  # seconds for a whole request; spamd gives as many to its first line
    linger: float = 5.0  # seconds to take notice of a refusal
    drain: float = 20.0  # seconds for requests under way when the daemon stops; systemd waits 90
    connections: int = 10_000  # one more, and the one that has kept us waiting longest is cut
    waiting: int = 512 * 2**20  # bytes of mails that have not arrived whole or wait to be judged aside or learned
    inline: int = INLINE
