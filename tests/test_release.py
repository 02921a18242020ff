"""What a release is checked by finds what it is there to find."""

from __future__ import annotations

import re
import shutil
import tarfile
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
from release import contents, versions
from release.fault import Fault
from release.licences import allowed

import bayleaf

ROOT = Path(__file__).parents[1]


def test_the_version_stands_in_one_place() -> None:
    number = versions.workspace(ROOT)
    assert versions.check(ROOT) == number == bayleaf.__version__ == version("bayleaf")
    written = re.compile(rf'(?:__version__|version)\s*=\s*"{re.escape(number)}"')
    places = [*ROOT.glob("*.toml"), *ROOT.glob("crates/*/Cargo.toml"), *ROOT.glob("src/**/*.py")]
    assert [str(p.relative_to(ROOT)) for p in places if written.search(p.read_text(encoding="utf-8"))] == ["Cargo.toml"]


def test_a_version_that_differs_is_a_fault(tmp_path: Path) -> None:
    for name in ("Cargo.toml", "CITATION.cff", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    cited = tmp_path / "CITATION.cff"
    cited.write_text(cited.read_text(encoding="utf-8").replace("version: 0", "version: 9"), encoding="utf-8")
    with pytest.raises(Fault, match=r"CITATION\.cff has version 9"):
        versions.check(tmp_path)


@pytest.mark.parametrize(
    ("expression", "fine"),
    [
        ("MIT", True),
        ("MIT OR GPL-3.0-only", True),
        ("MIT AND GPL-3.0-only", False),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", True),
        ("(MIT OR Apache-2.0) AND GPL-2.0-only", False),
        ("MIT/Apache-2.0", True),
        ("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", True),
        ("GPL-3.0-or-later", False),
        ("", False),
    ],
)
def test_licences_are_read_as_expressions(expression: str, fine: bool) -> None:
    assert allowed(expression) is fine


def wheel(folder: Path, *more: str, size: int = 10) -> None:
    with zipfile.ZipFile(folder / "bayleaf-0.1.0-cp311-abi3-any.whl", "w") as archive:
        for name in contents.MUST:
            archive.writestr(name, "")
        for name in more:
            archive.writestr(name, "x" * size)


def test_a_wheel_holds_the_package_and_nothing_else(tmp_path: Path) -> None:
    wheel(tmp_path, "bayleaf-0.1.0.dist-info/METADATA")
    assert "5 files" in contents.check(tmp_path)
    for stowaway in ("tests/test_release.py", "bayleaf/tests/a.py", "corpus.txt", "bayleaf/mail.db"):
        wheel(tmp_path, stowaway)
        with pytest.raises(Fault, match=re.escape(stowaway)):
            contents.check(tmp_path)
    wheel(tmp_path, "bayleaf/demo/corpus.mbox", size=contents.ELSE + 1)
    with pytest.raises(Fault, match="is large"):
        contents.check(tmp_path)


def test_an_sdist_holds_sources_only(tmp_path: Path) -> None:
    stowaway = tmp_path / "results.json"
    stowaway.write_text("{}", encoding="utf-8")
    (tmp_path / "dist").mkdir()
    with tarfile.open(tmp_path / "dist" / "bayleaf-0.1.0.tar.gz", "w:gz") as archive:
        archive.add(stowaway, "bayleaf-0.1.0/benchmarks/results.json")
    with pytest.raises(Fault, match=r"benchmarks/results\.json"):
        contents.check(tmp_path / "dist")
