"""Good words: spam that carries words of ham, to see whether it gets through.

The attacker knows the filter's own ham: the words are those that most of its ham shows and its spam does not. Only
words of ASCII letters are taken: they read the same in whatever charset the spam is written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from bayleaf.readers.visible import Visible

SEEN = re.compile(r"\b[A-Za-z]{3,20}\b")
WORD = re.compile(rb"[A-Za-z]{3,20}")
BLANK = re.compile(rb"\r?\n\r?\n")


def good_words(ham: Sequence[bytes], spam: Sequence[bytes], most: int) -> list[bytes]:
    """The words whose share of ham most exceeds their share of spam, by what a reader sees: decoded, no tags."""
    tallies = []
    for mails in (ham, spam):
        tally: Counter[bytes] = Counter()
        for raw in mails:
            tally.update({word.lower().encode() for word in SEEN.findall(Visible.read(raw).text or "")})
        tallies.append({word: n / max(len(mails), 1) for word, n in tally.items()})
    ham_share, spam_share = tallies
    gain = {word: share - spam_share.get(word, 0.0) for word, share in ham_share.items()}
    return sorted(gain, key=lambda word: (-gain[word], word))[:most]


def append(raw: bytes, words: Sequence[bytes]) -> bytes:
    """The mail with the words at its end."""
    return raw.rstrip() + b"\n\n" + b" ".join(words) + b"\n"


def interleave(raw: bytes, words: Sequence[bytes]) -> bytes:
    """The mail with one good word behind each of its own."""
    found = BLANK.search(raw)
    if found is None or not words:
        return raw
    head, body = raw[: found.end()], raw[found.end() :]
    place = iter(range(len(body)))
    return head + WORD.sub(lambda word: word[0] + b" " + words[next(place) % len(words)], body)
