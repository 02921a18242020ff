"""Every public name has its place in the reference."""

import re
from pathlib import Path

import pytest

import bayleaf
import bayleaf.datasets
import bayleaf.readers
import bayleaf.spark
import bayleaf.text
from bayleaf import plot, report
from bayleaf.encoders import TextEncoder

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in sorted(REFERENCE.glob("*.md")))


@pytest.mark.parametrize("name", sorted(bayleaf.__all__))
def test_name_is_in_the_reference(name: str) -> None:
    if name == "__version__":
        assert "bayleaf.__version__" in TEXT
    else:
        module = getattr(bayleaf, name).__module__
        assert f"::: {module}.{name}\n" in TEXT


PACKAGES = (bayleaf.text, bayleaf.readers, bayleaf.datasets)
THINGS = [getattr(package, name) for package in PACKAGES for name in package.__all__]


@pytest.mark.parametrize("thing", [*THINGS, TextEncoder])
def test_thing_is_in_the_reference(thing: type) -> None:
    assert f"::: {thing.__module__}.{thing.__name__}\n" in TEXT


@pytest.mark.parametrize("thing", [getattr(home, name) for home in (plot, report) for name in home.__all__])
def test_pictures_and_the_report_are_in_the_reference(thing: type) -> None:
    assert f"::: {thing.__module__}.{thing.__name__}\n" in TEXT


@pytest.mark.parametrize("name", bayleaf.spark.__all__)
def test_what_spark_has_is_in_the_reference(name: str) -> None:
    assert re.search(rf"::: bayleaf\.spark\.\w+\.{name}\n", TEXT)
