"""kill -9 at any moment: the store opens, and every count follows from the ledger."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from letters import letter, letters

from bayleaf.mail import Filter

# Learns, unlearns and compacts without end, from a place of its own; small files, so that a merge is always near.
CHILD = """
import random, sys
from bayleaf import StoreError
from bayleaf.mail import Filter
from letters import letter
path, seed = sys.argv[1], int(sys.argv[2])
chance = random.Random(seed)
f = Filter.open(path)
print("ready", flush=True)
while True:
    n, label, what = chance.randrange(40), chance.choice(("spam", "ham")), chance.random()
    try:
        if what < 0.55:
            f.train(letter(n, label), label)
        elif what < 0.7:
            f.train(letter(n, label), "ham")
        elif what < 0.8:
            f.train_many((letter(chance.randrange(40), "ham"), "ham") for _ in range(5))
        elif what < 0.9:
            f.compact()
        else:
            f.untrain(letter(n, label))
    except StoreError as error:
        assert "never learned" in str(error), error
"""


def start(code: str, *words: str) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    return subprocess.Popen([sys.executable, "-c", code, *words], stdout=subprocess.PIPE, text=True, env=env)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_killed_fifty_times_while_two_learn(tmp_path: Path, seed: int) -> None:
    """Two learners at a time, each killed at a random moment: 200 kills over the four seeds."""
    path, chance = tmp_path / "m.db", random.Random(seed)
    Filter.open(path).close()
    for round_ in range(25):
        pair = [start(CHILD, str(path), str(1000 * seed + 2 * round_ + at)) for at in range(2)]
        for process in pair:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in pair:
            with pytest.raises(subprocess.TimeoutExpired):  # it goes on for ever
                process.wait(timeout=chance.uniform(0, 0.15))
            process.send_signal(signal.SIGKILL)
            process.wait()
            process.stdout.close()  # type: ignore[union-attr]
        with Filter.open(path) as f:
            f.check()
            verify(f)
    with Filter.open(path) as f:
        assert f.check()["mails"] > 0
        f.compact()
        assert len(list((tmp_path / "m.db-runs").iterdir())) == 1, "what the killed left behind is swept away"


def verify(f: Filter) -> None:
    """Counts the mails of the ledger again, mail by mail, and compares every key."""
    with f.store.ledger() as ledger:
        rows = ledger.db.execute("SELECT identity, label FROM ledger").fetchall()
    known = {f.read(letter(n, label)).identity: letter(n, label) for n in range(40) for label in ("spam", "ham")}
    expected: dict[int, list[int]] = {}
    for identity, label in rows:
        keys = f.read(known[identity]).keys
        for at in range(0, len(keys), 8):
            expected.setdefault(int.from_bytes(keys[at : at + 8], "little"), [0, 0])[label] += 1
    found: dict[int, list[int]] = {}
    for run in f.store.state().runs:
        for key, counts in run.page(0, run.entries):
            found[key] = [a + b for a, b in zip(found.get(key, [0, 0]), [*counts, 0][:2], strict=True)]
    assert {key: counts for key, counts in found.items() if any(counts)} == expected


LEARNER = """
import sys
from bayleaf.mail import Filter
from letters import letters
path, part = sys.argv[1], int(sys.argv[2])
with Filter.open(path) as f:
    for raw, label in letters(25, start=25 * part):
        f.train(raw, label)
"""


def test_four_at_once_learn_what_one_would(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    Filter.open(path).close()
    learners = [start(LEARNER, str(path), str(part)) for part in range(4)]
    assert [learner.wait() for learner in learners] == [0] * 4
    for learner in learners:
        learner.stdout.close()  # type: ignore[union-attr]
    with (
        Filter.open(path) as together,
        Filter(type(together.store)(tmp_path / "s.db", secret=together.store.secret)) as one,
    ):
        one.train_many(letters(100))
        together.check()
        assert together.store.state().totals == one.store.state().totals == (100, 100)
        for f in (together, one):
            f.compact()
        tables = [[run.page(0, run.entries) for run in f.store.state().runs] for f in (together, one)]
        assert tables[0] == tables[1]
