"""Archives: refused as what they are, where their bytes would be learned as a mail."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest
from bogo import run
from desk import bayleaf
from letters import letter

from bayleaf import DataError
from bayleaf.mail.mailbox import mails
from bayleaf.readers import open_source

BOX = b"".join(b"From me@example.org Mon Jan  1 10:00:00 2024\n" + letter(n, "spam") + b"\n\n" for n in range(3))


def tar(name: str, content: bytes) -> bytes:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as archive:
        about = tarfile.TarInfo(name)
        about.size = len(content)
        archive.addfile(about, io.BytesIO(content))
    return whole.getvalue()


def zipped(content: bytes) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("box", content)
    return whole.getvalue()


ARCHIVES = [
    (tar("box", BOX), "a tar archive"),
    (gzip.compress(tar("Mail/cur/1:2,S", BOX)), "a tar archive"),
    (zipped(BOX), "a ZIP archive"),
    (b"\x28\xb5\x2f\xfd\x04\x00", "data packed with zstd"),
    (gzip.compress(gzip.compress(BOX)), "data packed with gzip twice"),
]


@pytest.mark.parametrize(("content", "what"), ARCHIVES, ids=[what for _, what in ARCHIVES])
def test_an_archive_is_no_mail(content: bytes, what: str, tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "m.db"))
    (tmp_path / "mails").mkdir()
    (tmp_path / "mails" / "1").write_bytes(letter(1, "spam"))
    (tmp_path / "mails" / "box").write_bytes(content)
    told = f"found {what}, to be unpacked first ("
    done = bayleaf("mail", "learn", "--json", *store, "--spam", str(tmp_path / "mails"))
    assert (done.returncode, json.loads(done.stdout)["learned"]) == (0, 1)
    assert f"bayleaf: left out: {tmp_path}/mails/box: {told}" in done.stderr
    for words in ("learn --ham -", "judge", "correct ham -", "forget", "evaluate --spam -"):
        given = () if words.startswith("evaluate") else store
        done = bayleaf("mail", *words.split(), *given, stdin=content)
        assert (done.returncode, f"standard input: {told}" in done.stderr) == (70, True), words
    taught = run(tmp_path, "-s", raw=content)
    assert (taught.returncode, told.encode() in taught.stderr) == (3, True)


@pytest.mark.parametrize("start", [b"PK: x\n", b"Rar!: x\n", b"7z: a\n", b"X-Tar: a\n"])
def test_a_mail_is_never_taken_for_an_archive(start: bytes, tmp_path: Path) -> None:
    block = bytearray(tar("box", b"")[:512])
    block[: len(start)] = start
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)  # with the sum of a tar
    for raw in (start + b"Subject: a\n\nb\n", bytes(block)):
        (tmp_path / "mail").write_bytes(raw)
        assert list(mails(tmp_path / "mail")) == [raw]


def test_a_folder_of_mails_with_an_archive_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "1").write_bytes(letter(1, "spam"))
    (tmp_path / "box.tgz").write_bytes(gzip.compress(tar("box", BOX)))
    with pytest.raises(DataError, match=r"box\.tgz: found a tar archive, to be unpacked first"):
        list(open_source(tmp_path, format="mail").pieces())
