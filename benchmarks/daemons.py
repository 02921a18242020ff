"""Mail daemons to measure: bayleaf, spamd and rspamd, each taught the same mails and held to one core."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from bayleaf.mail import Filter
from benchmarks.mails import Mail


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def version(program: str) -> str:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    return re.search(r"\d+\.[\d.]*\d", said)[0]  # type: ignore[index]


class Served:
    """A running daemon: its name, address, process and the processes it started."""

    def __init__(self, name: str, command: Sequence[str], address: str, core: int) -> None:
        self.name, self.address = name, address
        self.process = subprocess.Popen(
            ["taskset", "-c", str(core), *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        host, _, port = address.rpartition(":")
        deadline = time.monotonic() + 120
        while True:
            try:
                socket.create_connection((host, int(port))).close()
                return
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise
                time.sleep(0.05)

    def family(self) -> list[int]:
        """The process and all it has started."""
        found, at = [self.process.pid], 0
        while at < len(found):
            children = Path(f"/proc/{found[at]}/task/{found[at]}/children")
            found += [int(pid) for pid in children.read_text().split()]
            at += 1
        return found

    def cpu(self) -> float:
        """CPU seconds so far."""
        ticks = 0
        for pid in self.family():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """MB in memory that are not shared with others."""
        total = 0
        for pid in self.family():
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
            total += int(re.search(r"Pss:\s+(\d+)", text)[1])  # type: ignore[index]
        return total / 1024

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=60)


def bayleaf(folder: Path, mails: Sequence[Mail], core: int) -> Served:
    store, address = folder / "bayleaf.db", f"127.0.0.1:{free_port()}"
    with Filter.open(store) as learner:
        learner.train_many((raw, label) for _, raw, label in mails)
        learner.compact()
    command = [sys.executable, "-m", "bayleaf", "serve", "--store", str(store), "--spamd", address]
    return Served("bayleaf", command, address, core)


def bayleaf_web(folder: Path, core: int) -> tuple[Served, str]:
    """The same store behind both faces, with the history that comes with HTTP; and where the spamd face listens."""
    spamd, http = f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}"
    command = [sys.executable, "-m", "bayleaf", "serve", "--store", str(folder / "bayleaf.db")]
    return Served("bayleaf", [*command, "--spamd", spamd, "--http", http], http, core), spamd


def spamd(folder: Path, mails: Sequence[Mail], core: int, most: int = 300) -> Served | None:
    """SpamAssassin with its rules and Bayes (`most` mails of a kind), no network tests; one child for the one core."""
    program = shutil.which("spamd", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        return None
    home = folder / "spamassassin"
    shutil.copytree("/etc/spamassassin", home)  # which plugins are loaded stands there
    home.chmod(0o777)
    (home / "local.cf").write_text(f"bayes_path {home}/bayes\nbayes_file_mode 0777\nbayes_auto_learn 0\nuse_bayes 1\n")
    for label in ("spam", "ham"):
        box = folder / f"learn-{label}"
        box.mkdir()
        for number, (path, _, _) in enumerate([mail for mail in mails if mail[2] == label][:most]):
            shutil.copy(path, box / str(number))
        subprocess.run(
            ["sa-learn", "-L", f"--siteconfigpath={home}", f"--{label}", str(box)], check=True, capture_output=True
        )
    for file in home.iterdir():
        file.chmod(0o777)
    port = free_port()
    options = ["-L", "-x", "-u", "nobody", "-m", "1", "--min-children=1", "--max-conn-per-child=1000000", "-s", "null"]
    command = [program, *options, f"--siteconfigpath={home}", "-i", "127.0.0.1", "-p", str(port)]
    return Served(f"spamd {version(program)}", command, f"127.0.0.1:{port}", core)


OFFLINE = (
    "antivirus arc asn bimi dcc dkim dkim_signing dmarc fuzzy_check greylist history_redis mx_check neural phishing"
    " ratelimit rbl replies reputation rspamd_update spf surbl url_redirector whitelist"
)  # ask the network or Redis


def rspamd(folder: Path, mails: Sequence[Mail], core: int) -> Served | None:
    """rspamd with its rules, one worker, nothing that asks the network; Bayes only with a Redis, which is left out."""
    program = shutil.which("rspamd")
    if program is None:
        return None
    home, port = folder / "rspamd", free_port()
    local = home / "local.d"
    local.mkdir(parents=True)
    for module in OFFLINE.split():
        (local / f"{module}.conf").write_text("enabled = false;\n")
    (local / "worker-normal.inc").write_text(f'bind_socket = "127.0.0.1:{port}";\ncount = 1;\n')
    (local / "worker-controller.inc").write_text(f'bind_socket = "127.0.0.1:{free_port()}";\n')
    (local / "worker-proxy.inc").write_text("enabled = false;\n")
    (local / "options.inc").write_text('dns { nameserver = ["127.0.0.1"]; timeout = 0.001s; retransmits = 1; }\n')
    (local / "logging.inc").write_text('level = "error";\n')
    shutil.chown(home, "_rspamd")
    names = ("LOCAL_CONFDIR", "DBDIR", "RUNDIR", "LOGDIR")
    command = [program, "-f", "-u", "_rspamd", "-g", "_rspamd", *(f"--var={name}={home}" for name in names)]
    return Served(f"rspamd {version(program)}, without Bayes", command, f"127.0.0.1:{port}", core)
