"""Limits: how much may come, and how long that may take, counted while it comes."""

from __future__ import annotations

import asyncio

from starlette.types import Message, Receive

from bayleaf.service.http.problem import Problem
from bayleaf.service.http.settings import Settings

MAIL = "send one mail at a time; larger ones are better passed on unjudged"
UPLOAD = "split the file, or learn it where it lies with `bayleaf mail learn`"


class Held:
    """The bytes of requests that have not been answered, of all clients."""

    def __init__(self) -> None:
        self.bytes = 0


class Intake:
    """The body of one request on its way in: a mail, or a form. `close` says that its bytes are no longer held."""

    def __init__(self, receive: Receive, length: str | None, mail: bool, settings: Settings, held: Held) -> None:
        self._receive, self._settings, self._held = receive, settings, held
        self._most, self._remedy = (settings.mail, MAIL) if mail else (settings.upload, UPLOAD)
        self.taken = 0
        self._counted = 0
        self._whole = False
        self._until = asyncio.get_running_loop().time() + settings.send
        if length is not None and length.isascii() and length.isdigit() and int(length[:20]) > self._most:
            raise self._large(int(length[:20]))

    async def __call__(self) -> Message:
        """The next part, as ASGI has it."""
        if self._whole:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            raise Problem(
                408, f"found {self.taken} bytes after {self._settings.send:g} seconds, expected the whole request"
            ) from None
        if message["type"] == "http.disconnect":
            return message  # whoever wants more of the body raises ClientDisconnect
        self.taken += len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self.taken > self._most:
            raise self._large(self.taken)
        self._account()
        return message

    def _account(self) -> None:
        self._held.bytes += self.taken - self._counted
        self._counted = self.taken
        if self._held.bytes > self._settings.waiting:
            raise Problem(
                503,
                f"found {self._held.bytes} bytes of requests under way, expected at most {self._settings.waiting}; "
                "try again",
                {"Retry-After": str(self._settings.retry)},
            )

    def _large(self, size: int) -> Problem:
        return Problem(
            413, f"found a request of {size:,} bytes or more, expected at most {self._most:,}: {self._remedy}"
        )

    def close(self) -> None:
        """Nothing of this request is held any more."""
        self._held.bytes -= self._counted
        self._counted = 0
