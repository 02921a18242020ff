"""The demo runs as a program, fits a terminal of 80 columns and leaves a picture."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    folder = tmp_path_factory.mktemp("demo")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "bayleaf.demo"],
        cwd=folder,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout, folder


def test_fits_a_terminal_without_colour(demo: tuple[str, Path]) -> None:
    text, _ = demo
    assert max(map(len, text.splitlines())) <= 80
    assert "\033" not in text


def test_shows_the_arithmetic_of_the_lecture(demo: tuple[str, Path]) -> None:
    text, _ = demo
    assert "0.0208" in text
    assert "0.0029" in text


def test_says_that_sums_are_exact(demo: tuple[str, Path]) -> None:
    text, _ = demo
    assert text.count("the same bits") == 2


def test_leaves_a_picture(demo: tuple[str, Path]) -> None:
    _, folder = demo
    assert (folder / "out" / "demo.png").read_bytes().startswith(b"\x89PNG")
