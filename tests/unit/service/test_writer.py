"""The thread that learns: promises kept, cancelled and broken."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from bayleaf.errors import StoreError
from bayleaf.service import writer as module
from bayleaf.service.writer import Writer


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """What work waits for; opened at the end, so that no thread stays."""
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    opened = threading.Event()
    yield opened
    opened.set()


def test_work_is_done_in_order_and_what_it_raises_is_raised() -> None:
    writer, done = Writer(), list[int]()
    for number in range(20):
        writer.submit(done.append, number)
    with pytest.raises(ZeroDivisionError):
        writer.submit(divmod, 1, 0).result()
    writer.close(lambda: done.append(20))
    assert done == [*range(21)]
    assert not writer.stuck


def test_without_haste_a_writer_waits_as_long_as_it_takes(gate: threading.Event) -> None:
    writer = Writer()
    first, second = writer.submit(gate.wait), writer.submit(len, "ab")
    assert second.cancel(), "nobody wants it any more"
    gate.set()
    writer.close()
    assert first.result() is True
    assert not writer.stuck


def test_a_stuck_writer_breaks_open_promises_and_makes_no_more(gate: threading.Event) -> None:
    writer = Writer()
    kept = writer.submit(len, "abc")
    assert kept.result() == 3
    open_ones = [writer.submit(gate.wait), writer.submit(gate.wait)]
    cancelled = writer.submit(len, "ab")
    assert cancelled.cancel()
    writer.hurry()
    for promise in (*open_ones, writer.submit(len, "ab")):
        with pytest.raises(StoreError, match="send this again later"):
            promise.result(60)
    assert writer.stuck
    assert kept.result() == 3
    writer.close()
