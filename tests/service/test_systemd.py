"""The daemon under systemd: sockets that are handed over, and its units."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from daemon import everything, request, taught, until
from letters import letter
from mta import Mta
from web import Client

PACKAGING = Path(__file__).parents[2] / "packaging"
SPAM = letter(1000, "spam")


@pytest.mark.service
@pytest.mark.skipif(shutil.which("systemd-socket-activate") is None, reason="systemd is not installed")
@pytest.mark.parametrize("names", ["", "spamd:spamd:http:http:milter"])
def test_systemd_hands_its_sockets_over(names: str, tmp_path: Path) -> None:
    port, web, store = free_port(), free_port(), taught(tmp_path / "m.db", 20)
    places = [f"127.0.0.1:{port}", str(tmp_path / "s.sock")]
    if names:
        places += [f"127.0.0.1:{web}", str(tmp_path / "h.sock"), str(tmp_path / "m.sock")]
    with activated(tmp_path, places, names, "--store", str(store)) as running:
        until(lambda: ask(socket.AF_INET, ("127.0.0.1", port)), OSError)
        assert b"BAYLEAF_SPAM" in ask(socket.AF_UNIX, str(tmp_path / "s.sock"))
        if names:
            assert Client(web).post("/v1/judge", SPAM).json["label"] == "spam"
            transport = httpx.HTTPTransport(uds=str(tmp_path / "h.sock"))
            with httpx.Client(transport=transport, base_url="http://localhost") as client:
                assert client.get("/readyz").json() == {"status": "ready"}
            with Mta(str(tmp_path / "m.sock")) as server:
                assert server.version == 6
        running.terminate()
        assert running.wait(60) == 0
    assert (tmp_path / "s.sock").exists(), "it belongs to systemd"


@pytest.mark.service
@pytest.mark.skipif(shutil.which("systemd-socket-activate") is None, reason="systemd is not installed")
@pytest.mark.parametrize(
    ("host", "name", "why"),
    [
        ("127.0.0.1", "htpp", "expected spamd, milter or http"),
        ("0.0.0.0", "http", "--token-file"),
        ("0.0.0.0", "spamd", "--allow-from"),
    ],
)
def test_sockets_that_systemd_should_not_hand_over(host: str, name: str, why: str, tmp_path: Path) -> None:
    port = free_port()
    with activated(tmp_path, [f"{host}:{port}"], name, "--store", str(tmp_path / "m.db")) as running:
        until(lambda: socket.create_connection(("127.0.0.1", port)).close(), OSError)
        assert running.wait(60) == 1
    assert why in (tmp_path / "log").read_text().splitlines()[-1]


@contextmanager
def activated(folder: Path, places: list[str], names: str, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """`bayleaf serve` behind sockets that somebody else has opened."""
    command = ["systemd-socket-activate", *(f"--listen={place}" for place in places)]
    command += [f"--fdname={names}"] if names else []
    command += [sys.executable, "-m", "bayleaf", "serve", *words]
    with (folder / "log").open("wb") as log, subprocess.Popen(command, stderr=log) as running:
        try:
            yield running
        finally:
            running.kill()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def ask(family: int, place: object) -> bytes:
    """An answer of whatever listens there."""
    with socket.socket(family) as client:
        client.connect(place)
        client.sendall(request("SYMBOLS", SPAM))
        return everything(client)


@pytest.mark.service
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_units_are_well_formed_and_locked_up(tmp_path: Path) -> None:
    for unit in (PACKAGING / "systemd").iterdir():
        text = unit.read_text().replace("/usr/bin/bayleaf", sys.executable)
        (tmp_path / unit.name).write_text(text)
    units = [
        str(tmp_path / name)
        for name in ("bayleaf.socket", "bayleaf.service", "bayleaf-milter.socket", "bayleaf-http.socket")
    ]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, check=False
    )
    ours = [line for line in done.stderr.splitlines() if "bayleaf" in line]
    assert (done.returncode, ours) == (0, [])
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=15", "--no-pager", units[1]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout.splitlines()[-1:]
