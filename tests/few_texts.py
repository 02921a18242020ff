"""Four texts of two labels, and as many as are wanted, for tests of TextClassifier."""

import numpy as np

from bayleaf import TextClassifier

TEXTS = ["win money now", "cheap money offer", "lunch at noon?", "see you at lunch"]
LABELS = ["spam", "spam", "ham", "ham"]
FAMILIES = ["evidence", "multinomial", "boolean", "complement", "bernoulli"]
RECORDS = {"subject": TEXTS, "body": ["buy", "buy this", "hello", "hello you"]}


def counts(clf: TextClassifier) -> list[int]:
    return clf._tally.documents.tolist()


def corpus(n: int, seed: int = 0) -> tuple[list[str], list[str]]:
    """Texts of ten words out of 300; a third of them lean to one of two classes."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, n)
    words = np.where(rng.random((n, 10)) < 0.3, rng.integers(0, 50, (n, 10)) + 50 * codes[:, None], 0)
    words = np.where(words == 0, rng.integers(100, 300, (n, 10)), words)
    return [" ".join(f"w{word}" for word in row) for row in words], np.array(["ham", "spam"])[codes].tolist()
