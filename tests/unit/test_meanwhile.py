"""Calls that run beside the caller: in order, one at a time, and no error is lost."""

from __future__ import annotations

import threading

import pytest

from bayleaf.meanwhile import Meanwhile


@pytest.mark.parametrize("threaded", [True, False])
def test_calls_run_in_order_and_one_at_a_time(threaded):
    done, running = [], threading.Lock()

    def call(n):
        assert running.acquire(blocking=False), "two calls at once"
        done.append(n)
        running.release()

    with Meanwhile(threaded) as work:
        for n in range(100):
            work.start(call, n)
    assert done == list(range(100))


def test_the_caller_goes_on_while_a_call_runs():
    go = threading.Event()
    with Meanwhile() as work:
        work.start(go.wait)
        go.set()  # a call in the caller's own thread would never get here


@pytest.mark.parametrize("threaded", [True, False])
def test_an_error_of_the_last_call_is_raised_at_the_end(threaded):
    with pytest.raises(ZeroDivisionError), Meanwhile(threaded) as work:
        work.start(divmod, 1, 0)


def test_an_error_stops_what_would_come_next():
    done = []

    def calls(work):
        work.start(divmod, 1, 0)
        work.start(done.append, "never")

    with pytest.raises(ZeroDivisionError), Meanwhile() as work:
        calls(work)
    assert not done


def test_the_callers_own_error_wins():
    def fails(work):
        work.start(divmod, 1, 0)
        raise KeyError("mine")

    with pytest.raises(KeyError), Meanwhile() as work:
        fails(work)
