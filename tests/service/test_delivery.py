"""procmail and maildrop with the samples of packaging/samples, delivering into a Maildir."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from daemon import Daemon
from letters import letter

SAMPLES = Path(__file__).parents[2] / "packaging" / "samples"
pytestmark = pytest.mark.service
each_sample = pytest.mark.parametrize(
    ("agent", "sample"),
    [
        ("procmail", "procmailrc"),
        ("procmail", "procmailrc-spamc"),
        ("maildrop", "mailfilter"),
        ("maildrop", "mailfilter-spamc"),
    ],
)


def deliver(agent: str, sample: str, home: Path, store: Path, socket: Path, mail: bytes, path: str = "") -> None:
    """Delivers a mail with a sample in a home of its own, with the programs of the path."""
    if shutil.which(agent) is None:
        pytest.skip(f"{agent} is not installed: apt-get install {agent}")
    for box in ("Maildir", "Maildir/.Junk"):
        for part in ("cur", "new", "tmp"):
            (home / box / part).mkdir(parents=True, exist_ok=True)
    # Both take home and environment from the system: what differs here is set above the sample.
    path = path or f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    ours = {"HOME": home, "PATH": path, "BAYLEAF_STORE": store, "SHELL": "/bin/sh"}
    sets = "".join(f'{name}="{value}"\n' for name, value in ours.items())
    recipe = home / "recipe"
    recipe.write_text(sets + (SAMPLES / agent / sample).read_text().replace("/run/bayleaf/spamd.sock", str(socket)))
    recipe.chmod(0o600)
    words = [agent, "-m", str(recipe)] if agent == "procmail" else [agent, str(recipe)]
    done = subprocess.run(words, input=mail, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def boxes(home: Path) -> dict[str, list[bytes]]:
    """The mails of the inbox and of the junk folder."""
    folders = {"inbox": home / "Maildir", "junk": home / "Maildir" / ".Junk"}
    return {name: [mail.read_bytes() for mail in (box / "new").iterdir()] for name, box in folders.items()}


@each_sample
def test_spam_goes_to_junk_and_ham_to_the_inbox(daemon: Daemon, tmp_path: Path, agent: str, sample: str) -> None:
    if sample.endswith("spamc") and shutil.which("spamc") is None:
        pytest.skip("spamc is not installed: apt-get install spamc")
    for label in ("spam", "ham"):
        deliver(agent, sample, tmp_path, daemon.store, daemon.unix, letter(1000, label))
    found = boxes(tmp_path)
    for box, label in (("junk", "spam"), ("inbox", "ham")):
        (mail,) = found[box]
        assert f"X-Bayleaf-Verdict: {label}\n".encode() in mail
        assert mail.rstrip().endswith(letter(1000, label).rstrip()), "but for the empty line that procmail appends"


@each_sample
def test_without_a_store_or_a_daemon_the_mail_arrives_as_it_came(tmp_path: Path, agent: str, sample: str) -> None:
    (tmp_path / "broken.db").write_bytes(b"this is no store" * 100)
    deliver(agent, sample, tmp_path, tmp_path / "broken.db", tmp_path / "nobody.sock", letter(1000, "spam"))
    (mail,) = boxes(tmp_path)["inbox"]
    assert mail.rstrip() == letter(1000, "spam").rstrip()


@each_sample
def test_where_the_program_is_not_found_the_mail_arrives_as_it_came(tmp_path: Path, agent: str, sample: str) -> None:
    nothing = str(tmp_path / "bin")
    deliver(agent, sample, tmp_path, tmp_path / "mail.db", tmp_path / "nobody.sock", letter(1000, "spam"), nothing)
    (mail,) = boxes(tmp_path)["inbox"]
    assert mail.rstrip() == letter(1000, "spam").rstrip()
