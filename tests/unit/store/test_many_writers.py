"""Several processes learn, correct and take back at once, in either database, and some are killed."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from letters import letter

from bayleaf.mail import Filter

TURNS = 1000 if os.environ.get("BAYLEAF_FULL") else 250
MAILS = 40  # few, so that processes meet at the same mail
LABELS = ("spam", "ham")

WRITER = """
import random, sys
from bayleaf import StoreError
from bayleaf.mail import Filter
from letters import letter
place, seed, turns, mails, expire = sys.argv[1], *map(int, sys.argv[2:])
chance = random.Random(seed)
with Filter.open(place) as f:
    for turn in range(turns):
        number, what = chance.randrange(mails), chance.choice(["spam", "ham", "untrain"])
        if what != "untrain":
            print(f.train(letter(number, "ham"), what), what)
        else:
            try:
                print("untrained", f.untrain(letter(number, "ham")))
            except StoreError as error:
                assert "never learned" in str(error), error
        if turn % 50 == 25:
            f.expire(limit=1000) if expire else f.compact()
"""


def start(code: str, *words: object) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.Popen([sys.executable, "-c", code, *map(str, words)], stdout=subprocess.PIPE, text=True, env=env)


def together(place: str, expire: bool) -> Counter[str]:
    """Four processes at once; mails per label, summed over what each was told."""
    Filter.open(place).close()
    processes = [start(WRITER, place, seed, TURNS, MAILS, int(expire)) for seed in range(4)]
    told: Counter[str] = Counter()
    for process in processes:
        out, _ = process.communicate()
        assert process.returncode == 0
        for line in out.splitlines():
            outcome, label = line.split()
            told[label] += {"learned": 1, "corrected": 1, "known": 0, "untrained": -1}[outcome]
            told[LABELS[label == "spam"]] -= outcome == "corrected"
    return told


def learned(f: Filter) -> dict[int, str]:
    """Which mail the ledger has, and as what."""
    found = {number: f.knows(f.read(letter(number, "ham"))) for number in range(1000)}
    return {number: label for number, label in found.items() if label is not None}


def table(f: Filter) -> dict[int, list[int]]:
    f.compact()
    return {key: counts for run in f.store.state().runs for key, counts in run.page(0, run.entries)}


def test_four_processes_leave_what_one_would_have_left(place: str, tmp_path: Path) -> None:
    told = together(place, expire=False)
    with Filter.open(place) as f, Filter(type(f.store)(tmp_path / "serial.db", secret=f.store.secret)) as serial:
        assert f.store.state().totals == tuple(told[label] for label in LABELS)
        for number, label in learned(f).items():
            serial.train(letter(number, "ham"), label)
        assert serial.store.state().totals == f.store.state().totals
        assert table(serial) == table(f)
        assert f.check()["mails"] == told.total()


def test_expiry_among_four_processes_leaves_counts_and_ledger_in_agreement(place: str) -> None:
    told = together(place, expire=True)
    with Filter.open(place) as f:
        assert f.store.state().totals == tuple(told[label] for label in LABELS)
        assert f.check()["mails"] == told.total() == len(learned(f))
        for number, label in learned(f).items():
            assert f.untrain(letter(number, "ham")) == label
        assert f.check()["mails"] == 0


LEARNER = """
import sys
from bayleaf import StoreError
from bayleaf.mail import Filter
from letters import letter
def again(attempt):
    while True:
        try:
            return attempt()
        except StoreError as error:
            assert "connects again" in str(error), error
            print("refused", flush=True)
f = again(lambda: Filter.open(sys.argv[1]))
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    again(lambda: f.train(letter(number, "ham"), "ham"))
    print(number, flush=True)
"""


@pytest.mark.parametrize("seed", range(25 if os.environ.get("BAYLEAF_FULL") else 4))
def test_a_killed_learner_loses_nothing_that_was_acknowledged(place: str, seed: int) -> None:
    chance = random.Random(seed)
    first = 0
    for _ in range(3):
        process = start(LEARNER, place, first, 1000)
        assert process.stdout is not None
        for _ in range(chance.randrange(1, 30)):
            acknowledged = int(process.stdout.readline())
        process.kill()
        rest = process.stdout.read().split("\n")[:-1]
        acknowledged = int(rest[-1]) if rest else acknowledged
        process.wait()
        process.stdout.close()
        with Filter.open(place) as f:
            found = sorted(learned(f))
            assert found in (list(range(acknowledged + 1)), list(range(acknowledged + 2)))
            assert f.check()["mails"] == len(found) == f.store.state().totals[1]
        first = acknowledged + 1  # what was learned and not acknowledged comes again, and is known


def test_a_killed_server_loses_nothing_and_the_learner_goes_on(request: pytest.FixtureRequest) -> None:
    place, cluster = request.getfixturevalue("new_store")(), request.getfixturevalue("cluster")
    process = start(LEARNER, place, 0, 120)
    assert process.stdout is not None
    for acknowledged in (10, 60):
        while process.stdout.readline().strip() != str(acknowledged):
            pass
        cluster.kill()
        while process.stdout.readline().strip() != "refused":
            pass
        cluster.start()
    process.communicate()
    assert process.returncode == 0
    with Filter.open(place) as f:
        assert sorted(learned(f)) == list(range(120))
        assert f.check()["mails"] == 120
