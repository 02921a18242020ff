"""Refusal: an answer that is no answer. Clients then pass the mail on as it came."""

from __future__ import annotations

DATA, UNAVAILABLE, TEMPORARY, PROTOCOL, TIMEOUT = 65, 69, 75, 76, 79
WORDS = {
    DATA: "EX_DATAERR",
    UNAVAILABLE: "Service Unavailable",
    TEMPORARY: "EX_TEMPFAIL",
    PROTOCOL: "Bad header line",
    TIMEOUT: "Timeout",
}


class Refusal(Exception):  # noqa: N818 - not an error: an answer
    r"""What is wrong with a request, under spamd's number for it.

    >>> Refusal(76, "(too many headers)").line()
    b'SPAMD/1.0 76 Bad header line: (too many headers)\r\n'
    """

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code, self.why = code, why

    def line(self) -> bytes:
        """One bare line: were it followed by an empty one, `spamc -L` would report success."""
        return f"SPAMD/1.0 {self.code} {WORDS[self.code]}: {self.why}\r\n".encode("ascii", "replace")
