"""What each column of a table is worth beside the others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from desk import bayleaf
from explained import adds_up_and_is_kept

from bayleaf import RecordClassifier
from bayleaf.errors import BayleafError
from bayleaf.records import deriving
from bayleaf.records.records import Records, columns_of


def table(n: int, seed: int) -> tuple[dict[str, list[Any]], list[str]]:
    """One column that tells much, and eight that say the same little; numbers and categories of each sort."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    little, other = labels + rng.normal(0, 2, n), rng.random(n) < 0.4 + 0.2 * labels
    columns: dict[str, list[Any]] = {f"copy{j}": (little + rng.normal(0, 0.05, n)).tolist() for j in range(8)}
    columns["much"] = (labels + rng.normal(0, 0.4, n)).tolist()
    columns |= {f"again{j}": np.where(other, "yes", "no").tolist() for j in range(5)}
    columns["sure"] = np.where(rng.random(n) < 0.1 + 0.8 * labels, "high", "low").tolist()
    columns["note"] = [None if i % 7 else "a note on it" for i in range(n)]
    return columns, ["no" if label == 0 else "yes" for label in labels]


CLF = RecordClassifier().fit(*table(400, 0))


def test_a_column_that_repeats_others_is_worth_less(monkeypatch: pytest.MonkeyPatch) -> None:
    columns, labels = table(1_000, 1)
    rows, codes = np.arange(1_000), np.searchsorted(CLF.classes_, labels)
    monkeypatch.setattr(deriving, "_weighed", lambda *_: None)
    before = RecordClassifier().fit(*table(400, 0))
    losses = [-clf.predict_log_proba(columns)[rows, codes].mean() for clf in (CLF, before)]
    assert losses[0] < 0.8 * losses[1]
    worth = CLF.chosen_["columns"]
    assert worth["much"] > max(worth[f"copy{j}"] for j in range(8))
    assert worth["sure"] > max(worth[f"again{j}"] for j in range(5))
    assert {before.chosen_["columns"][f"copy{j}"] for j in range(8)} == {
        before.chosen_["worth"]["numbers"] + before.chosen_["worth"]["bins"]
    }


def test_explanations_add_up_and_files_keep_it(tmp_path: Path) -> None:
    columns, _ = table(30, 2)
    columns["much"][0], columns["copy1"][1], columns["sure"][2] = None, 1e6, "never seen"
    adds_up_and_is_kept(CLF, columns, tmp_path)


def test_leaving_out_by_column_is_leaving_out() -> None:
    columns, labels = table(400, 0)
    parts, codes = CLF._parts, np.searchsorted(CLF.classes_, labels)
    records = Records.of(columns_of(columns), parts.kinds)
    whole = parts.loo(records, codes, parts.names, {})
    single = parts.loo(records, codes, parts.names, {"numbers": dict.fromkeys(columns, 1.0)})
    for part, scores in whole.items():
        np.testing.assert_allclose(single[part], scores, rtol=1e-9, atol=1e-9)
    worth = {name: 0.5 * j for j, name in enumerate(columns)}
    for part in ("numbers", "bins", "categories"):
        weighed = parts.loo(records, codes, (part,), {part: worth})[part]
        by_hand = sum(worth[name] * one for _, name, one in parts.loo_columns(records, codes, (part,)))
        np.testing.assert_allclose(weighed, by_hand, rtol=1e-9, atol=1e-9)


def test_a_record_is_judged_with_the_worth_of_its_columns() -> None:
    """The scorer in one pass, and column by column as explanations have it."""
    columns, _ = table(20, 3)
    records = Records.of(columns_of(columns), CLF._parts.kinds)
    worth = CLF._worth()
    found = CLF._parts.likelihoods(records, worth)
    plain = CLF._parts.likelihoods(records, replace(worth, columns={}))
    assert not np.allclose(found["numbers"], plain["numbers"])
    for i, told in enumerate(CLF.explain(columns)):
        own = sum(clue.summands for clue in told.clues if clue.name.startswith(("copy", "much")))
        both = sum(worth.worth[part] * found[part][i] for part in ("numbers", "bins"))
        np.testing.assert_allclose(own, both, rtol=1e-9, atol=1e-9)


def test_a_few_records_do_not_weigh_columns() -> None:
    columns, labels = table(60, 4)
    chosen = RecordClassifier().fit(columns, labels).chosen_
    worth = chosen["worth"]
    assert chosen["columns"]["much"] == chosen["columns"]["copy0"] == worth["numbers"] + worth["bins"]
    assert chosen["columns"]["sure"] == chosen["columns"]["again0"] == worth["categories"]


def test_columns_are_weighed_by_records_of_classes_that_are_still_there() -> None:
    """A class that was unlearned has no evidence: it must not draw the worths to where it is likely."""
    columns, labels = table(400, 5)
    more, others = table(40, 6)
    clf = RecordClassifier().fit(columns, labels)
    clf.partial_fit(more, ["gone"] * len(others))
    clf.unlearn(more, ["gone"] * len(others)).retune()
    plain = RecordClassifier().fit(columns, labels).chosen_
    assert clf.chosen_["columns"] == pytest.approx(plain["columns"], rel=1e-6)
    assert clf.chosen_["loo_log_loss"] == pytest.approx(plain["loo_log_loss"], rel=1e-3)  # the floor is of three shares


@pytest.mark.parametrize("jobs", [1, 3])
def test_threads_do_not_matter(jobs: int) -> None:
    assert RecordClassifier(n_jobs=jobs).fit(*table(400, 0)).chosen_ == CLF.chosen_


def test_train_and_report_tell_what_each_column_is_worth(tmp_path: Path) -> None:
    columns, labels = table(200, 0)
    names = [*columns, "id"]
    rows = zip(*columns.values(), range(200), labels, strict=True)
    data, model = tmp_path / "own.csv", tmp_path / "m"
    text = [",".join([*names, "label"]), *(",".join("" if v is None else str(v) for v in row) for row in rows)]
    data.write_text("\n".join(text) + "\n")
    told = bayleaf("train", str(data), "-o", str(model)).stdout.splitlines()
    lines = {line.split()[0]: line.split() for line in told[1 : len(names) + 1]}
    chosen = RecordClassifier.load(model).chosen_["columns"]
    assert told[0].split() == ["column", "taken", "for", "worth", "because"]
    for name, by in chosen.items():
        assert lines[name][2] == f"{by:.2f}"
    assert lines["id"][1:4] == ["ignore", "another", "value"]
    page = tmp_path / "page.html"
    assert bayleaf("evaluate", "--model", str(model), str(data), "--report", str(page)).returncode == 0
    assert f"number, worth {chosen['much']:.2f}" in page.read_text()


def test_no_column_to_learn_from_among_many_is_told_in_a_few_lines() -> None:
    with pytest.raises(BayleafError, match=r"c0 \(always the same\), c1 .* and 180 more\. Give kinds") as told:
        RecordClassifier().fit({f"c{j}": ["t", "t"] for j in range(200)}, ["a", "b"])
    assert len(str(told.value)) < 1_000
