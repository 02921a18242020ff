"""A person asks to be forgotten: their rows are taken out of a trained model, to the last bit.

It prints:

    rows of customer 7: 20
    as if never seen: True
"""

import numpy as np

from bayleaf import CategoricalNB

rng = np.random.default_rng(0)
X = rng.integers(0, 5, (1000, 6))
y = (X[:, 0] + rng.integers(0, 3, 1000)) // 3
customer = np.arange(1000) % 50

model = CategoricalNB(min_categories=5).fit(X, y)

theirs = customer == 7
print("rows of customer 7:", theirs.sum())
model.unlearn(X[theirs], y[theirs])

never = CategoricalNB(min_categories=5).fit(X[~theirs], y[~theirs])
same = [(a == b).all() for a, b in zip(model.category_count_, never.category_count_, strict=True)]
print("as if never seen:", all(same))
