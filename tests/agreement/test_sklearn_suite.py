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
NB = ("sklearn.tests.test_naive_bayes",)
AROUND = (  # other modules that fit naive Bayes somewhere, and the names of the tests that do
    "sklearn.tests.test_calibration",
    "sklearn.tests.test_multiclass",
    "sklearn.ensemble.tests.test_voting",
    "sklearn.model_selection.tests.test_search",
    "-k",
    "csr or ovr or ovo or ecoc or iris or toy or gridsearch or parallel_fit"
    " or classifier_set_params or drop or transform or 2d_array",
)
RUNS = [
    pytest.param(NB, {}, 86, 5, id="naive_bayes"),
    pytest.param(NB, ALL_SEEDS, 2166, 5, id="naive_bayes-all-seeds-float32"),
    pytest.param(AROUND, {}, 93, 4, id="calibration-multiclass-voting-search"),
]


@pytest.mark.parametrize(("what", "extra", "least", "swapped"), RUNS)
def test_modules(what: tuple[str, ...], extra: dict[str, str], least: int, swapped: int, tmp_path: Path) -> None:
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "SKLEARN_"))}
    env |= {"PYTHONPATH": str(HERE), "OMP_NUM_THREADS": "1", **extra}
    quiet = ["-q", "--tb=short", "-p", "nbswap", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *quiet, "--pyargs", *what]
    ran = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
    summary = {word: int(n) for n, word in re.findall(r"(\d+) (passed|failed|error|skipped)", ran.stdout[-300:])}
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]
    assert "failed" not in summary
    assert "error" not in summary
    assert summary["passed"] >= least
    assert f"nbswap: {swapped} names swapped" in ran.stdout
