"""Documents for cluster tests: real ones where the corpora are, made-up ones elsewhere, repeated to a million."""

from __future__ import annotations

import os
import random
import tarfile
from functools import cache
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

DATA = Path(os.environ.get("BAYLEAF_CORPORA", Path(__file__).parents[3] / "shared" / "data"))
LONGEST = 1_000  # characters of a document: a million whole ones are 2.2 GB
FILES = 64
Labelled = list[tuple[str, str]]  # text, label


@cache
def documents() -> Labelled:
    """20 Newsgroups and the bodies of SpamAssassin's mails under 22 labels, or as many documents of made-up words."""
    archives = [DATA / f"{name}.tar.xz" for name in ("20news_bydate", "spamassassin")]
    found = [row for path in archives for row in read(path)] if all(path.exists() for path in archives) else made_up()
    return random.Random(7).sample(found, len(found))


def read(path: Path) -> Labelled:
    """The files of an archive; the label is the folder, or spam and ham."""
    rows = []
    with tarfile.open(path) as archive:
        for member in archive:
            if (file := archive.extractfile(member)) is not None:
                folder, raw = member.name.split("/")[-2], file.read()
                if path.name.startswith("spamassassin"):
                    folder, raw = "spam" if "spam" in folder else "ham", raw.partition(b"\n\n")[2]
                rows.append((raw[:LONGEST].decode("latin-1"), folder))
    return rows


def made_up() -> Labelled:
    """Words by Zipf's law; a fifth of them belong to the label."""
    draw = random.Random(11)
    words, weights = range(30_000), [1 / rank for rank in range(1, 30_001)]
    rows = []
    for n in range(24_000):
        label = n % 22
        text = (f"w{word}x{label if word % 5 == 0 else ''}" for word in draw.choices(words, weights, k=150))
        rows.append((" ".join(text), f"label {label}"))
    return rows


def write(folder: Path, rows: Labelled, least: int) -> int:
    """64 Parquet files of all rows, again and again until there are so many; returns how often."""
    times = -(-least // len(rows))
    many = rows * times
    folder.mkdir()
    for n in range(FILES):
        texts, labels = zip(*many[n::FILES], strict=True)
        parquet.write_table(pa.table({"text": texts, "label": labels}), folder / f"{n:02}.parquet", compression="lz4")
    return times
