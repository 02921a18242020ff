"""Files are fetched once, whole and right, or not at all."""

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback

from bayleaf import DataError
from bayleaf.datasets.remote import Remote
from bayleaf.datasets.remote import cache as folder

CONTENT = bytes(range(256)) * 2000
SUM = hashlib.sha256(CONTENT).hexdigest()
NOWHERE = "http://127.0.0.1:9/file.zip"  # the discard port: nobody listens


@pytest.fixture
def served(web: Loopback) -> Any:
    web.files["file.zip"] = CONTENT
    return web


def remote(web: Loopback, sha256: str | None = SUM) -> Remote:
    return Remote("file.zip", (web.url("file.zip"),), sha256)


def test_fetched_once(served: Loopback, cache: Path) -> None:
    for _ in range(2):
        assert remote(served).path().read_bytes() == CONTENT
    assert served.asked == [None]
    assert {path.name for path in cache.iterdir()} == {"file.zip", "file.zip.lock"}


def test_a_file_that_is_there_is_only_read(cache: Path) -> None:
    """So a cache may be read-only."""
    cache.mkdir()
    (cache / "file.zip").write_bytes(CONTENT)
    assert Remote("file.zip", (NOWHERE,), SUM).path().read_bytes() == CONTENT
    assert [path.name for path in cache.iterdir()] == ["file.zip"]


def test_a_cut_is_seen_where_no_length_was_told(served: Loopback) -> None:
    served.chunked, served.cuts = True, [100_000]
    assert remote(served, None).path().read_bytes() == CONTENT
    assert len(served.asked) == 2


def test_a_cut_is_resumed_within_a_call_and_in_the_next(served: Loopback, cache: Path) -> None:
    served.cuts = [100_000, 50_000]
    assert remote(served).path().read_bytes() == CONTENT
    assert served.asked == [None, "bytes=100000-", "bytes=150000-"]
    (cache / "file.zip").unlink()
    served.cuts = [100_000, 1, 1]
    with pytest.raises(DataError, match="cut off 3 times, the last time after 100002 bytes"):
        remote(served).path()
    assert remote(served).path().read_bytes() == CONTENT
    assert served.asked[-1] == "bytes=100002-"


def test_a_server_without_ranges_sends_it_all_again(served: Loopback) -> None:
    served.ranges, served.cuts = False, [100_000]
    assert remote(served).path().read_bytes() == CONTENT
    assert served.asked == [None, "bytes=100000-"]


def test_a_part_that_is_longer_than_the_file_is_thrown_away(served: Loopback, cache: Path) -> None:
    cache.mkdir()
    (cache / "file.zip.part").write_bytes(CONTENT + b"more")
    assert remote(served).path().read_bytes() == CONTENT


def test_a_wrong_checksum_is_refused_and_nothing_is_kept(served: Loopback, cache: Path) -> None:
    served.files["file.zip"] = b"something else"
    with pytest.raises(DataError, match=f"its SHA-256 is [0-9a-f]+.*expected the SHA-256 {SUM}"):
        remote(served).path()
    assert {path.name for path in cache.iterdir()} == {"file.zip.lock"}


def test_the_next_address_is_tried(served: Loopback) -> None:
    addresses = (NOWHERE, served.url("gone.zip"), served.url("file.zip"))
    assert Remote("file.zip", addresses, SUM).path().read_bytes() == CONTENT


def test_not_found(web: Loopback) -> None:
    with pytest.raises(DataError, match="the server answered 404 not here"):
        remote(web).path()


def test_without_a_network_it_says_what_to_put_where(cache: Path) -> None:
    with pytest.raises(DataError) as error:
        Remote("file.zip", (NOWHERE,), SUM).path()
    words = str(error.value)
    assert f"fetch {NOWHERE} by hand and put it at {cache / 'file.zip'} (expected the SHA-256 {SUM})" in words
    assert "\n" not in words


def test_a_file_put_there_by_hand_is_taken_if_it_is_right(cache: Path) -> None:
    cache.mkdir()
    (cache / "file.zip").write_bytes(CONTENT)
    here = Remote("file.zip", (NOWHERE,), SUM)
    assert here.path() == cache / "file.zip"
    (cache / "file.zip").write_bytes(b"wrong")
    with pytest.raises(DataError, match=f"expected {SUM}; delete the file"):
        here.path()
    assert (cache / "file.zip").read_bytes() == b"wrong"  # somebody's file is not ours to delete


def test_without_a_published_checksum_the_first_one_counts(served: Loopback, cache: Path) -> None:
    remote(served, None).path()
    assert (cache / "file.zip.sha256").read_text().strip() == SUM
    (cache / "file.zip").write_bytes(b"rotten")
    with pytest.raises(DataError, match=f"expected {SUM}"):
        remote(served, None).path()


def test_a_file_that_was_deleted_is_fetched_and_noted_anew(served: Loopback, cache: Path) -> None:
    """The first fetch may have brought the page of a hotel."""
    served.files["file.zip"] = b"<h1>Log in to our network</h1>"
    remote(served, None).path().unlink()
    served.files["file.zip"] = CONTENT
    for _ in range(2):
        assert remote(served, None).path().read_bytes() == CONTENT
    assert (cache / "file.zip.sha256").read_text().strip() == SUM


def test_two_processes_fetch_it_once(served: Loopback) -> None:
    served.cuts = [1000]
    code = (
        "import sys\nfrom bayleaf.datasets.remote import Remote\n"
        "print(len(Remote('file.zip', (sys.argv[1],), sys.argv[2]).path().read_bytes()))"
    )
    words = [sys.executable, "-c", code, served.url("file.zip"), SUM]
    running = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [int(process.communicate()[0]) for process in running] == [len(CONTENT)] * 3
    assert served.asked == [None, "bytes=1000-"]


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BAYLEAF_DATA", str(tmp_path))
    assert folder() == tmp_path
    monkeypatch.delenv("BAYLEAF_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert folder() == Path("/x/bayleaf")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert folder() == Path.home() / ".cache" / "bayleaf"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_cache_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    monkeypatch.setenv("BAYLEAF_DATA", str(tmp_path / "cache"))
    with pytest.raises(DataError, match=re.escape("BAYLEAF_DATA can name another folder")):
        Remote("file.zip", (NOWHERE,), SUM).path()
