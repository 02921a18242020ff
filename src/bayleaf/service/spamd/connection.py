"""Connection: one client, from its first byte to its last."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future

from bayleaf.service.spamd.refusal import TIMEOUT, Refusal
from bayleaf.service.spamd.request import Request, RequestReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bayleaf.service.spamd.face import SpamdFace


class Connection(asyncio.Protocol):
    """Reads requests and writes answers: one, as with spamd, or several if the client asks with each but the last.

    A protocol and not a pair of streams: those take 0.1 ms more per mail.
    """

    def __init__(self, face: SpamdFace) -> None:
        self.face = face
        self.reader = RequestReader(face.limits)
        self.ended = False  # the client will send no more
        self.deaf = False  # what it sends is no longer looked at
        self.transport: asyncio.Transport
        self.timer: asyncio.TimerHandle

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client has come."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.timer = asyncio.get_running_loop().call_later(self.face.limits.send, self._late)
        self.face.arrived(self)

    def connection_lost(self, error: Exception | None) -> None:
        """It has gone."""
        self.timer.cancel()
        self.face.left(self)

    def data_received(self, data: bytes) -> None:
        """It has said something."""
        if not self.deaf:
            self.face.holds(len(data))
            self._read(data)

    def eof_received(self) -> bool:
        """It will say no more, but wants to hear."""
        self.ended = True
        if not self.deaf:
            self._read(None)
        return not self.transport.is_closing()

    def _read(self, data: bytes | None) -> None:
        before = len(self.reader.held) + len(data or b"")
        try:
            request = self.reader.end() if data is None else self.reader.feed(data)
            self.face.holds(len(self.reader.held) - before)
            if request is not None:
                self._ask(request)
            elif data is None:
                self.transport.close()
            else:
                self.face.check_room()
        except Refusal as refusal:
            self.refuse(refusal)

    def _ask(self, request: Request) -> None:
        self.deaf = True
        self.face.busy(self)
        answer = self.face.ask(request)
        if isinstance(answer, bytes):
            self._answer(request, answer)
            return
        self.transport.pause_reading()
        loop = asyncio.get_running_loop()

        def done(future: Future[bytes]) -> None:
            loop.call_soon_threadsafe(self._arrived, request, future)

        answer.add_done_callback(done)

    def _arrived(self, request: Request, future: Future[bytes]) -> None:
        if self.transport.is_closing():
            return
        self.transport.resume_reading()
        error = future.exception()
        if error is None:
            self._answer(request, future.result())
        else:
            self.refuse(self.face.failed(request, error))

    def _answer(self, request: Request, answer: bytes) -> None:
        self.transport.write(answer)
        if not request.keep or self.face.closing:
            self.transport.close()  # what is written still goes out, or `_late` cuts it
            return
        self.deaf = False
        self._wait(self.face.limits.send)
        self.face.waits(self)
        if self.reader.held or self.ended:
            self._read(None if self.ended and not self.reader.held else b"")

    def refuse(self, refusal: Refusal) -> None:
        """Says why and hangs up: at once if nothing more can come, else when the client has noticed.

        Closing on bytes that were not read would make the system reset the connection, and the client would not hear.
        """
        self.face.refused(refusal)
        self.face.holds(-len(self.reader.held))
        self.reader.held.clear()
        self.deaf = True
        self.transport.write(refusal.line())
        if self.ended or not self.transport.can_write_eof():
            self.transport.close()
            return
        self.transport.write_eof()
        self._wait(self.face.limits.linger)

    def _wait(self, seconds: float) -> None:
        self.timer.cancel()
        self.timer = asyncio.get_running_loop().call_later(seconds, self._late)

    def _late(self) -> None:
        if self.deaf:  # answered or refused, and it does not read or hang up
            self.transport.abort()
        elif self.reader.held:
            self.refuse(Refusal(TIMEOUT, f"({self.face.limits.send:.0f} seconds were not enough to send a request)"))
        else:
            self.transport.abort()
