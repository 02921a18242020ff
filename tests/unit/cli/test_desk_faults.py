"""Whatever is wrong with a file: one line that names it, the exit code that is documented, nothing half-written."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from desk import bayleaf, write_rows

GOOD = "text,label\nwin money,spam\nlunch at noon,ham\n"
BAD = {
    "empty": (b"", "empty"),
    "header only": (b"text,label\n", "no labelled row"),
    "binary": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "bad.csv"),
    "unequal columns": (b"text,label\na,b\nc,d,e\n", "line 3"),
    "no label column": (b"text,kind\na,b\nc,d\n", "--label"),
    "wrong delimiter": (b"text;label\na;b\nc;d\n", "delimiter"),
    "open quote": (b'text,label\n"a, b,c\nd,e\n', "line 2"),
}


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_gets_one_line(name: str, tmp_path: Path) -> None:
    content, told = BAD[name]
    (tmp_path / "bad.csv").write_bytes(content)
    extra = ["--delimiter", ","] if name == "wrong delimiter" else []
    done = bayleaf("train", str(tmp_path / "bad.csv"), *extra, "-o", str(tmp_path / "m.bayleaf"), "-q")
    assert done.returncode == 1, done.stderr
    assert told in done.stderr
    assert "bad.csv" in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert names(tmp_path) == ["bad.csv"]


@pytest.mark.parametrize("command", ["train", "evaluate"])
def test_a_file_that_is_not_there(command: str, tmp_path: Path) -> None:
    extra = ["-o", str(tmp_path / "m.bayleaf")] if command == "train" else []
    done = bayleaf(command, str(tmp_path / "none.csv"), *extra)
    assert done.returncode == 1
    assert "none.csv" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["predict", "inspect", "sample", "explain", "forget", "merge"])
@pytest.mark.parametrize("content", [b"", b"no model at all", b"\xff" * 5000], ids=["empty", "text", "bytes"])
def test_what_is_no_model_is_refused(command: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / "bad.bayleaf").write_bytes(content)
    (tmp_path / "rows.csv").write_text(GOOD)
    more = {
        "predict": ["rows.csv"], "forget": ["rows.csv"], "explain": ["x"], "merge": ["bad.bayleaf", "-o", "o.bayleaf"],
    }.get(command, [])  # fmt: skip
    words = [str(tmp_path / word) if word.endswith(("csv", "bayleaf")) else word for word in ["bad.bayleaf", *more]]
    done = bayleaf(command, *words)
    assert done.returncode == 1
    assert "bad.bayleaf" in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert names(tmp_path) == ["bad.bayleaf", "rows.csv"]


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 kB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    done = subprocess.run(mount, capture_output=True, check=False)
    if done.returncode:
        pytest.skip("a full disk needs the right to mount one")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_leaves_the_old_file(tiny_disk: Path, tmp_path: Path) -> None:
    small, large = tmp_path / "small.csv", tmp_path / "large.csv"
    small.write_text(GOOD)
    large.write_text("text,label\n" + "".join(f"word{n} other{n} third{n},{'ab'[n % 2]}\n" for n in range(5000)))
    model = tiny_disk / "m.bayleaf"
    assert bayleaf("train", str(small), "-o", str(model)).returncode == 0
    before = model.read_bytes()
    done = bayleaf("train", str(large), "-o", str(model), "-q")
    assert done.returncode == 1
    assert "m.bayleaf" in done.stderr
    assert "space" in done.stderr
    assert model.read_bytes() == before
    assert names(tiny_disk) == ["m.bayleaf"]
    done = bayleaf("predict", str(model), str(large), "-o", str(tiny_disk / "out.csv"), "-q")
    assert done.returncode == 1
    assert names(tiny_disk) == ["m.bayleaf"]


def test_control_c_leaves_nothing_behind(tmp_path: Path) -> None:
    """The rows come through a pipe that never ends, so that the command is surely at work when it is interrupted."""
    started = subprocess.Popen(
        [sys.executable, "-m", "bayleaf", "train", "-", "-o", str(tmp_path / "m.bayleaf")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert started.stdin is not None
    started.stdin.write(GOOD.encode() * 20_000)  # more than a pipe holds: returns when it is being read
    started.stdin.flush()
    started.send_signal(signal.SIGINT)
    _, told = started.communicate()
    assert started.returncode == -signal.SIGINT
    assert b"Traceback" not in told
    assert names(tmp_path) == []


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    data, model = write_rows(tmp_path / "rows.csv", 2000), tmp_path / "m.bayleaf"
    assert bayleaf("train", str(data), "--label", "team", "-o", str(model)).returncode == 0
    line = f"{sys.executable} -m bayleaf predict {model} {data} -q | head -1"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("message,")
    assert "Traceback" not in done.stderr


def test_a_folder_that_is_not_there_for_the_output(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(GOOD)
    done = bayleaf("train", str(tmp_path / "rows.csv"), "-o", str(tmp_path / "none" / "m.bayleaf"), "-q")
    assert done.returncode == 1
    assert "none" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("option", ["--report", "--plot"])
def test_a_report_that_cannot_be_written(option: str, tmp_path: Path) -> None:
    data = write_rows(tmp_path / "rows.csv")
    done = bayleaf("evaluate", str(data), "--label", "team", option, str(data / "r.html"), "-q")
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
