"""Request: one question of a client, and the reader that takes it from a stream of bytes."""

from __future__ import annotations

import re
import zlib
from typing import NamedTuple

from bayleaf.service.limits import Limits
from bayleaf.service.spamd.refusal import DATA, PROTOCOL, Refusal

LINE = re.compile(rb"(CHECK|SYMBOLS|REPORT|REPORT_IFSPAM|PROCESS|HEADERS|TELL|PING|SKIP) SPAMC/(\d{1,4})\.(\d{1,4})\s*")
BARE = ("PING", "SKIP")  # no body
HEADED, BARE_HEADED = (1, 1), (1, 5)  # versions from which headers follow: a mail's verb, and one of these


class Request(NamedTuple):
    """What was asked. `fields` are the headers under their names in lower case."""

    verb: str
    version: tuple[int, int]
    fields: dict[str, str]
    body: bytes = b""

    @property
    def user(self) -> str:
        """Whose mail it is; empty when not said."""
        return self.fields.get("user", "")

    @property
    def keep(self) -> bool:
        """Whether the client has said that more will follow on this connection, which spamd knows nothing of."""
        return self.fields.get("connection", "").lower() == "keep-alive"


class RequestReader:
    r"""Takes bytes as they come and gives requests.

    >>> reader = RequestReader(Limits())
    >>> reader.feed(b"CHECK SPAMC/1.5\r\nContent-length: 3\r\n\r\nab")
    >>> reader.feed(b"c").body
    b'abc'
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.held = bytearray()
        self._at = 0  # where the first line begins that has not been read
        self._head: Request | None = None
        self._fields = 0
        self._length: int | None = None
        self._done = False

    def feed(self, data: bytes) -> Request | None:
        """The request, once it is whole; call with ``b""`` for the next one that has already come."""
        self.held += data
        if not (self._done or self._read_head()):
            return None
        head, length = self._head, self._length
        assert head is not None
        if head.verb in BARE:
            return self._take(head, 0)
        if length is None:
            if len(self.held) - self._at > self.limits.mail:
                raise too_large(len(self.held) - self._at, self.limits)
            return None
        return self._take(head, length) if len(self.held) - self._at >= length else None

    def end(self) -> Request | None:
        """What the client meant when it will send nothing more; None when it has sent nothing."""
        if not self.held:
            return None
        there = len(self.held) - self._at
        if self._head is not None and self._head.verb in BARE:
            return self._take(self._head, 0)
        if self._head is None or not self._done:
            raise Refusal(PROTOCOL, "(EOF during headers)")
        if self._length is not None:
            raise Refusal(PROTOCOL, f"(Content-Length mismatch: Expected {self._length} bytes, got {there} bytes)")
        return self._take(self._head, there)

    def _read_head(self) -> bool:
        while not self._done:
            end = self.held.find(b"\n", self._at)
            if max(end, len(self.held)) - self._at > self.limits.line and not 0 <= end - self._at <= self.limits.line:
                raise Refusal(PROTOCOL, f"(a line of more than {self.limits.line} bytes)")
            if end < 0:
                return False
            line = bytes(self.held[self._at : end]).rstrip(b"\r")
            self._at = end + 1
            if self._head is None:
                self._head = first(line)
                self._done = self._head.version < (BARE_HEADED if self._head.verb in BARE else HEADED)
            elif line:
                self._field(line, self._head)
            else:
                self._done = True
        return True

    def _field(self, line: bytes, head: Request) -> None:
        self._fields += 1
        if self._fields > self.limits.fields:
            raise Refusal(PROTOCOL, "(too many headers)")
        name, colon, text = decoded(line).partition(":")
        value = text.strip(" \t")
        if not colon:
            raise Refusal(PROTOCOL, "(header not in 'Name: value' format)")
        name = name.lower()
        if name == "content-length":
            if not (value.isascii() and value.isdigit() and len(value) < 20):
                raise Refusal(PROTOCOL, "(Content-Length contains non-numeric bytes)")
            self._length = int(value)
            if self._length > self.limits.mail:
                raise too_large(self._length, self.limits)
        elif name == "user" and not value.isprintable():
            raise Refusal(PROTOCOL, "(User header contains control chars)")
        elif name == "compress" and value.lower() != "zlib":
            raise Refusal(PROTOCOL, "(compression type not supported)")
        head.fields[name] = value

    def _take(self, head: Request, length: int) -> Request:
        end = self._at + length
        body = bytes(memoryview(self.held)[self._at : end])
        if len(self.held) > end and not head.keep and head.verb not in BARE:
            there = len(self.held) - self._at  # judging a part and giving that back would lose the rest
            raise Refusal(PROTOCOL, f"(Content-Length mismatch: Expected {length} bytes, got {there} bytes)")
        compressed = "compress" in head.fields
        if compressed and self._length is None:
            raise Refusal(PROTOCOL, "(Compress requires Content-length header)")
        del self.held[:end]
        self._at, self._head, self._fields, self._length, self._done = 0, None, 0, None, False
        return head._replace(body=inflated(body, self.limits) if compressed else body)


def decoded(line: bytes) -> str:
    """Text of a header line; user names may be of any age."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")


def first(line: bytes) -> Request:
    """A request of which only the first line is known."""
    found = LINE.fullmatch(line)
    if found is None:
        raise Refusal(PROTOCOL, "(expected a verb and SPAMC/ with a version)")  # not quoted: it may be mail
    return Request(found[1].decode(), (int(found[2]), int(found[3])), {})


def inflated(body: bytes, limits: Limits) -> bytes:
    """What was compressed; never more than the limit is held in memory."""
    stream = zlib.decompressobj()
    try:
        mail = stream.decompress(body, limits.mail + 1)
    except zlib.error as error:
        raise Refusal(PROTOCOL, f"(compressed body: {error})") from None
    if len(mail) > limits.mail:
        raise too_large(len(mail), limits)
    if not stream.eof or stream.unused_data:
        raise Refusal(PROTOCOL, "(compressed body is not one whole zlib stream)")
    return mail


def too_large(size: int, limits: Limits) -> Refusal:
    """For a mail beyond the limit."""
    return Refusal(DATA, f"(found a mail of {size} bytes or more, expected at most {limits.mail})")
