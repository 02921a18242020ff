"""Postfix, set up as packaging/samples/postfix says or with spamass-milter: mail goes in over loopback, and out."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import smtplib
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from daemon import Daemon, open_folder, taught, until
from letters import letter
from service.smtp import RECEIVER, SENDER

from bayleaf.mail import Filter
from bayleaf.mail.marked import without
from bayleaf.service.marks import OURS

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
box unix - n n - - pipe flags=R user=nobody argv=/usr/bin/tee {folder}/mailbox
"""


def knock(place: Path) -> None:
    """Refused until something listens there."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(place))


@contextmanager
def milter(folder: Path, daemon: Daemon) -> Iterator[None]:
    """spamass-milter, which asks the daemon as it would ask spamd."""
    place = folder / "milter.sock"
    command = ["/usr/sbin/spamass-milter", "-p", str(place), "-u", "nobody", "--", "-U", str(daemon.unix)]
    with subprocess.Popen(command) as running:
        until(lambda: knock(place), OSError)
        place.chmod(0o666)
        try:
            yield
        finally:
            running.terminate()


@contextmanager
def postfix(folder: Path, more: str = "") -> Iterator[int]:
    """A Postfix of its own, with more lines of configuration; the port it listens on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    sample = (SAMPLE / "main.cf").read_text().replace("inet:127.0.0.1:8895", f"unix:{folder}/milter.sock")
    config = folder / "config"
    for name in ("config", "queue", "data"):
        (folder / name).mkdir()
    shutil.chown(folder / "data", "postfix")
    (config / "main.cf").write_text(MAIN.format(folder=folder, sample=sample + more))
    (config / "master.cf").write_text(MASTER.format(folder=folder, port=port))
    os.mkfifo(folder / "mailbox")
    os.chown(folder / "mailbox", pwd.getpwnam("nobody").pw_uid, -1)
    command = ["/usr/sbin/postfix", "-c", str(config)]
    subprocess.run([*command, "start"], check=True, capture_output=True)
    try:
        yield port
    finally:
        subprocess.run([*command, "stop"], check=True, capture_output=True)


@contextmanager
def ours(folder: Path) -> Iterator[Daemon]:
    """The daemon as Postfix asks it itself."""
    store = taught(folder / "mail.db")
    with Daemon(folder, "--milter", f"unix:{folder}/milter.sock", store=store) as daemon:
        yield daemon


@contextmanager
def theirs(folder: Path) -> Iterator[Daemon]:
    """The daemon, and spamass-milter in between."""
    with Daemon(folder, store=taught(folder / "mail.db")) as daemon, milter(folder, daemon):
        yield daemon


def sent(port: int, folder: Path, *mails: bytes) -> Iterator[bytes]:
    """What is delivered of mails that come over one connection."""
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as client:
        for mail in mails:
            client.sendmail(SENDER, [RECEIVER], mail)
            yield (folder / "mailbox").read_bytes()  # waits until Postfix has delivered


@pytest.mark.parametrize("way", [ours, theirs])
def test_mail_is_delivered_with_the_verdict(way: Callable[[Path], AbstractContextManager[Daemon]]) -> None:
    forged = b"X-Spam-Status: No, score=-99\nX-Spam-Flag: NO\nX-Spam-Flag: NO\n"
    labels = ("spam", "ham")
    with open_folder() as folder, way(folder), postfix(folder) as port:
        found = dict(zip(labels, sent(port, folder, *(forged + letter(1000, label) for label in labels)), strict=True))
    for label, mail in found.items():
        spam = label == "spam"
        assert (b"X-Spam-Flag: YES" in mail) is spam
        assert (b"X-Spam-Status: Yes, score=" if spam else b"X-Spam-Status: No, score=-") in mail
        assert mail.count(b"X-Spam-Status") == 1
        assert letter(1000, label).partition(b"\n\n")[2] in mail


def test_postfix_shows_the_mail_as_it_delivers_it() -> None:
    """What the filter judges has the hop that Postfix itself writes later, so that it finds what it learned of hops."""
    with open_folder() as folder, ours(folder) as daemon, postfix(folder) as port:
        (mail,) = sent(port, folder, letter(1000, "spam"))
        bare = without(mail, OURS)
        with Filter.open(daemon.store) as judge:
            delivered = judge.judge(bare).probabilities["spam"]
    told = re.search(rb"X-Bayleaf-Probability: .*spam=([\d.]+)", mail)
    assert told is not None
    # A second more or less moves it by up to 2e-5, a mail without its hop by 2e-4.
    assert float(told[1]) == pytest.approx(delivered, abs=5e-5)


@pytest.mark.parametrize("way", [ours, theirs])
def test_mail_is_delivered_when_the_daemon_is_down(way: Callable[[Path], AbstractContextManager[Daemon]]) -> None:
    with open_folder() as folder, way(folder) as daemon, postfix(folder) as port:
        daemon.kill()
        (found,) = sent(port, folder, letter(1000, "spam"))
    assert b"X-Spam-Flag" not in found
    assert letter(1000, "spam").partition(b"\n\n")[2] in found


def test_spam_is_refused_where_postfix_is_told_to() -> None:
    checks = f"milter_header_checks = regexp:{SAMPLE / 'header_checks'}\n"
    with open_folder() as folder, ours(folder), postfix(folder, checks) as port:
        with pytest.raises(smtplib.SMTPDataError, match="this looks like spam"):
            next(sent(port, folder, letter(1000, "spam")))
        (ham,) = sent(port, folder, letter(1000, "ham"))
    assert b"X-Spam-Status: No, score=-" in ham
