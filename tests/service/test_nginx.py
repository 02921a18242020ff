"""nginx in front of the pages and the API, set up as packaging/samples/nginx says, as a browser sees them."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from daemon import Daemon, taught, until
from letters import letter
from service.test_tls import certified

from bayleaf.service.tokens import Tokens

NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
SAMPLE = Path(__file__).parents[2] / "packaging" / "samples" / "nginx" / "bayleaf.conf"
pytestmark = [
    pytest.mark.service,
    pytest.mark.skipif(NGINX is None, reason="nginx is not installed: .ci/mail-software"),
    pytest.mark.skipif(os.getuid() != 0, reason="Debian's nginx keeps what it is sent in a folder of root's"),
]
CONFIG = """
user root;
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{}}
http {{
access_log off;
{server}
}}
"""


@contextmanager
def proxied(folder: Path, web: int) -> Iterator[httpx.Client]:
    """A browser at the site, whose name leads to a socket of nginx's."""
    certified(folder)
    places = {
        "listen 443 ssl": f"listen unix:{folder}/https ssl",
        "bayleaf.example.org;": "localhost;",
        "/etc/ssl/bayleaf.example.org": str(folder),
        "127.0.0.1:8025;": f"127.0.0.1:{web};",
    }
    server = SAMPLE.read_text()
    for sample, here in places.items():
        assert sample in server
        server = server.replace(sample, here)
    (folder / "nginx.conf").write_text(CONFIG.format(folder=folder, server=server))
    trust = ssl.create_default_context(cafile=str(folder / "cert.pem"))
    wire = httpx.HTTPTransport(uds=f"{folder}/https", verify=trust)
    with subprocess.Popen([str(NGINX), "-c", str(folder / "nginx.conf")]) as process:
        try:
            until(lambda: knock(folder / "https"), FileNotFoundError, ConnectionRefusedError)
            with httpx.Client(transport=wire, base_url="https://localhost") as client:
                client.headers["Origin"] = "https://localhost"
                yield client
        finally:
            process.terminate()


def knock(place: Path) -> None:
    """Connects to a socket, and no more."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(place))


def test_the_pages_and_the_api_are_there_under_another_name(tmp_path: Path) -> None:
    secret = Tokens.add(tmp_path / "tokens", "ann", "train")
    words = ("--http", "127.0.0.1:0", "--token-file", str(tmp_path / "tokens"))
    with (
        Daemon(tmp_path, *words, spamd=False, store=taught(tmp_path / "m.db", 20)) as daemon,
        proxied(tmp_path, daemon.web) as client,
    ):
        form = client.get("/login")
        csrf = re.search(r'name="csrf" value="(\w+)"', form.text)
        assert csrf is not None
        inside = client.post("/login", data={"csrf": csrf[1], "token": secret})
        assert (inside.status_code, inside.headers["location"]) == (303, "/")
        sent = [cookie for answer in (form, inside) for cookie in answer.headers.get_list("set-cookie")]
        assert ["Secure" in cookie for cookie in sent if "Max-Age=0" not in cookie] == [True, True]
        assert "Try" in client.get("/").text
        bearer = {"Authorization": f"Bearer {secret}", "Content-Type": "message/rfc822"}
        judged = client.post("/v1/judge", content=letter(1000, "spam"), headers=bearer)
        assert judged.json()["label"] == "spam"
        elsewhere = client.post("/v1/judge", content=b"", headers={**bearer, "Origin": "https://evil.example"})
        assert elsewhere.status_code == 403
