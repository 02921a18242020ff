"""`import bayleaf` is free: nothing heavy is loaded until a name is used."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import bayleaf
from bayleaf.cli.main import DESK
from bayleaf.mail import Filter

NAMES = {
    "BadValueError",
    "BayleafError",
    "BernoulliNB",
    "CategoricalNB",
    "Clue",
    "ComplementNB",
    "Counts",
    "DataError",
    "EvidenceTable",
    "Explanation",
    "GaussianNB",
    "ImpossibleRowsWarning",
    "KeyedCounts",
    "MismatchError",
    "MixedNB",
    "Moments",
    "MultinomialNB",
    "NegativeCountError",
    "NoFileError",
    "PoissonNB",
    "RecordClassifier",
    "StoreError",
    "TextClassifier",
    "TruncatedCodesWarning",
    "load",
}  # fmt: skip
HEAVY = {"numpy", "scipy", "sklearn", "pandas", "narwhals", "matplotlib", "joblib"}


def modules_after(statement: str) -> set[str]:
    code = f"{statement}\nimport sys\nprint(' '.join(m.partition('.')[0] for m in sys.modules))"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.parametrize(
    "statement", ["import bayleaf", "import bayleaf; bayleaf.__version__", "import bayleaf; dir(bayleaf)"]
)
def test_import_loads_nothing_heavy(statement: str) -> None:
    assert not modules_after(statement) & HEAVY


def test_import_loads_next_to_nothing() -> None:
    assert len(modules_after("import bayleaf") - modules_after("pass")) < 30  # typing and what it needs


def test_errors_load_nothing_heavy() -> None:
    assert not modules_after("from bayleaf import BayleafError, NegativeCountError") & HEAVY


def test_the_public_names_are_exactly_these() -> None:
    assert set(bayleaf.__all__) == NAMES
    assert len(bayleaf.__all__) == len(NAMES)
    assert set(dir(bayleaf)) == NAMES | {"__version__"}


@pytest.mark.parametrize(
    "use", ["datasets.load_sms_spam", "mail.Filter", "plot.roc", "readers.open_source", "text.CountVectorizer"]
)
def test_import_alone_is_enough_for_the_parts(use: str) -> None:
    modules_after(f"import bayleaf\nbayleaf.{use}")


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(importlib.import_module("bayleaf"), name) is not None


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_public_name_is_documented(name: str) -> None:
    assert (getattr(bayleaf, name).__doc__ or "").strip()


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="GausianNB"):
        _ = bayleaf.GausianNB


def test_errors_are_the_kinds_people_catch() -> None:
    assert issubclass(bayleaf.NegativeCountError, bayleaf.BayleafError)
    assert issubclass(bayleaf.NegativeCountError, ValueError)
    assert issubclass(bayleaf.MismatchError, bayleaf.BayleafError)
    assert issubclass(bayleaf.MismatchError, ValueError)
    assert issubclass(bayleaf.ImpossibleRowsWarning, UserWarning)


def test_the_version_is_that_of_the_distribution() -> None:
    from importlib.metadata import version

    assert bayleaf.__version__ == version("bayleaf")


@pytest.mark.parametrize(
    "command",
    [
        ["mail", "judge"],
        ["mail", "judge", "--explain"],
        ["mail", "filter"],
        ["mail", "correct", "ham", "-"],
        ["mail", "status"],
        ["mail", "learn", "--spam", "-"],
    ],
)
def test_a_mail_command_loads_the_standard_library_and_the_core_only(command: list[str], tmp_path: Path) -> None:
    code = (
        "import sys\nfrom bayleaf.cli.main import main\ncode = main(sys.argv[1:])\n"
        "print(' '.join(sorted({m.partition('.')[0] for m in sys.modules})), file=sys.stderr)"
    )
    with Filter.open(tmp_path / "m.db") as learner:  # what only reads makes no store
        learner.train(b"Subject: y\n\nx", "spam")
    words = [sys.executable, "-c", code, *command, "--store", str(tmp_path / "m.db")]
    done = subprocess.run(words, input=b"Subject: x\n\ny", capture_output=True, check=True)
    loaded = set(done.stderr.decode().splitlines()[-1].split())
    ours = {name for name in loaded if not name.startswith(("_", "site", "sitecustomize"))}
    assert ours - set(sys.stdlib_module_names) - {"bayleaf"} == set()
    slow = {"dataclasses", "inspect", "email", "unittest", "random", "shutil", "tempfile", "gzip", "bz2", "lzma"}
    assert not ours & slow


@pytest.mark.parametrize("words", [["--version"], ["-h"], ["mail", "-h"], *([command, "-h"] for command in DESK)])
def test_help_loads_neither_numpy_nor_scikit_learn(words: list[str]) -> None:
    code = (
        "import sys\nfrom bayleaf.cli.main import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        "print(' '.join(sorted({m.partition('.')[0] for m in sys.modules})), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    assert not set(done.stderr.split()) & (HEAVY | {"safetensors", "pyarrow", "fastapi"})
