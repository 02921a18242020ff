"""Estimators against scikit-learn and river, side by side in one process: ``python -m benchmarks estimators``.

Each figure is the best of several runs of both sides, taken in turn. Memory is the growth of the peak resident set
during the call, as a share of the size of X.
"""

from __future__ import annotations

import argparse
import gc
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import sklearn.naive_bayes as peer
from scipy import sparse
from threadpoolctl import threadpool_limits

import bayleaf
from benchmarks.report import Report


@dataclass
class Work:
    """One row of the table: the same call on both sides."""

    key: str
    name: str
    ours: Callable[[], Any]
    theirs: Callable[[], Any]
    goal: float
    size: int  # bytes of X
    runs: int = 5


def seconds(call: Callable[[], Any]) -> float:
    gc.collect()
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def extra_memory(call: Callable[[], Any]) -> int:
    """Bytes by which the resident set grew at most while the call ran (sampled every millisecond)."""
    page = os.sysconf("SC_PAGE_SIZE")

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * page

    gc.collect()
    before, peak, done = resident(), 0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.001):
            peak = max(peak, resident())

    watcher = threading.Thread(target=watch)
    watcher.start()
    kept = call()
    done.set()
    watcher.join()
    peak = max(peak, resident())
    result = kept.nbytes if isinstance(kept, np.ndarray) else 0
    return max(0, peak - before - result)


def gaussian(scale: float) -> list[Work]:
    rng = np.random.default_rng(0)
    n, d, k = int(1e6 * scale), 100, 10
    X, y = rng.normal(size=(n, d)), rng.integers(0, k, n)
    X += y[:, None] * 0.1
    ours, theirs = bayleaf.GaussianNB().fit(X, y), peer.GaussianNB().fit(X, y)
    shape = f"{n:.0e} x {d} float64, {k} classes"
    return [
        Work(
            "gaussian.fit",
            f"GaussianNB fit, {shape}",
            lambda: bayleaf.GaussianNB().fit(X, y),
            lambda: peer.GaussianNB().fit(X, y),
            8,
            X.nbytes,
        ),
        Work(
            "gaussian.predict",
            f"GaussianNB predict_proba, {shape}",
            lambda: ours.predict_proba(X),
            lambda: theirs.predict_proba(X),
            8,
            X.nbytes,
            2,
        ),
    ]


def categorical(scale: float) -> list[Work]:
    rng = np.random.default_rng(1)
    n, d = int(1e6 * scale), 20
    X, y = rng.integers(0, 10, (n, d)), rng.integers(0, 5, n)
    ours, theirs = bayleaf.CategoricalNB().fit(X, y), peer.CategoricalNB().fit(X, y)
    shape = f"{n:.0e} x {d}, 5 classes"
    return [
        Work(
            "categorical.fit",
            f"CategoricalNB fit, {shape}",
            lambda: bayleaf.CategoricalNB().fit(X, y),
            lambda: peer.CategoricalNB().fit(X, y),
            30,
            X.nbytes,
        ),
        Work(
            "categorical.predict",
            f"CategoricalNB predict_proba, {shape}",
            lambda: ours.predict_proba(X),
            lambda: theirs.predict_proba(X),
            5,
            X.nbytes,
        ),
    ]


def multinomial(scale: float, k: int, goals: tuple[float, float]) -> list[Work]:
    rng = np.random.default_rng(2)
    stored, n, width = int(5e7 * scale), int(650_000 * scale), 100_000
    starts = np.linspace(0, stored, n + 1).astype(np.int32)
    columns = (width * rng.random(stored) ** 3).astype(np.int32)  # few frequent columns, many rare ones, as in text
    X = sparse.csr_matrix((rng.integers(1, 4, stored).astype(float), columns, starts), shape=(n, width))
    X.sum_duplicates()
    y = rng.integers(0, k, n)
    ours, theirs = bayleaf.MultinomialNB().fit(X, y), peer.MultinomialNB().fit(X, y)
    shape, size = f"CSR, {X.nnz:.1e} non-zeros, {k} classes", X.data.nbytes + X.indices.nbytes
    return [
        Work(
            f"multinomial{k}.fit",
            f"MultinomialNB fit, {shape}",
            lambda: bayleaf.MultinomialNB().fit(X, y),
            lambda: peer.MultinomialNB().fit(X, y),
            goals[0],
            size,
        ),
        Work(
            f"multinomial{k}.predict",
            f"MultinomialNB predict_proba, {shape}",
            lambda: ours.predict_proba(X),
            lambda: theirs.predict_proba(X),
            goals[1],
            size,
        ),
    ]


def one_at_a_time(report: Report) -> None:
    """Rows per second of learning single sparse rows of about 77 entries among 1e5 columns."""
    rng = np.random.default_rng(3)
    X = sparse.random(2000, 100_000, density=77 / 100_000, format="csr", random_state=rng)
    X.data = np.ceil(X.data * 3)
    y = rng.integers(0, 2, X.shape[0])
    rows = [X[i] for i in range(X.shape[0])]
    bags = [{str(j): float(v) for j, v in zip(row.indices, row.data, strict=True)} for row in rows]

    def learn(estimator: Any, count: int) -> float:
        estimator.partial_fit(rows[0], y[:1], classes=[0, 1])
        start = time.perf_counter()
        for i in range(count):
            estimator.partial_fit(rows[i], y[i : i + 1])
        return count / (time.perf_counter() - start)

    def learn_river(count: int) -> float:
        from river import naive_bayes  # noqa: PLC0415 - a peer may be missing

        model = naive_bayes.MultinomialNB()
        start = time.perf_counter()
        for i in range(count):
            model.learn_one(bags[i], y[i])
        return count / (time.perf_counter() - start)

    ours = [learn(bayleaf.MultinomialNB(), 2000) for _ in range(5)]
    name = "MultinomialNB partial_fit, one row at a time, 1e5 columns"

    def against(who: str, key: str, theirs: list[float], goal: float) -> None:
        mine, other = max(ours), max(theirs)
        runs = ours, theirs
        report.add(name, who, f"{mine:,.0f}/s", f"{other:,.0f}/s", mine / other, goal, key=key, runs=runs)

    against("scikit-learn", "stream.scikit-learn", [learn(peer.MultinomialNB(), 300) for _ in range(3)], 100)
    try:
        against("river learn_one", "stream.river", [learn_river(2000) for _ in range(3)], 10)
    except ImportError as error:
        report.skip(name, "river learn_one", error)


def measure(report: Report, works: list[Work]) -> None:
    for work in works:
        ours, theirs, two = [], [], []
        for _ in range(work.runs):
            os.environ["BAYLEAF_NUM_THREADS"] = "1"
            ours.append(seconds(work.ours))
            theirs.append(seconds(work.theirs))
            os.environ["BAYLEAF_NUM_THREADS"] = "2"
            two.append(seconds(work.ours))
        memory = extra_memory(work.ours) / work.size
        mine, other = min(ours), min(theirs)
        report.add(
            work.name,
            "scikit-learn",
            f"{mine:.3f} s",
            f"{other:.3f} s",
            other / mine,
            work.goal,
            mine / min(two),
            memory,
            key=work.key,
            runs=(ours, theirs),
        )


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the full size, for a quick look")
    parser.add_argument("--only", default="", help="only the parts whose name starts with this")
    parser.add_argument("--out", type=Path, default=None, help="write the table here")
    arguments = parser.parse_args(words)
    report = Report("Estimators, one thread on both sides")
    parts: dict[str, Callable[[], Any]] = {
        "gaussian": lambda: measure(report, gaussian(arguments.scale)),
        "categorical": lambda: measure(report, categorical(arguments.scale)),
        "multinomial20": lambda: measure(report, multinomial(arguments.scale, 20, (3.5, 1.8))),
        "multinomial2": lambda: measure(report, multinomial(arguments.scale, 2, (2.0, 1.3))),
        "stream": lambda: one_at_a_time(report),
    }
    with threadpool_limits(1):
        for name, part in parts.items():
            if name.startswith(arguments.only):
                part()
    report.write(arguments.out)


if __name__ == "__main__":
    main()
