"""The container file names what there is. It is not built here: that needs an engine and a network."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from bayleaf.cli.desk.serve import arguments

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "packaging" / "Containerfile").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_what_is_copied_is_there_and_enough_to_build() -> None:
    copied = {name for line in re.findall(r"^COPY (.*) \S+$", TEXT, re.MULTILINE) for name in line.split()}
    assert [name for name in copied if not (ROOT / name).exists()] == []
    needed = {
        "pyproject.toml",
        "Cargo.toml",
        "Cargo.lock",
        PROJECT["project"]["readme"],
        *PROJECT["project"]["license-files"],
    }
    folders = {PROJECT["tool"]["maturin"][name].split("/")[0] for name in ("manifest-path", "python-source")}
    assert needed | folders == copied


def test_what_is_installed_and_started_is_there() -> None:
    found = re.search(r"whl\)\[(.*?)\]", TEXT)
    assert found is not None
    assert {*found[1].split(",")} == {*PROJECT["project"]["optional-dependencies"]} - {"arrow", "plot", "spark"}
    program, command = json.loads(re.findall(r"^ENTRYPOINT (.*)$", TEXT, re.MULTILINE)[0])
    assert (program in PROJECT["project"]["scripts"], command) == (True, "serve")
    options = arguments().options(json.loads(re.findall(r"^CMD (.*)$", TEXT, re.MULTILINE)[0]))
    assert options.spamd[0].rpartition(":")[2] in TEXT.partition("EXPOSE")[2].split("\n")[0]
    assert options.allow_from
