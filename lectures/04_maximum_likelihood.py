# %% [markdown]
# # 4. Maximum likelihood: why shares?
#
# The shares that we count are not a habit: they are the only maximum of the likelihood, by calculus and by search.
#
# Lectures 1 to 3 took P(word | class) to be "how often, of all". Why not something else? Say that a class has
# parameters θ, and choose those under which what was seen is most probable.
#
# ## The derivation
#
# In one class, word w was counted n_w times, N in all. The likelihood is the product of θ_w^n_w, its logarithm
#
#     ℓ(θ) = Σ_w n_w log θ_w            to be maximised while   Σ_w θ_w = 1
#
# Without the condition every θ would grow for ever. Lagrange's trick is to maximise with a price λ on the condition:
#
#     L(θ, λ) = Σ_w n_w log θ_w  +  λ (1 − Σ_w θ_w)
#
#     ∂L/∂θ_w = n_w / θ_w − λ = 0       so   θ_w = n_w / λ
#     Σ_w θ_w = N / λ = 1               so   λ = N     and    θ_w = n_w / N
#
# The price is worth a look: at the maximum n_w / θ_w, the slope of ℓ, is the same for every word, and it is N. A
# little probability moved from one word to another would win there what it loses here.
#
# ## The check
#
# The five words of one class, counted. A general optimiser knows nothing of the derivation: it gets ℓ and the
# condition.

# %%
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize

from bayleaf import BernoulliNB, GaussianNB, MultinomialNB

words = ["account", "password", "review", "send", "us"]
counts = np.array([1.0, 2.0, 1.0, 3.0, 3.0])


def loss(theta):
    return -counts @ np.log(theta)


found = minimize(
    loss,
    np.full(5, 0.2),
    method="SLSQP",
    bounds=[(1e-9, 1)] * 5,
    constraints={"type": "eq", "fun": lambda theta: theta.sum() - 1},
    options={"ftol": 1e-14, "maxiter": 500},
)
lagrange = counts / counts.sum()
nb = MultinomialNB(alpha=0.0).fit([counts, np.ones(5)], ["this", "other"])
package = np.exp(nb.feature_log_prob_[list(nb.classes_).index("this")])
print("word      search  Lagrange  MultinomialNB")
for word, a, b, c in zip(words, found.x, lagrange, package, strict=True):
    print(f"{word:9} {a:.4f}    {b:.4f}         {c:.4f}")
assert np.allclose(found.x, lagrange, atol=1e-4)
assert np.allclose(package, lagrange, rtol=1e-12)
assert np.allclose(counts / found.x, counts.sum(), rtol=1e-3)  # the price is N

# %% [markdown]
# A search can stop at a hill that is not the highest. This one has no other hill: ℓ is concave, and the difference
# between the best ℓ and any other is N times a Kullback-Leibler divergence, which is never negative. A hundred
# thousand other distributions agree.

# %%
others = np.random.default_rng(0).dirichlet(np.ones(5), 100_000)
gap = loss(lagrange) + counts @ np.log(others).T  # ℓ(other) − ℓ(best)
divergence = counts.sum() * (lagrange * np.log(lagrange / others)).sum(axis=1)
print(f"nearest of 100,000: {-gap.max():.3f} below the maximum")
assert (gap < 0).all()
assert np.allclose(-gap, divergence)

# %% [markdown]
# ## The picture
#
# With three words the condition leaves a triangle: choose θ for the first two, and the third has the rest. The lines
# are ℓ, one unit apart, and the dot is at the shares. Beside it the same for a word that is there or not (Bernoulli):
# with k = 3 of n = 4 and with 30 of 40 the maximum is at the same place, and the second hill is steeper: more data,
# more certain.

# %%
three = np.array([2.0, 3.0, 5.0])
side = np.linspace(0.004, 0.996, 250)
a, b = np.meshgrid(side, side)
rest = np.where(a + b < 0.998, 1 - a - b, np.nan)
height = three[0] * np.log(a) + three[1] * np.log(b) + three[2] * np.log(rest)
best = three @ np.log(three / three.sum())

fig, (left, right) = plt.subplots(
    1,
    2,
    num="Left: contours of the likelihood in a triangle with one peak at the shares. Right: two hills over p = 3/4",
    figsize=(8.2, 3.5),
)
lines = left.contour(a, b, height - best, levels=np.arange(-12, 0), colors="C0", linewidths=1)
left.plot([0, 1], [1, 0], color="0.5", linewidth=1)
left.plot(0.2, 0.3, "o", color="C1")
left.annotate(
    "n / N = (0.2, 0.3)", (0.2, 0.3), (0.5, 0.62), arrowprops={"arrowstyle": "-", "color": "0.5"}
)
left.set(
    xlabel="θ of the first word", ylabel="θ of the second word", aspect="equal", title="multinomial"
)
p = np.linspace(0.001, 0.999, 500)
for colour, k, n in (("C0", 3, 4), ("C1", 30, 40)):
    hill = k * np.log(p) + (n - k) * np.log(1 - p)
    right.plot(p, hill - hill.max(), color=colour, label=f"{k} of {n}")
    assert abs(p[hill.argmax()] - 3 / 4) < 0.002
seen_or_not = BernoulliNB(alpha=0.0).fit([[1], [1], [1], [0]], ["mail"] * 4)
assert np.isclose(np.exp(seen_or_not.feature_log_prob_[0, 0]), 3 / 4)
right.axvline(0.75, color="0.5", linewidth=0.8, linestyle="--")
right.set(ylim=(-8, 0.3), xlabel="p", ylabel="log-likelihood, best = 0", title="Bernoulli")
right.legend(loc="upper left")
plt.show()
row, column = np.unravel_index(np.nanargmax(height), height.shape)
assert abs(side[column] - 0.2) < 0.005
assert abs(side[row] - 0.3) < 0.005

# %% [markdown]
# ## Numbers, and the classes themselves
#
# For a bell the same calculus gives the mean and the variance, divided by n and not by n − 1. And the labels are a
# multinomial of one draw each, so the prior of a class is its share of the rows. Searched, and asked of the package:

# %%
heights = np.array([180.0, 165.0, 172.0, 190.0])


def bell_loss(mean_and_log_variance):
    mean, log_variance = mean_and_log_variance
    return 0.5 * np.sum(log_variance + (heights - mean) ** 2 / np.exp(log_variance))


found = minimize(
    bell_loss, [170.0, 3.0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}
)
mean, variance = found.x[0], np.exp(found.x[1])
rows = np.append(heights, [120.0, 130.0])[:, None]
gaussian = GaussianNB(var_smoothing=0.0).fit(rows, ["adult"] * 4 + ["child"] * 2)
print(f"search     mean {mean:.3f}  variance {variance:.3f}")
print(f"GaussianNB mean {gaussian.theta_[0, 0]:.3f}  variance {gaussian.var_[0, 0]:.3f}")
print("priors    ", gaussian.class_prior_.round(3))
assert np.allclose([mean, variance], [gaussian.theta_[0, 0], gaussian.var_[0, 0]], rtol=1e-5)
assert np.allclose(gaussian.var_[0, 0], heights.var(ddof=0))
assert np.allclose(gaussian.class_prior_, [4 / 6, 2 / 6])

# %% [markdown]
# ## What the maximum is too sure of
#
# A word that was not seen gets θ = 0, and a mail with that word has probability zero, whatever else is in it. The
# maximum believes what it saw and nothing besides. Ask instead for the θ that is most probable when, before any data,
# each word had α extra occurrences (a Dirichlet prior): the sum becomes Σ (n_w + α) log θ_w, the derivation is the
# same, and out comes the first smoothing of the next lecture.

# %%
alpha = 0.5
found = minimize(
    lambda theta: -(counts + alpha) @ np.log(theta),
    np.full(5, 0.2),
    method="SLSQP",
    bounds=[(1e-9, 1)] * 5,
    constraints={"type": "eq", "fun": lambda theta: theta.sum() - 1},
    options={"ftol": 1e-14, "maxiter": 500},
)
nb.set_params(alpha=alpha)  # weighed anew, nothing is counted again
smoothed = np.exp(nb.feature_log_prob_[list(nb.classes_).index("this")])
print("search ", found.x.round(4))
print("package", smoothed.round(4))
assert np.allclose(found.x, smoothed, atol=1e-4)
assert np.allclose(smoothed, (counts + alpha) / (counts + alpha).sum())

# %% [markdown]
# **Remember.** Counting shares *is* maximising the likelihood; the optimiser is a division. That is why training is
# one pass, has no learning rate, and can be taken back.
#
# **Try.** Give the optimiser a start in a corner, `[0.96, 0.01, 0.01, 0.01, 0.01]`. Can it end anywhere else?
