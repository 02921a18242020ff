"""Attack: what good words in the last tenth of the spam do to a filter that has judged a stream of mails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from bayleaf.errors import NotLearnedError
from bayleaf.evaluate.goodwords import append, good_words, interleave
from bayleaf.evaluate.index import Index
from bayleaf.evaluate.rates import rates
from bayleaf.evaluate.stream import judged
from bayleaf.mail import Filter


def attack(judge: Filter, stream: Sequence[tuple[bytes, str]]) -> dict[str, dict[str, float]]:
    """The rates of the last tenth, forgotten first, with and without good words in its spam."""
    begin = last_tenth(stream)
    held, taught = stream[begin:], [(raw, kind.lower()) for raw, kind in stream[:begin]]
    for raw, _ in held:
        with suppress(NotLearnedError):  # never taught, or a copy of one that was taught with other headers
            judge.untrain(raw)
    words = good_words(
        [raw for raw, kind in taught if kind == "ham"], [raw for raw, kind in taught if kind == "spam"], 500
    )
    ways: dict[str, Callable[[bytes], bytes]] = {
        "clean": lambda raw: raw,
        "append 50": lambda raw: append(raw, words[:50]),
        "append 500": lambda raw: append(raw, words),
        "interleave": lambda raw: interleave(raw, words),
    }
    asked = [(raw, kind.lower()) for raw, kind in held if not kind.isupper()]
    found = {}
    for name, change in ways.items():
        verdicts = judge.judge_many(change(raw) if label == "spam" else raw for raw, label in asked)
        answers = [judged(label, verdict) for (_, label), verdict in zip(asked, verdicts, strict=True)]
        found[f"attack: {name}"] = rates(answers, 0)
    return found


def lacking(stream: Index) -> str:
    """What is missing for an attack, "spam in" the last tenth or "ham before" it; empty where both are there."""
    begin = last_tenth(stream)
    attacked = {label.lower() for _, label in stream.lines[begin:] if not label.isupper()}
    if "spam" not in attacked:
        return "spam in"
    return "" if "ham" in {label.lower() for _, label in stream.lines[:begin]} else "ham before"


def last_tenth(stream: Sequence[tuple[bytes, str]]) -> int:
    """Where the mails begin that an attack is tried on."""
    return len(stream) - max(len(stream) // 10, 1)
