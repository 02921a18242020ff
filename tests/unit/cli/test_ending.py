"""Commands that are told to stop: nothing is left behind, and whoever waits for them sees which signal it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from daemon import until

ROWS = b"text,label\n" + b"cheap pills,spam\nlunch at noon,ham\n" * 20
TOLD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
BAYLEAF = (sys.executable, "-m", "bayleaf")


@pytest.fixture(autouse=True)
def hearing() -> Iterator[None]:
    """All are heard: whoever starts tests in the background or under nohup has some ignored."""
    before = {number: signal.signal(number, signal.default_int_handler) for number in TOLD}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    (folder / "rows.csv").write_bytes(ROWS)
    subprocess.run([*BAYLEAF, "train", "rows.csv", "-o", "m.bayleaf", "-q"], cwd=folder, check=True)
    return folder / "m.bayleaf"


@pytest.mark.parametrize("number", TOLD)
def test_no_draft_is_left_and_the_command_ends_by_the_signal(
    model: Path, tmp_path: Path, number: signal.Signals
) -> None:
    """A shell ends its loop only with a command that ended so: after exit code 130 it went on with the next round."""
    with subprocess.Popen(
        [*BAYLEAF, "predict", str(model), "-", "-o", "out.csv", "-q"],
        stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        process.stdin.write(b"text\n" + b"cheap lunch\n" * 100_000)  # more than a pipe holds, and it never ends
        process.stdin.flush()
        until(lambda: next(tmp_path.iterdir()), StopIteration)  # its draft
        process.send_signal(number)
        _, told = process.communicate()
    assert process.returncode == -number
    assert told == b"bayleaf: interrupted\n"
    assert [*tmp_path.iterdir()] == []


def test_what_nohup_has_passed_over_stays_so(model: Path, tmp_path: Path) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with subprocess.Popen(
        [*BAYLEAF, "predict", str(model), "-", "-o", "out.csv", "-q"], stdin=subprocess.PIPE, cwd=tmp_path
    ) as process:
        assert process.stdin is not None
        process.stdin.write(b"text\n" + b"cheap lunch\n" * 100_000)
        process.stdin.flush()
        process.send_signal(signal.SIGHUP)
        process.communicate()
    assert process.returncode == 0
    assert [file.name for file in tmp_path.iterdir()] == ["out.csv"]


def test_what_others_want_done_at_the_end_is_done(tmp_path: Path) -> None:
    """Commands end without taking Python down; whoever has asked to be called at the end is called all the same."""
    (tmp_path / "sitecustomize.py").write_text("import atexit\natexit.register(print, 'the end')\n")
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([*BAYLEAF, "--version"], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("bayleaf ")
    assert done.stdout.endswith("\nthe end\n")


def test_a_profiler_has_its_say() -> None:
    words = [sys.executable, "-m", "cProfile", "-m", "bayleaf", "--version"]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert "function calls" in told
