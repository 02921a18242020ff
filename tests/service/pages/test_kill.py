"""A daemon killed while a file is learned: the job is gone, and every mail is learned or not."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from letters import letter

from bayleaf.mail import Filter
from bayleaf.service.pages.jobs import BATCH

pytestmark = pytest.mark.slow
MAILS = 3000


def test_nothing_is_half_learned(tmp_path: Path) -> None:
    box = b"".join(b"From a Sun Nov 15 10:00:00 2026\n" + letter(n, "spam") + b"\n\n" for n in range(MAILS))
    command = [sys.executable, "-m", "bayleaf", "serve", "--store", tmp_path / "m.db", "--http", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as daemon:
        assert daemon.stdout is not None
        with httpx.Client(base_url=daemon.stdout.readline().strip(), timeout=60) as client:
            found = re.search(r'name="csrf" value="(\w+)"', client.get("/data").text)
            assert found is not None
            fields = {"csrf": found[1], "label": "spam"}
            client.post("/data/learn", data=fields, files={"file": ("box.mbox", box)})
            while not re.search(r"[1-9][\d,]* learned", told := client.get("/data/jobs").text):
                assert "failed" not in told
        daemon.kill()
    with Filter.open(tmp_path / "m.db") as own:
        held = own.check()["mails"]
        assert own.status()["mails"] == {"spam": held, "ham": 0}
    assert held == MAILS or held % BATCH == 0, "whole batches"
    assert held > 0
