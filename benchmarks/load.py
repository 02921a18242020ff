"""One client of a mail daemon: asks about each mail of a list and prints how long every answer took.

    python -m benchmarks.load KIND ADDRESS LIST COUNT

KIND: `kept` (spamd's protocol, one connection for all), `spamd` (one connection per mail), `http` (our API, one
connection), `rspamd` (HTTP, kept), `spamc` (a process per mail). LIST has the path of a mail in each line and is gone
through again until COUNT is reached.
"""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path


def request(raw: bytes, keep: bool) -> bytes:
    more = b"Connection: keep-alive\r\n" if keep else b""
    return b"CHECK SPAMC/1.5\r\nContent-length: %d\r\n%s\r\n%s" % (len(raw), more, raw)


class Kept:
    """One connection for all mails."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self.client = socket.create_connection((host, int(port)))
        self.client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __call__(self, raw: bytes) -> None:
        self.client.sendall(request(raw, keep=True))
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            part = self.client.recv(4096)
            if not part:
                sys.exit("the daemon hung up")
            answer += part
        if not answer.startswith(b"SPAMD/1.1 0 EX_OK\r\nSpam: "):
            sys.exit(answer.decode())


class Http(Kept):
    """Our API, one connection for all mails."""

    HEAD = b"POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: message/rfc822\r\nContent-Length: %d\r\n\r\n"

    def __call__(self, raw: bytes) -> None:
        self.client.sendall(self.HEAD % len(raw) + raw)
        answer = b""
        while not answer.endswith(b"}"):
            part = self.client.recv(65536)
            if not part:
                sys.exit("the daemon hung up")
            answer += part
        if not answer.startswith(b"HTTP/1.1 200 OK\r\n"):
            sys.exit(answer.decode())


class Rspamd:
    """HTTP, one connection for all mails."""

    def __init__(self, address: str) -> None:
        self.client = http.client.HTTPConnection(address)

    def __call__(self, raw: bytes) -> None:
        self.client.request("POST", "/checkv2", raw)
        if "score" not in json.loads(self.client.getresponse().read()):
            sys.exit("no score")


def once(address: str) -> Callable[[bytes], None]:
    """A connection per mail."""
    host, _, port = address.rpartition(":")

    def ask(raw: bytes) -> None:
        with socket.create_connection((host, int(port))) as client:
            client.sendall(request(raw, keep=False))
            client.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: client.recv(4096), b""))
        if b"0 EX_OK\r\nSpam: " not in answer:
            sys.exit(answer.decode())

    return ask


def spamc(address: str) -> Callable[[bytes], None]:
    """A process per mail."""
    host, _, port = address.rpartition(":")

    def ask(raw: bytes) -> None:
        done = subprocess.run(
            ["spamc", "-x", "-d", host, "-p", port, "-c"], input=raw, capture_output=True, check=False
        )
        if done.returncode > 1:
            sys.exit(f"spamc: exit {done.returncode}")

    return ask


KINDS: dict[str, Callable[[str], Callable[[bytes], None]]] = {
    "kept": Kept,
    "spamd": once,
    "http": Http,
    "rspamd": Rspamd,
    "spamc": spamc,
}


def mails(listing: str, count: int) -> Iterator[bytes]:
    return islice(cycle([Path(line).read_bytes() for line in Path(listing).read_text().splitlines()]), count)


def main() -> None:
    kind, address, listing, count = sys.argv[1:]
    ask, took = KINDS[kind](address), []
    raws = list(mails(listing, min(int(count), 5000)))
    print("ready", flush=True)
    sys.stdin.readline()
    begun = time.perf_counter()
    for raw in islice(cycle(raws), int(count)):
        start = time.perf_counter()
        ask(raw)
        took.append(time.perf_counter() - start)
    print(json.dumps({"seconds": time.perf_counter() - begun, "took": took}))


if __name__ == "__main__":
    main()
