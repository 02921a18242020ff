"""Runs: where runs of letters stand in a text."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bayleaf.encoders.text import TextEncoder

LONE = re.compile("[\ud800-\udfff]")  # surrogates
Letter = tuple[str, int, int]  # as it is after folding, and where what it was made of starts and ends


def runs(encoder: TextEncoder, text: str) -> dict[str, list[tuple[int, int]]]:
    """The places of every run of letters ("char" or "char_wb") by its name; one that pads a word has no width.

    >>> from bayleaf.encoders.text import TextEncoder
    >>> runs(TextEncoder(analyzer="char_wb", ngrams=(3, 3)), "So so")
    {' so': [(0, 2), (3, 5)], 'so ': [(0, 2), (3, 5)]}
    """
    # A letter is a token of its own here, so that each is folded as the encoder folds it and knows where it came from.
    single = replace(encoder, pattern="(?s:.)", analyzer="word", ngrams=(1, 1), stop_words=(), stemmer=None)
    spans = replace(single, skip_pairs=0).spans(LONE.sub("\ufffd", text))  # which no pattern matches
    letters = [(text[start:end] if LONE.match(text, start) else letter, start, end) for letter, start, end in spans]
    places: dict[str, list[tuple[int, int]]] = {}
    for run in _words(letters, encoder.ngrams) if encoder.analyzer == "char_wb" else _any(letters, encoder.ngrams):
        name = "".join(letter for letter, _, _ in run)
        places.setdefault(name, []).append((run[0][1], run[-1][2]))
    return places


def _any(letters: list[Letter], ngrams: tuple[int, int]) -> Iterator[list[Letter]]:
    """The runs of a text in which several spaces are one."""
    joined: list[Letter] = []
    for space in re.finditer(r"\s\s+|.", "".join(letter for letter, _, _ in letters), re.DOTALL):
        first, last = letters[space.start()], letters[space.end() - 1]
        joined.append((first[0] if first is last else " ", first[1], last[2]))
    for n in range(ngrams[0], min(ngrams[1], len(joined)) + 1):
        yield from (joined[i : i + n] for i in range(len(joined) - n + 1))


def _words(letters: list[Letter], ngrams: tuple[int, int]) -> Iterator[list[Letter]]:
    """The runs within words, each with a space before and behind; a shorter word is a run once."""
    for word in re.finditer(r"\S+", "".join(letter for letter, _, _ in letters)):
        inside = letters[word.start() : word.end()]
        padded = [(" ", inside[0][1], inside[0][1]), *inside, (" ", inside[-1][2], inside[-1][2])]
        for n in range(ngrams[0], ngrams[1] + 1):
            yield from (padded[i : i + n] for i in range(max(len(padded) - n, 0) + 1))
            if n >= len(padded):
                break
