"""No block of the README and the docs that is not tested: each kind is run, or compared with what ships."""

import json
import os
import re
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"
FENCE = re.compile(r"^( *)```([^\n`]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
HOW = {
    "python": "run by test_examples.py, those of docs/lectures by test_lectures.py",
    "sh": "run by test_examples.py",
    "text": "compared there with what the block before has printed",
    "output": "the same, figures apart, since those of a store of mail differ a little from store to store",
    "console": "the page of commands, compared with their help by test_commands.py",
    "toml": "a configuration file, read below",
    "ini": "quoted from packaging, compared below; tests/service runs that with the real programs",
    "m4": "the same",
    "nginx": "the same",
    "procmail": "the same",
    "sieve": "the same",
}


class Block(NamedTuple):
    """A block: its page, its language, and what is in it."""

    page: str
    language: str
    content: str


def blocks() -> Iterator[Block]:
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        page = str(path.relative_to(ROOT))
        for _, language, content in FENCE.findall(path.read_text(encoding="utf-8")):
            yield Block(page, language, textwrap.dedent(content))


BLOCKS = list(blocks())


def of(*languages: str) -> list[Block]:
    return [block for block in BLOCKS if block.language in languages]


def test_every_kind_of_block_is_tested() -> None:
    assert [(block.page, block.language) for block in BLOCKS if block.language not in HOW] == []
    assert len(BLOCKS) > 150
    assert {block.page for block in of("console")} == {"docs/reference/commands.md"}


def test_no_fence_is_left_open() -> None:
    for path in (ROOT / "docs").rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        assert len(re.findall(r"^ *```", text, re.MULTILINE)) == 2 * len(FENCE.findall(text)), path


@pytest.mark.parametrize("block", of("ini", "m4", "nginx", "procmail", "sieve"), ids=lambda block: block.page)
def test_quotes_are_what_ships(block: Block) -> None:
    shipped = [path.read_text() for path in PACKAGING.rglob("*") if path.is_file()]
    assert any(block.content in text for text in shipped), "copy it from packaging again"


def test_pages_can_be_read_in_the_clone() -> None:
    """Nothing is included that only the builder of the site can see."""
    assert [page.name for page in (ROOT / "docs").rglob("*.md") if "--8<--" in page.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize("block", of("toml"), ids=lambda block: block.page)
def test_configuration_is_understood(block: Block, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(block.content)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("BAYLEAF_")}
    words = [sys.executable, "-m", "bayleaf", "config", "show", "--json"]
    shown = subprocess.run(words, env=clean | {"BAYLEAF_CONFIG": str(file)}, capture_output=True, text=True, check=True)
    expected = {name: {"value": str(value), "from": str(file)} for name, value in tomllib.loads(block.content).items()}
    assert json.loads(shown.stdout).items() >= expected.items()
