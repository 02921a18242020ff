"""HTTPS with a certificate of the operator's, as other people's clients see it."""

from __future__ import annotations

import shutil
import signal
import socket
import ssl
import subprocess
from pathlib import Path

import httpx
import pytest
from daemon import Daemon, everything, taught
from desk import bayleaf
from letters import letter

from bayleaf.service.tokens import Tokens

SPAM = letter(1000, "spam")
MAIL = {"Content-Type": "message/rfc822"}
pytestmark = [
    pytest.mark.service,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed (apt install openssl)"),
]


def certified(folder: Path) -> tuple[str, ...]:
    """Makes a certificate for this machine; the options that serve it."""
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    words += ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem"), "-subj", "/CN=localhost"]
    words += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run(["openssl", *words], check=True, capture_output=True)
    return "--tls-cert", str(folder / "cert.pem"), "--tls-key", str(folder / "key.pem")


def trusting(folder: Path) -> httpx.Client:
    """A client that believes this certificate and no other."""
    return httpx.Client(verify=ssl.create_default_context(cafile=str(folder / "cert.pem")))


def test_https_is_served_and_nothing_else_on_that_port(tmp_path: Path) -> None:
    words = ("--http", "127.0.0.1:0", *certified(tmp_path))
    with Daemon(tmp_path, *words, spamd=False, store=taught(tmp_path / "m.db", 20)) as daemon:
        url = f"https://127.0.0.1:{daemon.web}"
        assert url in daemon.status
        with trusting(tmp_path) as client:
            assert client.post(f"{url}/v1/judge", content=SPAM, headers=MAIL).json()["label"] == "spam"
            answer = client.get(url)
            assert (answer.status_code, "Secure" in answer.headers["set-cookie"]) == (200, True)
        with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
            httpx.get(url)
        with pytest.raises(httpx.HTTPError):
            httpx.get(f"http://127.0.0.1:{daemon.web}/healthz")
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.load_verify_locations(tmp_path / "cert.pem")
        old.set_ciphers("ALL:@SECLEVEL=0")
        with pytest.warns(DeprecationWarning, match="TLSv1_1"):
            old.maximum_version = ssl.TLSVersion.TLSv1_1
        with daemon.connect() as plain, pytest.raises(ssl.SSLError):
            old.wrap_socket(plain, server_hostname="127.0.0.1")
        assert daemon.stop() == 0


def test_who_does_not_shake_hands_stops_nobody(tmp_path: Path) -> None:
    with Daemon(tmp_path, "--http", "127.0.0.1:0", *certified(tmp_path), spamd=False) as daemon:
        silent = [daemon.connect() for _ in range(50)]
        for client in silent[::2]:
            client.sendall(b"\x16\x03\x01")
        with daemon.connect() as confused:
            confused.sendall(b"GET / HTTP/1.1\r\n\r\n")
            confused.shutdown(socket.SHUT_WR)
            assert b"HTTP" not in everything(confused)
        with trusting(tmp_path) as client:
            assert client.get(f"https://127.0.0.1:{daemon.web}/readyz").status_code == 200
        assert daemon.stop() == 0
        for one in silent:
            one.close()


def test_a_renewed_certificate_is_taken_on_hup_and_a_broken_one_is_not(tmp_path: Path) -> None:
    def reload() -> None:
        daemon.process.send_signal(signal.SIGHUP)
        daemon.told("RELOADING=1")
        daemon.told("READY=1")

    with Daemon(tmp_path, "--http", "127.0.0.1:0", *certified(tmp_path), spamd=False) as daemon:
        url = f"https://127.0.0.1:{daemon.web}/healthz"
        certified(tmp_path)
        reload()
        with trusting(tmp_path) as client:
            assert client.get(url).status_code == 200
            (tmp_path / "key.pem").write_text("no key")
            reload()
        with trusting(tmp_path) as client:
            assert client.get(url).status_code == 200, "as before"
        assert daemon.stop() == 0
    assert "key.pem cannot be used for TLS" in (tmp_path / "daemon.log").read_text()


def test_tls_does_not_replace_a_token(tmp_path: Path) -> None:
    words = certified(tmp_path)
    done = bayleaf("serve", "--store", str(tmp_path / "m.db"), "--http", "0.0.0.0:0", *words)
    assert (done.returncode, "--token-file" in done.stderr) == (1, True)
    secret = Tokens.add(tmp_path / "tokens", "ann", "read")
    words += ("--http", "127.0.0.1:0", "--token-file", str(tmp_path / "tokens"))
    with Daemon(tmp_path, *words, spamd=False) as daemon, trusting(tmp_path) as client:
        url = f"https://127.0.0.1:{daemon.web}/v1/status"
        assert client.get(url).status_code == 401
        assert client.get(url, headers={"Authorization": f"Bearer {secret}"}).status_code == 200


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--http", "127.0.0.1:0", "--tls-cert", "cert.pem"], "go together"),
        (
            ["--spamd", "127.0.0.1:0", "--tls-cert", "cert.pem", "--tls-key", "key.pem"],
            "other protocols are served",
        ),
        (["--http", "127.0.0.1:0", "--tls-cert", "none.pem", "--tls-key", "key.pem"], "none.pem and"),
        (["--http", "127.0.0.1:0", "--tls-cert", "key.pem", "--tls-key", "cert.pem"], "cannot be used for TLS"),
    ],
)
def test_what_cannot_be_served_is_said_in_one_line(words: list[str], why: str, tmp_path: Path) -> None:
    certified(tmp_path)
    words = [str(tmp_path / word) if word.endswith(".pem") else word for word in words]
    done = bayleaf("serve", "--store", str(tmp_path / "m.db"), *words)
    assert (done.returncode, why in done.stderr, done.stderr.count("\n")) == (1, True, 1)
