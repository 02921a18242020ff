"""An explanation shows the whole arithmetic of a prediction."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from cases import Case, each

from bayleaf import BernoulliNB, CategoricalNB, Explanation, GaussianNB, MixedNB, MultinomialNB, RecordClassifier
from bayleaf.plain import width
from bayleaf.text import TextClassifier

WORDS = ["password", "review", "send", "us", "your", "account"]
X = pd.DataFrame(
    [
        [1, 0, 1, 1, 1, 0],
        [0, 1, 1, 1, 1, 0],
        [1, 1, 0, 0, 0, 0],
        [0, 1, 0, 1, 0, 0],
        [1, 0, 1, 0, 1, 0],
        [0, 0, 1, 1, 1, 1],
    ],
    columns=WORDS,
)
Y = ["spam", "ham", "ham", "spam", "spam", "spam"]


@each()
def test_the_clues_are_named_and_hold_the_values(case: Case) -> None:
    rows, y = case.random(20)
    frame = pd.DataFrame(rows, columns=[f"column-{i}" for i in range(rows.shape[1])])
    explained = case.make().fit(frame, y).explain(frame[:1])
    assert len(explained) == 1
    one = explained[0]
    assert isinstance(one, Explanation)
    assert {c.name for c in one.clues} <= set(frame.columns)
    assert len({c.name for c in one.clues}) == len(one.clues) > 0
    for clue in one.clues:
        assert clue.value == frame[clue.name][0]
        assert len(clue.summands) == 3


def test_the_text_shows_the_arithmetic_of_the_lecture() -> None:
    """Prior, every likelihood, the product, the normaliser and the posterior of "review us"."""
    text = str(BernoulliNB(alpha=0.0).fit(X, Y).explain(X.iloc[3:4]))
    for word in ("ham", "spam", "review", "us"):
        assert word in text
    for stage in ("prior", "product", "normaliser", "posterior"):
        assert stage in text.lower()
    for number in ("0.333", "0.6667", "0.25", "0.75", "0.0208", "0.0029", "0.02376", "0.8767"):
        assert number in text, f"{number} is missing in\n{text}"


def test_a_prompt_shows_the_table_without_print() -> None:
    explained = BernoulliNB().fit(X, Y).explain(X[:2])
    assert repr(explained) == str(explained)
    assert repr(explained[0]) == str(explained[0])
    assert "array(" not in repr(explained)


def test_the_text_of_a_long_row_names_the_class_and_stays_readable() -> None:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 3, (10, 2000))
    nb = MultinomialNB().fit(rows, np.arange(10) % 2)
    text = str(nb.explain(rows[:1]))
    assert len(text.splitlines()) < 2100
    assert "nan" not in text.lower()


def test_a_sparse_row_lists_only_its_own_words() -> None:
    """The absent ones are in `rest`, so the sum is still complete."""
    S = sp.csr_array(X.to_numpy(dtype=float))
    nb = BernoulliNB().fit(S, Y)
    one = nb.explain(S[3:4])[0]
    assert len(one.clues) == 2
    assert np.abs(one.rest).max() > 0
    total = np.array(one.prior) + sum(np.array(c.summands) for c in one.clues) + one.rest
    np.testing.assert_allclose(total, nb.predict_joint_log_proba(S[3:4])[0], rtol=1e-9)


def test_several_rows_are_several_explanations() -> None:
    nb = MultinomialNB().fit(X, Y)
    many = nb.explain(X)
    assert len(many) == 6
    assert [many[i].predicted for i in range(6)] == nb.predict(X).tolist()
    assert [one.predicted for one in many] == nb.predict(X).tolist()
    with pytest.raises(IndexError):
        _ = many[6]


def test_a_missing_value_says_nothing() -> None:
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    one = BernoulliNB().fit(rows, [0, 1, 1]).explain([[np.nan, 1.0]])[0]
    (silent,) = [c for c in one.clues if c.value != c.value]
    assert not silent.summands.any()
    assert "nan" not in str(one.posterior).lower()


def test_a_row_that_is_impossible_everywhere_is_printed_with_the_prior() -> None:
    """And without a warning."""
    text = str(MultinomialNB(alpha=0).fit([[1, 0], [0, 1], [0, 1]], [0, 1, 1]).explain([[1, 1]]))
    assert "posterior     0.3333    0.6667" in text
    assert "share" not in text


def test_plot_returns_axes_with_the_clues() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    one = BernoulliNB().fit(X, Y).explain(X.iloc[3:4])
    _, ax = plt.subplots()
    assert one.plot(ax=ax) is ax
    shown = " ".join(t.get_text() for t in [*ax.get_yticklabels(), *ax.get_xticklabels(), *ax.texts])
    assert "review" in shown
    assert len(ax.patches) == len(one[0].clues) + 2, "a bar for each clue, one for the prior and one for the sum"
    plt.close("all")


def test_scores_far_below_rounding_are_shown_without_a_second_posterior() -> None:
    nb = GaussianNB(var_smoothing=1e-30).fit([[0.0], [0.0], [1.0], [1.0]], ["a", "a", "b", "b"])
    lines = str(nb.explain([[0.5]])[0]).splitlines()
    assert not [line for line in lines if line.startswith("share")]
    assert lines[-2].split() == ["posterior", "0.5000", "0.5000"]


def test_a_value_that_is_far_away_does_not_fill_the_screen_with_figures() -> None:
    told = str(GaussianNB().fit([[0.0], [1.0], [5.0], [7.0]], list("aabb")).explain([[1e300], [60.0]]))
    assert max(map(len, told.splitlines())) < 60
    assert "e^-7080.7" in told


def test_the_runner_up_of_a_sure_answer_is_told_by_its_score() -> None:
    """Probabilities below 1e-308 are 0 alike."""
    nb = GaussianNB().fit([[0.0], [1.0], [100.0], [101.0], [900.0], [901.0]], ["a", "a", "b", "b", "c", "c"])
    one = nb.explain([[0.5]])[0]
    assert one.posterior.tolist() == [1.0, 0.0, 0.0]
    assert one.rivals == (0, 1)


def test_where_two_are_as_likely_the_answer_comes_first() -> None:
    nb = GaussianNB().fit([[0.0], [1.0], [0.0], [1.0]], ["a", "a", "b", "b"])
    assert nb.explain([[0.5]])[0].rivals == (0, 1)
    assert nb.explain([[0.5]])[0].plot().get_xlabel() == "log-odds of a against b"
    assert GaussianNB().fit([[0.0], [1.0]], ["a", "a"]).explain([[0.5]])[0].rivals == (0, 0)


@pytest.mark.parametrize("kind", [CategoricalNB, MixedNB])
def test_a_missing_category_is_told_from_an_unseen_one(kind: Any) -> None:
    nb = kind().fit([["red"], ["green"]], [0, 1])
    missing, unseen = nb.explain([[None], ["blue"]])
    assert "x0 = nan " in str(missing)
    assert "x0 = ? " in str(unseen)


def test_a_category_that_was_never_learned_is_told() -> None:
    columns = {f"c{n}": ["a", "b"] * 10 for n in range(14)}
    model = RecordClassifier().fit({"channel": ["phone", "mail"] * 10, **columns}, ["x", "y"] * 10)
    strange, known = model.explain({"channel": ["phoen", "mail"], **{name: ["a", "a"] for name in columns}})
    assert "channel = phoen (never learned) " in str(strange)  # although it says least of 15
    assert [clue.name for clue in strange.clues if not clue.known] == ["channel"]
    assert "never learned" not in str(known)
    assert any("phoen (never" in text.get_text() for text in strange.plot(count=15).get_yticklabels())


def test_a_name_of_any_length_stays_on_its_line() -> None:
    model = TextClassifier("words", family="multinomial").fit(["a" * 500 + " b", "c"], ["x", "y"])
    lines = str(model.explain("a" * 500)).splitlines()
    assert max(map(len, lines)) < 120
    broken = GaussianNB().fit(pd.DataFrame({"one\ntwo": [0.0, 1, 5, 6]}), [0, 0, 1, 1])
    assert "one\\ntwo = 5" in str(broken.explain(pd.DataFrame({"one\ntwo": [5.0]}))[0])


def test_long_names_that_begin_alike_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    names = [f"how satisfied are you with the delivery of your last order: {part}" for part in ("speed", "price")]
    model = MixedNB().fit(pd.DataFrame([[1, 5], [2, 4], [7, 1]], columns=names), [f"{name}?" for name in [*names, "x"]])
    heads, _, *rows = str(model.explain(pd.DataFrame([[1, 4]], columns=names))[0]).splitlines()
    assert [row.split(" = ")[0][-5:] for row in rows[:2]] == ["speed", "price"]
    assert "speed?" in heads
    assert "price?" in heads
    labels = [f"{'x' * 70}{n}" for n in range(5)]
    assert [name[-1] for name in str(many(labels)).splitlines()[0].split()] == ["0", "1"]


def test_columns_stand_below_each_other_in_every_script() -> None:
    texts = ["猫が好き", "ที่นี่ดี", "हिन्दी अच्छी", "e\u0301te\u0301"]
    labels = ["金融市場の動向", "ไทยที่นี่", "हिन्दी", "a\nb"]
    *rows, _ = str(TextClassifier().fit(texts, labels).explain("猫が ที่ हिन्दी e\u0301te\u0301")).split("\n")
    assert len({width(row) for row in rows}) == 1
    assert "a\\nb" in rows[0]


def test_a_derived_prior_of_any_size_takes_four_digits() -> None:
    of = np.log([5135920365229.5, 0.25])
    why = Explanation(np.array(["a", "b"]), of, [], np.zeros(2), of, np.array([1.0, 0.0]), "a")
    assert str(why).splitlines()[1].split() == ["prior", "5.136e+12", "0.2500"]


def many(labels: list[str]) -> Any:
    """Why a text has the first of these labels."""
    words = [f"{chr(97 + n % 26)}{n} here we are again" for n in range(len(labels))]
    return TextClassifier("words", family="multinomial").fit(words, labels).explain("a0 here")


def test_of_many_labels_those_next_to_the_answer_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A column for each of 200 takes lines of 2,000 letters."""
    monkeypatch.setenv("COLUMNS", "80")
    why = many([f"l{n:03}" for n in range(200)])
    heads, *rows, remark, answer = str(why).splitlines()
    assert heads.split()[0] == "l000"
    assert len(heads.split()) == 4
    assert max(map(len, [heads, *rows, remark])) <= 80
    assert rows[-1].split()[1] == f"{why.posterior[0]:.4f}"
    shown = sum(map(float, rows[-1].split()[1:]))
    assert remark.startswith("196 other labels: ")
    assert float(remark.split()[3].rstrip(";")) == pytest.approx(1 - shown, abs=3e-4)
    assert answer == "=> l000"
    normaliser = next(row for row in rows if row.startswith("normaliser"))
    total = float(normaliser.split()[1].partition("/")[2])
    assert total == pytest.approx(np.exp(why.joint).sum(), rel=1e-3)  # of all labels


def test_long_labels_leave_room_for_the_runner_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for letter in ("x", "猫"):
        heads, *rows, _ = str(many([f"{n}" + letter * 70 for n in range(5)])).splitlines()
        assert max(map(width, [heads, *rows])) <= 80
        assert len(heads.split()) == 2
        assert "…" in heads
    *rows, remark, _ = str(many([f"{n}" + "x" * 19 for n in range(5)])).splitlines()
    assert rows[0].split() == [f"{n}" + "x" * 19 for n in range(3)]  # whole, as many as fit
    assert remark.startswith("2 other labels: ")
    monkeypatch.setenv("COLUMNS", "20")  # numbers are not cut
    heads, *rows, _ = str(many([f"{n}" + "x" * 70 for n in range(5)])).splitlines()
    assert len(rows[0].split()) == 3


def test_one_label_more_than_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    why = many(["a", "b", "c", "d", "e"])
    assert str(why).splitlines()[-2] == f"1 other label: {why.posterior.min():.4f}"


def test_a_few_labels_are_all_shown_however_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    assert str(many(["a", "b", "c", "d"])).splitlines()[0].split() == ["a", "b", "c", "d"]
