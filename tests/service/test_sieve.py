"""The delivery script of packaging/samples/dovecot, run by Dovecot's own interpreter."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from daemon import open_folder

SCRIPT = Path(__file__).parents[2] / "packaging" / "samples" / "dovecot" / "junk.sieve"
pytestmark = [
    pytest.mark.service,
    pytest.mark.skipif(shutil.which("sieve-test") is None, reason="sieve-test is not installed: .ci/mail-software"),
]


@pytest.mark.parametrize(
    ("head", "folder"), [("X-Spam-Flag: YES\n", "Junk"), ("X-Spam-Flag: NO\n", "INBOX"), ("", "INBOX")]
)
def test_marked_mail_goes_to_junk(head: str, folder: str) -> None:
    with open_folder() as here:  # Dovecot touches no mail as root, and nobody may look into folders of pytest
        owner = "nobody" if os.getuid() == 0 else os.getuid()
        config, mail, script = here / "dovecot.conf", here / "mail", shutil.copy(SCRIPT, here)
        config.write_text(f"mail_location = maildir:{here}/box\nssl = no\nmail_uid = {owner}\nmail_gid = nogroup\n")
        mail.write_text(f"{head}From: ann@example.org\nSubject: lunch\n\nNoon?\n")
        words = ["sieve-test", "-c", config, script, mail]
        ran = subprocess.run(words, capture_output=True, text=True, cwd=here, check=False)
    assert ran.returncode == 0, ran.stderr
    assert f"store message in folder: {folder}\n" in ran.stdout
    assert ran.stdout.count("store message") == 1
