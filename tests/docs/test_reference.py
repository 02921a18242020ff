"""Every public name, error, command, flag and setting has its place in the reference."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from web import docs

import bayleaf
from bayleaf.cli.main import DESK, MAIL
from bayleaf.cli.settings import SETTINGS, variable

TABLES = docs("names")
ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
PAGES = {page.name: page.read_text(encoding="utf-8") for page in sorted(REFERENCE.glob("*.md"))}
TEXT = "\n".join(PAGES.values())
NAMES = ["bayleaf", *(module.name for module in pkgutil.walk_packages(bayleaf.__path__, "bayleaf."))]
PYSPARK = importlib.util.find_spec("pyspark") is not None
MODULES = [
    importlib.import_module(name)
    for name in NAMES
    if name != "bayleaf._core" and (PYSPARK or not name.startswith("bayleaf.spark"))
]
SYMBOLS = r"BAYLEAF_(?:SPAM|HAM|UNSURE|NOTE_\w*)"  # what spamd's clients are told, not variables


def public(module: ModuleType) -> Iterator[str]:
    """Paths of the classes and functions that the module shows, each where it is written."""
    for name in getattr(module, "__all__", ()):
        thing = getattr(module, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            yield f"{thing.__module__}.{thing.__qualname__}"


def own_errors(module: ModuleType) -> Iterator[str]:
    """Paths of exceptions and warnings that the module defines."""
    for name, thing in inspect.getmembers(module, inspect.isclass):
        own = thing.__module__ == module.__name__ and not name.startswith("_")
        if own and issubclass(thing, BaseException):
            yield f"{module.__name__}.{name}"


THINGS = {path for module in MODULES for path in public(module)}
ERRORS = {path for module in MODULES for path in own_errors(module)}


@pytest.mark.parametrize("path", sorted(THINGS | ERRORS))
def test_name_is_in_the_reference(path: str) -> None:
    assert f"::: {path}\n" in TEXT


def test_the_lists_are_not_empty() -> None:
    assert {"bayleaf.estimators.gaussian.GaussianNB", "bayleaf.mail.filter.Filter"} <= THINGS
    assert {"bayleaf.errors.BayleafError", "bayleaf.service.spamd.refusal.Refusal"} <= ERRORS
    assert "bayleaf.__version__" in TEXT


def test_what_the_reference_names_is_there() -> None:
    for path in re.findall(r"^::: (\S+)$", TEXT, re.MULTILINE):
        if PYSPARK or not path.startswith("bayleaf.spark"):
            module, _, name = path.rpartition(".")
            thing = getattr(importlib.import_module(module), name)
            assert getattr(importlib.import_module(TABLES.home(path)), name) is thing, path


@pytest.mark.parametrize("name", [name for name, text in PAGES.items() if "\n::: " in text])
def test_the_page_names_what_it_describes_also_outside_the_site(name: str) -> None:
    page = PAGES[name]
    assert page == TABLES.written(page), "run `make examples`"
    for path in re.findall(r"^::: (\S+)$", page, re.MULTILINE):
        assert re.search(rf"^\| `{path.rpartition('.')[2]}` \| `bayleaf\S*` \| \S.*\|$", page, re.MULTILINE), path


@pytest.mark.parametrize("words", [*DESK, *(f"mail {name}" for name in MAIL)])
def test_command_and_its_flags_are_in_the_reference(words: str) -> None:
    group, _, name = words.rpartition(" ")
    parser = importlib.import_module(f"bayleaf.cli.{group or 'desk'}.{name}").arguments()
    section = re.search(rf"^## bayleaf {words}\n(.*?)(?=^## |\Z)", PAGES["commands.md"], re.MULTILINE | re.DOTALL)
    assert section is not None
    flags = [flag for action in parser._actions for flag in action.option_strings]
    assert flags
    assert [flag for flag in flags if not re.search(rf"(?<![\w-]){flag}(?![\w-])", section[1])] == []


def test_settings_and_variables_are_in_the_reference() -> None:
    page = PAGES["settings.md"]
    for name in SETTINGS:
        assert f"`{name}`" in page
        assert f"`{variable(name)}`" in page
    code = "\n".join(
        path.read_text(encoding="utf-8")
        for folder, kind in ((ROOT / "src", "*.py"), (ROOT / "crates", "*.rs"))
        for path in folder.rglob(kind)
    )
    variables = set(re.findall(r"\bBAYLEAF_[A-Z_]*[A-Z]\b", re.sub(SYMBOLS, "", code)))
    assert "BAYLEAF_CONFIG" in variables
    assert [name for name in sorted(variables) if f"`{name}`" not in page] == []
