"""What goes into a text classifier: any column of texts, streams and hostile texts are read."""

from __future__ import annotations

import copy
import sqlite3
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from few_texts import FAMILIES, LABELS, RECORDS, TEXTS, counts

from bayleaf import TextClassifier
from bayleaf.encoders.text import TextEncoder
from bayleaf.errors import NegativeCountError
from bayleaf.families.evidence import EvidenceTable
from bayleaf.text import batches, sample

# columns of any kind


@pytest.mark.parametrize(
    "column",
    [
        list,
        tuple,
        iter,
        np.array,
        lambda t: np.array(t, dtype=object),
        pd.Series,
        pl.Series,
        pa.array,
        pa.chunked_array,
    ],
    ids=["list", "tuple", "iter", "array", "objects", "pandas", "polars", "arrow", "chunked"],
)
def test_columns(column: Any) -> None:
    texts = [TEXTS] if column is pa.chunked_array else TEXTS
    labels = iter(LABELS) if column is iter else LABELS if column in (pa.array, pa.chunked_array) else column(LABELS)
    clf, expected = TextClassifier().fit(column(texts), labels), TextClassifier().fit(TEXTS, LABELS)
    np.testing.assert_array_equal(clf.predict_proba(column(texts)), expected.predict_proba(TEXTS))
    assert clf.classes_.tolist() == ["ham", "spam"]
    assert len(clf.explain(column(texts))) == 4


@pytest.mark.parametrize(
    "frame",
    [dict, pd.DataFrame, pl.DataFrame, pa.table, pa.record_batch],
    ids=["dict", "pandas", "polars", "arrow", "batch"],
)
def test_frames(frame: Any) -> None:
    clf, expected = TextClassifier().fit(frame(RECORDS), LABELS), TextClassifier().fit(RECORDS, LABELS)
    turned = frame({name: RECORDS[name] for name in ("body", "subject")})
    np.testing.assert_array_equal(clf.predict_proba(turned), expected.predict_proba(RECORDS))
    assert [why.predicted for why in clf.explain(turned)] == clf.predict(turned).tolist()
    one = clf.explain({"subject": "win money", "body": "you"})
    assert {clue.name.split(":")[0] for clue in one.clues} == {"subject", "body"}
    streamed = TextClassifier().fit({name: iter(column) for name, column in RECORDS.items()}, iter(LABELS))
    np.testing.assert_array_equal(streamed.predict_proba(RECORDS), expected.predict_proba(RECORDS))


def test_no_text_gives_no_answer() -> None:
    clf = TextClassifier().fit(TEXTS, LABELS)
    assert clf.predict([]).tolist() == []
    assert clf.predict_proba([]).shape == clf.loo_predict_log_proba([], []).shape == (0, 2)
    assert clf.explain([]) == []


# streams


COUNT = 200_000


class Text(str):
    """A text that counts how many of its kind are alive."""

    alive = 0

    def __new__(cls, text: str) -> Text:
        cls.alive += 1
        return super().__new__(cls, text)

    def __del__(self) -> None:
        type(self).alive -= 1


def test_an_iterator_is_read_in_constant_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 200,000 documents never more than the sample (twice 20,000 here) and two batches (32,768) are alive."""
    monkeypatch.setattr(sample, "DOCUMENTS", 20_000)
    most = 0

    def stream() -> Iterator[str]:
        nonlocal most
        for i in range(COUNT):
            most = max(most, Text.alive)
            yield Text(f"w{i % 50} number {i}")

    clf = TextClassifier(buckets=1000, n_jobs=1).partial_fit(stream(), (i % 2 for i in range(COUNT)))
    assert counts(clf) == [COUNT // 2] * 2
    assert most < 40_000 + 2 * 32_768
    assert (clf._tally.distinct <= 1000).all()
    size = len(clf._sample)
    tracemalloc.start()
    clf.partial_fit(stream(), (i % 2 for i in range(COUNT)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60_000_000
    assert 20_000 <= size <= 40_000


def test_what_came_before_the_fault_of_an_iterator_is_learned() -> None:
    clf = TextClassifier("small")
    with pytest.raises(TypeError, match="NoneType"):
        clf.partial_fit(iter([*TEXTS * 10_000, None]), iter([*LABELS * 10_000, "ham"]))
    assert sum(counts(clf)) == 32_768
    assert clf.predict(TEXTS).tolist() == LABELS


def test_an_iterator_is_read_where_it_was_made() -> None:
    """A cursor of SQLite refuses every other thread, and what it gives is learned as a list is."""
    cursor = sqlite3.connect(":memory:").execute("select column1 from (values ('win money'), ('lunch at noon'))")
    labels = ["spam", "ham"]
    streamed = TextClassifier("small", n_jobs=2).partial_fit((text for (text,) in cursor), labels)
    assert (
        streamed.top_tokens()
        == TextClassifier("small").partial_fit(["win money", "lunch at noon"], labels).top_tokens()
    )


# hostile texts


@pytest.mark.parametrize("family", FAMILIES)
def test_hostile_texts(family: str) -> None:
    huge = "x" * 5_000_000
    texts = [huge, "\ud800 lone", "\0 nul\0", "", "   ", "\u202e", "ß" * 1000, "win money"]
    labels = ["a", "b"] * 4
    clf = TextClassifier(family=family).fit(texts, labels)
    proba = clf.predict_proba([*texts, "\udfff", "unheard"])
    assert np.isfinite(proba).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert clf.explain(huge).clues[0].spans == ((0, 5_000_000),)
    assert clf.explain("\ud800 lone").predicted in ("a", "b")
    clf.unlearn(texts, labels)
    assert clf._tally.distinct.tolist() == [0, 0]


def test_a_hundred_thousand_empty_documents() -> None:
    clf = TextClassifier().fit([""] * 100_000, [0, 1, 1, 1] * 25_000)
    assert counts(clf) == [25_000, 75_000]
    np.testing.assert_allclose(clf.predict_proba(["", "unheard"]), [[0.25, 0.75]] * 2, atol=1e-3)
    assert clf.top_tokens() == {0: [], 1: []}


@pytest.mark.parametrize("family", FAMILIES)
def test_one_class_and_one_document(family: str) -> None:
    one = TextClassifier(family=family).fit(["only this"], ["sure"])
    assert one.predict_proba(["only", "other", ""]).tolist() == [[1.0]] * 3
    assert one.predict(["other"]).tolist() == ["sure"]
    assert one.explain("only this").predicted == "sure"
    assert one.loo_predict_log_proba(["only this"], ["sure"]).tolist() == [[0.0]]
    grown = one.partial_fit(["lunch at noon"], ["new"])
    assert grown.predict(["lunch", "only this"]).tolist() == ["new", "sure"]


def test_tokens_in_reverse_do_not_matter_but_pairs_do() -> None:
    clf = TextClassifier(encoder=TextEncoder(ngrams=(2, 2))).fit(["a b"] * 20 + ["b a"] * 20, [0] * 20 + [1] * 20)
    assert clf.predict(["a b", "b a"]).tolist() == [0, 1]


def test_refused_unlearning_of_several_gives_all_back():
    clf = TextClassifier().partial_fit(["a"], ["ham"], classes=["ham", "spam"])
    with pytest.raises(NegativeCountError):
        clf.unlearn(["a", "a"], ["ham", "spam"])
    assert clf._tally.documents.tolist() == [1, 0]


def test_with_buckets_a_document_is_left_out_with_all_its_features():
    texts, labels = ["a b c d e f g h", "i j k l m n o p", "q r s t u v", "w x y z"], [0, 1, 0, 1]
    table = replace(EvidenceTable.start((1,), 2), prior=0.0, floor=0.0)
    clf = TextClassifier("small", table=table, buckets=2).fit(texts, labels)
    left_out = np.exp(clf.loo_predict_log_proba(texts, labels))
    for text, label, found in zip(texts, labels, left_out, strict=True):
        rest = copy.deepcopy(clf).unlearn([text], [label])
        np.testing.assert_allclose(found, rest.predict_proba([text])[0], atol=1e-6)


def test_long_texts_of_an_iterator_are_learned_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded by characters, not by a number of texts of whatever length."""
    monkeypatch.setattr(batches, "ROOM", 1_000)
    monkeypatch.setattr(batches, "STEP", 2)
    texts = ["word " * 100] * 20
    sizes = [len(batch.labels) for batch in batches.batches(TextClassifier(), TextEncoder(), iter(texts), [0, 1] * 10)]
    assert sizes == [2] * 10
