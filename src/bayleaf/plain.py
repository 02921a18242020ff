"""Plain: text of strangers made fit to be shown: on one line, in reading order, with nothing hidden."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

# Controls (Cc), formats such as direction overrides and zero-width signs (Cf), line separators, lone surrogates, and
# the two that no XML may hold, so no SVG. Compiled where one is met: that takes 1 ms, and mails are judged in 40.
HIDDEN = (
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufffe\uffff\U000e0000-\U000e007f]"
)


def plain(text: Any, most: int | None = None) -> str:
    r"""The text with each hidden character written as its picture or code, in at most `most` characters.

    What is too much is left out of the middle: names that begin alike differ at their ends.

    Examples
    --------
    >>> from bayleaf.plain import plain
    >>> print(plain("a\tb\u202ec"))
    a␉b⟨U+202E⟩c
    >>> print(plain("a label with a long name, number 7", 23))
    a label wit…e, number 7
    """
    words = str(text)
    if not words.isprintable():
        words = re.sub(HIDDEN, _picture, words)
    return words if most is None else shortened(words, most)


def shortened(text: str, most: int) -> str:
    """The text in at most so many characters, its middle left out.

    >>> shortened("a label with a long name, number 7", 23)
    'a label wit…e, number 7'
    """
    return text if len(text) <= most else text[: most // 2] + "…" + text[len(text) - (most - 1) // 2 :]


def listed(names: Iterable[Any], most: int = 20) -> str:
    """Names one behind the other in a sentence, and how many more there are: a table may have 10,000 columns.

    >>> listed(["size", "links", "text"], 2)
    'size, links and 1 more'
    """
    given = [str(name) for name in names]
    more = f" and {len(given) - most:,} more" if len(given) > most else ""
    return ", ".join(given[:most]) + more


def width(text: str) -> int:
    """How many columns of a terminal a text takes: two for wide signs, none for those that are drawn onto another.

    >>> [width(text) for text in ("word", "金融", "ที่นี่", "हिन्दी")]
    [4, 4, 2, 5]
    """
    return sum(0 if _is_drawn_onto(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def padded(text: str, columns: int, side: str) -> str:
    """A plain text in so many columns, with the space before it where the side is `r`."""
    space = " " * (columns - width(text))
    return space + text if side == "r" else text + space


def aligned(rows: Sequence[Sequence[str]], sides: str) -> list[str]:
    r"""Lines of plain cells, each column as wide as its widest; those marked `r` in `sides` are aligned to the right.

    >>> print(*aligned([["word", "mails"], ["金融", "7"]], "lr"), sep="\n")
    word  mails
    金融      7
    """
    shown = [[plain(cell) for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*shown, strict=True)]
    return ["  ".join(padded(*parts) for parts in zip(row, widths, sides, strict=True)).rstrip() for row in shown]


def _is_drawn_onto(sign: str) -> bool:
    """Whether it is a mark without a column of its own, or a vowel or last consonant of a Korean syllable in parts."""
    return unicodedata.category(sign) in ("Mn", "Me") or "\u1160" <= sign <= "\u11ff"


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(0x2400 + code) if code < 0x20 else f"⟨U+{code:04X}⟩"
