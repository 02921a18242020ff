"""Fit, predict, take rows back, merge: the drop-in for scikit-learn's estimators.

It prints:

    accuracy 0.871
    taken back: True
    as if trained on both: True
"""

from sklearn.datasets import load_digits

from bayleaf import MultinomialNB

X, y = load_digits(return_X_y=True)
nb = MultinomialNB().fit(X[:1000], y[:1000])
print(f"accuracy {nb.score(X[1000:], y[1000:]):.3f}")

before = nb.feature_count_.copy()
nb.partial_fit(X[1000:1100], y[1000:1100])  # a batch that turns out to be wrong
nb.unlearn(X[1000:1100], y[1000:1100])
print("taken back:", (nb.feature_count_ == before).all())

both = nb + MultinomialNB().fit(X[1000:], y[1000:])
print("as if trained on both:", (both.feature_count_ == MultinomialNB().fit(X, y).feature_count_).all())
