"""Postfix with spamass-milter, set up as packaging/samples/postfix says: mail goes in over loopback, and out."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import smtplib
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from daemon import Daemon, open_folder, until
from letters import letter
from service.smtp import RECEIVER, SENDER

PATH = f"{os.environ['PATH']}:/usr/sbin"
PROGRAMS = ("postfix", "spamass-milter", "spamc")
SAMPLE = Path(__file__).parents[2] / "packaging" / "samples" / "postfix"
pytestmark = [
    pytest.mark.service,
    *(
        pytest.mark.skipif(shutil.which(name, path=PATH) is None, reason=f"{name} is not installed: .ci/mail-software")
        for name in PROGRAMS
    ),
    pytest.mark.skipif(os.getuid() != 0, reason="Postfix starts as root"),
]
MAIN = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
myhostname = test.example
mydestination = test.example
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
local_recipient_maps =
local_transport = box
{sample}
"""
MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
box unix - n n - - pipe user=nobody argv=/usr/bin/tee {folder}/mailbox
"""


def knock(place: Path) -> None:
    """Refused until something listens there."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(place))


@contextmanager
def milter(folder: Path, daemon: Daemon) -> Iterator[None]:
    """spamass-milter with the options of the sample, but not sparing this machine."""
    found = re.search(r'OPTIONS="(.*)"', (SAMPLE / "spamass-milter").read_text())
    assert found is not None
    words = found[1].replace("-i 127.0.0.1", "").replace("/run/bayleaf/spamd.sock", str(daemon.unix)).split()
    place = folder / "milter.sock"
    with subprocess.Popen(["/usr/sbin/spamass-milter", "-p", str(place), *words]) as running:
        until(lambda: knock(place), OSError)
        place.chmod(0o666)
        try:
            yield
        finally:
            running.terminate()


@contextmanager
def postfix(folder: Path) -> Iterator[int]:
    """A Postfix of its own; the port it listens on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    sample = (SAMPLE / "main.cf").read_text().replace("/run/spamass-milter/spamass.sock", f"{folder}/milter.sock")
    config = folder / "config"
    for name in ("config", "queue", "data"):
        (folder / name).mkdir()
    shutil.chown(folder / "data", "postfix")
    (config / "main.cf").write_text(MAIN.format(folder=folder, sample=sample))
    (config / "master.cf").write_text(MASTER.format(folder=folder, port=port))
    os.mkfifo(folder / "mailbox")
    os.chown(folder / "mailbox", pwd.getpwnam("nobody").pw_uid, -1)
    command = ["/usr/sbin/postfix", "-c", str(config)]
    subprocess.run([*command, "start"], check=True, capture_output=True)
    try:
        yield port
    finally:
        subprocess.run([*command, "stop"], check=True, capture_output=True)


def test_mail_is_delivered_with_the_verdict(daemon: Daemon) -> None:
    forged = b"X-Spam-Status: No, score=-99\nX-Spam-Flag: NO\n"
    found = {}
    with open_folder() as folder, milter(folder, daemon), postfix(folder) as port:
        for label in ("spam", "ham"):
            with smtplib.SMTP("127.0.0.1", port, timeout=60) as client:
                client.sendmail(SENDER, [RECEIVER], forged + letter(1000, label))
            found[label] = (folder / "mailbox").read_bytes()  # waits until Postfix has delivered
    for label, mail in found.items():
        spam = label == "spam"
        assert (b"X-Spam-Flag: YES" in mail) is spam
        assert (b"X-Spam-Status: Yes, score=" if spam else b"X-Spam-Status: No, score=-") in mail
        assert mail.count(b"X-Spam-Status") == 1
        assert letter(1000, label).partition(b"\n\n")[2] in mail


def test_mail_is_delivered_when_the_daemon_is_down() -> None:
    with open_folder() as folder:
        with Daemon(folder) as gone:
            assert gone.stop() == 0
        with milter(folder, gone), postfix(folder) as port:
            with smtplib.SMTP("127.0.0.1", port, timeout=60) as client:
                client.sendmail(SENDER, [RECEIVER], letter(1000, "spam"))
            found = (folder / "mailbox").read_bytes()
    assert letter(1000, "spam").partition(b"\n\n")[2] in found
