"""PlainParser: bytes read as HTTP/1.1, whatever else a client offers to speak."""

from __future__ import annotations

from typing import Any

import httptools


class PlainParser(httptools.HttpRequestParser):
    """httptools' parser, for which `Upgrade` is the end of HTTP: the body of such a request would be lost.

    Java's HttpClient and `curl --http2` offer h2c with each request. A server may ignore that (RFC 9110, 7.8), so
    the head is read once more without it. `visit` is whom it tells what it reads.
    """

    def __init__(self, visit: Any) -> None:
        super().__init__(visit)
        self.visit = visit
        self.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn has it

    def feed_data(self, data: bytes) -> None:  # type: ignore[override]
        """Reads these bytes."""
        try:
            super().feed_data(data)
        except httptools.HttpParserUpgrade as offer:
            if self.get_method() == b"CONNECT":
                raise httptools.HttpParserError("found CONNECT, which is for proxies") from None
            again = self.visit.parser = PlainParser(self.visit)
            again.feed_data(self._head() + data[offer.args[0] :])

    def _head(self) -> bytes:
        """The head that was just read, without the offer."""
        first = b"%s %s HTTP/%s" % (self.get_method(), self.visit.url, self.get_http_version().encode())
        kept = (b"%s: %s" % field for field in self.visit.headers if field[0] != b"upgrade")
        return b"\r\n".join([first, *kept, b"", b""])
