"""Connection: one mail server's connection, which lasts as long as the client that sends it mail."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future

from bayleaf.service.guest import Guest
from bayleaf.service.milter.face import MilterFace
from bayleaf.service.milter.packet import PacketReader
from bayleaf.service.milter.session import Session


class Connection(Guest):
    """Hears packets and answers them.

    When something is wrong it hangs up: what then becomes of a mail is for the administrator of the server to say
    (Postfix: milter_default_action).
    """

    def __init__(self, face: MilterFace) -> None:
        super().__init__(face.crowd, face.limits.idle)
        self.face = face
        self.reader = PacketReader()
        self.session = Session(face.limits.mail)
        self.full = False  # it has not read what it was answered
        self.later = False  # what it has said is heard when others have been

    @property
    def held(self) -> int:
        """Bytes of the mail that is under way."""
        return len(self.reader.held) + self.session.letter.size

    def forget(self) -> None:
        """Lets go of them."""
        self.reader.held.clear()
        self.session.next_letter()

    def data_received(self, data: bytes) -> None:
        """The server has said something."""
        self.reader.held += data
        self.wait(self.face.limits.idle)
        self._read()

    def pause_writing(self) -> None:
        """It does not read what it is answered, so it is not listened to."""
        self.full = True

    def resume_writing(self) -> None:
        """It does again."""
        self.full = False
        self._read()

    def _read(self) -> None:
        """Hears what has come, up to the end of a mail: others come in between."""
        self.later = False
        try:
            while not (self.deaf or self.full or self.later) and (packet := self.reader.next()) is not None:
                answer = self.session.hear(packet)
                if packet.command == b"E":
                    self._ask()
                elif answer is not None:
                    self.transport.write(answer)
                if packet.command == b"Q" or (self.crowd.closing and not self.held):
                    self._end()
            self.crowd.holds(self)
        except Exception as error:
            self._cut(error)
        if self.deaf or self.full or self.later:
            self.transport.pause_reading()
        else:
            self.transport.resume_reading()

    def _ask(self) -> None:
        """Has the mail judged; what comes meanwhile waits."""
        assert self.session.terms is not None
        self.crowd.busy(self)
        answer = self.face.ask(self.session.letter, self.session.terms)
        loop = asyncio.get_running_loop()
        if isinstance(answer, bytes):
            self._answer(answer)
            self.later = True
            loop.call_soon(self._read)
        else:
            self.deaf = True
            answer.add_done_callback(lambda done: loop.call_soon_threadsafe(self._promised, done))

    def _promised(self, future: Future[bytes]) -> None:
        if self.transport.is_closing():
            return
        error = future.exception()
        if error is not None:
            self._cut(error)
            return
        self.deaf = False
        self._answer(future.result())
        self._read()

    def _answer(self, answer: bytes) -> None:
        self.transport.write(answer)
        self.session.next_letter()
        self.crowd.waits(self)
        if self.crowd.closing:
            self._end()

    def _end(self) -> None:
        self.deaf = True
        self.transport.close()

    def _cut(self, error: BaseException) -> None:
        self.deaf = True
        self.face.failed(error)
        self.transport.abort()

    def late(self) -> None:
        """The server has said nothing for hours."""
        self.transport.abort()
