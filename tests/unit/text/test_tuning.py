"""The small fit of the evidence table, by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bayleaf import TextClassifier
from bayleaf.families.evidence import EvidenceTable
from bayleaf.families.tuning import Evidence, tune


def heard(sums: Any, codes: Any) -> Evidence:
    """Leave-one-out sums of texts of 50 tokens, each a group of its own."""
    sizes = np.bincount(codes, minlength=sums.shape[1]).astype(float)
    return Evidence(sums, np.full(len(codes), 50.0), codes, sizes, np.arange(len(codes)))


@pytest.mark.parametrize(("n", "k"), [(30, 2), (400, 3)])
def test_derived_numbers_do_not_hang_on_the_last_bits_of_sums(n: int, k: int) -> None:
    """Processors round sums in their own ways; the numbers derived from them agree to six digits all the same."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, k, n)
    kinds = len(EvidenceTable.start((1, 2), k).worth)
    sums = rng.normal(size=(n, k, kinds)).astype(np.float32)
    sums[np.arange(n), codes] += np.float32(0.05)
    tables = []
    for _ in range(3):
        noise = 1 + np.float32(1e-7) * rng.normal(size=sums.shape).astype(np.float32)
        tables.append(tune([heard(sums * noise, codes)], (1, 2)))
    for other in tables[1:]:
        assert other.temperature == pytest.approx(tables[0].temperature, rel=1e-5)
        assert other.floor == pytest.approx(tables[0].floor, rel=1e-5)
        np.testing.assert_allclose(other.worth, tables[0].worth, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(other.mix, tables[0].mix, rtol=1e-4, atol=1e-5)


def test_the_table_is_the_same_for_any_number_of_threads() -> None:
    rng, n = np.random.default_rng(1), 1_300
    codes = rng.integers(0, 3, n)
    kinds = len(EvidenceTable.start((1,), 3).worth)
    sums = rng.normal(size=(n, 3, kinds)).astype(np.float32)
    sums[np.arange(n), codes] += np.float32(0.05)
    evidence = heard(sums, codes)
    one, several = tune([evidence], (1,)), tune([evidence], (1,), jobs=3)
    assert one == several
    assert len(one.mix) == 9
    assert max(one.worth) > 0


def test_a_few_documents_that_are_all_right_do_not_make_it_sure_without_end() -> None:
    labels, rng = ["ham", "spam"] * 12, np.random.default_rng(0)
    texts = [" ".join([*(f"w{word}" for word in rng.integers(0, 100, 10)), label]) for label in labels]
    assert TextClassifier().fit(texts, labels).chosen_["temperature"] > 1 / 5


def test_learning_more_of_a_class_never_speaks_against_it() -> None:
    """Texts of which nothing is known are all of the smaller class here: an offset may say so, the prior may not."""
    large, small = [f"alpha beta gamma n{i % 7}" for i in range(110)], [f"u{i} v{i} w{i}" for i in range(90)]
    clf = TextClassifier().fit(large + small, ["large"] * 110 + ["small"] * 90)

    def lead() -> float:
        large, small = clf.explain(["nothing known"])[0].prior
        return float(large - small)

    before = lead()
    assert before < 0
    clf.partial_fit(large, ["large"] * 110)
    assert clf.aged_
    assert lead() >= before
