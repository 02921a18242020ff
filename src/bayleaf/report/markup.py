"""Markup: the text of strangers inside HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from bayleaf.evaluate.estimate import Estimate
from bayleaf.plain import plain


def safe(text: Any, most: int | None = None) -> str:
    """On one line: escaped, nothing hidden."""
    return escape(plain(text, most))


def name(text: Any, most: int | None = 60) -> str:
    """A label or token, whose direction of writing stays its own."""
    whole = plain(text)
    title = f' title="{escape(whole)}"' if most is not None and len(whole) > most else ""
    return f"<bdi{title}>{escape(plain(text, most))}</bdi>"


def prose(text: str) -> str:
    """A text of several lines: escaped, nothing hidden, lines kept."""
    return "\n".join(safe(line) for line in text.replace("\r\n", "\n").split("\n"))


def percent(share: float) -> str:
    """A share in per cent with one decimal."""
    return f"{share:.1%}"


def between(estimate: Estimate, shares: bool) -> str:
    """The interval in words."""
    low, high = (percent(bound) if shares else f"{bound:.4f}" for bound in (estimate.low, estimate.high))
    return f"{low} to {high}"


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """A table of HTML cells; the first column names the row. It scrolls by itself where it is too wide."""
    top = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = "".join(
        f'<tr><th scope="row">{row[0]}</th>'
        + "".join(cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in row[1:])
        + "</tr>\n"
        for row in rows
    )
    told = escape(caption)
    return (
        f'<p class="note">{told}</p><div class="scroll" role="region" tabindex="0" aria-label="{told}">'
        f'<table class="{kind}"><thead><tr>{top}</tr></thead>\n<tbody>{body}</tbody></table></div>'
    )
