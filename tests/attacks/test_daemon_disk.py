"""A full disk: learning is refused for a while, judging goes on, nothing is miscounted."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from daemon import Daemon, request, taught
from letters import letter

from bayleaf.mail import Filter


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 2 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("a full disk needs the right to mount one")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_is_survived(small_disk: Path, tmp_path: Path) -> None:
    def teach(daemon: Daemon, number: int) -> bytes:
        return daemon.ask(request("TELL", letter(number, "spam"), "Message-class: spam", "Set: local"))

    store = taught(small_disk / "mail.db", 20)
    with Daemon(tmp_path, "--allow-tell", store=store) as daemon:
        (small_disk / "filler").write_bytes(bytes(1_200_000))
        learned = 0
        while (answer := teach(daemon, 1000 + learned)).startswith(b"SPAMD/1.1 0 EX_OK\r\nDidSet"):
            learned += 1
        assert answer.startswith(b"SPAMD/1.0 75 EX_TEMPFAIL"), "so spamc -L reports failure and can come again"
        assert daemon.ask(request("CHECK", letter(5000, "spam"))).startswith(b"SPAMD/1.1 0 EX_OK\r\nSpam: True")
        (small_disk / "filler").unlink()
        assert teach(daemon, 1000 + learned).startswith(b"SPAMD/1.1 0 EX_OK\r\nDidSet"), "without a restart"
        assert daemon.stop() == 0
    with Filter.open(store) as found:
        assert found.check()["mails"] == 40 + learned + 1
