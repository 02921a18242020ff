"""Mails made up for tests: the same number gives the same mail."""

from __future__ import annotations

import random

SPAM = [
    "cheap",
    "pills",
    "offer",
    "winner",
    "cash",
    "prize",
    "viagra",
    "casino",
    "click",
    "free",
    "money",
    "urgent",
    "loan",
    "credit",
]
HAM = [
    "meeting",
    "lunch",
    "report",
    "patch",
    "kernel",
    "review",
    "thanks",
    "tomorrow",
    "project",
    "schedule",
    "draft",
    "minutes",
    "team",
    "notes",
]
BOTH = ["the", "a", "to", "and", "of", "in", "is", "you", "that", "it", "for", "on", "with", "as", "are", "this"]


def letter(number: int, label: str) -> bytes:
    """One mail with headers and a body of about 40 words."""
    chance = random.Random(f"{label} {number}")
    own = SPAM if label == "spam" else HAM
    words = [chance.choice(own if chance.random() < 0.5 else BOTH) for _ in range(40)]
    host = f"mail{chance.randrange(9)}.{'bulk' if label == 'spam' else 'office'}.example"
    return (
        f"Received: from {host} by mx.example; Mon, 1 Jan 2024 10:00:{number % 60:02} +0000\n"
        f"From: person{chance.randrange(30)}@{host}\nTo: me@example.org\nMessage-ID: <{label}-{number}@{host}>\n"
        f"Date: Mon, 1 Jan 2024 10:00:{number % 60:02} +0000\nSubject: {words[0]} {words[1]}\n\n{' '.join(words)}\n"
    ).encode()


def letters(each: int, start: int = 0) -> list[tuple[bytes, str]]:
    """So many of each kind, alternating."""
    return [(letter(start + n, label), label) for n in range(each) for label in ("spam", "ham")]
