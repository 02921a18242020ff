"""Packed mailboxes: read as what they hold, in bounded memory, and as far as they are whole."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import random
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bogo import run
from desk import bayleaf
from letters import letter

from bayleaf import BayleafError
from bayleaf.mail import Filter, mbox
from bayleaf.mail.mailbox import mails, named
from bayleaf.mail.mbox import Mbox
from bayleaf.mail.pieces import pieces

LINE = b"From me@example.org Mon Jan  1 10:00:00 2024\n"
PACKERS = [gzip.compress, bz2.compress, lzma.compress]
packed = pytest.mark.parametrize("pack", PACKERS, ids=["gzip", "bzip2", "xz"])
Packer = Callable[[bytes], bytes]


def box(count: int, label: str = "spam") -> bytes:
    return b"".join(LINE + letter(n, label) + b"\n\n" for n in range(count))


def noisy(count: int) -> bytes:
    """An mbox that does not pack well, so that half of its bytes hold about half of its mails."""
    chance = random.Random(1)
    return b"".join(LINE + b"Subject: %d\n\n%b\n\n" % (n, chance.randbytes(2000).hex().encode()) for n in range(count))


@packed
def test_what_is_packed_is_read_as_what_it_holds(pack: Packer, tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(box(5))
    (tmp_path / "packed").write_bytes(pack(box(5)))  # told by its first bytes: the name says nothing
    (tmp_path / "alone").write_bytes(pack(letter(1, "ham")))
    (tmp_path / "empty").write_bytes(pack(b""))
    plain = [(number, raw) for _, number, raw in named(tmp_path / "plain")]
    assert [(number, raw) for _, number, raw in named(tmp_path / "packed")] == plain
    assert [(number, raw) for _, number, raw in named(tmp_path / "alone")] == [(0, letter(1, "ham"))]
    assert list(mails(tmp_path / "empty")) == [b""]


@packed
@pytest.mark.parametrize("tail", [b"", b"\0" * 1024, b"other bytes"])
def test_several_runs_one_behind_the_other_are_one_mailbox(pack: Packer, tail: bytes, tmp_path: Path) -> None:
    whole = box(6)
    runs = [whole[start : start + 97] for start in range(0, len(whole), 97)]
    (tmp_path / "box").write_bytes(b"".join(map(pack, runs)) + tail)
    assert len(list(mails(tmp_path / "box"))) == 6


@packed
@pytest.mark.parametrize("zeros", [512, 3 * mbox.PART])
def test_zeros_between_two_runs_hide_no_mail(pack: Packer, zeros: int, tmp_path: Path) -> None:
    (tmp_path / "box").write_bytes(pack(box(2)) + bytes(zeros) + pack(box(3, "ham")))
    assert len(list(mails(tmp_path / "box"))) == 5


def test_a_mail_that_begins_like_bzip2_is_a_mail(tmp_path: Path) -> None:
    (tmp_path / "mail").write_bytes(b"BZh9: x\n\nhello")
    assert list(mails(tmp_path / "mail")) == [b"BZh9: x\n\nhello"]


@packed
def test_a_truncated_mailbox_gives_what_was_whole_and_is_told(pack: Packer, tmp_path: Path) -> None:
    whole = noisy(600)
    short = tmp_path / "old.mbox.xx"
    short.write_bytes(pack(whole)[:-2000])
    read: list[bytes] = []
    with pytest.raises(BayleafError, match=r"old\.mbox\.xx, behind mail \d+: found .* cannot be unpacked"):
        read.extend(mails(short))
    left: list[str] = []
    read = [raw for _, _, raw in named(short, left)]
    (tmp_path / "plain").write_bytes(whole)
    assert 100 < len(read) < 600
    assert read == list(mails(tmp_path / "plain"))[: len(read)]
    assert f"behind mail {len(read)}: found" in left[0]


@packed
def test_a_mailbox_that_is_damaged_from_its_first_mail_on(pack: Packer, tmp_path: Path) -> None:
    good = pack(letter(1, "spam"))
    for name, content in (("cut", good[:-9]), ("torn", good[:20] + b"\xff" * 20 + good[40:]), ("head", good[:12])):
        (tmp_path / name).write_bytes(content)
        left: list[str] = []
        with pytest.raises(BayleafError, match=f"{name}: found .*cannot be unpacked"):
            list(named(tmp_path / name, left))
    left = []
    assert list(named(tmp_path, left)) == []
    assert len(left) == 3


def test_xz_that_asks_for_much_memory_is_refused(tmp_path: Path) -> None:
    content = bytearray(lzma.compress(box(2)))
    content[16] = 32  # in the header of the block: a dictionary of 256 MB, which would have to be held
    content[20:24] = zlib.crc32(content[12:20]).to_bytes(4, "little")
    (tmp_path / "box").write_bytes(content)
    with pytest.raises(BayleafError, match="Memory usage limit"):
        list(mails(tmp_path / "box"))


BOMB = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (3 << 28, 3 << 28))
from bayleaf.mail import Filter
from bayleaf.mail.mailbox import mails
with Filter.open(":memory:") as f:
    print(sum(f.train_many((raw, "spam") for raw in mails(sys.argv[1])).values()))
"""
LONG = b"0123456\n" * (1 << 21)  # 16 MB


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of memory")
@pytest.mark.parametrize(
    ("start", "run", "end", "count"),
    [
        (letter(1, "spam"), LONG, b"", 1),
        (LINE + letter(1, "spam"), LONG, b"\n\n" + LINE + letter(2, "spam"), 2),
        (b"", LINE + letter(1, "spam") + LONG + b"\n\n", b"", 50),
    ],
    ids=["a long mail", "a long mail in an mbox", "many mails"],
)
def test_a_bomb_is_read_in_bounded_memory(start: bytes, run: bytes, end: bytes, count: int, tmp_path: Path) -> None:
    (tmp_path / "bomb").write_bytes(gzip.compress(start) + gzip.compress(run) * 50 + gzip.compress(end))
    words = [sys.executable, "-c", BOMB, str(tmp_path / "bomb")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, str(count)), done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of memory")
def test_the_image_of_a_disk_among_mails_is_read_in_bounded_memory(tmp_path: Path) -> None:
    with (tmp_path / "image").open("wb") as image:
        image.write(letter(1, "spam"))
        image.truncate(2 << 30)
    (tmp_path / "mail").write_bytes(letter(2, "spam"))
    done = subprocess.run([sys.executable, "-c", BOMB, str(tmp_path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "2"), done.stderr


@pytest.mark.parametrize("longest", [60, 200, 10_000])
def test_a_mail_that_is_too_long_is_cut_off_and_the_next_one_found(
    longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mbox, "PART", 64)
    monkeypatch.setattr(mbox, "LONGEST", longest)
    long = b"Subject: long\n\n" + b"From what I hear 10:00 it is\nlate\n" * 40
    content = LINE + b"Subject: a\n\nb\n" + b"\n" + LINE + long + b"\n" + LINE + b"Subject: c\n\nd\n"
    expected = [(place.start, raw[:longest]) for place, raw in pieces(content)]
    for step in (7, 600):
        found = Mbox(content[at : at + step] for at in range(0, len(content), step))
        assert [(begin, raw) for begin, _, raw in found] == expected


def test_a_file_that_comes_in_parts_has_the_mails_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(3)
    lines = [
        LINE,
        LINE[:-1] + b"\r\n",
        b"\n",
        b"\r\n",
        b"Subject: x\n",
        b"hello\n",
        b">From me\n",
        b"From here 10:00 on\n",
        b"From \n",
    ]
    lines += [b"Content-Length: 6\n", b"Content-Length: 900\n", b"Content-Length: 40\r\n", b"\n\n", b"x", b"From me\n"]
    for _ in range(3000):
        content = LINE + b"".join(chance.choices(lines, k=chance.randint(0, 25)))
        monkeypatch.setattr(mbox, "PART", chance.choice([48, 64, 100, 1000]))
        step = chance.randint(1, 80)
        found = Mbox(content[at : at + step] for at in range(0, len(content), step))
        assert [(begin, raw) for begin, _, raw in found] == [(place.start, raw) for place, raw in pieces(content)]


def test_a_disk_that_fails_gives_what_was_whole_first() -> None:
    def parts() -> Iterator[bytes]:
        yield box(3)
        raise OSError(5, "Input/output error")

    found = []
    with pytest.raises(OSError, match="Input/output error"):
        found.extend(Mbox(parts()))
    assert [number for _, number, _ in found] == [1, 2]  # whether the third was whole, nobody knows


@packed
def test_every_command_reads_packed_mailboxes(pack: Packer, tmp_path: Path) -> None:
    store = str(tmp_path / "m.db")
    for label in ("spam", "ham"):
        (tmp_path / label).write_bytes(pack(box(20, label)))
    spam, ham = str(tmp_path / "spam"), str(tmp_path / "ham")
    learned = bayleaf("mail", "learn", "--json", "--store", store, "--spam", spam, "--ham", ham)
    assert json.loads(learned.stdout)["learned"] == 40, learned.stderr
    judged = bayleaf("mail", "judge", "--store", store, ham).stdout.splitlines()
    assert judged[19].startswith(f"{ham}, mail 20: ham ")
    corrected = bayleaf("mail", "correct", "--json", "--store", store, "ham", spam)
    assert json.loads(corrected.stdout) == {"corrected": 20}
    assert json.loads(bayleaf("mail", "forget", "--json", "--store", store, spam).stdout) == {"ham forgotten": 20}
    done = bayleaf("mail", "evaluate", "--json", "--bootstrap", "0", "--spam", spam, "--ham", ham)
    assert json.loads(done.stdout)["all"]["mails"] == 40


def test_standard_input_may_be_packed(tmp_path: Path) -> None:
    words = [
        sys.executable,
        "-m",
        "bayleaf",
        "mail",
        "learn",
        "--json",
        "--store",
        str(tmp_path / "m.db"),
        "--spam",
        "-",
    ]
    done = subprocess.run(words, input=gzip.compress(box(4)), capture_output=True, check=True)
    assert json.loads(done.stdout)["learned"] == 4


def test_learning_a_truncated_mailbox_learns_what_was_whole_and_warns(tmp_path: Path) -> None:
    old = tmp_path / "old.mbox.gz"
    old.write_bytes(gzip.compress(noisy(600))[:-200_000])
    done = bayleaf("mail", "learn", "--json", "--store", str(tmp_path / "m.db"), "--spam", str(old))
    learned = json.loads(done.stdout)["learned"]
    assert 100 < learned < 600
    assert f"left out: {old}, behind mail {learned}: found gzip data that cannot be unpacked" in done.stderr
    with Filter.open(tmp_path / "m.db") as f:
        assert f.evidence().totals[0] == learned


@pytest.mark.parametrize("flags", [["-s"], ["-M", "-s"], ["-Ms"]])
def test_bogofilter_learns_the_mails_in_what_is_packed(flags: list[str], tmp_path: Path) -> None:
    assert run(tmp_path, *flags, raw=gzip.compress(box(4))).returncode == 0
    with Filter.open(tmp_path / "bayleaf.db") as f:
        assert f.evidence().totals[0] == 4
