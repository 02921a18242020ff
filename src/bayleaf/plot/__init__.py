"""Pictures on matplotlib (``pip install "bayleaf[plot]"``): functions that draw on axes and return them.

Each takes the axes as `ax`, or makes a figure; colours are safe for colour-blind readers, labels stand beside what they
name, and matplotlib's settings stay as they are.

>>> import numpy as np
>>> from bayleaf import plot
>>> from bayleaf.evaluate.scores import measure
>>> scores = measure(["ham", "spam"], ["ham", "spam", "ham"], np.log([[0.9, 0.1], [0.4, 0.6], [0.3, 0.7]]))
>>> plot.roc(scores).get_xlabel()
'false positive rate'
"""

from bayleaf.plot.boundary import decision_boundary
from bayleaf.plot.confusion import confusion
from bayleaf.plot.densities import densities
from bayleaf.plot.learning import learning_curve
from bayleaf.plot.rankings import precision_recall, roc
from bayleaf.plot.reliability import reliability
from bayleaf.plot.tokens import tokens
from bayleaf.plot.waterfall import waterfall

__all__ = [
    "confusion",
    "decision_boundary",
    "densities",
    "learning_curve",
    "precision_recall",
    "reliability",
    "roc",
    "tokens",
    "waterfall",
]
