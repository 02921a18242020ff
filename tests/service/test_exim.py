"""Exim's content scanning, set up as packaging/samples/exim says, with mail sent through it over loopback."""

from __future__ import annotations

import os
import pwd
import shutil
from pathlib import Path

import pytest
from daemon import Daemon, open_folder
from letters import letter
from service.smtp import hand_over

EXIM = shutil.which("exim4", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
SAMPLE = Path(__file__).parents[2] / "packaging" / "samples" / "exim"
pytestmark = [
    pytest.mark.service,
    pytest.mark.skipif(EXIM is None, reason="exim4 is not installed: .ci/mail-software"),
    pytest.mark.skipif(os.getuid() != 0, reason="Exim changes to the user it was compiled for: run as root"),
]
CONFIG = """
{main}
exim_path = {exim}
primary_hostname = test.example
domainlist local_domains = test.example
acl_smtp_rcpt = accept
spool_directory = {folder}/spool
log_file_path = {folder}/log-%slog
tls_advertise_hosts =
keep_environment =
begin acl
{acl}
begin routers
here:
  driver = accept
  transport = box
begin transports
box:
  driver = appendfile
  file = {folder}/mailbox
  user = Debian-exim
"""


def deliver(spamd: str, mail: bytes) -> bytes:
    """The mail as it lies in the mailbox."""
    with open_folder() as folder:
        main = (SAMPLE / "main.conf").read_text().replace("127.0.0.1 783", spamd)
        config = folder / "exim.conf"
        acl = (SAMPLE / "acl.conf").read_text()
        config.write_text(CONFIG.format(main=main, acl=acl, folder=folder, exim=EXIM))
        user = pwd.getpwnam("Debian-exim")
        (folder / "spool").mkdir()
        os.chown(folder / "spool", user.pw_uid, user.pw_gid)
        hand_over([str(EXIM), "-C", str(config), "-bs", "-odf"], mail)
        log = "".join(path.read_text() for path in folder.glob("log-*"))
        assert (folder / "mailbox").exists(), log
        return (folder / "mailbox").read_bytes()


@pytest.mark.parametrize("unix", [False, True])
@pytest.mark.parametrize("label", ["spam", "ham"])
def test_mail_is_delivered_with_the_verdict(daemon: Daemon, label: str, unix: bool) -> None:
    forged = b"X-Spam-Status: No, score=-99\nX-Spam-Flag: NO\n"
    mail = letter(1000, label)
    found = deliver(str(daemon.unix) if unix else f"127.0.0.1 {daemon.port}", forged + mail)
    spam = label == "spam"
    assert (b"X-Spam-Flag: YES" in found) is spam
    assert (b"X-Spam-Status: Yes, score=" if spam else b"X-Spam-Status: No, score=-") in found
    assert b"Content analysis details" in found
    assert found.count(b"X-Spam-Status") == 1
    assert mail.partition(b"\n\n")[2] in found


def test_mail_is_delivered_when_the_daemon_is_down(tmp_path: Path) -> None:
    with Daemon(tmp_path) as gone:
        assert gone.stop() == 0
    found = deliver(f"127.0.0.1 {gone.port}", letter(1000, "spam"))
    assert b"X-Spam-Flag" not in found
    assert letter(1000, "spam").partition(b"\n\n")[2] in found
