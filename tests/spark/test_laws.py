"""Any partitioning gives the model of one machine."""

import copy
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("pyspark", reason="pyspark is not installed; `make test-spark` installs it")

from spark.frame import Frame, frame

import bayleaf
from bayleaf import RecordClassifier, TextClassifier
from bayleaf.archive import Archive
from bayleaf.spark import fit, line, partial, piece, retained, summary
from bayleaf.text.evidence import EvidenceReader
from bayleaf.text.textbook import TextbookReader

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning")]

WORDS = ["tea", "milk", "sugar", "rain", "snow", "wind", "noon", "lunch", "late", "early"]
texts = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
rows = st.lists(st.tuples(texts, st.sampled_from("abc"), st.integers(0, 5)), min_size=1, max_size=40)


def parted(some: list[tuple[str, str, int]]) -> tuple[list[str], list[str], Any]:
    body, kind, parts = (list(column) for column in zip(*some, strict=True))
    return body, kind, frame({"body": body, "kind": kind}, parts)


@given(rows, st.sampled_from([1, 3, 8]))
@settings(max_examples=25, deadline=None)
def test_any_partitioning_gives_the_file_of_one_machine(some: Any, shards: int) -> None:
    body, kind, df = parted(some)
    assert fit(df, text="body", label="kind", shards=shards)._archive().hash == (
        TextClassifier().fit(body, kind)._archive().hash
    )


def test_the_file_is_written_from_the_partitions(tmp_path: Path) -> None:
    body, kind, df = parted(many())
    model = fit(df, text="body", label="kind", path=tmp_path / "model", shards=3)
    one = TextClassifier().fit(body, kind)
    assert Archive.read(tmp_path / "model").hash == one._archive().hash
    assert "_tally" not in model.__dict__  # not read yet
    assert copy.deepcopy(model)._archive().hash == one._archive().hash
    assert type(model) is TextClassifier
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


@pytest.mark.parametrize(
    "classifier",
    [
        TextClassifier("words", family="multinomial", alpha="auto"),
        TextClassifier(buckets=64),
        TextClassifier(keep_text=False),
        TextClassifier(family="bernoulli", n_jobs=2),
    ],
    ids=str,
)
def test_settings_are_those_of_one_machine(classifier: TextClassifier, tmp_path: Path) -> None:
    body, kind, df = parted(many())
    fit(df, text="body", label="kind", classifier=classifier, path=tmp_path / "model")
    assert not classifier.__sklearn_is_fitted__()
    assert Archive.read(tmp_path / "model").hash == classifier.fit(body, kind)._archive().hash


def test_a_partition_sends_counts_on_before_they_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partial, "KEYS", 5)
    monkeypatch.setattr(partial, "ROWS", 8)
    monkeypatch.setattr(piece, "SIZE", 300)
    body, kind, df = parted(many())
    model = fit(df, text="body", label="kind")
    assert model._archive().hash == TextClassifier().fit(body, kind)._archive().hash


@pytest.mark.parametrize(("cores", "ranges"), [(1, 4), (16, 16), (640, 64), (None, 4)])
def test_keys_are_merged_in_as_many_ranges_as_there_are_cores(cores: int | None, ranges: int) -> None:
    df = parted(many())[2]
    if cores is not None:  # Spark Connect does not tell
        df.sparkSession = SimpleNamespace(sparkContext=SimpleNamespace(defaultParallelism=cores))
    with mock.patch.object(Frame, "repartitionById", autospec=True, side_effect=Frame.repartitionById) as spread:
        fit(df, text="body", label="kind")
    assert {call.args[1] for call in spread.call_args_list} == {ranges + 1}  # and the summary


def test_uneven_partitions_are_asked_again_for_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """All but one document in the last partition, which sends its small share only."""
    from bayleaf.text import sample

    body, kind, df = parted([(text, kind, 9 if i else 0) for i, (text, kind, _) in enumerate(many(200))])
    for module in (sample, line, retained):
        monkeypatch.setattr(module, "DOCUMENTS", 30)
    monkeypatch.setattr(partial, "share", lambda partition, needed: 2 * needed // (partition + 1))
    monkeypatch.setattr(EvidenceReader, "most", lambda reader: 30)
    with mock.patch.object(summary.Summary, "missing", autospec=True, side_effect=summary.Summary.missing) as asked:
        model = fit(df, text="body", label="kind")
    one = TextClassifier().fit(body, kind)
    assert asked.call_count == 2
    assert model._sample.first(30) == one._sample.first(30)
    assert model._archive().hash == one._archive().hash


def test_textbook_families_ask_for_no_more_documents_than_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    body, kind, df = parted(many(400))
    monkeypatch.setattr(retained, "MOST", 30)
    monkeypatch.setattr(partial, "share", lambda partition, needed: 2 * needed // (partition + 1))
    monkeypatch.setattr(TextbookReader, "most", lambda reader: 30)
    model = fit(df, text="body", label="kind", classifier=TextClassifier(family="multinomial"))
    one = TextClassifier(family="multinomial").fit(body, kind)
    assert model._sample.first(30) == one._sample.first(30)
    assert model._archive().hash == one._archive().hash
    assert 30 <= len(model._sample) < 400
    places, _, _, (texts,) = one._sample.lists
    kept = {text for place, text in zip(places, texts, strict=True) if place < model._sample.last}
    assert set(model._sample.lists[-1][0]) == kept


def test_groups_stand_together() -> None:
    some = many()
    body, kind, parts = (list(column) for column in zip(*some, strict=True))
    threads = [i % 17 for i in range(len(body))]
    df = frame({"body": body, "kind": kind, "thread": threads}, parts)
    model = fit(df, text="body", label="kind", groups="thread")
    assert model._archive().hash == TextClassifier().fit(body, kind, threads)._archive().hash


def test_groups_may_be_what_is_learned() -> None:
    text, kind = ["tea", "milk", "tea", "tea milk"], ["a", "b", "a", "b"]
    df = frame({"text": text, "kind": kind}, [0, 1, 0, 1])
    for column, groups in (("text", text), ("kind", kind)):
        found = fit(df, text="text", label="kind", groups=column)
        assert found._archive().hash == TextClassifier().fit(text, kind, groups=groups)._archive().hash


def test_fields_are_told_apart() -> None:
    some = many()
    body, kind, parts = (list(column) for column in zip(*some, strict=True))
    title = body[::-1]
    model = fit(frame({"body": body, "kind": kind, "title": title}, parts), text=["title", "body"], label="kind")
    assert model._archive().hash == TextClassifier().fit({"title": title, "body": body}, kind)._archive().hash


def test_learning_onto_a_model_is_partial_fit(tmp_path: Path) -> None:
    body, kind, df = parted(many())
    old = TextClassifier().fit(["tea tea", "rain and snow", "umbrella"], ["a", "b", "d"])
    before = old._archive().hash
    new = fit(df, text="body", label="kind", onto=old, path=tmp_path / "model")
    assert old._archive().hash == before
    assert new._archive().hash == Archive.read(tmp_path / "model").hash
    assert Archive.read(tmp_path / "model").hash == old.partial_fit(body, kind)._archive().hash


def test_the_day_that_leaves_the_window_is_subtracted() -> None:
    days = [many(seed=seed) for seed in range(3)]
    models = [fit(parted(day)[2], text="body", label="kind") for day in days]
    rest = [*days[1], *days[2]]
    kept = models[0] + models[1] + models[2] - models[0]
    assert kept._tally == fit(parted(rest)[2], text="body", label="kind")._tally


def test_rows_without_a_label_are_left_out_and_missing_texts_are_empty(caplog: pytest.LogCaptureFixture) -> None:
    body = ["tea", None, "rain", "wind", "snow"]
    df = frame({"body": body, "kind": ["a", "b", None, "", "b"]}, [0, 1, 1, 2, 2])
    model = fit(df, text="body", label="kind")
    assert model._archive().hash == TextClassifier().fit(["tea", "", "snow"], ["a", "b", "b"])._archive().hash
    assert "2 rows without a label were left out" in caplog.text


def many(count: int = 60, seed: int = 0) -> list[tuple[str, str, int]]:
    rng = np.random.default_rng(seed)
    return [
        (" ".join(rng.choice(WORDS, 4)), str(rng.choice(["a", "b", "c"])), int(rng.integers(5))) for _ in range(count)
    ]


# records


def table(count: int = 300) -> tuple[dict[str, list[Any]], list[str], list[int]]:
    rng = np.random.default_rng(1)
    kinds = rng.choice(["x", "y"], count).tolist()
    columns: dict[str, list[Any]] = {
        "size": [None if i % 9 == 0 else float(rng.normal(1e6 + 3 * (kind == "x"))) for i, kind in enumerate(kinds)],
        "colour": [str(rng.choice(["red", "blue"] if kind == "x" else ["blue", "green"])) for kind in kinds],
        "code": [None if i % 7 == 0 else int(rng.integers(3)) for i in range(count)],
        "note": [" ".join(rng.choice(WORDS, 5)) + (" x" if kind == "x" else "") for kind in kinds],
        "number": list(range(count)),
    }
    return columns, kinds, rng.integers(0, 4, count).tolist()


def test_records_agree_with_one_machine(tmp_path: Path) -> None:
    columns, kinds, parts = table()
    fit(frame({**columns, "kind": kinds}, parts), label="kind", path=tmp_path / "model")
    model, one = bayleaf.load(tmp_path / "model"), RecordClassifier().fit(columns, kinds)
    assert model.guesses_ == one.guesses_
    assert set(model.columns_.values()) == {"number", "category", "text", "ignore"}
    mine, theirs = model._archive(), one._archive()
    assert set(mine.arrays) == set(theirs.arrays)
    for name, array in mine.arrays.items():
        if name.startswith("table/gaussian"):
            continue
        assert array.dtype == theirs.arrays[name].dtype
        assert np.array_equal(array, theirs.arrays[name]), name
    seen, wanted = model._parts.table._model.tallies[0], one._parts.table._model.tallies[0]
    np.testing.assert_allclose(seen.variance, wanted.variance, rtol=1e-12)
    np.testing.assert_allclose(model.predict_proba(columns), one.predict_proba(columns), rtol=1e-9)


def test_records_can_be_learned_onto_a_model() -> None:
    columns, kinds, parts = table()
    half = {name: cells[:150] for name, cells in columns.items()}
    rest = {name: cells[150:] for name, cells in columns.items()}
    old = RecordClassifier().fit(half, kinds[:150])
    new = fit(frame({**rest, "kind": kinds[150:]}, parts[150:]), label="kind", onto=old)
    one = old.partial_fit(rest, kinds[150:])
    assert new._parts.text._tally == one._parts.text._tally
    np.testing.assert_allclose(new.predict_proba(columns), one.predict_proba(columns), rtol=1e-9)


def test_texts_alone_make_records_too() -> None:
    body, kind, df = parted(many())
    model = fit(df, label="kind", columns={"body": "text"})
    assert model._archive().hash == RecordClassifier({"body": "text"}).fit({"body": body}, kind)._archive().hash


# refusals


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"label": "sort", "text": "body"}, "no column 'sort', expected one of body, kind, size"),
        ({"label": "kind", "text": "boy"}, "no column 'boy'"),
        ({"label": "kind", "text": "size"}, "column 'size' of type double, expected string"),
        ({"label": "kind", "text": "body", "groups": "thread"}, "no column 'thread'"),
        ({"label": "kind", "groups": "body"}, "groups='body' for records"),
        ({"label": "kind", "text": []}, "expected a TextClassifier with `text`"),
        ({"label": "kind", "classifier": TextClassifier()}, "expected a TextClassifier with `text`"),
        ({"label": "kind", "text": "body", "columns": {"body": "text"}}, "a RecordClassifier without"),
        ({"label": "kind", "text": "body", "shards": 0}, "shards=0, expected a whole number"),
        ({"label": "kind", "columns": {"size": "weight"}}, "the kind 'weight'"),
        (
            {"label": "kind", "text": "body", "path": "hdfs://name/model"},
            "no folder .*name, expected one on the driver",
        ),
        ({"label": "kind", "text": "body", "onto": TextClassifier(), "classifier": TextClassifier()}, "one of them"),
        ({"label": "kind", "text": "body", "onto": TextClassifier()}, "has learned nothing"),
        ({"label": "kind", "text": "body", "onto": "a.bayleaf"}, r"expected the model there: bayleaf.load\(path\)"),
        ({"label": "kind", "text": "kind"}, "'kind' as a text and as the label"),
        ({"label": "kind", "text": ["body", "body"]}, "'body' as a text and as another text"),
        ({"label": "kind", "text": "body", "path": "."}, "Found a folder at"),
    ],
)
def test_what_cannot_be_learned_is_refused_before_a_job_starts(asked: dict[str, Any], words: str) -> None:
    df = frame({"body": ["tea"], "kind": ["a"], "size": [1.5]}, [0])
    df.mapInArrow = None  # type: ignore[assignment, method-assign]
    with pytest.raises(bayleaf.BayleafError, match=words):
        fit(df, **asked)


def test_other_data_frames_are_refused() -> None:
    with pytest.raises(bayleaf.BayleafError, match="Found a DataFrame of polars, expected a data frame of Spark"):
        fit(pl.DataFrame({"body": ["tea"], "kind": ["a"]}), text="body", label="kind")


def test_lists_are_no_cells_of_records() -> None:
    with pytest.raises(bayleaf.BayleafError, match=r'expected .* give it the kind "ignore"'):
        fit(frame({"kind": ["a"], "many": [[1, 2]]}, [0]), label="kind")


def test_no_labelled_row_is_refused() -> None:
    with pytest.raises(bayleaf.BayleafError, match="no row with a label in column 'kind'"):
        fit(frame({"body": ["tea"], "kind": [""]}, [0]), text="body", label="kind")
