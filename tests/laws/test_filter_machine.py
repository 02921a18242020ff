"""Any sequence of learning, correcting, forgetting, merging, expiring and opening again against a plain dict."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from letters import letter

from bayleaf import StoreError
from bayleaf.mail import Filter

NUMBERS = st.integers(0, 11)
LABELS = st.sampled_from(["spam", "ham", "work"])


class Machine(RuleBasedStateMachine):
    """The oracle is which mail was learned as what."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = self.make()
        self.filter = Filter.open(self.path)
        self.learned: dict[int, str] = {}

    def make(self) -> str:
        """A place for a new store."""
        return f"{self.folder.name}/m.db"

    @rule(number=NUMBERS, label=LABELS)
    def train(self, number: int, label: str) -> None:
        expected = {None: "learned", label: "known"}.get(self.learned.get(number), "corrected")
        assert self.filter.train(letter(number, "ham"), label) == expected
        self.learned[number] = label

    @rule(numbers=st.lists(NUMBERS, max_size=6), label=LABELS)
    def train_many(self, numbers: list[int], label: str) -> None:
        self.filter.train_many((letter(number, "ham"), label) for number in numbers)
        self.learned.update(dict.fromkeys(numbers, label))

    @rule(number=NUMBERS)
    def untrain(self, number: int) -> None:
        if number in self.learned:
            assert self.filter.untrain(letter(number, "ham")) == self.learned.pop(number)
        else:
            with pytest.raises(StoreError, match="never learned"):
                self.filter.untrain(letter(number, "ham"))

    @rule()
    def compact(self) -> None:
        self.filter.compact()

    @rule()
    def reopen(self) -> None:
        self.filter.close()
        self.filter = Filter.open(self.path)

    @invariant()
    def counts_are_those_of_the_learned(self) -> None:
        state = self.filter.store.state()
        expected: Counter[tuple[int, str]] = Counter()
        for number, label in self.learned.items():
            keys = self.filter.read(letter(number, "ham")).keys
            expected.update((int.from_bytes(keys[at : at + 8], "little"), label) for at in range(0, len(keys), 8))
        found: Counter[tuple[int, str]] = Counter()
        for run in state.runs:
            for key, counts in run.page(0, run.entries):
                for label, count in zip(state.labels, counts, strict=False):
                    found[key, label] += count
        assert {key: count for key, count in found.items() if count} == dict(expected)
        assert dict(zip(state.labels, state.totals, strict=True)) == {
            label: sum(of == label for of in self.learned.values()) for label in state.labels
        }
        self.filter.check()

    def teardown(self) -> None:
        self.filter.close()
        self.folder.cleanup()


TestMachine = Machine.TestCase
TestMachine.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)


def test_the_same_holds_in_postgresql(new_store: Callable[[], str]) -> None:
    class PostgresMachine(Machine):
        def make(self) -> str:
            return new_store()

    few = settings(max_examples=5, stateful_step_count=20, deadline=None)
    run_state_machine_as_test(PostgresMachine, settings=few)  # type: ignore[no-untyped-call]
