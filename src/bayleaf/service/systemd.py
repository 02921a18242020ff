"""What systemd and a daemon say to each other: sockets handed over, and how we are."""

from __future__ import annotations

import os
import socket
from contextlib import closing
from typing import NamedTuple

from bayleaf.errors import BayleafError

FIRST = 3  # the first socket handed over comes after standard input, output and error


class Handed(NamedTuple):
    """The listening sockets that systemd opened for each face."""

    spamd: list[socket.socket]
    http: list[socket.socket]
    milter: list[socket.socket]


def notify(*lines: str) -> None:
    """Tells systemd, if it has started us: ``READY=1``, ``STOPPING=1``, ``STATUS=...``."""
    place = os.environ.get("NOTIFY_SOCKET", "")
    if place:
        with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)) as out:
            out.connect("\0" + place[1:] if place.startswith("@") else place)
            out.sendall("\n".join(lines).encode())


def handed_over() -> Handed:
    """The sockets that systemd opened for us; `FileDescriptorName` says for which face."""
    found = Handed([], [], [])
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return found
    count, names = int(os.environ.get("LISTEN_FDS", "0")), os.environ.get("LISTEN_FDNAMES", "").split(":")
    for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"):
        os.environ.pop(name, None)  # they are for us, not for what we start
    names += ["spamd"] * (count - len(names))
    for number, name in enumerate(names[:count], FIRST):
        os.set_inheritable(number, False)
        face(name, found).append(socket.socket(fileno=number))
    return found


def face(name: str, found: Handed) -> list[socket.socket]:
    """The face that a name means. Without a name systemd gives that of the unit, or "unknown": spamd."""
    if name == "http":
        return found.http
    if name == "milter":
        return found.milter
    if name in ("spamd", "unknown", "") or name.endswith(".socket"):
        return found.spamd
    raise BayleafError(f"systemd hands over a socket with FileDescriptorName={name}; expected spamd, milter or http")
