"""Hostile and broken data files: a clear refusal or rows, never another error, and memory within the limits."""

import gzip
import io
import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayleaf import DataError
from bayleaf.readers import open_source, text
from bayleaf.readers.visible import Visible

STARTS = {
    "x.csv": b"a,b\n1,2\n", "x.tsv": b"a\tb\n", "x.jsonl": b'{"a": 1}\n', "x.json": b'[{"a": 1},', "x.eml": b"A: b\n",
    "x.arff": b"@relation r\n@attribute a numeric\n@attribute b {x,'y'}\n@data\n1,x\n", "x.parquet": b"PAR1",
    "x.arrow": b"ARROW1\0\0", "x.feather": b"\xff\xff\xff\xff", "x.gz": b"\x1f\x8b\x08", "x.mbox": b"From x 12:00:00\n",
}  # fmt: skip
TOKENS = st.sampled_from(
    [b",", b'"', b"'", b"\n", b"\r", b"\\", b"{", b"}", b"[", b"]", b"?", b"%", b"\t", b"\0", b"\xff", b"1"]
)
BYTES = st.lists(TOKENS | st.binary(max_size=4), max_size=30).map(b"".join)


def refused(path: Path) -> str | None:
    """Read all rows; the words of the refusal, if there is one."""
    try:
        with open_source(path) as source:
            for batch in source.batches():
                assert all(len(column) == len(batch) for column in batch.columns.values())
    except DataError as refusal:
        return str(refusal)
    return None


@pytest.mark.parametrize("name", STARTS)
@given(raw=BYTES, keep=st.booleans())
def test_any_bytes_give_rows_or_a_refusal(
    name: str, raw: bytes, keep: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("any") / name
    path.write_bytes((STARTS[name] if keep else b"") + raw)
    refusal = refused(path)
    if refusal is not None:
        assert str(path) in refusal
        assert "\n" not in refusal


@given(raw=BYTES)
def test_any_bytes_are_a_mail(raw: bytes) -> None:
    for start in (
        b"",
        b"Subject: =?utf-8?b?",
        b"Content-Type: multipart/mixed; boundary=,\n\n--,\n",
        b"Content-Type: text/html\n\n",
    ):
        assert len(Visible.read(start + raw)) == 3


@pytest.mark.parametrize(
    "raw",
    [
        b"Content-Type: multipart/mixed; boundary=x\n\n--x\n" * 2000,
        b"Content-Type: message/rfc822\n\n" * 5000,
        b"Content-Type: text/html\n\n" + b"<a <!-- <script" * 50_000,
        b"Content-Type: text/plain; charset=no-such\nSubject: =?no-such?q?x?=\n\nx",
        b"Content-Type: text/plain; charset*=utf-8'en'%ff\n\nx",
        b"Subject: " + b"=?utf-8?q?x?= " * 20_000 + b"\n\nx",
    ],
)
def test_mails_made_to_break_parsers(raw: bytes) -> None:
    assert len(Visible.read(raw)) == 3


def test_objects_nested_deeply(tmp_path: Path) -> None:
    for name, content in [("x.jsonl", '{"a":' * 100_000), ("x.json", '[{"a":' + "[" * 100_000)]:
        (tmp_path / name).write_text(content)
        with pytest.raises(DataError):
            open_source(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "start", "block"),
    [
        ("x.csv", b'a,b\n1,"', b"no closing quote, "),
        ("x.csv", b"a,b\n", b"no line end, "),
        ("x.csv", b"", b"no line end at all "),
        ("x.jsonl", b'{"a": "', b"no line end "),
        ("x.json", b'[{"a": "', b"no end "),
    ],
)
def test_what_never_ends_is_refused_at_the_limit(
    name: str, start: bytes, block: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("text", "delimited", "window"):
        monkeypatch.setattr(f"bayleaf.readers.{module}.LONGEST", 1 << 20)
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb") as packed:
        packed.write(start)
        for _ in range(40):
            packed.write(block * ((1 << 20) // len(block)))
    (tmp_path / name).write_bytes(out.getvalue())
    tracemalloc.start()
    assert "line " in (refused(tmp_path / name) or "")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 200 << 20


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    row = json.dumps({"a": "x" * 200, "b": 1}) + "\n"
    peaks = []
    for rows in (20_000, 100_000):
        path = tmp_path / f"{rows}.jsonl.gz"
        path.write_bytes(gzip.compress((row * rows).encode(), 1))
        tracemalloc.start()
        with open_source(path) as source:
            assert sum(len(batch) for batch in source.batches(1 << 20)) == rows
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


def test_the_limits_are_what_the_messages_say() -> None:
    assert text.LONGEST == 64 << 20
