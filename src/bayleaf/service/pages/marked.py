"""Marked: the text of a mail with its clues in place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil
from typing import NamedTuple
from unicodedata import category, normalize

from bayleaf.mail import Clue
from bayleaf.plain import plain

LEVELS = 4  # shades
MOST = 20_000  # characters shown of a text; a mail of that length takes a minute to read
REACH = 4  # how far apart the words of a pair stand at most, as in the filter
WORD = re.compile(r"[\w'’$!%£¥¢\u20a0-\u20cf-]+|[\u2190-\u2bff\U0001f000-\U0001faff]")
INVISIBLE = re.compile(  # the filter takes them out of words (crates/core/src/text/invisible.rs)
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\U000e0000-\U000e0fff]"
)
PAIR = re.compile(r"pair:(\S+) \+(\d) (\S+)")
KINDS = re.compile(r"^(?:as|name|at|user) ")  # what a header token says about its word


class Piece(NamedTuple):
    """A stretch of text. `side` is "for" spam, "against" it or empty; `level` is the shade, `worth` the summand."""

    text: str
    side: str = ""
    level: int = 0
    worth: float = 0.0


class Marked(NamedTuple):
    """Pieces to be shown, and how many characters were left out."""

    pieces: list[Piece]
    left_out: int

    @classmethod
    def body(cls, text: str, clues: Iterable[Clue], sign: float) -> Marked:
        """A text in which words, pairs of words and pairs of characters are looked up. `sign` is 1 for best = spam.

        >>> Marked.body("cheap pills", [Clue("word:pills", "word", 2.0, (3, 0))], 1.0).pieces
        [Piece(text='cheap ', side='', level=0, worth=0.0), Piece(text='pills', side='for', level=4, worth=2.0)]
        """
        shown = text[:MOST]
        return cls(_pieces(shown, _worth(shown, clues), sign), len(text) - len(shown))

    @classmethod
    def field(cls, name: str, value: str, clues: Sequence[Clue], sign: float) -> Marked:
        """The value of a header field, with what its own tokens add where they stand first; a subject is text, too.

        >>> [
        ...     piece.text
        ...     for piece in Marked.field("subject", "into in", [Clue("subject:in", "header", 1, ())], 1).pieces
        ... ]
        ['into ', 'in']
        """
        shown = value[:MOST]
        worth = _worth(shown, clues) if name == "subject" else [0.0] * len(shown)
        low = _low(shown)
        for clue in clues:
            if clue.name.startswith(f"{name}:") and len(low) == len(shown):
                word = _low(KINDS.sub("", clue.name[len(name) + 1 :]))
                found = re.finditer(rf"(?<!\w){re.escape(_lettered(word))}(?!\w)", _lettered(low))
                place = next((at.span() for at in found if low[slice(*at.span())] == word), (0, 0))
                _add(worth, clue.summand, *place)
        return cls(_pieces(shown, worth, sign), len(value) - len(shown))


def _worth(shown: str, clues: Iterable[Clue]) -> list[float]:
    """What each character of a text has of its words, pairs of words and pairs of characters."""
    worth = [0.0] * len(shown)
    words, pairs = _tables(clues)
    read: list[tuple[str, int, int]] = []
    for match in WORD.finditer(_lettered(shown)):
        whole, start = _trimmed(shown, match)
        if word := normalize("NFKC", INVISIBLE.sub("", whole)):  # as the filter has it
            read.append((word, start, start + len(whole)))
            _word(word, whole, start, words, worth)
    for at, (second, *place) in enumerate(read):
        for distance in range(1, min(REACH, at) + 1):
            first, *other = read[at - distance]
            half = pairs.get((first, distance, second), 0.0) / 2
            if half:
                _add(worth, half, *place)
                _add(worth, half, *other)
    return worth


def _tables(clues: Iterable[Clue]) -> tuple[dict[str, float], dict[tuple[str, int, str], float]]:
    words: dict[str, float] = {}
    pairs: dict[tuple[str, int, str], float] = {}
    for clue in clues:
        if clue.family == "word" and clue.name.startswith("word:"):
            words[clue.name[5:]] = clue.summand
        elif found := PAIR.fullmatch(clue.name):
            pairs[found[1], int(found[2]), found[3]] = clue.summand
    return words, pairs


def _lettered(text: str) -> str:
    """The text with a letter for each mark and invisible sign, which to Python's expressions are no part of a word."""
    if text.isascii():
        return text
    return "".join("x" if category(c) in ("Mn", "Mc") else c for c in INVISIBLE.sub("x", text))


def _low(text: str) -> str:
    """The text in small letters as the filter has them, each at its place: İ is i, not i and a dot."""
    return text.replace("İ", "i").lower()


def _trimmed(text: str, match: re.Match[str]) -> tuple[str, int]:
    whole = text[match.start() : match.end()]
    left = whole.lstrip("'-_’")
    return left.rstrip("'-_’"), match.start() + len(whole) - len(left)


def _word(word: str, whole: str, start: int, words: dict[str, float], worth: list[float]) -> None:
    found = words.get(_low(word))
    if found is not None:
        _add(worth, found, start, start + len(whole))
    elif not word.isascii():  # scripts without spaces are read in pairs of characters
        for at in range(len(whole) - 1):
            half = words.get(whole[at : at + 2], 0.0) / 2
            _add(worth, half, start + at, start + at + 2)


def _add(worth: list[float], more: float, start: int, end: int) -> None:
    for at in range(start, end):
        worth[at] += more


def _pieces(text: str, worth: Sequence[float], sign: float) -> list[Piece]:
    """Neighbours of the same worth as one piece, shaded against the strongest."""
    top = max(map(abs, worth), default=0.0) or 1.0
    edges = [0, *(at + 1 for at, (one, next) in enumerate(pairwise(worth)) if one != next), len(text)]
    found = []
    for start, end in pairwise(edges):
        value = sign * worth[start] if start < end else 0.0
        level = ceil(abs(value) / top * LEVELS - 0.15)
        side = ("for" if value > 0 else "against") if level else ""
        if start < end:
            found.append(Piece(prose(text[start:end]), side, level, value if level else 0.0))
    return found


def prose(text: str) -> str:
    r"""Several lines of a stranger with nothing hidden.

    >>> prose("a\r\n\tb\u202e")
    'a\n\tb⟨U+202E⟩'
    """
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join("\t".join(plain(cell) for cell in line.split("\t")) for line in lines)
