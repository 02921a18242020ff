"""The examples in docstrings run. (`--doctest-modules` would also import the helpers of other tests.)"""

import doctest
import importlib
import pkgutil
from types import ModuleType

import pytest

import bayleaf

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
NAMES = sorted(module.name for module in pkgutil.walk_packages(bayleaf.__path__, "bayleaf."))

SPARK = [f"bayleaf.spark.{name}" for name in ("naive_bayes", "stage", "text_nb")]  # the only ones that need an extra


def examples(module: ModuleType) -> int:
    return sum(len(test.examples) for test in doctest.DocTestFinder().find(module))


@pytest.mark.parametrize("name", NAMES)
def test_examples(name: str) -> None:
    if name in SPARK:
        pytest.importorskip("pyspark", reason="pyspark is not installed; `make test-spark` installs it")
    assert doctest.testmod(importlib.import_module(name), optionflags=FLAGS).failed == 0


@pytest.mark.parametrize("name", sorted(bayleaf.__all__))
def test_every_estimator_has_an_example(name: str) -> None:
    if name.endswith("NB"):
        assert examples(importlib.import_module(getattr(bayleaf, name).__module__)) > 0
