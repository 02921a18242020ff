"""Crowd: all connections of the faces that are no web pages, and what they take together."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Sequence
from contextlib import suppress

from bayleaf.errors import BayleafError
from bayleaf.service.limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bayleaf.service.guest import Guest

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class FullError(BayleafError):
    """The mails that are under way take too much memory for this one."""


class Crowd:
    """Who is connected, whom we wait for, and how many bytes are held for what is not answered.

    `networks` may connect besides this machine.
    """

    def __init__(self, limits: Limits, networks: Sequence[Network] = ()) -> None:
        self.limits, self.networks = limits, networks
        self.closing = False
        self.held = 0
        self.guests: set[Guest] = set()
        self.waiting: dict[Guest, None] = {}  # those we wait for, the longest first
        self._empty = asyncio.Event()

    def welcome(self, peer: object) -> bool:
        """Whether a peer, as the system names it, may come in."""
        if not isinstance(peer, tuple) or not self.networks:
            return True  # a unix socket, or a socket that only this machine can reach
        address = ipaddress.ip_address(str(peer[0]).partition("%")[0])
        mapped = getattr(address, "ipv4_mapped", None) or address
        return mapped.is_loopback or any(mapped in network for network in self.networks)

    def arrived(self, guest: Guest) -> None:
        """A client has come. If there are too many, the one that has kept us waiting longest must go."""
        self.guests.add(guest)
        self.waiting[guest] = None
        if len(self.guests) > self.limits.connections and len(self.waiting) > 1:
            oldest = next(iter(self.waiting))
            del self.waiting[oldest]
            oldest.transport.abort()

    def waits(self, guest: Guest) -> None:
        """We wait for what this client says next."""
        self.waiting[guest] = None
        self._account(guest)

    def busy(self, guest: Guest) -> None:
        """We no longer wait for this client: it waits for us, or has been refused."""
        self.waiting.pop(guest, None)
        self._account(guest)

    def left(self, guest: Guest) -> None:
        """A client has gone."""
        self.guests.discard(guest)
        self.busy(guest)
        if self.closing and not self.guests:
            self._empty.set()

    def holds(self, guest: Guest) -> None:
        """Keeps count of the bytes that are under way, and refuses those that are too much for the memory."""
        self._account(guest)
        if self.held > self.limits.waiting:
            raise FullError(f"{self.held} bytes of requests are under way; try again")

    def _account(self, guest: Guest) -> None:
        size = guest.held
        self.held += size - guest.counted
        guest.counted = size

    async def drain(self) -> None:
        """Lets what has begun come to its end, but not for ever."""
        self.closing = True
        for guest in [*self.waiting]:
            if not guest.held:
                guest.transport.close()
        if self.guests:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._empty.wait(), self.limits.drain)
        for guest in [*self.guests]:
            guest.transport.abort()
