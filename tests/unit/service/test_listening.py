"""Where the daemon listens, and who may come."""

from __future__ import annotations

import ipaddress
import socket
import sys
from pathlib import Path

import pytest
from desk import bayleaf

from bayleaf.errors import BayleafError
from bayleaf.service.crowd import Crowd
from bayleaf.service.limits import Limits
from bayleaf.service.listening import Listening
from bayleaf.service.serve import Service
from bayleaf.service.web import Web


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("127.0.0.1:783", True),
        ("localhost:783", True),
        ("[::1]:783", True),
        ("unix:/run/x.sock", True),
        ("0.0.0.0:783", False),
        ("[::]:783", False),
        ("192.0.2.1:783", False),
        ("mail.example:783", False),
    ],
)
def test_only_loopback_needs_no_leave(text: str, local: bool) -> None:
    address = Listening.parse(text)
    assert str(address) == text
    assert address.loopback is local
    if not local:
        with pytest.raises(BayleafError, match="--allow-from"):
            Service(lambda: (Path("m.db"), None), [address])
    Service(lambda: (Path("m.db"), None), [address], allow_from=[ipaddress.ip_network("10.0.0.0/8")])


@pytest.mark.parametrize("text", ["", "783", ":783", "host:", "host:x", "host:99999", f"host:{'9' * 5000}", "unix:"])
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(BayleafError, match="expected HOST:PORT"):
        Listening.parse(text)


@pytest.mark.parametrize(
    ("peer", "may"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("10.1.2.3", True),
        ("::ffff:10.1.2.3", True),
        ("::ffff:127.0.0.1", True),
        ("192.0.2.1", False),
        ("fe80::1%eth0", False),
    ],
)
def test_who_may_come(peer: str, may: bool) -> None:
    assert Crowd(Limits(), [ipaddress.ip_network("10.0.0.0/8")]).welcome((peer, 1234)) is may


def test_a_socket_left_behind_is_replaced_but_not_one_in_use(tmp_path: Path) -> None:
    address = Listening.parse(f"unix:{tmp_path}/s")
    first = address.listen()
    with pytest.raises(BayleafError, match="cannot listen"):
        address.listen()
    first.close()
    second = address.listen()
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(f"{tmp_path}/s")
    second.close()


def test_a_file_in_the_way_is_not_removed(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("precious")
    with pytest.raises(BayleafError, match="cannot listen"):
        Listening.parse(f"unix:{tmp_path}/s").listen()
    assert (tmp_path / "s").read_text() == "precious"


@pytest.mark.parametrize("text", ["a..b:783", f"{'x' * 70}:783", "unix:/nowhere/s", f"unix:/tmp/{'x' * 200}"])
def test_a_place_that_cannot_be_is_not_said_to_be_taken(text: str) -> None:
    with pytest.raises(BayleafError, match="check the address"):
        Listening.parse(text).listen()


def test_one_place_named_twice_is_refused_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    there, again = (Listening.parse(f"unix:{tmp_path}/{name}") for name in ("s", "link/s"))
    port = Listening.parse("127.0.0.1:783")
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(str(tmp_path / "s"))
        given = Listening.of(opened)
        for faces in (([there, there],), ([there], [again]), ([given], [there]), ([port, port],)):
            with pytest.raises(BayleafError, match=r"found .* twice, expected each place once, for one protocol"):
                Service(lambda: (Path("m.db"), None), *faces)
    with pytest.raises(BayleafError, match="twice"):
        Service(lambda: (Path("m.db"), None), [there], web=Web([again]))
    free = Listening.parse("127.0.0.1:0")
    Service(lambda: (Path("m.db"), None), [free, free])


def test_a_daemon_that_cannot_start_leaves_no_socket_behind_and_that_of_others_alone(tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    with Listening.parse(f"unix:{theirs}").listen():
        words = ("--store", str(tmp_path / "m.db"), "--spamd", f"unix:{mine}", "--milter", f"unix:{theirs}")
        done = bayleaf("serve", *words)
    assert (done.returncode, f"cannot listen on unix:{theirs}" in done.stderr) == (1, True), done.stderr
    assert theirs.exists()
    assert not mine.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="no such sockets elsewhere")
def test_a_socket_of_systemd_may_have_a_name_that_is_no_file() -> None:
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind("\0bayleaf-test")
        assert str(Listening.of(opened)) == "unix:@bayleaf-test"
