"""Mails judged as if they had not been learned: for people, and for the layer."""

from __future__ import annotations

import pytest
from letters import letters

from bayleaf.mail import Filter
from bayleaf.mail.layer import clip, unpack


def test_the_shares_of_verdicts_add_up_to_one(place: str) -> None:
    with Filter.open(place) as f:
        f.train_many(letters(60))
        rates = f.hindsight()
        assert {*rates} == {"spam", "ham"}
        for rate in rates.values():
            assert sum(rate.values()) == pytest.approx(1)


def test_in_hindsight_the_only_mail_of_a_label_is_unsure(place: str) -> None:
    """Without itself it is a mail of a label that nobody taught: it cannot be called the other one."""
    with Filter.open(place) as f:
        f.train_many(letters(1))
        assert f.hindsight() == {"spam": {"unsure": 1.0}, "ham": {"unsure": 1.0}}


def test_hindsight_does_not_use_what_the_mail_itself_taught() -> None:
    """Mails that have nothing in common with each other are known by themselves only."""
    with Filter.open(":memory:") as f:
        for n in range(40):
            for label in ("spam", "ham"):
                f.train(" ".join(f"{label}{n}x{word}" for word in range(30)), label)
        assert f.judge(" ".join(f"spam7x{word}" for word in range(30))).label == "spam"
        assert "spam" not in f.hindsight()["spam"]


def test_the_layer_is_fitted_on_what_mails_said_before_they_were_learned() -> None:
    some = letters(40)
    with Filter.open(":memory:") as f:
        f.train_many(some)
        for raw, _ in some[-3:]:
            features = f.read(raw)
            with f.store.ledger() as ledger:
                entry = ledger.find(features.identity)
            label = f.untrain(raw)
            assert entry is not None
            assert unpack(entry.pair or b"") == pytest.approx(clip(f.evidence().weigh(features).means), abs=1e-6)
            f.train(raw, label)
