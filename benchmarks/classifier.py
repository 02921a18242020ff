"""Speed of TextClassifier against scikit-learn, fastText and Vowpal Wabbit: ``python -m benchmarks classifier``."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.text_speed import NOTE, speed


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=100, help="size of the text")
    parser.add_argument("--only", default="", help="only the works whose name contains this")
    parser.add_argument("--out", type=Path, default=None, help="write the table here")
    arguments = parser.parse_args(words)
    os.environ["BAYLEAF_NUM_THREADS"] = "1"
    with threadpool_limits(1):
        report = speed(arguments.megabytes, arguments.only)
    report.write(arguments.out, NOTE)
