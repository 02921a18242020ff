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
    """Reads requests and writes answers: one, as with spamd, or several if the client asks for that.

    A protocol and not a pair of streams, which would wake two coroutines per mail.
    """

    def __init__(self, face: SpamdFace) -> None:
        self.face, self.crowd = face, face.crowd
        self.reader = RequestReader(face.limits)
        self.ended = False  # the client will send no more
        self.deaf = False  # what it sends is not looked at: it is being answered, or has been
        self.pending = 0  # bytes of the mail that is being answered
        self.counted = 0  # of the bytes held for it, those that the crowd knows of
        self.transport: asyncio.Transport
        self.timer: asyncio.TimerHandle

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client has come."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.timer = asyncio.get_running_loop().call_later(self.face.limits.send, self._late)
        self.crowd.arrived(self)

    def connection_lost(self, error: Exception | None) -> None:
        """It has gone."""
        self.timer.cancel()
        self.reader.held.clear()
        self.pending = 0
        self.crowd.left(self)

    def data_received(self, data: bytes) -> None:
        """It has said something."""
        if not self.deaf:
            self._read(data)

    def eof_received(self) -> bool:
        """It will say no more, but wants to hear."""
        self.ended = True
        if self.deaf:
            return False  # it has been refused, and has noticed
        self._read(None)
        return not self.transport.is_closing()

    def _read(self, data: bytes | None) -> None:
        try:
            request = self.reader.feed(data or b"")
            if request is None and data is None:
                request = self.reader.end()
            self.crowd.holds(self)
            if request is not None:
                self._ask(request)
            elif data is None:
                self.transport.close()
        except Refusal as refusal:
            self.refuse(refusal)

    def _ask(self, request: Request) -> None:
        self.deaf, self.pending = True, len(request.body)
        self.crowd.busy(self)
        self.crowd.holds(self)
        answer = self.face.ask(request)
        if isinstance(answer, bytes):
            self._answer(request, answer)
            return
        self.timer.cancel()  # from here on it waits for us
        self.transport.pause_reading()
        loop = asyncio.get_running_loop()

        def done(future: Future[bytes]) -> None:
            loop.call_soon_threadsafe(self._promised, request, future)

        answer.add_done_callback(done)

    def _promised(self, request: Request, future: Future[bytes]) -> None:
        if self.transport.is_closing():
            return
        self.transport.resume_reading()
        self._wait(self.face.limits.send)
        error = future.exception()
        if error is None:
            self._answer(request, future.result())
        else:
            self.refuse(self.face.failed(request, error))

    def _answer(self, request: Request, answer: bytes) -> None:
        self.transport.write(answer)
        if not request.keep or self.crowd.closing:
            self.transport.close()  # what is written still goes out, until `_late` cuts it
            return
        self.deaf, self.pending = False, 0
        self._wait(self.face.limits.send)
        self.crowd.waits(self)
        if self.reader.held or self.ended:
            asyncio.get_running_loop().call_soon(self._next)  # others come in between

    def _next(self) -> None:
        """Looks at what came together with the last request."""
        if not self.deaf and not self.transport.is_closing():
            self._read(None if self.ended else b"")

    def refuse(self, refusal: Refusal) -> None:
        """Says why and hangs up: at once if nothing more can come, else when the client has noticed.

        Closing on bytes that were not read would make the system reset the connection, and the client would not hear.
        """
        self.face.refused(refusal)
        self.deaf, self.pending = True, 0
        self.reader.held.clear()
        self.crowd.busy(self)
        self.transport.write(refusal.line())
        if self.ended:
            self.transport.close()
        else:
            self.transport.write_eof()
            self._wait(self.face.limits.linger)

    def _wait(self, seconds: float) -> None:
        self.timer.cancel()
        self.timer = asyncio.get_running_loop().call_later(seconds, self._late)

    def _late(self) -> None:
        if self.deaf or not self.reader.held:  # it does not read or hang up, or has nothing to say
            self.transport.abort()
        else:
            self.refuse(Refusal(TIMEOUT, f"({self.face.limits.send:g} seconds were not enough to send a request)"))
