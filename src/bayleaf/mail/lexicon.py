"""Lexicon: what a filter has learned about single tokens."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from datetime import date, timedelta
from math import log
from typing import Any, NamedTuple

from bayleaf._core import MailFeatures
from bayleaf.mail.filter import EPOCH, Filter
from bayleaf.mail.vocabulary import readable


class Token(NamedTuple):
    """A token: learned mails that have it, label by label; log-ratio of one sighting for `label`; day last learned."""

    name: str
    key: int
    counts: dict[str, int]
    label: str
    weight: float
    seen: date | None

    @property
    def strength(self) -> float:
        """What it says for its label, by weight and mails; 0 when all mails that had it were forgotten."""
        return self.weight * log(1 + self.counts[self.label])

    def to_dict(self) -> dict[str, Any]:
        """The token as JSON has it, without its key, which depends on the secret of the store."""
        found = self._asdict()
        del found["key"]
        return {**found, "seen": None if self.seen is None else self.seen.isoformat()}


class Lexicon:
    """The tokens of one filter.

    >>> own = Filter.open(":memory:")
    >>> done = own.train("cheap pills", "spam"), own.train("lunch at noon", "ham")
    >>> [(token.name, token.counts) for token in Lexicon(own).search("Pills", 5)]
    [('word:pills', {'spam': 1, 'ham': 0})]
    """

    def __init__(self, own: Filter) -> None:
        self.own, self.evidence, self._runs = own, own.evidence(), own.store.state().runs
        if own.shared is not None:
            self._runs += own.shared.store.state().runs
        self.texts: dict[int, str] = readable(own)

    def search(self, query: str, most: int) -> list[Token]:
        """Tokens that the query is read as, then readable tokens that contain it, the most frequent first."""
        named = self.own.read(query, names=True)
        keys = struct.unpack(f"<{len(named.groups)}Q", named.keys)
        exact = {key: named.name(at) for at, key in enumerate(keys) if named.name(at).startswith(("word:", "pair:"))}
        low = query.lower()
        inside = {key: text for key, text in self.texts.items() if low in text.lower()}
        first = [token for token in self.tokens(exact.items()) if any(token.counts.values())]
        others = [token for token in self.tokens(inside.items()) if token.key not in exact]
        ranked = sorted(others, key=lambda token: (-sum(token.counts.values()), token.name))
        return (sorted(first, key=lambda token: -abs(token.weight)) + ranked)[:most]

    def find(self, name: str, raw: bytes | str = "") -> Token | None:
        """The token of exactly this name: of the vocabulary, of a mail that has it, or a word as people write it."""
        key = next((key for key, text in self.texts.items() if text == name), None)
        for text in (raw, name.removeprefix("word:")):
            if key is None and text:
                key = named_key(self.own.read(text, names=True), name)
        return None if key is None else self.tokens([(key, name)])[0]

    def strongest(self, most: int, kind: str = "") -> dict[str, list[Token]]:
        """Per label, the tokens that speak most for it; only "words", only "headers", or both."""
        wanted = {"words": (True,), "headers": (False,)}.get(kind, (True, False))
        found = self.tokens((key, text) for key, text in self.texts.items() if text.startswith("word:") in wanted)
        ranks: dict[str, list[Token]] = {label: [] for label in self.evidence.labels}
        for token in sorted(found, key=lambda token: -token.strength):
            if token.strength > 0 and len(ranks[token.label]) < most:
                ranks[token.label].append(token)
        return ranks

    def tokens(self, named: Iterable[tuple[int, str]]) -> list[Token]:
        """What is known about each key."""
        pairs = sorted(set(named))
        found = []
        learned = self.evidence.learned([key for key, _ in pairs])
        for (key, name), (counts, weights) in zip(pairs, learned, strict=True):
            best = max(range(len(counts)), key=weights.__getitem__)
            shown = dict(zip(self.evidence.labels, counts, strict=True))
            found.append(Token(name, key, shown, self.evidence.labels[best], weights[best], self._seen(key)))
        return found

    def _seen(self, key: int) -> date | None:
        day = max((run.seen(key) or 0 for run in self._runs), default=0)
        return date(1970, 1, 1) + timedelta(days=EPOCH + day) if day else None


def named_key(named: MailFeatures, name: str) -> int | None:
    """The key of the token that is called so."""
    at = next((at for at in range(len(named.groups)) if named.name(at) == name), None)
    return None if at is None else int.from_bytes(named.keys[8 * at : 8 * at + 8], "little")
