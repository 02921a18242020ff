"""Reason: what the log says of a failure."""

from __future__ import annotations

from traceback import format_tb

from bayleaf.errors import BayleafError


def reason(error: BaseException) -> str:
    """Our own words; of other failures the last place in the code, since their words may be those of a mail.

    >>> reason(BayleafError("the disk is full")), reason(ValueError("dear Ann"))
    ('the disk is full', '')
    """
    return str(error) if isinstance(error, BayleafError) else "".join(format_tb(error.__traceback__)[-1:])
