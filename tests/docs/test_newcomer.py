"""A newcomer in a clone: what the pages install is enough, and what they make there is ignored by git."""

import ast
import re
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from bayleaf.demo.samples import lay_out
from bayleaf.mail import Filter
from bayleaf.mail.mailbox import mails
from bayleaf.store import Store

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
README, START = ROOT / "README.md", sorted((ROOT / "docs" / "start").glob("*.md"))
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]
INSTALL = re.compile(r"pip install '\.\[plot\]'(.*?)(?:`|$)", re.MULTILINE)


def imported(script: Path) -> set[str]:
    """The packages that a script imports, without Python's own."""
    found = set[str]()
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module).partition(".")[0])
    return found - sys.stdlib_module_names


@pytest.mark.parametrize("page", ["docs/start/student.md", "docs/lectures/index.md"])
def test_the_lectures_run_with_what_the_page_installs(page: str) -> None:
    found = INSTALL.search((ROOT / page).read_text(encoding="utf-8"))
    assert found is not None
    ranges = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["plot"]]
    brought = {re.split(r"[<>=~!;\[ ]", each)[0].replace("scikit-learn", "sklearn") for each in ranges}
    needed = set[str]().union(*(imported(script) for script in (ROOT / "lectures").glob("[0-9]*.py")))
    assert {"matplotlib", "pandas"} <= needed
    assert needed <= {"bayleaf", *brought, *found[1].split()}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_installs_from_the_clone(page: Path) -> None:
    """The package is not in the registry."""
    assert re.findall(r"pip install ['\"]?bayleaf\b.*", page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("page", [README, *START], ids=lambda page: page.stem)
def test_a_page_that_installs_says_how_long_that_takes(page: Path) -> None:
    assert "The first install compiles for five to ten minutes and is silent" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", START, ids=lambda page: page.stem)
def test_what_a_page_makes_in_the_clone_is_ignored(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    folders = re.findall(r"^python3 -m venv (\w+)$", text, re.MULTILINE)
    files = re.findall(r"(?:save|savefig|imsave)\(\"([\w.-]+)\"|--report ([\w.-]+)| > ([\w.-]+)$", text, re.MULTILINE)
    assert folders
    assert files
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    made = [*(f"/{name}/" for name in folders), *("/" + "".join(names) for names in files)]
    assert [name for name in made if not any(fnmatch(name, pattern) for pattern in ignored)] == []


def test_the_shares_on_the_page_for_mail_are_those_of_today(tmp_path: Path) -> None:
    """With a fixed secret, so within some points of what any store prints."""
    box = lay_out(tmp_path)
    with Filter(Store(None, secret=bytes(16), names=False)) as learner:
        learner.train_many((raw, label) for label in ("spam", "ham") for raw in mails(box / label))
        now = learner.hindsight()
    page = (ROOT / "docs" / "start" / "mail-administrator.md").read_text(encoding="utf-8")
    for label, shares in now.items():
        written = re.search(rf"^now +{label}: (.*)$", page, re.MULTILINE)
        assert written is not None
        told = {verdict: float(share) / 100 for share, verdict in re.findall(r"([\d.]+)% (\w+)", written[1])}
        for verdict, share in shares.items():
            assert told.get(verdict, 0.0) == pytest.approx(share, abs=0.1), f"{label} called {verdict}"
