"""Links of the built site and of the repository lead somewhere, down to the heading; nothing is fetched."""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
FRONT = sorted(ROOT.glob("*.md"))
NAMED = re.compile(r"(?<![\w/.-])(?:benchmarks|crates|packaging|tests|src)/[\w./-]*\w")  # paths of the repository


class Page(HTMLParser):
    """The places of a page, and the links on it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.places, self.links = {""}, list[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes what the tag is or names."""
        for name, value in attrs:
            if name == "id" and value:
                self.places.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` does; a warning of the builder is an error."""
    folder = tmp_path_factory.mktemp("site")
    for name in ("docs", "packaging"):
        shutil.copytree(ROOT / name, folder / name)
    (folder / "src").symlink_to(ROOT / "src")
    shutil.copy(ROOT / "zensical.toml", folder)
    program = Path(sys.executable).with_name("zensical")
    built = subprocess.run(
        [program, "build", "--clean", "--strict"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    assert "No issues found" in built.stdout + built.stderr
    return folder / "site"


def broken(folder: Path) -> Iterator[str]:
    """Links of a folder of pages that lead nowhere."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    assert len(pages) > len(PAGES)
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or path.name == "404.html":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            known = target in pages and unquote(parts.fragment) in pages[target].places
            if not (known or (target.is_file() and target not in pages)):
                yield f"{path.relative_to(folder)}: {link}"


@pytest.mark.slow
def test_links_of_the_site(site: Path) -> None:
    assert list(broken(site)) == []


@pytest.mark.slow
def test_the_site_loads_nothing_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"<(?:script|img|iframe)[^>]* src=\"?(https?:[^\" >]*)", text) == [], path.name
        assert re.findall(r"<link[^>]* rel=\"?stylesheet[^>]* href=\"?(https?:[^\" >]*)", text) == [], path.name


def test_every_page_is_in_the_navigation() -> None:
    nav = str(tomllib.loads((ROOT / "zensical.toml").read_text())["project"]["nav"])
    shown = [str(path.relative_to(ROOT / "docs")) for path in PAGES]
    assert [page for page in shown if f"'{page}'" not in nav] == []


def headings(text: str) -> set[str]:
    """Places of a Markdown page, as the hosts of repositories name them."""
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {"", *(re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles)}


@pytest.mark.parametrize("page", FRONT, ids=lambda page: page.name)
def test_links_of_the_repository(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        parts = urlsplit(link)
        if not parts.scheme:
            target = page.parent / parts.path if parts.path else page
            assert target.exists(), link
            assert not parts.fragment or parts.fragment in headings(target.read_text(encoding="utf-8")), link


@pytest.mark.parametrize("page", [*FRONT, *PAGES], ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_a_page_names_are_there(page: Path) -> None:
    for named in NAMED.findall(page.read_text(encoding="utf-8")):
        assert (ROOT / named).exists(), named
