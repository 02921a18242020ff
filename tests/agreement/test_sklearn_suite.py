"""scikit-learn's own test modules, unmodified, run on our classes in a process of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ALL_SEEDS = {"SKLEARN_TESTS_GLOBAL_RANDOM_SEED": "all", "SKLEARN_RUN_FLOAT32_TESTS": "1"}
# What scikit-learn 1.9.1 itself passes (pandas, polars and pyarrow installed); how many of our names a module imports.
RUNS = [
    pytest.param("sklearn.tests.test_naive_bayes", {}, 86, 5, id="naive_bayes"),
    pytest.param("sklearn.tests.test_naive_bayes", ALL_SEEDS, 2166, 5, id="naive_bayes-all-seeds-float32"),
    pytest.param("sklearn.tests.test_calibration", {}, 97, 1, id="calibration"),
    pytest.param("sklearn.tests.test_multiclass", {}, 59, 1, id="multiclass"),
    pytest.param("sklearn.ensemble.tests.test_voting", {}, 41, 1, id="voting"),
    pytest.param("sklearn.model_selection.tests.test_search", {}, 141, 1, id="search"),
]


@pytest.mark.parametrize(("module", "extra", "least", "swapped"), RUNS)
def test_module(module: str, extra: dict[str, str], least: int, swapped: int, tmp_path: Path) -> None:
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "SKLEARN_"))}
    env |= {"PYTHONPATH": str(HERE), "OMP_NUM_THREADS": "1", **extra}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--tb=short",
        "-p",
        "nbswap",
        "-p",
        "no:cacheprovider",
        "--pyargs",
        module,
    ]
    ran = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
    lines = ran.stdout.strip().splitlines()
    summary = {word: int(n) for n, word in re.findall(r"(\d+) (passed|failed|error|skipped)", lines[-1])}
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]
    assert "failed" not in summary
    assert "error" not in summary
    assert summary["passed"] >= least
    assert f"nbswap: {swapped} names swapped" in ran.stdout
