"""Which clues are shown of one label against another: those that add most between these two."""

from __future__ import annotations

import re

import numpy as np
import pytest

from bayleaf import GaussianNB
from bayleaf.duel import Duel
from bayleaf.explanation import Explanation
from bayleaf.report import Mistake

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(60, 40))
LABELS = np.repeat([f"k{number:02}" for number in range(12)], 5)
WHY = GaussianNB().fit(ROWS, LABELS).explain(RNG.normal(size=(1, 40)))[0]


def odds(why: Explanation) -> list[float]:
    """What each clue adds, the most first."""
    first, second = why.rivals
    return sorted((float(clue.summands[first] - clue.summands[second]) for clue in why.clues), key=lambda x: -abs(x))


def test_of_many_classes_the_bars_are_the_clues_that_add_most_between_the_two() -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    _, *shown, others, total = [bar.get_width() for bar in WHY.plot().patches]
    plt.close("all")
    assert shown == pytest.approx(odds(WHY)[:12])
    assert others == pytest.approx(sum(odds(WHY)[12:]))
    assert total == pytest.approx(WHY.joint[WHY.rivals[0]] - WHY.joint[WHY.rivals[1]])


def test_the_arithmetic_of_a_mistake_has_the_same_clues() -> None:
    first, second = WHY.rivals
    steps = Duel(WHY, first, second).steps(8)
    told = re.findall(r"<bdi>(x\d+)</bdi> =", Mistake("1", WHY.labels[second], WHY).html())
    assert told == [what.name for what, _ in steps if not isinstance(what, str)]
    assert np.sum([summands for _, summands in steps], axis=0) == pytest.approx(WHY.joint)


def test_one_label_alone_is_against_nothing() -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    ax = GaussianNB().fit(ROWS, ["a"] * 60).explain(ROWS[:1])[0].plot()
    assert ax.get_xlabel() == "nothing to weigh: a is the only label"
    plt.close("all")
