"""A table of numbers, categories and texts, for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

WORDS = {"ham": ["lunch", "noon", "meet", "see", "you"], "spam": ["win", "money", "now", "cheap", "offer"]}


def mails(n: int, seed: int = 0) -> tuple[dict[str, list[Any]], list[str]]:
    """A table in which number, category and text each tell the same half of the story, as strings of a CSV file."""
    rng = np.random.default_rng(seed)
    y = ["spam" if told else "ham" for told in rng.random(n) < 0.4]
    other = {"ham": "spam", "spam": "ham"}
    heard = [[label if rng.random() < 0.75 else other[label] for label in y] for _ in range(3)]
    size = [f"{rng.normal(2.0 if label == 'spam' else 0.0):.3f}" for label in heard[0]]
    links = [str(rng.choice(["many", "few"] if label == "spam" else ["none", "few"])) for label in heard[1]]
    text = [" ".join(rng.choice(WORDS[label], 4)) for label in heard[2]]
    table = {"size": size, "links": links, "text": text, "row": [str(i) for i in range(n)]}
    for i in range(0, n, 7):
        table["size"][i], table["links"][i] = "", None
    return table, y
