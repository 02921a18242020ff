"""The work of `benchmarks.stream`, in processes of their own.

python -m benchmarks.learn FILE MODEL                   learn a file of lines "label,text" as a stream
python -m benchmarks.learn --keys ENCODER LABELS MODEL  learn 20 Newsgroups
python -m benchmarks.learn --load MODEL                 print what the model costs, as JSON
"""

from __future__ import annotations

import json
import resource
import sys
import time
from itertools import tee
from pathlib import Path

import bayleaf
from bayleaf import TextClassifier
from benchmarks.corpora import news


def stream(path: Path, model: Path) -> None:
    """Learn line by line; of the file only the lines between its two readers are held."""
    with path.open(encoding="utf-8") as file:
        next(file)
        first, second = tee(line.split(",", 1) for line in file)
        classifier = TextClassifier().partial_fit((text for _, text in first), (label for label, _ in second))
    classifier.save(model)


def learn(encoder: str, labels: int, model: Path) -> None:
    """20 Newsgroups under its 20 labels, or under fewer."""
    rows = news("")
    names = sorted({label for label, _ in rows})
    answers = [names[names.index(label) % labels] for label, _ in rows]
    TextClassifier(encoder).fit([text for _, text in rows], answers).save(model)


def cost(model: Path) -> dict[str, float]:
    """Keys; bytes of memory and of file, and microseconds of CPU to add one to another, per key."""
    tiny = model.with_suffix(".tiny")  # what loading itself needs is there before it is measured
    TextClassifier().fit(["one", "two"], ["a", "b"]).save(tiny)
    bayleaf.load(tiny)
    before = resident()
    classifier = bayleaf.load(model)
    taken = resident() - before
    keys = int(classifier._tally.distinct.sum())
    started = time.process_time()
    classifier.merge(classifier)
    adding = 1e6 * (time.process_time() - started)
    return {"keys": keys, "memory": taken / keys, "file": model.stat().st_size / keys, "adding": adding / keys}


def resident() -> int:
    """Bytes of memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def main(words: list[str]) -> None:
    match words:
        case ["--keys", encoder, labels, model]:
            learn(encoder, int(labels), Path(model))
        case ["--load", model]:
            print(json.dumps(cost(Path(model))))
        case [path, model]:
            stream(Path(path), Path(model))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
