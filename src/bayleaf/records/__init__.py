"""Tables of numbers, categories and texts, as they come out of a CSV file."""

from bayleaf.records.classifier import RecordClassifier
from bayleaf.records.columns import Guess, guess

__all__ = ["Guess", "RecordClassifier", "guess"]
