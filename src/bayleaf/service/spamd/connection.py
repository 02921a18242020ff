"""Connection: one client, from its first byte to its last."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future

from bayleaf.service.crowd import FullError
from bayleaf.service.guest import Guest
from bayleaf.service.spamd.refusal import TEMPORARY, TIMEOUT, Refusal
from bayleaf.service.spamd.request import Request, RequestReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bayleaf.service.spamd.face import SpamdFace


class Connection(Guest):
    """Reads requests and writes answers: one, as with spamd, or several if the client asks for that."""

    def __init__(self, face: SpamdFace) -> None:
        super().__init__(face.crowd, face.limits.send)
        self.face = face
        self.reader = RequestReader(face.limits)
        self.ended = False  # the client will send no more
        self.pending = 0  # bytes of the mail that is being answered

    @property
    def held(self) -> int:
        """Bytes that have not been answered."""
        return len(self.reader.held) + self.pending

    def forget(self) -> None:
        """Lets go of them."""
        self.reader.held.clear()
        self.pending = 0

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
        except FullError as full:
            self.refuse(Refusal(TEMPORARY, str(full)))
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
        self.wait(self.face.limits.send)
        error = future.exception()
        if error is None:
            self._answer(request, future.result())
        else:
            self.refuse(self.face.failed(request, error))

    def _answer(self, request: Request, answer: bytes) -> None:
        self.transport.write(answer)
        if not request.keep or self.crowd.closing:
            self.transport.close()  # what is written still goes out, until `late` cuts it
            return
        self.deaf, self.pending = False, 0
        self.wait(self.face.limits.send)
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
        self.deaf = True
        self.forget()
        self.crowd.busy(self)
        self.transport.write(refusal.line())
        if self.ended:
            self.transport.close()
        else:
            self.transport.write_eof()
            self.wait(self.face.limits.linger)

    def late(self) -> None:
        """It does not send a request, or does not take its answer."""
        if self.deaf or not self.reader.held:  # it does not read or hang up, or has nothing to say
            self.transport.abort()
        else:
            self.refuse(Refusal(TIMEOUT, f"({self.face.limits.send:g} seconds were not enough to send a request)"))
