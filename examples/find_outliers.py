"""Rows that the model finds improbable: log P(x), and which column is to blame.

It prints:

    outliers found: 3 of 3
    its strangest column: petal length (cm)
"""

import numpy as np
from sklearn.datasets import load_iris

from bayleaf import GaussianNB

iris = load_iris()
X, y = iris.data.copy(), iris.target
nb = GaussianNB().fit(X, y)

odd = [10, 60, 110]
X[odd, 2] += 30  # petals of a third of a metre: a wrong number was typed
likely = nb.score_samples(X)
print("outliers found:", len(set(odd) & set(np.argsort(likely)[:3].tolist())), "of 3")

away = np.abs(X[60] - nb.theta_[y[60]]) / np.sqrt(nb.var_[y[60]])
print("its strangest column:", iris.feature_names[away.argmax()])
