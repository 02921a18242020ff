"""The command line at size: ``python -m benchmarks desk``.

A CSV file of numbers, categories and texts is made up (words by Zipf's law, labels that depend on all columns) and
trained on, at a tenth of the size and at the whole: memory must not grow with it. Peak memory is that of the process,
counts and all. Starting times are the least of several runs by the clock.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.record import Record

WORDS = 50_000
LABELS = ("billing", "delivery", "returns", "technical", "other")
PEAK = 500  # MB beside the counts: the goal
RUN = [sys.executable, "-m", "bayleaf"]


def write_csv(path: Path, megabytes: int) -> int:
    """Made-up rows; how many."""
    draw = random.Random(1)
    weights = [1 / rank for rank in range(1, WORDS + 1)]
    pool = draw.choices(
        range(WORDS), weights, k=200_000
    )  # sentences come from so many words: their pairs are known after a while
    rows = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("message,channel,region,minutes,orders,price,label\n")
        while file.tell() < megabytes * 1_000_000:
            for _ in range(10_000):
                kind = draw.randrange(len(LABELS))
                start = draw.randrange(len(pool) - 20)
                words = " ".join(f"w{(word * 7 + kind * (word % 3 == 0)) % WORDS}" for word in pool[start : start + 12])
                file.write(
                    f"{words},c{(kind + draw.randrange(3)) % 5},r{draw.randrange(40)},"
                    f"{draw.gauss(10 * kind, 20):.2f},{draw.randrange(30)},{draw.expovariate(0.01):.2f},"
                    f"{LABELS[kind]}\n"
                )
            rows += 10_000
    return rows


def measured(words: list[str]) -> tuple[float, float]:
    """Seconds by the clock and peak memory in MB of a command."""
    started = time.perf_counter()
    process = subprocess.Popen([*RUN, *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"bayleaf {' '.join(words)} failed")
    return time.perf_counter() - started, usage.ru_maxrss / 1024


def least(command: list[str], runs: int = 15) -> float:
    """Milliseconds of the quickest run."""
    found = []
    for _ in range(runs):
        started = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        found.append(time.perf_counter() - started)
    return 1000 * min(found)


def main(argv: list[str]) -> None:
    """Runs it and writes the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path)
    parser.add_argument("--megabytes", type=int, default=1000)
    options = parser.parse_args(argv)
    bare, version = least([sys.executable, "-c", ""]), least([*RUN, "--version"])
    record = Record("The command line")
    lines = [
        f"# {record.title}",
        "",
        record.setting(),
        "",
        "| work | size | seconds | MB/s | peak MB |",
        "|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        data, model = Path(folder) / "rows.csv", Path(folder) / "m.bayleaf"
        for size in (options.megabytes // 10, options.megabytes):
            rows = write_csv(data, size)
            for name, words in (
                ("train", ["train", str(data), "-o", str(model), "-q"]),
                ("predict", ["predict", str(model), str(data), "-q"]),
            ):
                seconds, peak = measured(words)
                record.figures |= {
                    f"{name}-{size}.mb-per-s": round(size / seconds, 2),
                    f"{name}-{size}.peak-mb": round(peak),
                }
                lines.append(
                    f"| {name} | {size} MB, {rows:,} rows | {seconds:.1f} | {size / seconds:.1f} | {peak:.0f} |"
                )
                print(lines[-1], flush=True)
            lines.append(f"| model file | {model.stat().st_size / 1e6:.0f} MB | | | |")
    lines += ["", f"`bayleaf --version` {version:.0f} ms, `python -c ''` {bare:.0f} ms (the quickest of 15).", ""]
    record.figures |= {"version-ms": round(version, 1), "python-ms": round(bare, 1)}
    print("\n".join(lines))
    if options.out is not None:
        options.out.write_text("\n".join([*lines, *record.write(options.out)]), encoding="utf-8")
