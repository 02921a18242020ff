"""Every verb, exit code and kind of learning of Debian's spamc."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from daemon import Daemon, taught
from letters import letter

from bayleaf.mail import Filter

pytestmark = [
    pytest.mark.service,
    pytest.mark.skipif(shutil.which("spamc") is None, reason="spamc is not installed: apt-get install spamc"),
]
SPAM, HAM = letter(1000, "spam"), letter(1000, "ham")
UNSURE = b"Subject: hello\n\nnever seen\n"


def spamc(daemon: Daemon, *words: str, mail: bytes = SPAM, unix: bool = False) -> subprocess.CompletedProcess[bytes]:
    place = ["-U", str(daemon.unix)] if unix else ["-d", "127.0.0.1", "-p", str(daemon.port)]
    return subprocess.run(["spamc", *place, *words], input=mail, capture_output=True, check=False)


def added(mail: bytes) -> dict[bytes, bytes]:
    """The headers that begin with X-."""
    head = mail.partition(b"\n\n")[0]
    return dict(line.split(b": ", 1) for line in head.splitlines() if line.startswith(b"X-"))


@pytest.mark.parametrize("unix", [False, True])
def test_check_prints_the_score_and_exits_one_for_spam(daemon: Daemon, unix: bool) -> None:
    spam, ham = (spamc(daemon, "-c", "-x", mail=mail, unix=unix) for mail in (SPAM, HAM))
    assert spam.returncode == 1
    assert ham.returncode == 0
    score, threshold = map(float, spam.stdout.split(b"/"))
    assert score >= threshold == 5.0
    assert float(ham.stdout.split(b"/")[0]) <= -5.0


def test_unsure_is_not_spam_and_scores_in_between(daemon: Daemon) -> None:
    done = spamc(daemon, "-c", "-x", mail=UNSURE)
    assert done.returncode == 0
    assert -5.0 < float(done.stdout.split(b"/")[0]) < 5.0


@pytest.mark.parametrize(
    ("mail", "symbol"), [(SPAM, b"BAYLEAF_SPAM"), (HAM, b"BAYLEAF_HAM"), (UNSURE, b"BAYLEAF_UNSURE")]
)
def test_symbols(daemon: Daemon, mail: bytes, symbol: bytes) -> None:
    done = spamc(daemon, "-y", "-x", mail=mail)
    assert done.stdout.split(b",")[0] == symbol
    assert re.fullmatch(rb"[A-Z_]+(,[A-Z_]+)*", done.stdout)


def test_report_has_the_score_line_and_clues_that_add_up(daemon: Daemon) -> None:
    done = spamc(daemon, "-R", "-x")
    score = float(done.stdout.split(b"/")[0])
    clues = [float(line[:5]) for line in done.stdout.partition(b"-----")[2].splitlines()[1:]]
    assert len(clues) > 5
    assert abs(sum(clues) - score) < 0.05 * (len(clues) + 1), "each is rounded to a tenth"


def test_report_if_spam_is_silent_about_ham(daemon: Daemon) -> None:
    spam, ham = (spamc(daemon, "-r", "-x", mail=mail).stdout for mail in (SPAM, HAM))
    assert b"Content analysis details" in spam
    assert re.match(rb"\d+\.\d/5\.0\n", spam)
    assert ham == b""


@pytest.mark.parametrize("words", [(), ("--headers",)])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("envelope", [b"", b"From a@example.org Mon Jan  1 10:00:00 2024\n"])
def test_process_and_headers_add_headers_and_change_nothing_else(
    daemon: Daemon, words: tuple[str, ...], end: bytes, envelope: bytes
) -> None:
    forged = b"X-Spam-Status: No, score=-99\n\tfolded\nX-Spam-Flag: NO\nX-Bayleaf-Verdict: ham\n"
    mail = (envelope + forged + SPAM).replace(b"\n", end)
    done = spamc(daemon, "-x", *words, mail=mail).stdout
    ours = added(done.replace(b"\r\n", b"\n"))
    assert ours[b"X-Spam-Flag"] == b"YES"
    assert ours[b"X-Spam-Status"].startswith(b"Yes, score=")
    assert ours[b"X-Bayleaf-Verdict"] == b"spam"
    assert done.count(b"X-Spam-Status") == done.count(b"X-Bayleaf-Verdict") == 1
    kept = b"".join(line for line in done.splitlines(keepends=True) if not line.startswith(b"X-"))
    assert kept == (envelope + SPAM).replace(b"\n", end)


def test_ham_has_no_flag(daemon: Daemon) -> None:
    ours = added(spamc(daemon, "-x", mail=HAM).stdout)
    assert b"X-Spam-Flag" not in ours
    assert ours[b"X-Spam-Level"] == b""
    assert ours[b"X-Spam-Status"].startswith(b"No, score=-")


def test_exit_code_with_the_mail(daemon: Daemon) -> None:
    spam, ham = (spamc(daemon, "-E", "-x", mail=mail) for mail in (SPAM, HAM))
    assert (spam.returncode, ham.returncode) == (1, 0)
    assert spam.stdout.endswith(SPAM.partition(b"\n\n")[2])


def test_ping(daemon: Daemon) -> None:
    done = spamc(daemon, "-K", mail=b"")
    assert done.returncode == 0
    assert done.stdout.startswith(b"SPAMD/1.5 0")


def test_learn_correct_and_forget(daemon: Daemon) -> None:
    def tell(kind: str) -> bytes:
        done = spamc(daemon, "-x", "-L", kind, mail=letter(2000, "spam"))
        assert done.returncode == 0
        return done.stdout.strip()

    def known() -> str | None:
        with Filter.open(daemon.store) as store:
            return store.knows(store.read(letter(2000, "spam")))

    did, already = b"Message successfully un/learned", b"Message was already un/learned"
    assert (tell("spam"), known()) == (did, "spam")
    assert (tell("spam"), known()) == (already, "spam")
    assert (tell("ham"), known()) == (did, "ham")
    assert (tell("forget"), known()) == (did, None)
    assert (tell("forget"), known()) == (already, None)


def test_report_and_revoke_learn_but_tell_nobody_else(daemon: Daemon) -> None:
    mail = letter(2001, "spam")
    assert b"Unable to report" in spamc(daemon, "-x", "-C", "report", mail=mail).stdout
    with Filter.open(daemon.store) as store:
        assert store.knows(store.read(mail)) == "spam"
    spamc(daemon, "-x", "-C", "revoke", mail=mail)
    with Filter.open(daemon.store) as store:
        assert store.knows(store.read(mail)) == "ham"


def test_learning_is_refused_unless_allowed(tmp_path: Path) -> None:
    with Daemon(tmp_path, store=taught(tmp_path / "m.db", 5)) as closed:
        done = spamc(closed, "-x", "-L", "spam", mail=letter(2000, "spam"))
        assert done.returncode != 0
        assert b"success" not in done.stdout
        assert closed.stop() == 0
    with Filter.open(tmp_path / "m.db") as store:
        assert store.check()["mails"] == 10


def test_a_daemon_that_is_not_there_loses_no_mail(tmp_path: Path) -> None:
    with Daemon(tmp_path) as gone:
        assert gone.stop() == 0
    passed = spamc(gone, "--connect-retries=1")
    assert (passed.returncode, passed.stdout) == (0, SPAM)
    assert spamc(gone, "-x", "--connect-retries=1").returncode == 69


def test_a_mail_beyond_our_limit_passes_as_it_came(daemon: Daemon) -> None:
    huge = HAM + b"word " * (6 * 2**20)
    done = spamc(daemon, "-s", str(100 * 2**20), mail=huge)
    assert (done.returncode, done.stdout) == (0, huge)
    assert spamc(daemon, "-x", "-s", str(100 * 2**20), mail=huge).returncode != 0
    assert daemon.alive()


def test_a_mail_too_large_for_spamc_is_not_even_sent(daemon: Daemon) -> None:
    done = spamc(daemon, "-x", "-s", "1000", mail=HAM + b"x" * 2000)
    assert done.stdout == HAM + b"x" * 2000


@pytest.mark.parametrize("mail", [b"\n", b"no header at all", b"\x00\xff" * 500, b"A: b\n", b"A: b", b"A: b\r\n\r\n"])
def test_odd_mails_come_back_with_nothing_lost(daemon: Daemon, mail: bytes) -> None:
    done = spamc(daemon, "-x", mail=mail)
    assert done.returncode == 0
    assert done.stdout.endswith(mail)
    assert b"X-Spam-Status: No" in done.stdout


def test_users_have_their_own_counts_over_the_shared_ones(tmp_path: Path) -> None:
    users = tmp_path / "users"
    with Daemon(tmp_path, "--allow-tell", "--users", str(users), store=taught(tmp_path / "m.db")) as daemon:
        for number in range(3000, 3030):
            spamc(daemon, "-u", "ann", "-L", "ham", mail=letter(number, "spam"))
        theirs = [spamc(daemon, "-u", user, "-c", "-x").returncode for user in ("ann", "bob")]
        assert theirs == [0, 1], "ann likes such mails, bob is judged by what everybody has learned"
        assert spamc(daemon, "-u", "bob", "-L", "forget", mail=letter(1, "spam")).stdout.startswith(
            b"Message was already"
        )
        assert spamc(daemon, "-u", "../../x", "-L", "ham", mail=HAM).returncode == 0
        assert daemon.stop() == 0
    assert sorted(path.name for path in users.glob("*.db")) == ["..%2F..%2Fx.db", "ann.db"]
    assert not list(tmp_path.parent.glob("x*"))
    with Filter.open(tmp_path / "m.db") as store:
        assert store.check()["mails"] == 80
