"""Speed of the vectorisers against scikit-learn, in one run, from a list of str.

    python benchmarks/text_vectorizers.py [--megabytes 100] [--quick]

The text is 20 Newsgroups and the SpamAssassin bodies, repeated; the non-ASCII row is a made-up Cyrillic text with the
same word lengths and frequencies (each Latin letter replaced). CPU seconds, best of three for ours, once for
scikit-learn's; wall seconds for threads. BAYLEAF_DATA names the folder with the archives.
"""

import argparse
import os
import platform
import tarfile
import time
from pathlib import Path

import sklearn
import sklearn.feature_extraction.text as sk

import bayleaf.text as bl

DATA = Path(os.environ.get("BAYLEAF_DATA", Path(__file__).parents[2] / "shared" / "data"))
CYRILLIC = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "абцдефгхийклмнопярстужвьызАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗ"
)


def texts(name: str) -> list[str]:
    """Return news posts whole, mails without their headers."""
    out = []
    with tarfile.open(DATA / f"{name}.tar.xz") as archive:
        for member in archive:
            if member.isfile():
                raw = archive.extractfile(member).read()
                out.append((raw.partition(b"\n\n")[2] if name == "spamassassin" else raw).decode("latin-1"))
    return out


def repeated(base: list[str], megabytes: float) -> list[str]:
    """Repeat until there are so many megabytes of UTF-8."""
    size = sum(len(text.encode()) for text in base)
    return base * max(1, -(-int(megabytes * 1e6) // size))


def timed(call, times: int = 1) -> tuple[float, float]:
    """Return the least CPU and wall seconds."""
    best = []
    for _ in range(times):
        cpu, wall = time.process_time(), time.perf_counter()
        result = call()
        best.append((time.process_time() - cpu, time.perf_counter() - wall))
        del result
    return min(c for c, _ in best), min(w for _, w in best)


def row(label: str, documents: list[str], cls: str, options: dict, method: str) -> None:
    """Print one line of the table."""

    def call(module, **more):
        vectorizer = getattr(module, cls)(**options, **more)
        if method == "transform":
            vectorizer.fit(documents)
        return lambda: getattr(vectorizer, method)(documents)

    def with_vocabulary():
        vectorizer = getattr(bl, cls)(**options, n_jobs=1)
        getattr(vectorizer, method)(documents)
        return getattr(vectorizer, "vocabulary_", None)

    theirs, _ = timed(call(sk))
    ours, wall = timed(call(bl, n_jobs=1), 3)
    full, _ = timed(with_vocabulary, 2) if method == "fit_transform" else (ours, 0)
    _, two = timed(call(bl, n_jobs=2), 3)
    print(
        f"| {label} | {theirs:.2f} | {ours:.2f} | {theirs / ours:.1f}x | {theirs / full:.1f}x ",
        f"| {wall:.2f} | {two:.2f} | {wall / two:.2f}x |",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--quick", action="store_true", help="only the two rows that have a goal")
    arguments = parser.parse_args()
    base = texts("20news_bydate") + texts("spamassassin")
    documents = repeated(base, arguments.megabytes)
    size = sum(len(text.encode()) for text in documents) / 1e6
    print(
        f"{len(documents)} documents, {size:.0f} MB; {platform.machine()}, Python {platform.python_version()},",
        f"scikit-learn {sklearn.__version__}, load {os.getloadavg()[0]:.1f}\n",
    )
    print(
        "| work | scikit-learn CPU s | ours CPU s | ratio | with vocabulary_",
        "| wall, 1 thread | wall, 2 threads | threads |",
    )
    print("|---|---|---|---|---|---|---|---|")
    row("CountVectorizer.fit_transform (1,1)", documents, "CountVectorizer", {}, "fit_transform")
    row("CountVectorizer.fit_transform (1,2)", documents, "CountVectorizer", {"ngram_range": (1, 2)}, "fit_transform")
    if arguments.quick:
        return
    row("CountVectorizer.transform (1,1)", documents, "CountVectorizer", {}, "transform")
    row("CountVectorizer.transform (1,2)", documents, "CountVectorizer", {"ngram_range": (1, 2)}, "transform")
    row("TfidfVectorizer.fit_transform (1,1)", documents, "TfidfVectorizer", {}, "fit_transform")
    row("HashingVectorizer.fit_transform (1,1)", documents, "HashingVectorizer", {}, "fit_transform")
    row(
        "HashingVectorizer.fit_transform (1,2)",
        documents,
        "HashingVectorizer",
        {"ngram_range": (1, 2)},
        "fit_transform",
    )
    cyrillic = [text.translate(CYRILLIC) for text in base]
    row("Cyrillic, fit_transform (1,1)", cyrillic, "CountVectorizer", {}, "fit_transform")
    row("Cyrillic, fit_transform (1,2)", cyrillic, "CountVectorizer", {"ngram_range": (1, 2)}, "fit_transform")
    row("accents ascii, fit_transform (1,1)", base, "CountVectorizer", {"strip_accents": "ascii"}, "fit_transform")
    part = base[::10]
    row(
        "char_wb (3,5), a tenth of the texts once",
        part,
        "CountVectorizer",
        {"analyzer": "char_wb", "ngram_range": (3, 5)},
        "fit_transform",
    )
    row("pattern [a-z]+, texts once", base, "CountVectorizer", {"token_pattern": "[a-z]+"}, "fit_transform")


if __name__ == "__main__":
    main()
