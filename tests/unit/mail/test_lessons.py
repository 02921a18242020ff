"""Many mails learned at once."""

from __future__ import annotations

from letters import letters

from bayleaf.mail import Filter


def test_mails_learned_at_once_are_taken_back_with_other_headers(place: str) -> None:
    with Filter.open(place) as f:
        f.train_many(letters(5))
        for raw, label in letters(5):
            assert f.untrain(b"Received: from elsewhere by here\n" + raw) == label
        f.compact()
        assert f.check() == {"mails": 0, "keys": 0, "runs": 0}


def test_learning_that_was_killed_before_the_layer_was_fitted_is_made_up_for(place: str) -> None:
    with Filter.open(place) as f:
        f.train_many(letters(20))
        fitted = f.store.state().layer
        f.store.set("layer", "")
        assert f.train_many(letters(20)) == {"learned": 0, "corrected": 0, "known": 40}
        assert f.store.state().layer == fitted != ""
