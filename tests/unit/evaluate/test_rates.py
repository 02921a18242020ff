"""Rates against counting by hand."""

from __future__ import annotations

import base64
import math
import quopri

import pytest
from hypothesis import given
from hypothesis import strategies as st
from letters import letter

from bayleaf.evaluate.goodwords import append, good_words, interleave
from bayleaf.evaluate.rates import Judged, above_roc, calibration, interval, lam, rates, recall, steps, stretches

SCORES = st.lists(st.tuples(st.booleans(), st.integers(-3, 3).map(float)), min_size=1, max_size=30)


@given(SCORES)
def test_the_area_is_the_share_of_wrong_pairs(scores: list[tuple[bool, float]]) -> None:
    pairs = [(ham, spam) for a, ham in scores if not a for b, spam in scores if b]
    found = above_roc(steps(scores))
    if not pairs:
        assert math.isnan(found)
        return
    wrong = sum(1.0 if ham > spam else 0.5 if ham == spam else 0.0 for ham, spam in pairs)
    assert found == pytest.approx(wrong / len(pairs))
    low, high = interval(steps(scores), 30)
    assert 0 <= low <= high <= 1


@given(SCORES, st.sampled_from([0.0, 0.1, 0.5, 1.0]))
def test_recall_is_that_of_the_best_threshold(scores: list[tuple[bool, float]], loss: float) -> None:
    hams = [score for spam, score in scores if not spam]
    spams = [score for spam, score in scores if spam]
    if not spams or not hams:
        assert math.isnan(recall(steps(scores), loss))
        return
    thresholds = [t for t in {math.inf, *(s for _, s in scores)} if sum(h >= t for h in hams) <= loss * len(hams)]
    assert recall(steps(scores), loss) == max(sum(s >= t for s in spams) for t in thresholds) / len(spams)


def test_lam_is_the_rate_when_both_are_equal() -> None:
    assert lam(10, 1000, 10, 1000) == pytest.approx(10.5 / 1001)
    assert 0 < lam(0, 100, 0, 100) < 0.01


def test_of_one_kind_of_mail_only_its_own_rates_are_measured() -> None:
    spam = [Judged(True, 1.0, "unsure", 0.5)] * 3
    ham = [Judged(False, 1.0, "spam", 0.5)] * 3
    for mails, measured, other in ((spam, "sm%", "hm%"), (ham, "hm%", "sm%")):
        found = rates(mails, 10)
        assert found[measured] == 100
        for rate in (other, "lam%", "recall@0.1%", "recall@0.5%", "1-ROCA%", "low%"):
            assert math.isnan(found[rate]), rate


def test_the_table_of_rates_by_hand() -> None:
    """A quarter of the ham is lost and half of the spam missed; of eight pairs one is the wrong way round."""
    ham = [Judged(False, score, verdict, 0.0) for score, verdict in ((-2.0, "ham"), (-1.0, "ham"), (0.0, "unsure"))]
    mails = [*ham, Judged(False, 2.0, "spam", 1.0), Judged(True, 3.0, "spam", 1.0), Judged(True, 1.0, "unsure", 1.0)]
    found = rates(mails * 2, 200)
    want = {"mails": 12, "ham": 8, "spam": 4, "1-ROCA%": 12.5, "hm%": 25, "sm%": 50, "unsure%": 100 / 3}
    want |= {"lam%": 100 * lam(2, 8, 2, 4), "recall@0.1%": 50, "recall@0.5%": 50, "ECE": 1 / 6}
    assert {name: found[name] for name in want} == pytest.approx(want)
    assert 0 <= found["low%"] < 12.5 < found["high%"] <= 100


def test_a_filter_that_always_says_half_is_calibrated_on_half_spam() -> None:
    mails = [Judged(spam, 0.0, "unsure", 0.5) for spam in (True, False) * 10]
    assert calibration(mails) == 0
    assert calibration([mail._replace(probability=0.9) for mail in mails]) == pytest.approx(0.4)
    assert rates(mails, 0)["unsure%"] == 100


def test_good_words_are_those_of_ham_and_change_the_body_only() -> None:
    ham, spam = ([letter(n, label) for n in range(20)] for label in ("ham", "spam"))
    words = good_words(ham, spam, 5)
    assert {b"meeting", b"lunch", b"report", b"patch", b"kernel"} & set(words)
    raw = letter(50, "spam")
    head, _, body = raw.partition(b"\n\n")
    assert append(raw, words).startswith(raw.rstrip())
    mixed = interleave(raw, words)
    assert mixed.startswith(head + b"\n\n")
    assert len(mixed.split()) > len(head.split()) + 1.7 * len(body.split())


@pytest.mark.parametrize("way", ["base64", "quoted-printable"])
def test_good_words_are_taken_from_what_a_reader_sees(way: str) -> None:
    page = '<html><style>.narrow {}</style><p class="plain">L\u00fcneburg meet<b>ing</b> agenda</p></html>'.encode()
    code = base64.encodebytes(page) if way == "base64" else quopri.encodestring(page)
    head = f"Subject: x\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: {way}\n\n"
    assert good_words([head.encode() + code], [b"Subject: y\n\nagenda"], 9) == [b"meeting", b"agenda"]


@pytest.mark.parametrize(("mails", "named"), [(50, ["1-50"]), (51, ["1-50", "51-51"])])
def test_no_stretch_is_without_mails(mails: int, named: list[str]) -> None:
    assert [*stretches([Judged(True, 1.0, "spam", 0.9)] * mails)] == named
