# %% [markdown]
# # 8. Children and adults: densities and decision boundaries
#
# Numbers instead of words: a bell per class and column, and the line, ellipse or parabola where two classes are
# equally probable.
#
# Four adults and twelve children, height in centimetres and weight in kilograms. Somebody of 158 cm and 48 kg comes
# in: a child?

# %%
from math import exp, pi, sqrt

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from bayleaf import GaussianNB
from bayleaf.plot import decision_boundary, densities

adults = [(180, 80), (165, 60), (172, 75), (190, 95)]
children = [(100, 16), (110, 19), (120, 23), (95, 14), (130, 28), (140, 35)]
children += [(105, 18), (115, 21), (125, 25), (135, 30), (150, 42), (90, 13)]
people = pd.DataFrame(adults + children, columns=["height in cm", "weight in kg"], dtype=float)
labels = ["adult"] * 4 + ["child"] * 12
nb = GaussianNB(var_smoothing=0.0).fit(people, labels)
print(pd.DataFrame(nb.theta_, nb.classes_, people.columns).round(1))
print(pd.DataFrame(np.sqrt(nb.var_), nb.classes_, people.columns).round(1))
print("priors", nb.class_prior_)
assert nb.class_prior_.tolist() == [0.25, 0.75]

# %% [markdown]
# Means, standard deviations and priors are all that is kept. Each class says how probable a height is by a bell,
#
#     P(x | c)  =  exp(−(x − μ)² / 2σ²) / √(2πσ²)
#
# a density, which may be larger than 1: only areas under it are probabilities. The bell of the children's weight
# reaches below zero kilograms, too; a family is a claim, and this one is not quite true.

# %%
fig, axes = plt.subplots(
    1, 2, num="Bells of adults and children over height and over weight", figsize=(8.0, 3.0)
)
for ax, column in zip(axes, people.columns, strict=True):
    densities(nb, column, ax)
plt.show()

# %% [markdown]
# By hand: prior, times the bell of the height, times the bell of the weight, for each class.

# %%
somebody = pd.DataFrame([(158.0, 48.0)], columns=people.columns)


def bell(x, mean, variance):
    return exp(-((x - mean) ** 2) / (2 * variance)) / sqrt(2 * pi * variance)


scores = []
for prior, means, variances in zip(nb.class_prior_, nb.theta_, nb.var_, strict=True):
    height, weight = (
        bell(x, m, v) for x, m, v in zip((158.0, 48.0), means, variances, strict=True)
    )
    scores.append(prior * height * weight)
    print(f"{prior:.2f} × {height:.5f} × {weight:.5f} = {scores[-1]:.3e}")
posterior = np.array(scores) / sum(scores)
print(dict(zip(nb.classes_.tolist(), posterior.round(3).tolist(), strict=True)))
assert np.allclose(nb.predict_proba(somebody)[0], posterior)

# %% [markdown]
# ## Two thresholds
#
# Where does a height change sides? Where prior × bell is equal for both. In logarithms that is a quadratic equation,
# and a quadratic equation has *two* solutions as long as the variances differ:

# %%
tall = GaussianNB(var_smoothing=0.0).fit(people[["height in cm"]], labels)
(m0, m1), (v0, v1) = tall.theta_[:, 0], tall.var_[:, 0]
equation = [
    1 / (2 * v1) - 1 / (2 * v0),
    m0 / v0 - m1 / v1,
    m1**2 / (2 * v1) - m0**2 / (2 * v0) + np.log(0.25 / 0.75) - np.log(v0 / v1) / 2,
]
low, high = sorted(np.roots(equation))
print(f"adult from {low:.1f} to {high:.1f} cm")
answers = tall.predict(
    pd.DataFrame({"height in cm": [low - 0.1, low + 0.1, high - 0.1, high + 0.1]})
)
print(answers)
assert answers.tolist() == ["child", "adult", "adult", "child"]

# %% [markdown]
# Whoever is taller than the second threshold is a child again. The children's heights are more spread out, so their
# bell is the wider one, and far away the wider bell wins on both sides. It does no harm where nobody is, and it is a
# warning: outside of what it has seen, a model's answer is its formula's and not the data's (lecture 12 is about
# noticing that).
#
# ## In two dimensions
#
# With both columns the equation is one in two unknowns: a conic. There is no term height × weight in it, since the
# columns were taken as independent, so its axes lie along the columns.

# %%
ax = decision_boundary(nb, people, labels)
ax.plot(158, 48, "*", markersize=11, color="C2")
ax.annotate("somebody", (158, 48), (163, 51))
ax.figure.set_label(
    "Adults and children by height and weight, a curved line between them, somebody just on the adults' side"
)
plt.show()

# %% [markdown]
# ## Line, ellipse, parabola
#
# The shape follows from the variances alone. Per column, the coefficient of x² is (1/σ₀² − 1/σ₁²) / 2:
#
#     equal variances in both columns          no squares left            a line
#     one class wider in both                  two squares, same sign     an ellipse
#     equal in one column                      one square                 a parabola
#     each class wider in one of them          two squares, two signs     a hyperbola
#
# Four pairs of clouds, the second made from the first by moving and stretching, so that means and variances are
# exactly those of the table.

# %%
cloud = np.random.default_rng(3).normal(size=(120, 2))
cloud = (cloud - cloud.mean(axis=0)) / cloud.std(axis=0)
pairs = {
    "line": (cloud, cloud + np.array([3.0, 1.5])),
    "ellipse": (cloud, cloud * [2.6, 1.8]),
    "parabola": (cloud, cloud * [2.6, 1.0] + [0.0, 3.0]),
    "hyperbola": (cloud * [1.0, 2.4], cloud * [2.4, 1.0] + [1.0, 0.5]),
}
fig, axes = plt.subplots(
    2,
    2,
    num="Four pairs of clouds; the boundary is a line, an ellipse, a parabola, a hyperbola",
    figsize=(8.2, 6.6),
)
drawn = {}
for ax, (shape, (first, second)) in zip(axes.flat, pairs.items(), strict=True):
    X, y = np.concatenate([first, second]), np.repeat(["first", "second"], 120)
    decision_boundary(GaussianNB(var_smoothing=0.0).fit(X, y), X, y, ax)
    ax.set_title(shape, pad=20)
    lines = [each for each in ax.collections if each.get_gid() == "boundary"]
    drawn[shape] = np.concatenate([path.vertices for each in lines for path in each.get_paths()])
plt.show()

# %% [markdown]
# The curves look right, and eyes are easily pleased. So fit a general conic a x² + b xy + c y² + d x + e y + f = 0 to
# the points of each line that was drawn, and read its kind off the coefficients: b² − 4ac is negative for an ellipse,
# zero for a parabola, positive for a hyperbola, and a line has no squares at all.


# %%
def conic(points):
    x, y = points.T
    terms = np.column_stack([x * x, x * y, y * y, x, y, np.ones_like(x)])
    *_, rows = np.linalg.svd(terms, full_matrices=False)
    return rows[-1] / rows[-1][np.abs(rows[-1]).argmax()]


def kind(points):
    along = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    if along[1] < 1e-6 * along[0]:
        return "line"
    a, b, c, *_ = conic(points)
    assert abs(b) < 2e-3  # no product of the two columns
    bend = b * b - 4 * a * c
    return "parabola" if abs(bend) < 2e-3 else "ellipse" if bend < 0 else "hyperbola"


for shape, points in drawn.items():
    coefficients = "" if kind(points) == "line" else conic(points).round(2) + 0.0
    print(f"{shape:10} {len(points)} points   fitted: {kind(points):10} {coefficients}")
    assert kind(points) == shape

# %% [markdown]
# And the coefficients are those that the variances foretell. For the parabola, log P(first | x) − log P(second | x)
# has −(1 − 1/2.6²) / 2 at x², nothing at y², and −3 at y, by how much the second cloud was moved. The ratio can be
# read off the drawn line. And the children and adults above? Each class is the wider one in one column, so it is a
# hyperbola, of which one branch is in the picture.

# %%
a, b, c, d, e, f = conic(drawn["parabola"])
print(f"x² / y, foretold {(1 - 1 / 2.6**2) / 2 / 3:.4f}, drawn {a / e:.4f}")
assert np.isclose(a / e, (1 - 1 / 2.6**2) / 2 / 3, rtol=0.01)
wider = np.sign(nb.var_[0] - nb.var_[1])
print(
    "adults wider (1) or narrower (-1):",
    dict(zip(people.columns, wider.astype(int).tolist(), strict=True)),
)
assert wider.tolist() == [-1, 1]

# %% [markdown]
# **Remember.** Equal variances give a line, unequal ones a conic along the axes. The wider class wins far away from
# everything.
#
# **Try.** `GaussianNB(priors=[0.9, 0.1])` for a room full of adults: which way does the boundary move, and does its
# shape change?
