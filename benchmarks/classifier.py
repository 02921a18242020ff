"""TextClassifier against scikit-learn, fastText and Vowpal Wabbit: ``python -m benchmarks classifier``.

``python -m benchmarks classifier accuracy`` and ``... classifier speed`` run one half; the other half of a table that
is there already stays.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.accuracy import accuracy
from benchmarks.report import sections
from benchmarks.text_speed import speed


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", choices=["accuracy", "speed"], help="one half; both by default")
    parser.add_argument("--sets", default="", help="only the sets whose name contains this")
    parser.add_argument("--rivals", default="", help="only the classifiers whose name contains this")
    parser.add_argument("--megabytes", type=float, default=100, help="size of the text for speed")
    parser.add_argument("--only", default="", help="only the rows of the speed table whose name contains this")
    parser.add_argument("--out", type=Path, default=None, help="write the table here")
    arguments = parser.parse_args(words)
    if arguments.out:
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
    picture = arguments.out.with_suffix(".png") if arguments.out else None
    halves: dict[str, Callable[[], list[str]]] = {
        "accuracy": lambda: accuracy(arguments.sets, arguments.rivals, picture),
        "speed": lambda: speed(arguments.megabytes, arguments.only),
    }
    os.environ["BAYLEAF_NUM_THREADS"] = "1"
    for name in [arguments.part] if arguments.part else halves:
        with threadpool_limits(1):
            lines = halves[name]()
        if arguments.out:
            sections(arguments.out, "Text classifiers", {name.capitalize(): lines})


if __name__ == "__main__":
    main()
