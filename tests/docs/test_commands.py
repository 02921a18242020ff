"""The page of commands says what the commands say."""

import importlib.util
import io
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="argparse words its help otherwise from 3.13 on")
def test_the_page_of_commands_is_what_they_print(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("commands", DOCS / "commands.py")
    assert spec is not None
    assert spec.loader is not None
    commands = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(commands)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    found = (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")
    assert found == commands.page(), "run `make examples`"
