"""Listening: where a face listens."""

from __future__ import annotations

import errno
import os
import socket
import stat
from collections.abc import Iterable
from contextlib import closing
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from bayleaf.errors import BayleafError

BACKLOG = 1024  # connections that the system holds for us; it may hold fewer (net.core.somaxconn)
# Connections that asyncio takes before it looks at anything else. When no file is left for one it logs that and tries
# again later, for each of so many: with a thousand, that was thousands of tracebacks a second.
TAKEN = 1


class Listening(NamedTuple):
    """A host and a port, or the path of a unix socket; `given` is a socket that systemd has opened there for us.

    >>> Listening.parse("[::1]:783").port, Listening.parse("unix:/run/bayleaf/spamd.sock").path
    (783, PosixPath('/run/bayleaf/spamd.sock'))
    """

    host: str
    port: int
    path: Path | None = None
    given: socket.socket | None = None

    @classmethod
    def parse(cls, text: str) -> Listening:
        """HOST:PORT, [HOST]:PORT or unix:PATH."""
        if text.startswith("unix:") and len(text) > 5:
            return cls("", 0, Path(text[5:]))
        host, _, port = text.rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        if not (host and port.isascii() and port.isdigit() and len(port) <= 5 and int(port) < 65536):
            raise BayleafError(f"found the address {text!r}, expected HOST:PORT, [HOST]:PORT or unix:PATH")
        return cls(host, int(port))

    @classmethod
    def of(cls, opened: socket.socket) -> Listening:
        """Where a socket listens that is open already."""
        place = opened.getsockname()
        if isinstance(place, tuple):
            host, port, *_ = place
            return cls(host, port, None, opened)
        name = place if isinstance(place, str) else os.fsdecode(place).replace("\0", "@", 1)  # of no file, on Linux
        return cls("", 0, Path(name), opened)

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it."""
        if self.path is not None or self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    def listen(self) -> socket.socket:
        """A socket that listens here."""
        if self.given is not None:
            return self.given
        try:
            if self.path is not None:
                return listen_unix(self.path)
            family, _, _, _, place = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)[0]
            return socket.create_server(place, family=family, backlog=BACKLOG)
        except (OSError, UnicodeError) as error:  # the latter is said of names that no host can have
            taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
            remedy = "is something else there?" if taken else "check the address, and that you may listen there"
            raise BayleafError(f"cannot listen on {self}: {error}; {remedy}") from None

    def clear(self) -> None:
        """Removes the unix socket that `listen` has made."""
        if self.path is not None and self.given is None:
            self.path.unlink(missing_ok=True)

    @property
    def place(self) -> object:
        """What one listener has to itself; None where the system picks a port for each."""
        if self.path is not None:
            return os.path.realpath(self.path)
        return (self.host, self.port) if self.port else None

    def __str__(self) -> str:
        if self.path is not None:
            return f"unix:{self.path}"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def hold(sockets: Iterable[socket.socket]) -> None:
    """Has the system hold connections again: asyncio has asked it to hold as few as it takes at a time."""
    for each in sockets:
        each.listen(BACKLOG)


def listen_unix(path: Path) -> socket.socket:
    """A unix socket; one that a killed daemon left behind is replaced."""
    if path.exists() and stat.S_ISSOCK(path.stat().st_mode):
        with closing(socket.socket(socket.AF_UNIX)) as probe:
            try:
                probe.connect(str(path))
            except ConnectionRefusedError:
                path.unlink()
    listening = socket.socket(socket.AF_UNIX)
    try:
        listening.bind(str(path))
        path.chmod(0o666)  # as open as a loopback port; the rights of its folder say who may come
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening
