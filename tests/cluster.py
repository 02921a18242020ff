"""A PostgreSQL of a test's own, on a unix socket; killed and started again at will."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from daemon import PATIENCE, until

SETTINGS = {
    "listen_addresses": "''",
    "fsync": "off",  # the kernel keeps what a killed server wrote
    "shared_buffers": "16MB",
    "max_connections": "40",
    "log_min_messages": "fatal",
}


@cache
def programs() -> Path | None:
    """The folder of initdb and postgres, the newest of those Debian has; None without them."""
    found = [*sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda at: float(at.parts[4]))]
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


class Cluster:
    """One server with its data below `folder`."""

    def __init__(self) -> None:
        bin_folder = programs()
        assert bin_folder is not None
        self.bin = bin_folder
        self.folder = Path(tempfile.mkdtemp(prefix="blpg"))
        self.data = self.folder / "data"
        self.user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(self.folder, "postgres")
        self._run("initdb", "-D", self.data, "-U", "bayleaf", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C")
        with (self.data / "postgresql.conf").open("a") as conf:
            conf.write("".join(f"{name} = {value}\n" for name, value in SETTINGS.items()))
            conf.write(f"unix_socket_directories = '{self.folder}'\n")
        self.start()

    def _run(self, program: str, *words: object) -> None:
        account = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
        command = [str(word) for word in (self.bin / program, *words)]
        subprocess.run(
            command,
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
            timeout=PATIENCE,
            **account,  # type: ignore[call-overload]
        )

    def start(self) -> None:
        """Returns when it answers; after a kill, when the children of the old one have gone."""
        words = ("-D", self.data, "-l", self.folder / "log", "-w", "-t", PATIENCE, "start")
        until(lambda: self._run("pg_ctl", *words), subprocess.CalledProcessError)

    def kill(self) -> None:
        """Ends the postmaster as the out-of-memory killer would; returns when its children have noticed and gone."""
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        family = [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
        os.kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE
        while any(map(alive, family)) and time.monotonic() < deadline:
            time.sleep(0.01)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """The postmaster and all its children are stopped."""
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        family = [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
        for each in family:
            os.kill(each, signal.SIGSTOP)
        try:
            yield
        finally:
            for each in family:
                os.kill(each, signal.SIGCONT)

    def url(self, store: str = "bayleaf") -> str:
        """The address of a store."""
        return f"postgresql:///postgres?host={self.folder}&user=bayleaf&store={store}"

    def close(self) -> None:
        """Ends it and removes everything."""
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")
        shutil.rmtree(self.folder)


def alive(pid: int) -> bool:
    """Whether a process runs; one that nobody has waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
