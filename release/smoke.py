"""What must work right after the installation; run by the Python of a clean environment."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from sklearn.datasets import load_iris

import bayleaf
from bayleaf import GaussianNB, TextClassifier
from bayleaf.mail import Filter

assert bayleaf.__version__ == version("bayleaf"), (bayleaf.__version__, version("bayleaf"))
assert "site-packages" in bayleaf.__file__, bayleaf.__file__

X, y = load_iris(return_X_y=True)
nb = GaussianNB().fit(X, y)
assert nb.score(X, y) > 0.9

clf = TextClassifier().fit(["win money", "cheap money", "see you", "at lunch"], ["spam", "spam", "ham", "ham"])
with tempfile.TemporaryDirectory() as folder:
    clf.save(Path(folder) / "m.bayleaf")
    assert bayleaf.load(Path(folder) / "m.bayleaf").predict(["money"])[0] == "spam"
    with Filter.open(Path(folder) / "mail.db") as judge:
        judge.train(b"Subject: win\n\ncheap money", "spam")

said = subprocess.run(
    [Path(sys.executable).parent / "bayleaf", "--version"], capture_output=True, text=True, check=True
)
assert said.stdout.split() == ["bayleaf", bayleaf.__version__], said.stdout
print(f"bayleaf {bayleaf.__version__} fits, saves, loads and judges")
