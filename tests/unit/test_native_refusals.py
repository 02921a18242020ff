"""What the native half refuses, each with a sentence instead of a panic."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from bayleaf import CategoricalNB
from bayleaf._core import text_hashed_rows, threads
from bayleaf.encoders.text import TextEncoder
from bayleaf.tally.keyed import KeyedCounts

ENCODER = TextEncoder.preset("small")


def counts(k: int = 2) -> KeyedCounts:
    return KeyedCounts(ENCODER, k, "count")


def codes(*classes: int) -> Any:
    return np.array(classes, dtype=np.uint16)


@pytest.mark.parametrize(
    ("fields", "classes"),
    [
        (([""], [["a", "b"]]), codes(0)),
        (([""], [["a"]]), codes(2)),
        (([""], [["a"]]), codes(0, 0)),
        (([""], []), codes()),
        (([], [["a"]]), codes(0)),
        ((["", "b:"], [["a", "b"], ["x"]]), codes(0, 0)),
    ],
)
def test_documents_that_do_not_fit(fields: Any, classes: Any) -> None:
    seen = counts()
    for sign in (1, -1):
        with pytest.raises(ValueError, match="expected"):
            seen.native.learn(ENCODER.keys, fields, classes, sign, 1)
    with pytest.raises(ValueError, match="expected"):
        seen.native.loo(ENCODER.keys, fields, classes, None, 1.0, 1)
    assert seen == counts()


def test_groups_that_do_not_fit() -> None:
    seen = counts()
    with pytest.raises(ValueError, match="found 2 groups, expected 1"):
        seen.native.loo(ENCODER.keys, ([""], [["a"]]), codes(0), np.zeros(2, dtype=np.uint64), 1.0, 1)


def test_classes_that_do_not_fit() -> None:
    seen = counts()
    for places, k in (([0], 2), ([0, 2], 2), ([0, 1], 65_536)):
        with pytest.raises(ValueError, match="classes"):
            seen.regrouped(places, k)
    with pytest.raises(ValueError, match="expected one below"):
        seen.native.merge(counts(3).native, [0, 1], 1)
    other = KeyedCounts(TextEncoder(), 2, "count")
    with pytest.raises(ValueError, match="other orders"):
        seen.native.merge(other.native, [0, 1], 1)


def test_n_grams_beyond_all_orders() -> None:
    with pytest.raises(ValueError, match="127"):
        KeyedCounts(TextEncoder(ngrams=(128, 130)), 2, "count")


def test_no_columns_to_hash_to() -> None:
    with pytest.raises(ValueError, match="found 0 columns"):
        text_hashed_rows(ENCODER._plan, ["a b"], 0, False, 1)


def test_lists_are_no_texts() -> None:
    endless: list[Any] = []
    endless.append(endless)
    for strange in (endless, ["a", "b"], [["x"]], b"a", None):
        with pytest.raises(TypeError):
            TextEncoder().tokens(strange)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            TextEncoder().trace(strange)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            ENCODER.keys.fingerprints([""], [[[strange]]])  # type: ignore[list-item]


def test_a_code_that_is_too_large_is_not_called_infinite() -> None:
    with pytest.raises(ValueError, match="too large: found 1e\\+16 in row 0"):
        CategoricalNB().fit([[1e16], [1.0]], [0, 1])


def test_nobody_gets_more_than_256_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAYLEAF_NUM_THREADS", "20000")
    assert threads() == 256


NO_THREADS = """
import os
import resource
import threading
import numpy as np
from bayleaf.encoders.text import TextEncoder
from bayleaf.tally.keyed import KeyedCounts
encoder = TextEncoder.preset("small")
texts = [" ".join(f"w{n}" for n in range(start, start + 20_000)) for start in range(0, 20_000, 1_000)]
one, many = (KeyedCounts(encoder, 2, "count") for _ in range(2))
one.learn(([""], [texts]), np.arange(20) % 2, 1, 1)
if os.getuid() == 0:  # whom no limit binds
    os.setuid(65534)
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
try:
    threading.Thread(target=print).start()
except RuntimeError:
    many.learn(([""], [texts]), np.arange(20) % 2, 1, 8)
    print(one == many)
"""


@pytest.mark.skipif(os.name != "posix", reason="limits of processes are POSIX's")
def test_where_the_system_has_no_more_threads_fewer_do_the_work() -> None:
    done = subprocess.run([sys.executable, "-c", NO_THREADS], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("True\n", 0), done.stderr
