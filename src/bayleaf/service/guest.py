"""Guest: one client of a face that is no web page, from its coming to its going."""

from __future__ import annotations

import asyncio
import logging
from abc import abstractmethod

from bayleaf.service.crowd import Crowd

log = logging.getLogger("bayleaf")


class Guest(asyncio.Protocol):
    """Let in or not, counted in the crowd, and not waited for longer than `patience` seconds.

    A protocol and not a pair of streams, which would wake two coroutines per mail.
    """

    def __init__(self, crowd: Crowd, patience: float) -> None:
        self.crowd, self.patience = crowd, patience
        self.deaf = False  # what it sends is not looked at
        self.counted = 0  # of the bytes held for it, those that the crowd knows of
        self.transport: asyncio.Transport
        self.timer: asyncio.TimerHandle

    @property
    @abstractmethod
    def held(self) -> int:
        """Bytes held for it."""

    @abstractmethod
    def forget(self) -> None:
        """Lets go of these bytes."""

    @abstractmethod
    def late(self) -> None:
        """It has kept us waiting for too long."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client has come; strangers are cut."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.timer = asyncio.get_running_loop().call_later(self.patience, self.late)
        peer = transport.get_extra_info("peername")
        if self.crowd.welcome(peer):
            self.crowd.arrived(self)
        else:
            log.warning("refused a connection from %s", peer)
            self.deaf = True
            transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        """It has gone."""
        self.timer.cancel()
        self.forget()
        self.crowd.left(self)

    def wait(self, seconds: float) -> None:
        """It has so much time, from now on."""
        self.timer.cancel()
        self.timer = asyncio.get_running_loop().call_later(seconds, self.late)
