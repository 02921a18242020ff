"""A model that was saved and loaded is the model that was saved."""

from __future__ import annotations

import tempfile
from typing import Any

import numpy as np
import pytest
from cases import Case, data, each, same, state
from hypothesis import given
from hypothesis import strategies as st
from models import FITTED, example

import bayleaf
from bayleaf.archive import Archive


def reloaded(model: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        model.save(folder + "/model")
        archive, again = Archive.read(folder + "/model"), bayleaf.load(folder + "/model")
    assert archive.hash == model._archive().hash == again._archive().hash
    assert type(again) is type(model)
    assert set(again.__dict__) == set(model.__dict__)
    return again


@each()
@given(draw=st.data())
def test_a_loaded_model_is_the_same_to_the_last_bit(case: Case, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case, missing=True))
    nb = case.make().fit(X, y, w)
    again = reloaded(nb)
    assert same(state(again), state(nb))
    np.testing.assert_array_equal(again.predict_joint_log_proba(X), nb.predict_joint_log_proba(X))
    np.testing.assert_array_equal(again.predict_proba(X), nb.predict_proba(X))
    np.testing.assert_array_equal(again.loo_predict_log_proba(X, y, w), nb.loo_predict_log_proba(X, y, w))


@each()
@given(draw=st.data())
def test_a_loaded_model_goes_on_as_the_other_would(case: Case, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case))
    nb = case.make().fit(X, y, w)
    again = reloaded(nb)
    both = nb.merge(again)
    for model in (nb, again):
        model.partial_fit(X, y, sample_weight=2 * w)
    assert same(state(again), state(nb))
    for model in (nb, again):
        model.unlearn(X, y, w)
        model.unlearn(X, y, w)
    assert same(state(again), state(nb))
    assert same(state(nb.merge(again)), state(again.merge(nb))) or not case.exact
    assert (both.class_count_ == 2 * nb.class_count_).all()
    again.unlearn(X, y, w)
    assert not again.class_count_.any()
    empty = case.make().fit(X, y, w).unlearn(X, y, w)
    assert not case.exact or same(state(again), state(empty))


@each(menu=True)
@given(draw=st.data())
def test_what_was_chosen_stays_chosen(case: Case, draw: st.DataObject) -> None:
    X, y, w = draw.draw(data(case))
    nb = case.make(alpha="auto").fit(X, y, w)
    again = reloaded(nb)
    assert again.alpha_ == nb.alpha_
    assert again.partial_fit(X, y, sample_weight=w).alpha_ == nb.partial_fit(X, y, sample_weight=w).alpha_
    np.testing.assert_array_equal(again._tried[1], nb._tried[1])


@pytest.mark.parametrize("name", FITTED)
def test_every_kind_and_state(name: str) -> None:
    right = example(name)
    again = reloaded(right.model)
    np.testing.assert_array_equal(again.predict_proba(right.X), right.asked)
    assert again.classes_.tolist() == right.model.classes_.tolist()
    assert again.classes_.dtype.kind == right.model.classes_.dtype.kind
    np.testing.assert_equal(again.get_params(), right.model.get_params())
    assert str(again.explain(right.X)[0]) == str(right.model.explain(right.X)[0])
    again.unlearn(right.X, right.y)
    counts = again._tally.documents if name.startswith("text") else again.class_count_
    assert not counts.any()


PLAIN = st.one_of(  # kinds in one column, but none that are written alike
    st.text(st.characters(), max_size=4).map("word {}".format),  # lone surrogates included
    st.integers(),
    st.floats(allow_nan=False),
    st.booleans(),
    st.none(),
)


@given(st.lists(st.tuples(PLAIN, PLAIN), min_size=2, max_size=8), st.booleans())
def test_categories_keep_their_kinds(rows: list[tuple[Any, Any]], mixed: bool) -> None:
    X = np.empty((len(rows), 2), dtype=object)
    X[:] = rows
    nb = bayleaf.MixedNB(families={"categorical": [0, 1]}) if mixed else bayleaf.CategoricalNB()
    nb.fit(X, [i % 2 for i in range(len(rows))])
    again = reloaded(nb)
    if nb._encoder is not None:
        kinds = [[[type(value) for value in known] for known in model._encoder.categories] for model in (again, nb)]
        assert kinds[0] == kinds[1]
        assert again._encoder == nb._encoder
    np.testing.assert_array_equal(again.predict_proba(X), nb.predict_proba(X))


LABELS = [
    [3, -1, 3],
    [True, False, True],
    ["ß", "a longer one", ""],
    [1.0, 2.0, 1.0],
    np.array([200, 7, 200], dtype=np.uint8),
    np.array([2**63, 7, 2**64 - 1], dtype=np.uint64),
    np.array([1, 2, 1], dtype=np.float32),
    np.array(["b", "a", "b"], dtype=object),
    np.array(["b", "a", "b"], dtype="U9"),
]


@pytest.mark.parametrize("labels", LABELS, ids=repr)
def test_labels_keep_their_kind(labels: Any) -> None:
    nb = bayleaf.GaussianNB().fit([[0.0], [1.0], [0.5]], labels)
    again = reloaded(nb)
    assert again.classes_.dtype.kind == nb.classes_.dtype.kind
    assert again.classes_.dtype == nb.classes_.dtype or nb.classes_.dtype.kind == "U"
    assert [type(label) for label in again.classes_.tolist()] == [type(label) for label in nb.classes_.tolist()]
    assert again.classes_.tolist() == nb.classes_.tolist()


def test_names_of_columns_stay() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"height": [1.8, 1.1, 1.7], "größe": ["short", "long", None], "": [True, False, True]})
    nb = bayleaf.MixedNB().fit(table, ["a", "b", "a"])
    again = reloaded(nb)
    assert again.feature_names_in_.tolist() == ["height", "größe", ""]
    assert again.families_ == nb.families_
    np.testing.assert_array_equal(again.predict_proba(table), nb.predict_proba(table))
    with pytest.raises(ValueError, match="feature names should match"):
        again.predict(table[["größe", "height", ""]])
