"""Four texts of two labels, for tests of TextClassifier."""

from bayleaf import TextClassifier

TEXTS = ["win money now", "cheap money offer", "lunch at noon?", "see you at lunch"]
LABELS = ["spam", "spam", "ham", "ham"]
FAMILIES = ["evidence", "multinomial", "boolean", "complement", "bernoulli"]
RECORDS = {"subject": TEXTS, "body": ["buy", "buy this", "hello", "hello you"]}


def counts(clf: TextClassifier) -> list[int]:
    return clf._tally.documents.tolist()
