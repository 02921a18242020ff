"""aiospamc: a client written apart from spamc, which can compress."""

from __future__ import annotations

import zlib
from pathlib import Path

import aiospamc
import pytest
from apart import run_apart
from daemon import Daemon, request
from letters import letter

pytestmark = pytest.mark.service
SPAM, HAM = letter(1000, "spam"), letter(1000, "ham")


@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize("verb", ["check", "symbols", "report", "report_if_spam", "process", "headers"])
def test_every_verb(daemon: Daemon, verb: str, compress: bool) -> None:
    ask = getattr(aiospamc, verb)
    for mail, spam in ((SPAM, True), (HAM, False)):
        answer = run_apart(ask(mail, host="127.0.0.1", port=daemon.port, compress=compress))
        found = answer.headers["Spam"]
        assert answer.status_code == 0
        assert (found.value, found.score >= 5.0, found.threshold) == (spam, spam, 5.0)
        if verb == "process":
            assert answer.body.endswith(mail.partition(b"\n")[2])


def test_ping_and_tell(daemon: Daemon) -> None:
    async def session() -> list[object]:
        where = {"host": "127.0.0.1", "port": daemon.port}
        mail = letter(4000, "spam")
        pong = await aiospamc.ping(**where)
        action = aiospamc.ActionOption(local=True, remote=False)
        learn = {"message_class": "spam", "set_action": action, "compress": True, **where}
        first, again = await aiospamc.tell(mail, **learn), await aiospamc.tell(mail, **learn)
        gone = await aiospamc.tell(mail, message_class="spam", remove_action=action, **where)
        return [pong.message, "DidSet" in first.headers, "DidSet" in again.headers, "DidRemove" in gone.headers]

    assert run_apart(session()) == ["PONG", True, False, True]


def test_a_compressed_flood_is_not_inflated(daemon: Daemon) -> None:
    status = Path(f"/proc/{daemon.process.pid}/status")
    flood = zlib.compress(bytes(2**28), 9)
    before = peak(status)
    answer = daemon.ask(request("CHECK", flood, "Compress: zlib"))
    assert answer.startswith(b"SPAMD/1.0 65 ")
    assert not answer.endswith(b"\r\n\r\n")
    assert peak(status) - before < 120 * 2**10, "256 MB of zeros must not be held in memory"
    assert daemon.alive()


def peak(status: Path) -> int:
    """The most KB the process has taken so far."""
    return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM"))
