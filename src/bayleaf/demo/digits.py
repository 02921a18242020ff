"""Digits: three families on scikit-learn's handwritten digits, and sums that are exact."""

from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from bayleaf.cli.screen import paint
from bayleaf.estimators import BernoulliNB, GaussianNB, MultinomialNB

INK = 8  # a pixel of the digits goes from 0 to 16; above this it counts as ink


def digits() -> tuple[Any, ...]:
    """Images to learn, images to test, and the labels of both.

    >>> [part.shape for part in digits()]
    [(898, 64), (899, 64), (898,), (899,)]
    """
    X, y = load_digits(return_X_y=True)
    return tuple(train_test_split(X, y, test_size=0.5, random_state=0, stratify=y))


def show() -> None:
    """Prints how good each family is, and that learning can be split and taken back to the last bit."""
    X, X_new, y, y_new = digits()
    print(f"{'family':34}{'new images':>12}{'leave-one-out':>16}")
    for name, model in {
        "GaussianNB(var_smoothing=1e-2)": GaussianNB(var_smoothing=1e-2),
        "MultinomialNB(alpha='auto')": MultinomialNB(alpha="auto"),
        f"BernoulliNB(binarize={INK})": BernoulliNB(binarize=INK),
    }.items():
        model.fit(X, y)
        alone = model.classes_[model.loo_predict_log_proba(X, y).argmax(axis=1)]
        print(f"{name:34}{model.score(X_new, y_new):12.1%}{np.mean(alone == y):16.1%}")
    print()
    half = len(X) // 2
    whole = MultinomialNB().fit(X, y)
    first, second = MultinomialNB().fit(X[:half], y[:half]), MultinomialNB().fit(X[half:], y[half:])
    for claim, left, right in [
        ("one half + the other half == the whole", first + second, whole),
        ("the whole - one half      == the other half", whole - first, second),
    ]:
        same = np.array_equal(left.feature_count_, right.feature_count_)
        print(f"{claim:46}{paint('the same bits', 'green') if same else paint('NO', 'red'):>16}")
