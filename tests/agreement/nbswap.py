"""A pytest plugin: scikit-learn's own tests meet our classes.

pytest -p nbswap --pyargs sklearn.tests.test_naive_bayes
"""

from __future__ import annotations

import sys
from typing import Any

import sklearn.naive_bayes

import bayleaf

NAMES = ("GaussianNB", "MultinomialNB", "ComplementNB", "BernoulliNB", "CategoricalNB")
for name in NAMES:  # before any test module imports them
    setattr(sklearn.naive_bayes, name, getattr(bayleaf, name))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how many names the collected test modules really took from us."""
    modules = [m for n, m in list(sys.modules.items()) if n.startswith("sklearn.") and ".test_" in n]
    ours = [getattr(m, n) for m in modules for n in NAMES if hasattr(m, n)]
    assert all(c.__module__.startswith("bayleaf") for c in ours)
    terminalreporter.write_line(f"nbswap: {len(ours)} names swapped")
