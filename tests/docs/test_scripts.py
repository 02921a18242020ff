"""Each script of examples/ runs and prints what it says of itself."""

import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

SCRIPTS = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


def test_there_are_some() -> None:
    assert len(SCRIPTS) >= 6


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_it_prints_what_it_says(script: Path, tmp_path: Path) -> None:
    promised = re.search(r'It prints:\n\n(.*?)"""', script.read_text(encoding="utf-8"), re.DOTALL)
    assert promised is not None
    done = subprocess.run(
        [sys.executable, "-W", "error", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == dedent(promised[1])
