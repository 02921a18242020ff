"""`bayleaf serve` as systemd would start it, for tests: ready when it says so."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from letters import letters

from bayleaf.mail import Filter

PATIENCE = 60  # seconds after which a daemon that says nothing is a failed test


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that every user may write to; pytest's own are for one user."""
    with tempfile.TemporaryDirectory(prefix="bl") as name:
        folder = Path(name)
        folder.chmod(0o777)
        yield folder


def taught(path: Path, each: int = 40) -> Path:
    """A store that has learned so many letters of each kind."""
    with Filter.open(path) as learner:
        learner.train_many(letters(each))
    return path


class Daemon:
    """One process on a loopback port and a unix socket, both of its own."""

    def __init__(
        self,
        folder: Path,
        *words: str,
        store: Path | str | None = None,
        spamd: bool = True,
        files: int = 0,  # that it may open; 0: as many as this process
        meanwhile: Callable[[subprocess.Popen[bytes]], None] = lambda _: None,  # done while it starts
        **env: str,
    ) -> None:
        self.folder, self.unix = folder, folder / "s.sock"
        self.store = store or folder / "mail.db"
        faces = ["--spamd", "127.0.0.1:0", "--spamd", f"unix:{self.unix}"] if spamd else []
        self.log = (folder / "daemon.log").open("a+b")
        self._told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._told.settimeout(PATIENCE)
        (folder / "notify").unlink(missing_ok=True)
        self._told.bind(str(folder / "notify"))
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("BAYLEAF_", "XDG_"))}
        self.process = subprocess.Popen(
            [
                *(["sh", "-c", f'ulimit -n {files} && exec "$0" "$@"'] if files else ()),
                sys.executable,
                "-m",
                "bayleaf",
                "serve",
                *(() if "BAYLEAF_CONFIG" in env else ("--store", self.store)),
                *faces,
                *words,
            ],
            env={**clean, "NOTIFY_SOCKET": str(folder / "notify"), **env},
            stderr=self.log,
        )
        try:
            meanwhile(self.process)
            self.status = self.told("READY=1")
        except BaseException:
            self.kill()
            raise
        found = re.search(r"127\.0\.0\.1:(\d+)", self.status)
        self.port = int(found[1]) if found else 0
        page = re.search(r"https?://127\.0\.0\.1:(\d+)", self.status)
        self.web = int(page[1]) if page else 0

    def told(self, line: str) -> str:
        """The message with this line; those before it are passed over."""
        while True:
            message = self._told.recv(4096).decode()
            if line in message.splitlines():
                return message

    def connect(self) -> socket.socket:
        """A connection to its port."""
        made = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made

    def leave(self, said: bytes) -> None:
        """A client that says so much and vanishes: a reset, not a goodbye."""
        client = self.connect()
        client.sendall(said)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        client.close()

    def deaf(self, said: bytes) -> socket.socket:
        """A client that says so much and does not read the answer."""
        client = self.connect()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(said)
        return client

    def ask(self, *parts: bytes) -> bytes:
        """Everything it answers to what is sent, the way spamc asks."""
        with self.connect() as client:
            for part in parts:
                client.sendall(part)
            client.shutdown(socket.SHUT_WR)
            return everything(client)

    def alive(self) -> bool:
        """Whether it serves."""
        return self.ask(b"PING SPAMC/1.5\r\n\r\n") == b"SPAMD/1.5 0 PONG\r\n"

    def stop(self, within: float = PATIENCE) -> int:
        """Asks it to stop, which may take so many seconds; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.close(within)

    def kill(self) -> None:
        """Ends it as the out-of-memory killer would."""
        self.process.kill()
        self.close()

    def close(self, within: float = PATIENCE) -> int:
        """Waits for its end."""
        code = self.process.wait(timeout=within)
        self._told.close()
        self.log.close()
        return code

    def __enter__(self) -> Daemon:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.close()


def everything(client: socket.socket) -> bytes:
    """What comes until the other side hangs up."""
    parts = []
    while part := client.recv(65536):
        parts.append(part)
    return b"".join(parts)


def request(verb: str, mail: bytes = b"", *fields: str, version: str = "1.5") -> bytes:
    """A request with its Content-length."""
    lines = [f"{verb} SPAMC/{version}", f"Content-length: {len(mail)}", *fields, "", ""]
    return "\r\n".join(lines).encode() + mail


def until(attempt: Callable[[], object], *refusals: type[Exception]) -> None:
    """Tries again and again until this is no longer refused: for programs that cannot say when they are ready."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            attempt()
            return
        except refusals:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
