"""Forgetting: days that browsers may send."""

from __future__ import annotations

import pytest

from bayleaf.errors import BadValueError
from bayleaf.service.pages.forgetting import day


@pytest.mark.parametrize("text", ["9999-12-31", "0001-01-01", "2026-02-30", "yesterday"])
def test_a_day_that_no_clock_tells_is_refused(text: str) -> None:
    with pytest.raises(BadValueError, match="expected a day such as"):
        day(text)


def test_a_day() -> None:
    found = day("2026-11-15")
    assert found is not None
    assert (found.year, found.month, found.day) == (2026, 11, 15)
    assert day("") is None
