"""Text beyond memory on one machine: 10 GB at the speed and in the memory of 100 MB.

    python -m benchmarks.stream [--out FILE] [--gigabytes N] [--folder FOLDER]

Text is made up of 40,000 passages, of words of 20 Newsgroups (made-up ones without it) by Zipf's law: a document is
four of them in a new order, so that no document comes twice and the vocabulary is complete after some 50 MB. It is
written to the disk first, which is not counted; reading it from there is. Every row is a process of its own: MB/s from
its start to its end, its CPU time, which depends less on what else the machine does, and its peak memory.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.corpora import DATA, news
from benchmarks.report import setting

WORDS, PASSAGES, PIECES = 50_000, 40_000, 4
LABELS = ("billing", "delivery", "returns", "technical", "other")
MEGABYTE = 1_000_000
SMALL, MIDDLE = 100, 1_000  # MB; of 100, half the time goes to the start and to the derived numbers
HEAD = ("way", "size", "threads", "seconds", "MB/s", "CPU seconds per GB", "peak MB", "goal")
ABOUT_KEYS = (
    "20 Newsgroups learned under 2 and under 20 labels: what a process grows by when it loads the model, the file, and "
    "CPU time to add the model to another of the same keys."
)
KEYS = ("encoder", "labels", "keys", "bytes of memory per key", "bytes of file per key", "µs to add a key")


def vocabulary() -> list[str]:
    """The most frequent words of a corpus, or made-up ones."""
    if not (DATA / "20news_bydate.tar.xz").exists():
        return [f"word{n}" for n in range(WORDS)]
    found = Counter(word for _, text in news("") for word in re.findall(r"[a-z]{2,20}", text.lower()))
    return [word for word, _ in found.most_common(WORDS)]


def passages(words: list[str]) -> list[str]:
    """Sentences of 8 to 15 words, four each: about 300 bytes."""
    draw = np.random.default_rng(1)
    share = 1 / np.arange(1, len(words) + 1)
    numbers = draw.choice(len(words), 48 * PASSAGES, p=share / share.sum())
    texts, start = [], 0
    for lengths in draw.integers(8, 16, (PASSAGES, 4)).tolist():
        sentences = []
        for length in lengths:
            sentences.append(" ".join([words[n] for n in numbers[start : start + length]]) + " .")
            start = (start + length) % (len(numbers) - 16)
        texts.append(" ".join(sentences))
    return texts


def write(path: Path, pool: list[str], megabytes: int) -> int:
    """Lines of label, comma and document; how many. A passage of the label's own fifth of the pool comes first."""
    draw, rows, written = np.random.default_rng(2), 0, 0
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("label,text\n")
        while written < megabytes * MEGABYTE:
            chosen = draw.integers(0, len(pool), (20_000, PIECES))
            kinds = draw.integers(0, len(LABELS), 20_000)
            chosen[:, 0] = chosen[:, 0] // len(LABELS) * len(LABELS) + kinds
            lines = [
                f"{LABELS[kind]},{pool[a]} {pool[b]} {pool[c]} {pool[d]}\n"
                for kind, (a, b, c, d) in zip(kinds.tolist(), chosen.tolist(), strict=True)
            ]
            rows += len(lines)
            written += file.write("".join(lines))
    return rows


def measured(words: list[str], threads: int) -> tuple[float, float, float]:
    """Seconds by the clock, seconds of CPU and peak memory in MB of a process."""
    env = {**os.environ, **dict.fromkeys(("BAYLEAF_NUM_THREADS", "OMP_NUM_THREADS"), str(threads))}
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, env=env)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(words)} failed")
    return time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def rows(folder: Path, gigabytes: float) -> list[tuple[str, ...]]:
    """Three sizes by both ways, each on one thread and on two."""
    pool, data, model, table = passages(vocabulary()), folder / "texts.csv", folder / "m.bayleaf", []
    ways = {
        "`partial_fit` of an iterator": ["-m", "benchmarks.learn", str(data), str(model)],
        "`bayleaf train`": ["-m", "bayleaf", "train", str(data), "--columns", "text=text", "-qo", str(model)],
    }
    speed: dict[tuple[str, int, int], float] = {}
    written = 0
    for megabytes, threads in product((SMALL, MIDDLE, round(gigabytes * 1000)), (1, 2)):
        if written != megabytes:
            documents, written = write(data, pool, megabytes), megabytes
        for way, words in ways.items():
            seconds, busy, peak = measured(words, threads)
            speed[way, megabytes, threads] = rate = megabytes / seconds
            goals = []
            if threads == 2:
                goals.append(f"1.7 times one thread: {rate / speed[way, megabytes, 1]:.2f}")
            if megabytes > MIDDLE:
                goals.append(f"within 20 % of 100 MB: {rate / speed[way, SMALL, threads] - 1:+.0%}")
            figures = (f"{seconds:.1f}", f"{rate:.1f}", f"{1000 * busy / megabytes:.0f}", f"{peak:.0f}")
            row = (way, f"{megabytes:,} MB, {documents:,} documents", str(threads), *figures, "; ".join(goals))
            table.append(row)
            print(" | ".join(row), flush=True)
    return table


def keys(folder: Path) -> list[tuple[str, ...]]:
    """What a key costs."""
    if not (DATA / "20news_bydate.tar.xz").exists():
        return []
    table, model, work = [], str(folder / "k.bayleaf"), [sys.executable, "-m", "benchmarks.learn"]
    for encoder in ("default", "words"):
        for labels in (2, 20):
            subprocess.run([*work, "--keys", encoder, str(labels), model], check=True)
            found = json.loads(subprocess.run([*work, "--load", model], capture_output=True, check=True).stdout)
            costs = (f"{found['memory']:.0f}", f"{found['file']:.0f}", f"{found['adding']:.2f}")
            row = (encoder, str(labels), f"{found['keys']:,}", *costs)
            table.append(row)
            print(" | ".join(row), flush=True)
    return table


def laid_out(head: tuple[str, ...], table: list[tuple[str, ...]]) -> list[str]:
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(row) + " |" for row in table)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    name = f"{datetime.now(UTC):%Y-%m-%d}-stream-{platform.machine()}.md"
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / name)
    parser.add_argument("--gigabytes", type=float, default=10)
    parser.add_argument("--folder", type=Path, help="where the text goes; a temporary folder if not given")
    options = parser.parse_args()
    place = Path(tempfile.mkdtemp(dir=options.folder))
    try:
        table, costs = rows(place, options.gigabytes), keys(place)
    finally:
        shutil.rmtree(place)
    about = (__doc__ or "").split("\n\n")[2].strip()
    lines = ["# Text beyond memory", "", setting(), "", about, "", *laid_out(HEAD, table), "", "## Keys", ""]
    options.out.write_text("\n".join([*lines, ABOUT_KEYS, "", *laid_out(KEYS, costs), ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
