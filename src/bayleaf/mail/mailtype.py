"""What a mail may be given as."""

from __future__ import annotations

from bayleaf.errors import BadValueError


def expect_mail(raw: object) -> None:
    """Refuses what is neither the bytes of a mail nor a text."""
    if not isinstance(raw, bytes | str):
        raise BadValueError(
            f"found a mail of type {type(raw).__name__}, expected bytes, or a str for a text without headers; "
            "bytes(...) makes them of a buffer, as_bytes() of an EmailMessage"
        )
