"""A web server on loopback with files to fetch, that can be told to misbehave."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class Loopback:
    """Serves `files` (path to bytes) and remembers the ranges that were asked for."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.asked: list[str | None] = []
        self.ranges = True
        self.chunked = False
        """Whether the length is not told beforehand."""
        self.cuts: list[int] = []
        """After how many bytes each of the next answers breaks off."""

    def __enter__(self) -> Self:
        loopback = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                loopback.answer(self)

            def log_message(self, *_: Any) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/{path}"

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        asked = handler.headers.get("Range")
        self.asked.append(asked)
        handler.close_connection = True
        content = self.files.get(handler.path[1:])
        if content is None:
            handler.send_error(404, "not here")
            return
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and self.ranges else 0
        if start and start >= len(content):
            handler.send_error(416)
            return
        handler.send_response(206 if start else 200)
        if start:
            handler.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        length = ("Transfer-Encoding", "chunked") if self.chunked else ("Content-Length", str(len(content) - start))
        handler.send_header(*length)
        handler.end_headers()
        stop = self.cuts.pop(0) if self.cuts else len(content)
        sent = content[start : start + stop]
        handler.wfile.write(b"%x\r\n%s\r\n" % (len(sent), sent) if self.chunked else sent)
        if self.chunked and start + stop >= len(content):
            handler.wfile.write(b"0\r\n\r\n")
