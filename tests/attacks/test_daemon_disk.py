"""A full disk: learning is refused for a while, judging goes on, nothing is miscounted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from daemon import Daemon, request, taught
from letters import letter
from web import Client

from bayleaf.mail import Filter

Learn = Callable[[Daemon, bytes], bool]  # whether it was learned, and not refused for the time being


def over_spamd(daemon: Daemon, mail: bytes) -> bool:
    answer = daemon.ask(request("TELL", mail, "Message-class: spam", "Set: local"))
    if answer.startswith(b"SPAMD/1.1 0 EX_OK\r\nDidSet"):
        return True
    assert answer.startswith(b"SPAMD/1.0 75 EX_TEMPFAIL"), "so spamc -L reports failure and can come again"
    return False


def over_http(daemon: Daemon, mail: bytes) -> bool:
    answer = Client(daemon.web).post("/v1/train?label=spam", mail)
    if answer.status == 200:
        return bool(answer.json["done"] == "learned")
    assert (answer.status, answer.headers["retry-after"]) == (503, "5")
    assert "free some space and try again; each mail is counted whole or not at all" in answer.json["detail"]
    return False


@pytest.mark.parametrize("learn", [over_spamd, over_http])
def test_a_full_disk_is_survived(learn: Learn, small_disk: Path, tmp_path: Path) -> None:
    store = taught(small_disk / "mail.db", 20)
    with Daemon(tmp_path, "--allow-tell", "--http", "127.0.0.1:0", store=store) as daemon:
        (small_disk / "filler").write_bytes(bytes(1_200_000))
        learned = 0
        while learn(daemon, letter(1000 + learned, "spam")):
            learned += 1
        assert daemon.ask(request("CHECK", letter(5000, "spam"))).startswith(b"SPAMD/1.1 0 EX_OK\r\nSpam: True")
        assert Client(daemon.web).post("/v1/judge", letter(5000, "spam")).json["label"] == "spam"
        (small_disk / "filler").unlink()
        assert learn(daemon, letter(1000 + learned, "spam")), "without a restart"
        assert daemon.stop() == 0
    with Filter.open(store) as found:
        assert found.check()["mails"] == 40 + learned + 1
