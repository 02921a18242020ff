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


def at_the_end(folder: Path, code: str) -> list[str]:
    """What `bayleaf --version` prints behind the version where Python is set up by this code."""
    (folder / "sitecustomize.py").write_text(code)
    env = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run([*BAYLEAF, "--version"], env=env, capture_output=True, text=True, check=True)
    version, *rest = done.stdout.splitlines()
    assert version.startswith("bayleaf ")
    return rest


def test_commands_end_without_taking_python_down_but_call_who_asked_for_it(tmp_path: Path) -> None:
    mourned = "class Last:\n    def __del__(self, write=__import__('os').write):\n        write(1, b'taken down')\n"
    assert at_the_end(tmp_path, f"import atexit\natexit.register(print, 'the end')\n{mourned}last = Last()\n") == [
        "the end"
    ]


def test_threads_that_go_on_are_waited_for(tmp_path: Path) -> None:
    code = "import threading\n\ndef late():\n    threading.main_thread().join()\n    print('late')\n"
    assert at_the_end(tmp_path, f"{code}threading.Thread(target=late).start()\n") == ["late"]


def test_a_profiler_has_its_say() -> None:
    words = [sys.executable, "-m", "cProfile", "-m", "bayleaf", "--version"]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert "function calls" in told
