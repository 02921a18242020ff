"""Mails and names that come and go with pauses: nothing is cut, nothing comes twice, nobody waits for the other."""

from __future__ import annotations

import os
import select
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator
from fcntl import ioctl
from pathlib import Path
from termios import FIONREAD

import pytest
from daemon import taught, until
from letters import letter

SPAM = letter(90, "spam")
LARGE = SPAM + b"click here\n" * 100_000  # more than a pipe holds
FILTER = ("-m", "bayleaf", "mail", "filter")
BOGOFILTER = ("-c", "from bayleaf.cli.bogofilter import main; exit(main())", "-d", ".")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    taught(tmp_path / "bayleaf.db", 40)
    (tmp_path / "large.eml").write_bytes(LARGE)
    return tmp_path


@pytest.fixture(autouse=True)
def hearing() -> Iterator[None]:
    """SIGINT is heard: whoever starts tests in the background has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def start(folder: Path, words: tuple[str, ...], given: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, *words],
        stdin=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=folder,
        env={**os.environ, "BAYLEAF_STORE": str(folder / "bayleaf.db")},
    )


def held(pipe: int, amounts: range) -> None:
    """Waits until so many bytes are in a pipe."""

    def look() -> None:
        assert struct.unpack("i", ioctl(pipe, FIONREAD, b"\0" * 4))[0] in amounts

    until(look, AssertionError)


@pytest.mark.parametrize("words", [FILTER, (*BOGOFILTER, "-p", "-e")])
def test_a_pause_is_not_the_end_of_a_mail(folder: Path, words: tuple[str, ...]) -> None:
    """A pipe that does not wait for its writer says that there is nothing, and Python takes that for the end."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    with start(folder, words, reader) as process:
        os.write(writer, SPAM[:300])
        held(reader, range(1))
        os.write(writer, SPAM[300:])
        os.close(writer)
        out, _ = process.communicate()
    os.close(reader)
    assert process.returncode == 0
    assert out.endswith(SPAM[300:])


@pytest.mark.parametrize(("words", "code"), [(FILTER, 75), ((*BOGOFILTER, "-p", "-e"), 3)])
def test_a_mail_that_is_interrupted_on_its_way_out_is_kept_and_does_not_begin_again(
    folder: Path, words: tuple[str, ...], code: int
) -> None:
    with (folder / "large.eml").open("rb") as mail, start(folder, words, mail.fileno()) as process:
        assert process.stdout is not None
        held(process.stdout.fileno(), range(1 << 12, 1 << 20))
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
    assert process.returncode == code
    assert len(out) < len(LARGE)
    assert out.count(b"Subject:") == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(("words", "code"), [(FILTER, 75), ((*BOGOFILTER, "-p", "-e"), 3)])
def test_the_rest_of_a_mail_that_was_interrupted_on_its_way_in_is_no_mail(
    folder: Path, words: tuple[str, ...], code: int, number: signal.Signals
) -> None:
    reader, writer = os.pipe()
    with start(folder, words, reader) as process:
        os.write(writer, SPAM[:300])
        held(reader, range(1))
        process.send_signal(number)
        assert select.select([process.stderr], [], [], 30)[0], "it has heard, and said so"
        os.write(writer, SPAM[300:])
        os.close(writer)
        out, _ = process.communicate()
    os.close(reader)
    assert (process.returncode, out) == (code, b"")


def test_a_name_is_answered_before_the_next_one_comes(folder: Path) -> None:
    """As claws-mail asks; it would wait for ever."""
    with start(folder, (*BOGOFILTER, "-T", "-b")) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for at, label in enumerate(("spam", "ham")):
            (folder / f"{at}.eml").write_bytes(letter(90 + at, label))
            process.stdin.write(b"%d.eml\n" % at)
            if not select.select([process.stdout], [], [], 30)[0]:
                process.kill()
            assert process.stdout.read(4096).startswith(f"{at}.eml {label[0].upper()} ".encode())
