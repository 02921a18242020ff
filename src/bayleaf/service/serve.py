"""Serve: the daemon put together, from its first socket to its last answer."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from bayleaf.errors import BayleafError
from bayleaf.service.crowd import Crowd, Network
from bayleaf.service.files import Files
from bayleaf.service.guest import Guest
from bayleaf.service.history import History
from bayleaf.service.judges import Judges
from bayleaf.service.limits import Limits
from bayleaf.service.listening import TAKEN, Listening, hold
from bayleaf.service.live import LiveFilter
from bayleaf.service.milter.connection import Connection as MilterConnection
from bayleaf.service.milter.face import MilterFace
from bayleaf.service.spamd.connection import Connection as SpamdConnection
from bayleaf.service.spamd.face import SpamdFace
from bayleaf.service.starting import STOP, starting
from bayleaf.service.systemd import notify
from bayleaf.service.tokens import Tokens
from bayleaf.service.web import Web
from bayleaf.store.address import Address

log = logging.getLogger("bayleaf")
Place = Path | Address
Places = Callable[[], tuple[Place, Place | None]]  # store and place of user stores, as they are configured now
SWITCH = 0.001  # seconds the learning thread may keep others waiting; Python's 0.005 is felt in the 99th percentile


class Service:
    """Everything one `bayleaf serve` does.

    Parameters
    ----------
    places
        Called at the start and at each SIGHUP.
    spamd
        Where the spamd face listens.
    milter
        Where the milter face does.
    allow_from
        Networks that may connect; this machine always may.
    tell
        Whether clients of spamd may teach.
    web
        The HTTP face, if there is one. Only then a history is kept: nobody else could look at it.
    """

    def __init__(
        self,
        places: Places,
        spamd: Sequence[Listening],
        milter: Sequence[Listening] = (),
        allow_from: Sequence[Network] = (),
        tell: bool = False,
        web: Web | None = None,
    ) -> None:
        guard([*spamd, *milter], allow_from)
        refuse_twice([*spamd, *milter, *(() if web is None else web.addresses)])
        self.places, self.networks, self.tell = places, tuple(allow_from), tell
        self.spamd, self.milter = spamd, milter
        self.web = web
        self._reloading: asyncio.Task[None] | None = None
        self.tokens: Tokens | None = None if web is None else web.tokens()

    def run(self) -> None:
        """Serves until SIGTERM or SIGINT. A SIGHUP that `hold_hup` has kept waiting is heard when clients are."""
        self.files = Files.raised(self.web is not None)
        sys.setswitchinterval(SWITCH)
        asyncio.run(self._run())
        if self.live.stuck:  # Python would wait for the thread that waits for the store
            logging.shutdown()
            os._exit(0)

    async def _run(self) -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        for number in STOP:
            loop.add_signal_handler(number, stop.set)
        with starting():
            self._open()
        with ExitStack() as made:  # while they are ours: a successor may listen there before this one has ended
            servers, where = await self._listen(loop, made)
            loop.add_signal_handler(signal.SIGHUP, self._hup)
            self._ready(where)
            await stop.wait()
            notify("STOPPING=1")
            self.live.hurry()
        for server in servers:
            server.close()
        await asyncio.gather(self.crowd.drain(), *(() if self.http is None else (self.http.stop(),)))
        self._close()

    def _ready(self, where: Sequence[str]) -> None:
        """Says that clients may come, and hears a SIGHUP that was kept waiting."""
        gc.collect()
        gc.freeze()  # what is here stays: looking through it again and again takes milliseconds
        log.info("listening on %s, store %s", ", ".join(where), self.store)
        if not self.live.has_learned:
            log.warning(
                "store %s: nothing has been learned yet, so every mail is unsure; is the path right?", self.store
            )
        notify("READY=1", f"STATUS=listening on {', '.join(where)}")
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGHUP})

    def _open(self) -> None:
        self.store, users = self.places()
        self.history = None if self.web is None else History(self.web.book(self.store))
        self.live = LiveFilter(self.store, users, self.history)
        most = Limits()
        limits = most._replace(connections=min(most.connections, self.files.spamd))
        self.crowd = Crowd(limits, self.networks)
        self.judges = Judges(self.live, limits.inline)
        self.faces = SpamdFace(self.judges, self.crowd, self.tell), MilterFace(self.judges, self.crowd)
        self.http = None if self.web is None else self.web.face(self.live, self.tokens, self.files.http)

    async def _listen(self, loop: asyncio.AbstractEventLoop, made: ExitStack) -> tuple[list[asyncio.Server], list[str]]:
        """The servers of the spamd and milter faces, and where all faces listen; `made` clears what was made for it."""

        def opened(address: Listening) -> socket.socket:
            listening = address.listen()
            made.callback(address.clear)
            return listening

        spamd, milter = self.faces
        doors: list[tuple[socket.socket, Callable[[], Guest], str]] = [
            *((opened(address), partial(SpamdConnection, spamd), "") for address in self.spamd),
            *((opened(address), partial(MilterConnection, milter), "milter ") for address in self.milter),
        ]
        pages = [] if self.web is None else [*map(opened, self.web.addresses)]
        servers = [await loop.create_server(guest, sock=each, backlog=TAKEN) for each, guest, _ in doors]
        hold(each for each, _, _ in doors)
        if self.http is not None:
            await self.http.start(pages)
        links = [] if self.web is None else [self.web.link(Listening.of(each)) for each in pages]
        if links:
            print("\n".join(links), flush=True)
        return servers, [*(f"{face}{Listening.of(each)}" for each, _, face in doors), *links]

    def _close(self) -> None:
        self.judges.close()
        self.live.close()
        if self.history is not None:
            self.history.close()
        done = (*sorted(self.live.verdicts.items()), *sorted(self.live.counts.items()))
        counts = " ".join(f"{what}={count}" for what, count in done)
        log.info("stopped; %s", counts or "nothing judged or learned")

    def _hup(self) -> None:
        self._reloading = asyncio.create_task(self._reload(self._reloading))

    async def _reload(self, before: asyncio.Task[None] | None) -> None:
        """Takes up what has changed, one thing for itself: a token that was taken back is, whatever else fails."""
        if before is not None:
            await before
        notify("RELOADING=1", f"MONOTONIC_USEC={time.monotonic_ns() // 1000}")
        if self.tokens is not None:
            told("tokens", self.tokens.reload)
        if self.web is not None and self.web.certificate is not None:
            told("certificate", self.web.certificate.reload)
        try:
            await aside(partial(self._reopen, *self.places()))  # a store may keep us waiting, and clients must not
            log.info("reloaded, store %s", self.store)
        except Exception as error:
            log.error("store not reloaded, going on as before: %s", error)
        notify("READY=1")

    def _reopen(self, store: Place, users: Place | None) -> None:
        """Goes on with these places, and with the history of that store."""
        if self.web is None or self.history is None or store == self.store:
            self.live.reopen(store, users)
        else:
            book = self.web.book(store)
            try:
                self.live.reopen(store, users)
            except BaseException:
                book.close()
                raise
            self.history.turn(book)
        self.store = store


def told(what: str, step: Callable[[], None]) -> None:
    """Reloads one thing, and says in the log what came of it."""
    try:
        step()
        log.info("reloaded, %s", what)
    except Exception as error:
        log.error("%s not reloaded, going on as before: %s", what, error)


async def aside(work: Callable[[], None]) -> None:
    """Does work in a thread of its own, which a daemon that stops does not wait for."""
    done: Future[None] = Future()
    done.set_running_or_notify_cancel()

    def do() -> None:
        try:
            work()
        except BaseException as error:
            done.set_exception(error)
        else:
            done.set_result(None)

    threading.Thread(target=do, name="reload", daemon=True).start()
    await asyncio.wrap_future(done)


def guard(addresses: Sequence[Listening], networks: Sequence[Network]) -> None:
    """Refuses to listen where anybody could come."""
    for address in addresses:
        if not address.loopback and not networks:
            raise BayleafError(
                f"{address} can be reached from other machines, and this protocol knows no passwords: "
                "name those that may with --allow-from NETWORK, or listen on 127.0.0.1"
            )


def refuse_twice(addresses: Sequence[Listening]) -> None:
    """Refuses one place for two listeners, before the second finds the first there and takes it for a stranger."""
    places = [address.place for address in addresses if address.place is not None]
    for address in addresses:
        if places.count(address.place) > 1:
            raise BayleafError(
                f"found {address} twice, expected each place once, for one protocol: leave one of them out"
            )


def hold_hup() -> None:
    """Has the system keep a SIGHUP until the daemon is ready: its default action would end it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
