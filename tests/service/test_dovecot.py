"""Dovecot's IMAPSieve, set up as packaging/samples/dovecot says: moving mails teaches."""

from __future__ import annotations

import imaplib
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from daemon import Daemon, open_folder, until
from letters import letter

from bayleaf.mail import Filter

PATH = f"{os.environ['PATH']}:/usr/sbin"
SAMPLE = Path(__file__).parents[2] / "packaging" / "samples" / "dovecot"
pytestmark = [
    pytest.mark.service,
    *(
        pytest.mark.skipif(shutil.which(name, path=PATH) is None, reason=f"{name} is not installed: .ci/mail-software")
        for name in ("dovecot", "sievec", "spamc")
    ),
    pytest.mark.skipif(os.getuid() != 0, reason="Dovecot starts as root"),
]
CONFIG = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = no
mail_location = maildir:{folder}/mail/%u
first_valid_uid = 1
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
}}
service anvil {{
  chroot =
}}
passdb {{
  driver = static
  args = password=secret
}}
userdb {{
  driver = static
  args = uid=nobody gid=nogroup home={folder}/mail/%u
}}
namespace inbox {{
  inbox = yes
  mailbox Junk {{
    auto = create
  }}
  mailbox Trash {{
    auto = create
  }}
  mailbox Archive {{
    auto = create
  }}
}}
{sample}
"""


@contextmanager
def dovecot(folder: Path, daemon: Daemon) -> Iterator[int]:
    """A Dovecot of its own; the port it listens on."""
    scripts = folder / "sieve"
    shutil.copytree(SAMPLE, scripts)
    learn = scripts / "bayleaf-learn"
    learn.write_text(learn.read_text().replace("/run/bayleaf/spamd.sock", str(daemon.unix)))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    sample = (SAMPLE / "90-bayleaf.conf").read_text().replace("/usr/local/lib/bayleaf-sieve", str(scripts))
    config = folder / "dovecot.conf"
    config.write_text(CONFIG.format(folder=folder, port=port, sample=sample))
    (folder / "mail").mkdir()
    (folder / "mail").chmod(0o777)
    for script in scripts.glob("*.sieve"):
        subprocess.run(["sievec", "-c", str(config), str(script)], check=True)
    with subprocess.Popen(["/usr/sbin/dovecot", "-F", "-c", str(config)]) as running:
        try:
            until(lambda: socket.create_connection(("127.0.0.1", port)).close(), OSError)
            yield port
        finally:
            running.terminate()


def test_moving_mail_teaches(daemon: Daemon) -> None:
    mail = letter(5000, "spam").replace(b"\n", b"\r\n")

    def known() -> str | None:
        with Filter.open(daemon.store) as store:
            return store.knows(store.read(mail))

    def move(client: imaplib.IMAP4, start: str, target: str) -> str | None:
        client.select(start)
        answer = client.uid("MOVE", "1:*", target)
        assert answer[0] == "OK", answer
        return known()

    with open_folder() as folder, dovecot(folder, daemon) as port, imaplib.IMAP4("127.0.0.1", port, 60) as client:
        imaplib.Commands.setdefault("MOVE", ("SELECTED",))
        client.login("ann", "secret")
        client.append("INBOX", "", "", mail)
        assert known() is None
        learned = [
            move(client, start, target)
            for start, target in (
                ("INBOX", "Archive"),
                ("Archive", "Junk"),
                ("Junk", "Trash"),
                ("Trash", "Junk"),
                ("Junk", "INBOX"),
                ("INBOX", "Junk"),
            )
        ]
        log = (folder / "dovecot.log").read_text()
    assert learned == [None, "spam", "spam", "spam", "ham", "spam"], log
