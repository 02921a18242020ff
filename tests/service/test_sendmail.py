"""Sendmail, set up as packaging/samples/sendmail says: mail goes in over loopback and into its queue."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from daemon import Daemon, open_folder, taught
from letters import letter
from service.smtp import hand_over

SAMPLE = Path(__file__).parents[2] / "packaging" / "samples" / "sendmail" / "sendmail.mc"
MACROS = Path("/usr/local/share/sendmail/cf")
pytestmark = [
    pytest.mark.service,
    pytest.mark.skipif(shutil.which("sendmail-mta") is None, reason="sendmail is not unpacked: .ci/mail-software"),
]
CONFIG = """
divert(-1)
include(`{macros}/m4/cf.m4')
divert(0)
OSTYPE(`linux')dnl
define(`QUEUE_DIR', `{folder}/queue')dnl
define(`STATUS_FILE', `{folder}/stats')dnl
define(`ALIAS_FILE', `')dnl
define(`confDOMAIN_NAME', `mx.test.example')dnl
define(`confDELIVERY_MODE', `q')dnl
define(`confDONT_PROBE_INTERFACES', `True')dnl
define(`confDONT_BLAME_SENDMAIL', `TrustStickyBit')dnl
define(`confSERVICE_SWITCH_FILE', `{folder}/switch')dnl
define(`confTO_IDENT', `0')dnl
FEATURE(`accept_unresolvable_domains')dnl
FEATURE(`nocanonify')dnl
{sample}
LOCAL_DOMAIN(`test.example')
MAILER(`local')dnl
MAILER(`smtp')dnl
"""
# Sendmail waits a minute for its machine to get a full name; where that is allowed, it gets one of its own.
NAMED = 'unshare --uts sh -c "hostname mx.test.example && exec $*" 2>/dev/null || exec "$@"'


def configured(folder: Path, port: int) -> Path:
    """Its configuration in this folder, with the filter at this port."""
    sample = SAMPLE.read_text().replace("8895", str(port))
    (folder / "queue").mkdir(mode=0o700)
    (folder / "switch").write_text("hosts files\naliases files\n")
    words = CONFIG.format(macros=MACROS, folder=folder, sample=sample)
    made = subprocess.run(["m4", f"-D_CF_DIR_={MACROS}/"], input=words.encode(), stdout=subprocess.PIPE, check=True)
    (folder / "sendmail.cf").write_bytes(made.stdout)
    return folder / "sendmail.cf"


def test_mail_is_queued_with_the_verdict() -> None:
    forged = b"X-Spam-Status: No, score=-99\nX-Spam-Flag: NO\nX-Spam-Flag: NO\n"
    with open_folder() as folder, Daemon(folder, "--milter", "127.0.0.1:0", store=taught(folder / "m.db")) as daemon:
        port = re.search(r"milter 127\.0\.0\.1:(\d+)", daemon.status)
        assert port is not None
        config = configured(folder, int(port[1]))
        command = ["sh", "-c", NAMED, "sh", "sendmail-mta", "-bs", f"-C{config}"]
        hand_over(command, (forged + letter(1000, "spam")).replace(b"\n", b"\r\n"))
        (queued,) = (folder / "queue").glob("qf*")
        head = queued.read_text("latin-1")
    assert "X-Spam-Flag: YES" in head
    assert "X-Bayleaf-Verdict: spam" in head
    assert (head.count("X-Spam-Flag"), head.count("X-Spam-Status")) == (1, 1)
    assert head.index("X-Bayleaf-Verdict") < head.index("by mx.test.example") < head.index("mail7.bulk.example")
