"""What systemd and a daemon say to each other: sockets handed over, and how we are."""

from __future__ import annotations

import os
import socket
from contextlib import closing

FIRST = 3  # the first socket handed over comes after standard input, output and error


def notify(*lines: str) -> None:
    """Tells systemd, if it has started us: ``READY=1``, ``STOPPING=1``, ``STATUS=...``."""
    place = os.environ.get("NOTIFY_SOCKET", "")
    if place:
        with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)) as out:
            out.connect("\0" + place[1:] if place.startswith("@") else place)
            out.sendall("\n".join(lines).encode())


def handed_over() -> list[socket.socket]:
    """The listening sockets that systemd opened for us."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return []
    count = int(os.environ.get("LISTEN_FDS", "0"))
    for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"):
        os.environ.pop(name, None)  # they are for us, not for what we start
    sockets = []
    for number in range(FIRST, FIRST + count):
        os.set_inheritable(number, False)
        sockets.append(socket.socket(fileno=number))
    return sockets
