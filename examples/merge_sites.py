"""Three hospitals train where their data lies and send counts only; the sum is the model of all.

It prints:

    rows: 569
    the same means as with all rows in one place: True
    predictions that differ: 0
    without the second site: True
"""

import numpy as np
from sklearn.datasets import load_breast_cancer

from bayleaf import GaussianNB

X, y = load_breast_cancer(return_X_y=True)
sites = [(X[start::3], y[start::3]) for start in range(3)]
models = [GaussianNB().fit(*site) for site in sites]

whole = models[0] + models[1] + models[2]
central = GaussianNB().fit(X, y)
print("rows:", int(whole.class_count_.sum()))
print("the same means as with all rows in one place:", np.allclose(whole.theta_, central.theta_, rtol=1e-12))
print("predictions that differ:", int((whole.predict(X) != central.predict(X)).sum()))

rest = whole - models[1]  # a site leaves
print("without the second site:", np.allclose(rest.theta_, (models[0] + models[2]).theta_, rtol=1e-10))
