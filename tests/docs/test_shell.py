"""Completion and the manual page say what the parsers say."""

import importlib.util
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="argparse words its help otherwise from 3.13 on")
def test_the_shell_files_are_what_the_parsers_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    spec = importlib.util.spec_from_file_location("shell", DOCS / "shell.py")
    assert spec is not None
    assert spec.loader is not None
    shell = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(shell)
    for path, text in shell.written().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run `make examples`"
