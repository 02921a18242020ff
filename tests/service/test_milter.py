"""The milter face, asked by a mail server made for this and by OpenDKIM's miltertest; Postfix has a file of its own."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from daemon import Daemon, open_folder, request, taught
from letters import letter
from mta import EVERYTHING, OLD, RECEIVER, Mta, came, done, enveloped, offered, packed, told

from bayleaf.mail import Filter
from bayleaf.service.milter.packet import Packet

SPAM, HAM = letter(1000, "spam"), letter(1000, "ham")
FORGED = b"X-Spam-Flag: NO\nx-spam-status: No,\n\tscore=-99\nX-Spam-Flag: NO\nX-Bayleaf-Verdict: ham\n"
VERDICT = b"X-Bayleaf-Verdict: "


@pytest.fixture(scope="module")
def daemon() -> Iterator[Daemon]:
    with open_folder() as folder, started(folder, "--users", str(folder / "users")) as running:
        yield running
        assert running.stop() == 0


def started(folder: Path, *words: str) -> Daemon:
    """A daemon whose milter socket lies in this folder."""
    return Daemon(folder, "--milter", f"unix:{folder}/m.sock", *words, store=taught(folder / "mail.db"))


def place(daemon: Daemon) -> str:
    """Its milter socket."""
    return str(daemon.folder / "m.sock")


def judged(daemon: Daemon, mail: bytes, *recipients: bytes, login: bytes = b"") -> bytes:
    """The mail as it goes on."""
    with Mta(place(daemon)) as server:
        server.say(came(), enveloped(*recipients, login=login), told(mail))
        orders = server.end()
    assert orders is not None
    return done(mail, orders)


def verdict(mail: bytes) -> str:
    """The label that its header tells."""
    return mail.partition(VERDICT)[2].partition(b"\n")[0].decode()


def test_lines_of_ours_come_on_top_and_forged_ones_go(daemon: Daemon) -> None:
    for mail, label in ((SPAM, "spam"), (HAM, "ham")):
        found = judged(daemon, FORGED + mail)
        assert verdict(found) == label
        assert found.startswith(b"X-Spam-Flag: YES\n" if label == "spam" else b"X-Spam-Checker-Version: bayleaf ")
        assert found.endswith(b"\n" + mail), "all else is as it was"
        assert b"score=-99" not in found
        assert found.count(b"X-Spam-Flag") == (label == "spam")
        assert found.count(VERDICT) == 1


def test_decoys_do_not_save_a_forged_verdict(daemon: Daemon) -> None:
    found = judged(daemon, b"X-Spam-Decoy: x\n" * 2000 + b"X-Bayleaf-Verdict: ham\nX-Spam-Flag: NO\n" + SPAM)
    assert (found.count(VERDICT), found.count(b"X-Spam-Flag")) == (1, 1)
    assert verdict(found) == "spam"


def test_a_server_of_the_oldest_protocol_gets_an_answer_to_every_step(daemon: Daemon) -> None:
    with Mta(place(daemon), OLD) as server:
        assert (server.version, server.steps) == (2, 0)
        for part in (came(), enveloped(), told(SPAM, space=False)):
            for packet in split(part):
                server.say(packet.wire())
                if packet.command not in (b"D", b"E"):
                    assert server.hear() == Packet(b"c")
        orders = server.end()
    assert orders is not None
    assert b"X-Spam-Flag\0YES\0" in [order.data[4:] for order in orders], "and writes the space itself"


def split(part: bytes) -> list[Packet]:
    """The packets of what a server says."""
    found = []
    while part:
        size = int.from_bytes(part[:4], "big")
        found.append(Packet(part[4:5], part[5 : 4 + size]))
        part = part[4 + size :]
    return found


def test_one_connection_brings_many_mails_and_its_sender_may_think_better_of_one(daemon: Daemon) -> None:
    with Mta(place(daemon)) as server:
        server.say(came())
        for mail, label in ((SPAM, "spam"), (HAM, "ham"), (SPAM, "spam")):
            server.say(enveloped(), told(HAM if label == "spam" else SPAM)[:-5], packed(b"A"))
            server.say(enveloped(), told(mail))
            orders = server.end()
            assert orders is not None
            assert verdict(done(mail, orders)) == label
        server.say(packed(b"K"), came(), enveloped(), told(HAM))
        assert server.end() is not None
        server.say(packed(b"Q"))
        assert server.hear() is None


def test_a_mail_is_judged_as_it_will_lie_in_the_mailbox(tmp_path: Path) -> None:
    """The last hop is what tells these mails apart; the server writes it, and writes it after the filter was asked."""
    hop = b"Received: from %b.example (mail.%b.example [192.0.2.7])\n\tby mx.test.example (Postfix) with ESMTP\n"
    mail = b"Subject: hello\n\nsame\n"
    with Filter.open(tmp_path / "mail.db") as learner:
        for number in range(30):
            label, host = ("spam", b"bulk") if number % 2 else ("ham", b"friend")
            learner.train(hop % (host, host) + mail + b"%d\n" % number, label)
    with Daemon(tmp_path, "--milter", f"unix:{tmp_path}/m.sock", store=tmp_path / "mail.db") as daemon:
        likelier = {}
        for host in (b"bulk", b"friend"):
            with Mta(place(daemon)) as server:
                server.say(came(b"mail.%b.example" % host, helo=b"%b.example" % host), enveloped(), told(mail))
                orders = server.end()
            assert orders is not None
            likelier[host] = max(probabilities(done(mail, orders)))[1]
    assert likelier == {b"bulk": "spam", b"friend": "ham"}


def probabilities(mail: bytes) -> list[tuple[float, str]]:
    """Those that its header tells, with their labels."""
    line = mail.partition(b"X-Bayleaf-Probability: ")[2].partition(b"\n")[0].decode()
    return [(float(share), label) for label, share in (word.split("=") for word in line.split())]


def test_the_only_recipient_is_judged_by_what_he_has_taught(tmp_path: Path) -> None:
    with started(tmp_path, "--users", str(tmp_path / "users"), "--allow-tell") as daemon:
        for name in ("ann", "bob@test.example"):
            for number in range(200, 260):
                lesson = ("Message-class: ham", "Set: local", f"User: {name}")
                assert b"DidSet" in daemon.ask(request("TELL", letter(number, "spam"), *lesson))

        def found(*recipients: bytes) -> str:
            return verdict(judged(daemon, SPAM, *recipients))

        assert found(b"<me@test.example>") == "spam"
        assert found(b"<Ann+shop@test.example>") != "spam"
        assert found(b"<bob@test.example>") != "spam"
        assert found(b"<bob@other.example>") == "spam"
        assert found(b"<ann@test.example>", b"<me@test.example>") == "spam", "it is nobody's own"
        assert found(b"<" + b"a" * 900 + b"@test.example>") == "spam", "no user has such a name"
        assert found(b"<../ann@test.example>") == "spam"


def test_what_users_of_the_server_send_is_not_judged(daemon: Daemon) -> None:
    assert judged(daemon, FORGED + SPAM, login=b"PLAIN") == FORGED + SPAM


def test_a_large_mail_is_judged_aside_and_cut_at_the_limit(daemon: Daemon) -> None:
    head, _, body = SPAM.partition(b"\n\n")
    large = head + b"\n\n" + body + b"x" * 70 + b"\n"
    assert verdict(judged(daemon, large + b"word " * 100_000)) in ("spam", "unsure")
    huge = judged(daemon, large + (b"y" * 76 + b"\n") * 400_000)
    assert b"_BYTES_BEYOND" in huge.partition(b"\n\n")[0]


def test_the_log_has_a_line_with_the_name_of_the_mail_and_none_of_its_words(tmp_path: Path) -> None:
    with started(tmp_path) as daemon:
        judged(daemon, SPAM)
        assert daemon.stop() == 0
    log = (tmp_path / "daemon.log").read_text()
    assert "INFO bayleaf.milter id=4C0FFEE bytes=" in log
    assert f"milter unix:{tmp_path}/m.sock" in log
    assert not any(word in log for word in SPAM.partition(b"\n\n")[2].decode().split() if len(word) > 4)


def test_term_finishes_the_mail_that_has_begun_and_leaves_no_socket(tmp_path: Path) -> None:
    with started(tmp_path) as daemon, Mta(place(daemon)) as idle, Mta(place(daemon)) as begun:
        begun.say(came(), enveloped(), told(SPAM)[:-5])
        assert daemon.alive(), "so the bytes above have been read: they came first"
        daemon.process.send_signal(signal.SIGTERM)
        daemon.told("STOPPING=1")
        assert idle.hear() is None
        begun.say(packed(b"E"))
        orders = begun.end()
        assert orders is not None
        assert verdict(done(SPAM, orders)) == "spam"
        assert begun.hear() is None
        assert daemon.close() == 0
        assert not Path(place(daemon)).exists()


def test_term_does_not_wait_for_a_mail_that_its_sender_takes_back(tmp_path: Path) -> None:
    with started(tmp_path) as daemon, Mta(place(daemon)) as begun:
        begun.say(came(), enveloped(), told(SPAM)[:-5])
        assert daemon.alive(), "so the bytes above have been read: they came first"
        daemon.process.send_signal(signal.SIGTERM)
        daemon.told("STOPPING=1")
        begun.say(packed(b"A"))
        assert begun.hear() is None
        begun.socket.close()
        assert daemon.close() == 0
        assert "cut" not in (tmp_path / "daemon.log").read_text()


def test_when_the_store_fails_it_hangs_up_and_judges_again_when_that_is_over(tmp_path: Path) -> None:
    large = SPAM + b"word " * 20_000  # judged in a thread that has not opened the store yet
    with started(tmp_path) as daemon:
        sound = (tmp_path / "mail.db").read_bytes()
        (tmp_path / "mail.db").write_bytes(b"no store " * (len(sound) // 9))
        with Mta(place(daemon)) as server:
            server.say(came(), enveloped(), told(large))
            assert server.end() is None, "so that the server does what it is told to do without a filter"
        (tmp_path / "mail.db").write_bytes(sound)
        assert verdict(judged(daemon, large)) in ("spam", "unsure")
        assert daemon.stop() == 0
    assert "cut a connection: " in (tmp_path / "daemon.log").read_text()


@pytest.mark.parametrize(
    "said",
    [
        b"CHECK SPAMC/1.5\r\n\r\n",
        b"\0\0\0\0",
        packed(b"M", RECEIVER),
        Packet(b"O", b"\0\0").wire(),
        offered((1, 0x1FF, 0)),
        offered((6, 0x01, 0)),
    ],
)
def test_what_is_no_milter_protocol_is_hung_up_on(said: bytes, daemon: Daemon) -> None:
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.settimeout(60)
        stranger.connect(place(daemon))
        stranger.sendall(said)
        assert stranger.recv(1) == b""
    assert verdict(judged(daemon, SPAM)) == "spam", "and the others are served"


@pytest.mark.service
@pytest.mark.skipif(shutil.which("miltertest") is None, reason="miltertest is not installed: .ci/mail-software")
def test_the_program_that_opendkim_is_tested_with_is_content(daemon: Daemon, tmp_path: Path) -> None:
    head, _, body = SPAM.partition(b"\n\n")
    fields = [line.partition(b": ")[::2] for line in head.split(b"\n")]
    lines = [f'assert(mt.header(c, "{name.decode()}", "{value.decode()}") == nil)' for name, value in fields]
    script = f"""
        c = mt.connect("{place(daemon)}")
        assert(c)
        assert(mt.conninfo(c, "mail.bulk.example", "192.0.2.7") == nil)
        assert(mt.helo(c, "bulk.example") == nil)
        assert(mt.mailfrom(c, "<deals@bulk.example>") == nil)
        assert(mt.rcptto(c, "<me@test.example>") == nil)
        {chr(10).join(lines)}
        assert(mt.eoh(c) == nil)
        assert(mt.bodystring(c, "{body.decode().encode("unicode_escape").decode()}") == nil)
        assert(mt.eom(c) == nil)
        assert(mt.getreply(c) == SMFIR_CONTINUE)
        assert(mt.eom_check(c, MT_HDRINSERT, "X-Spam-Flag", " YES"))
        assert(mt.eom_check(c, MT_HDRINSERT, "X-Bayleaf-Verdict", " spam"))
        mt.disconnect(c)
    """
    (tmp_path / "script.lua").write_text(script)
    done = subprocess.run(
        ["miltertest", "-s", str(tmp_path / "script.lua")], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "")


def test_everything_that_postfix_offers_is_agreed_on_but_for_what_is_not_needed(daemon: Daemon) -> None:
    with Mta(place(daemon), EVERYTHING) as server:
        assert (server.version, server.actions) == (6, 0x11)
        assert server.steps & ~EVERYTHING[2] == 0
