"""Expiry: what was not seen for long goes, exactly, and the store stays small."""

from __future__ import annotations

from pathlib import Path

import pytest
from letters import letter, letters

from bayleaf.errors import BadValueError
from bayleaf.mail import Filter


def test_expiry_keeps_the_size_bounded_and_unlearning_exact(place: str) -> None:
    f = Filter.open(place)
    day = 9000
    f.day = lambda: day
    for n in range(60):
        day = 9000 + n
        for label in ("spam", "ham"):
            f.train(letter(n, label), label)
        if n % 10 == 9:
            f.expire(days=400, limit=1500)
            assert sum(run.entries for run in f.store.state().runs) <= 1500
            f.check()
    for n in (5, 55, 20, 59, 0, 30):
        f.untrain(letter(n, "spam"))
        f.train(letter(n, "ham"), "spam")
        f.check()
    for run in f.store.state().runs:
        run.verify()
    f.compact()
    f.check()
    counts = [counts for run in f.store.state().runs for _, counts in run.page(0, run.entries)]
    assert all(min(each) >= 0 < max(each) for each in counts)


def test_expiry_that_fails_leaves_nothing_behind(place: str) -> None:
    """It merges all runs before it cuts: what was merged must not be taken for the run that is written next."""
    with Filter.open(place) as f:
        for n in range(3):
            f.train(letter(n, "spam"), "spam")
        with pytest.raises(OverflowError):
            f.store.expire(limit=-1)
        f.train(letter(9, "ham"), "ham")
        assert f.check()["mails"] == 4


def test_expiry_keeps_the_names_of_words_that_are_learned_meanwhile(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Filter.open(place) as f, Filter.open(place) as other:
        f.train_many(letters(12))
        ledger = f.store.ledger

        def late(write: bool) -> object:
            other.train_many((b"Subject: %d\n\nwombat\n" % n, "ham") for n in range(5))
            return ledger(write=write)

        monkeypatch.setattr(f.store, "ledger", late)
        f.expire()
        monkeypatch.undo()
        assert "word:wombat" in [clue.name for clue in f.words("ham", 1000)]


def test_expiry_by_day_forgets_the_old_only(place: str) -> None:
    f = Filter.open(place)
    f.day = lambda: 9000
    f.train(letter(1, "spam"), "spam")
    f.day = lambda: 9100
    f.train(letter(2, "ham"), "ham")
    assert f.expire(days=50) > 0
    assert f.expire(days=50) == 0
    counts = [counts for run in f.store.state().runs for _, counts in run.page(0, run.entries)]
    assert counts
    assert all(ham == 1 for _, ham in counts)
    f.check()


def test_taking_a_mail_back_is_no_sighting_of_its_words(place: str) -> None:
    with Filter.open(place) as f:
        f.day = lambda: 9000
        f.train("win a prize today", "spam")
        f.train("win a prize tomorrow", "spam")
        f.day = lambda: 9100
        f.untrain("win a prize tomorrow")
        f.train("lunch at noon", "ham")
        f.expire(days=50)
        counts = [counts for run in f.store.state().runs for _, counts in run.page(0, run.entries)]
        assert counts
        assert all(spam == 0 for spam, _ in counts)
        assert f.check()["mails"] == 2


def test_a_correction_is_a_sighting_of_its_words(place: str) -> None:
    with Filter.open(place) as f:
        f.day = lambda: 9000
        f.train("win a prize today", "ham")
        f.day = lambda: 9100
        f.train("win a prize today", "spam")
        assert f.expire(days=50) == 0


def test_the_text_of_tokens_goes_with_them(place: str) -> None:
    f = Filter.open(place)
    f.train_many(letters(12))
    assert f.words("spam")
    f.expire(limit=0)
    assert f.words("spam") == []
    with f.store.ledger() as ledger:
        assert ledger.db.execute("SELECT count(*) FROM name").fetchone() == (0,)


def test_what_expired_is_counted_by_keys_and_not_by_the_runs_they_are_in(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "m.db") as f:
        for raw, label in letters(6):
            f.train(raw, label)
        assert len(f.store.state().runs) > 1
        assert f.expire(days=0) == 0, "all were seen today"
        f.train(letter(90, "spam"), "spam")
        assert f.expire(days=0) == 0
        f.check()


def test_a_limit_beyond_all_numbers_expires_nothing(place: str) -> None:
    with Filter.open(place) as f:
        f.train_many(letters(12))
        assert f.expire(limit=10**30) == 0
        assert f.check()["mails"] == 24


def test_a_store_that_grows_beyond_its_limit_forgets_the_oldest_by_itself(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bayleaf.store.store.MOST_KEYS", 1500)
    with Filter.open(place) as f:
        for n, (raw, label) in enumerate(letters(20)):
            f.day = lambda n=n: 9000 + n  # type: ignore[misc]
            f.train(raw, label)
        f.compact()
        assert 0 < sum(run.entries for run in f.store.state().runs) <= 1500
        assert f.untrain(letter(0, "spam")) == "spam"
        assert f.check()["mails"] == 39
        assert f.judge(letter(90, "spam")).best == "spam"


@pytest.mark.parametrize("clock", [-1e9, 0.0, 9e9])
def test_a_clock_that_is_wrong_keeps_no_mail_from_being_learned(monkeypatch: pytest.MonkeyPatch, clock: float) -> None:
    """A small computer starts in 1970, until it has asked somebody for the time."""
    monkeypatch.setattr("bayleaf.mail.filter.time.time", lambda: clock)
    with Filter.open(":memory:") as f:
        for raw, label in letters(8):
            f.train(raw, label)
        f.expire()
        assert f.check()["mails"] == 16
        assert f.judge(letter(1, "spam")).label == "spam"


def test_a_filter_at_rest_keeps_what_it_knows(place: str) -> None:
    """Taught once and asked for years: expiry every night must not make it forget everything."""
    with Filter.open(place) as f:
        f.day = lambda: 9000
        for raw, label in letters(8):
            f.train(raw, label)
        before = f.judge(letter(1, "spam")).probability
        f.day = lambda: 9999
        assert f.expire() == 0
        assert f.judge(letter(1, "spam")).probability == before
        f.train(letter(99, "ham"), "ham")
        assert f.expire() > 0
        f.check()


def test_a_mail_learned_while_the_clock_was_ahead_makes_nothing_else_old(place: str) -> None:
    with Filter.open(place) as f:
        f.day = lambda: 9000
        for raw, label in letters(8):
            f.train(raw, label)
        f.day = lambda: 20_000
        f.train(letter(99, "ham"), "ham")
        f.day = lambda: 9001
        assert f.expire() == 0


@pytest.mark.parametrize("words", [{"days": -1}, {"limit": -1}])
def test_an_expiry_of_less_than_nothing_is_refused(place: str, words: dict[str, int]) -> None:
    with Filter.open(place) as f:
        f.train(letter(1, "spam"), "spam")
        with pytest.raises(BadValueError, match="expected 0 or more: nothing was expired"):
            f.expire(**words)
        assert f.check()["keys"] > 0
