"""Text: a self-tuning classifier, and drop-in vectorisers for scikit-learn pipelines, at native speed.

>>> from bayleaf.text import CountVectorizer
>>> CountVectorizer().fit_transform(["one two", "two"]).toarray()
array([[1, 1],
       [0, 1]])
"""

from bayleaf.text.classifier import TextClassifier
from bayleaf.text.count import CountVectorizer
from bayleaf.text.hashing import HashingVectorizer
from bayleaf.text.tfidf import TfidfVectorizer
from bayleaf.text.weights import TfidfTransformer

__all__ = ["CountVectorizer", "HashingVectorizer", "TextClassifier", "TfidfTransformer", "TfidfVectorizer"]
