"""The filter: what a user sees of judging, training and taking back."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from math import log
from pathlib import Path

import pytest
from letters import letter, letters

from bayleaf import StoreError
from bayleaf.mail import Clue, Filter


@pytest.fixture(params=["memory", "disk", "postgres"])
def fresh(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Filter]:
    at = {"memory": lambda: ":memory:", "disk": lambda: tmp_path / "mail.db", "postgres": lambda: make(request)}
    with Filter.open(at[request.param]()) as f:
        yield f


def make(request: pytest.FixtureRequest) -> str:
    """The address of a store in PostgreSQL, which is started when it is first asked for."""
    return str(request.getfixturevalue("new_store")())


def taught(f: Filter, each: int = 15) -> Filter:
    for raw, label in letters(each):
        f.train(raw, label)
    return f


def table(f: Filter) -> dict[int, list[int]]:
    """Every count there is."""
    f.compact()
    return {key: counts for run in f.store.state().runs for key, counts in run.page(0, run.entries)}


def pairs(f: Filter) -> list[tuple[int, bytes]]:
    """What the families said of each mail before its label was known."""
    with f.store.ledger() as ledger:
        return sorted(ledger.pairs(1000))


def test_a_dozen_mails_are_enough_to_be_useful(fresh: Filter) -> None:
    taught(fresh, 6)
    assert fresh.judge(letter(100, "spam")).best == "spam"
    assert fresh.judge(letter(100, "ham")).best == "ham"


def test_verdicts_are_right_and_sure_after_thirty(fresh: Filter) -> None:
    taught(fresh)
    verdicts = {fresh.judge(letter(n, label)).label == label for n in range(100, 110) for label in ("spam", "ham")}
    assert verdicts == {True}


def test_it_is_unsure_and_says_why_before_two_labels_are_known(fresh: Filter) -> None:
    assert fresh.judge(letter(1, "spam")).label == "unsure"
    assert "nothing has been learned" in fresh.judge(b"").notes[-1]
    assert fresh.judge(b"\xff" * 99).notes[0] == "no empty line ends the header", "what is odd about the mail itself"
    fresh.train(letter(1, "ham"), "ham")
    verdict = fresh.judge(letter(1, "ham"))
    assert verdict.label == "unsure"
    assert "only ham" in verdict.notes[-1]
    assert set(verdict.probabilities) == {"spam", "ham"}


def test_clues_add_up_to_the_score(fresh: Filter) -> None:
    taught(fresh)
    for raw in (letter(50, "spam"), letter(51, "ham"), b"", b"\xff" * 99):
        verdict = fresh.judge(raw)
        assert sum(clue.summand for clue in verdict.clues) == pytest.approx(verdict.score, abs=1e-9)
        assert sum(verdict.probabilities.values()) == pytest.approx(1)
        other = 1 - verdict.probability
        assert verdict.score == pytest.approx(log(verdict.probability / other)), "with two labels, the log-odds"
        assert all(any(clue.counts) for clue in verdict.clues if clue.counts)
        sizes = [abs(clue.summand) for clue in verdict.clues]
        assert sizes == sorted(sizes, reverse=True), "the strongest first"
    limits = [clue.name for clue in fresh.judge(letter(1, "spam")).clues if clue.name.startswith("clip:")]
    assert limits
    assert len(set(limits)) == len(limits), "one limit for each kind of evidence"


def test_clues_are_readable_and_name_the_telling_word(fresh: Filter) -> None:
    taught(fresh)
    raw = letter(50, "spam")
    words = [clue for clue in fresh.judge(raw).clues if clue.name.startswith("word:")]
    assert {clue.name.removeprefix("word:") for clue in words} <= {*raw.decode().lower().split()}
    telling = [clue.summand for clue in words if clue.counts[0] > 5 and not clue.counts[1]]
    assert telling
    assert min(telling) > 0


def test_a_verdict_as_json_has_its_clues_only_when_they_are_asked_for(fresh: Filter) -> None:
    fresh.train_many((letter(n, label), label) for n in range(5) for label in ("spam", "ham"))
    verdict = fresh.judge(letter(9, "spam"))
    plain = json.loads(json.dumps(verdict.to_dict()))
    assert plain.keys() == {"label", "best", "probability", "score", "probabilities", "notes"}
    assert plain["probabilities"][plain["best"]] == plain["probability"] == verdict.probability
    assert verdict.to_dict(0) == {**plain, "clues": []}
    assert [Clue(**clue) for clue in verdict.to_dict(3)["clues"]] == list(verdict.clues[:3])


def test_training_twice_counts_once(fresh: Filter) -> None:
    assert fresh.train(letter(1, "spam"), "spam") == "learned"
    before = table(fresh)
    assert fresh.train(letter(1, "spam"), "spam") == "known"
    assert table(fresh) == before
    assert fresh.store.state().totals == (1, 0)


def test_a_correction_is_as_if_it_had_been_learned_right(fresh: Filter, tmp_path: Path) -> None:
    taught(fresh)
    fresh.train(letter(99, "spam"), "ham")
    assert fresh.train(letter(99, "spam"), "spam") == "corrected"
    with Filter(type(fresh.store)(tmp_path / "other.db", secret=fresh.store.secret)) as other:
        taught(other)
        other.train(letter(99, "spam"), "spam")
        assert table(other) == table(fresh)
        assert other.store.state().totals == fresh.store.state().totals
        assert pairs(other) == pairs(fresh), "a mistake teaches most what each kind of evidence is worth"


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: b"Received: from elsewhere by here\nX-Spam-Status: No\nDelivered-To: me\n" + raw,
        lambda raw: raw.replace(b"\n", b"\r\n"),
        lambda raw: b"From someone@example Mon Jan  1 10:00:00 2024\n" + raw,
        lambda raw: raw + b"\n\n",
    ],
)
def test_a_mail_is_recognised_with_added_headers_and_other_line_ends(fresh: Filter, change: object) -> None:
    taught(fresh, 5)
    before = table(fresh)
    fresh.train(letter(99, "spam"), "ham")
    changed = change(letter(99, "spam"))  # type: ignore[operator]
    assert fresh.train(changed, "ham") == "known"
    assert fresh.train(changed, "spam") == "corrected"
    assert fresh.untrain(changed) == "spam"
    assert table(fresh) == before
    fresh.check()


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw.replace(b"Subject: ", b"Subject: [list] "),
        lambda raw: raw + b"\n-- \nsent to the list\n",
        lambda raw: b"Content-Transfer-Encoding: base64\n" + b"\n\n".join(encoded(*raw.split(b"\n\n", 1))),
    ],
)
def test_a_copy_with_another_subject_or_body_is_another_mail(fresh: Filter, change: Callable[[bytes], bytes]) -> None:
    raw = letter(1, "spam")
    assert change(raw) != raw
    fresh.train(raw, "spam")
    assert fresh.train(change(raw), "spam") == "learned"


def encoded(head: bytes, body: bytes) -> tuple[bytes, bytes]:
    return head, b64encode(body)


def test_what_was_never_learned_cannot_be_unlearned(fresh: Filter) -> None:
    taught(fresh, 3)
    before = table(fresh)
    with pytest.raises(StoreError, match="never learned"):
        fresh.untrain(letter(77, "ham"))
    assert table(fresh) == before


def test_learn_everything_unlearn_everything_in_another_order_is_nothing(fresh: Filter) -> None:
    fresh.train_many(letters(20))
    taught(fresh, 30)
    for raw, label in reversed(letters(30)):
        assert fresh.untrain(raw) == label
    assert table(fresh) == {}
    assert fresh.store.state().totals == (0, 0)
    assert fresh.check() == {"mails": 0, "keys": 0, "runs": 0}
    assert set(fresh.evidence().layer.worth) == {0.5}


def test_many_at_once_counts_what_one_by_one_counts(fresh: Filter, tmp_path: Path) -> None:
    assert fresh.train_many([*letters(20), *letters(5)]) == {"learned": 40, "corrected": 0, "known": 10}
    with Filter(type(fresh.store)(tmp_path / "other.db", secret=fresh.store.secret)) as other:
        taught(other, 20)
        assert table(other) == table(fresh)
    assert fresh.judge(letter(100, "spam")).label == "spam"


def test_many_in_several_transactions_are_each_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bayleaf.mail.lessons.CHUNK", 1)
    monkeypatch.setattr("bayleaf.mail.lessons.BATCH", 3)
    with Filter.open(":memory:") as f:
        assert f.train_many(letters(10)) == {"learned": 20, "corrected": 0, "known": 0}
        assert f.check()["mails"] == 20


def test_a_mail_corrected_among_many_keeps_the_keys_it_was_learned_with(fresh: Filter) -> None:
    """Not those of the copy that corrected it, whose headers are others: taking it back would leave wrong counts."""
    taught(fresh, 5)
    before = table(fresh)
    fresh.train(letter(99, "spam"), "ham")
    changed = b"Received: from elsewhere by here\nX-Loop: me\n" + letter(99, "spam")
    assert fresh.train_many([(changed, "spam")])["corrected"] == 1
    assert fresh.untrain(changed) == "spam"
    fresh.check()
    assert table(fresh) == before


def test_a_mail_that_somebody_learns_anew_meanwhile_keeps_its_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bayleaf.mail.lessons.CHUNK", 1)
    monkeypatch.setattr("bayleaf.mail.lessons.BATCH", 1)
    changed = b"X-Loop: me\n" + letter(99, "spam")
    with Filter.open(":memory:") as f:

        def mails() -> Iterator[tuple[bytes, str]]:
            yield letter(99, "spam"), "spam"
            f.untrain(letter(99, "spam"))
            f.train(changed, "spam")

        f.train_many(mails())
        assert f.untrain(changed) == "spam"
        f.check()


def test_plain_text_goes_through_the_same_filter() -> None:
    with Filter.open(":memory:") as f:
        for n in range(10):
            f.train(f"win cash prize {n}", "spam")
            f.train(f"see you at lunch {n}", "ham")
        assert f.judge("cash prize for you").best == "spam"
        assert f.untrain("win cash prize 3") == "spam"


def test_keys_are_secret_and_token_text_can_be_left_out(tmp_path: Path) -> None:
    one, two = (taught(Filter.open(tmp_path / name, names=False)) for name in ("a.db", "b.db"))
    assert not set(table(one)) & set(table(two))
    one.close()
    content = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert b"viagra" not in content
    assert two.words("spam") == []


def test_an_address_that_is_no_path_is_refused() -> None:
    with pytest.raises(StoreError, match="expected a path"):
        Filter.open("mysql://somewhere")


def test_the_layer_follows_the_history(fresh: Filter) -> None:
    taught(fresh, 40)
    assert set(fresh.evidence().layer.worth) != {0.5}


def test_keys_are_kept_for_recent_mails_only_and_old_ones_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bayleaf.store.ledger.RECALL", 5)
    monkeypatch.setattr("bayleaf.store.ledger.TRIM", 1)
    with Filter.open(":memory:") as f:
        taught(f, 20)
        with f.store.ledger() as ledger:
            assert ledger.db.execute("SELECT count(*) FROM ledger WHERE keys IS NOT NULL").fetchone() == (10,)
        assert f.untrain(letter(0, "spam")) == "spam"
        with pytest.raises(StoreError, match="have changed since"):
            f.untrain(b"Received: from elsewhere by here\nX-Loop: me\n" + letter(1, "spam"))
        assert f.untrain(b"Received: from elsewhere by here\n" + letter(19, "spam")) == "spam"
        f.check()


def test_one_mail_is_not_several() -> None:
    with Filter.open(":memory:") as f:
        f.train(letter(1, "spam"), "spam")
        f.train(letter(1, "ham"), "ham")
        f.train(letter(2, "ham"), "ham")
        notes = f.judge(b"Subject: x\n\nsomething else").notes
        assert "only 1 mail of spam has been learned" in notes
        assert "only 2 mails of ham have been learned" in notes
