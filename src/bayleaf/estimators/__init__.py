"""The estimators people import: thin scikit-learn faces of `bayleaf.model.Model`."""

from bayleaf.estimators.bernoulli import BernoulliNB
from bayleaf.estimators.categorical import CategoricalNB
from bayleaf.estimators.complement import ComplementNB
from bayleaf.estimators.gaussian import GaussianNB
from bayleaf.estimators.mixed import MixedNB
from bayleaf.estimators.multinomial import MultinomialNB
from bayleaf.estimators.poisson import PoissonNB

__all__ = ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MixedNB", "MultinomialNB", "PoissonNB"]
