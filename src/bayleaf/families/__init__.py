"""One file per family: what to count of a row, and what the counts mean."""

from bayleaf.families.bernoulli import Bernoulli
from bayleaf.families.categorical import Categorical
from bayleaf.families.complement import Complement
from bayleaf.families.family import Family
from bayleaf.families.gaussian import Gaussian
from bayleaf.families.multinomial import Multinomial
from bayleaf.families.poisson import Poisson
from bayleaf.families.prior import Prior
from bayleaf.families.smoothing import Smoothing

FAMILIES: dict[str, type[Family]] = {
    family.name: family for family in (Gaussian, Multinomial, Complement, Bernoulli, Categorical, Poisson)
}

__all__ = [
    "FAMILIES",
    "Bernoulli",
    "Categorical",
    "Complement",
    "Family",
    "Gaussian",
    "Multinomial",
    "Poisson",
    "Prior",
    "Smoothing",
]
