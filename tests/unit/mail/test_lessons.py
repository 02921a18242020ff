"""Many mails learned at once."""

from __future__ import annotations

from typing import Any

import pytest
from letters import letters

from bayleaf.mail import Filter
from bayleaf.store.ledger import Ledger


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


def test_learning_that_was_killed_before_keys_were_kept_is_made_up_for(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mails are counted; to learn them once more weighs them, and lets copies with other headers be taken back."""

    def killed(*_: Any) -> None:
        raise KeyboardInterrupt

    with Filter.open(place) as f:
        with monkeypatch.context() as then:
            then.setattr(Ledger, "remember", killed)
            with pytest.raises(KeyboardInterrupt):
                f.train_many(letters(20))
        assert (f.evidence().mails, f.store.state().layer) == ({"spam": 20, "ham": 20}, "")
        assert f.train_many(letters(20)) == {"learned": 0, "corrected": 0, "known": 40}
        assert f.store.state().layer != ""
        raw, label = letters(20)[7]
        assert f.untrain(b"Received: from elsewhere by here\n" + raw) == label
