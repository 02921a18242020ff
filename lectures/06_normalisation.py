# %% [markdown]
# # 6. Normalisation: logarithms and the evidence
#
# A product of a few hundred probabilities is zero for a computer. Sums of logarithms are not, and dividing by the
# evidence can be done there too.
#
# The last line of the pseudo-code divides each score by the sum of all. It looks harmless. Take a digit of 64 pixels,
# as counts, and multiply as the formula says:

# %%
from fractions import Fraction
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import gammaln
from sklearn.datasets import load_digits

from bayleaf import BernoulliNB, MultinomialNB

X, y = load_digits(return_X_y=True)
nb = MultinomialNB().fit(X[::2], y[::2])
digit = X[1]
theta, prior = np.exp(nb.feature_log_prob_), np.exp(nb.class_log_prior_)
products = prior * np.prod(theta**digit, axis=1)
print(products)
assert (products == 0).all()

# %% [markdown]
# Ten times zero: the smallest number that a 64-bit float knows is about 10⁻³²⁴, and this digit is far below that under
# every class. Zero divided by zero is no probability. The figure follows the product pixel by pixel.

# %%
steps = np.log10(prior)[:, None] + np.cumsum(digit * np.log10(theta), axis=1)
fig, ax = plt.subplots(
    num="Products of one digit's pixels: all ten classes fall below the smallest float on the way",
    figsize=(5.8, 3.4),
)
ax.plot(np.arange(1, 65), steps.T, color="C0", linewidth=0.9, alpha=0.7)
ax.plot(np.arange(1, 65), steps[1], color="C1", linewidth=2)
ax.axhline(-323.3, color="0.5", linewidth=1, linestyle="--")
ax.text(0, -316, "smallest float: what is below is 0")
ax.text(53, -325, "class 1")
ax.set(xlabel="pixels multiplied", ylabel="power of ten of the product")
plt.show()
under = int((steps.max(axis=0) < -323.4).argmax()) + 1
print(
    f"all ten products are 0 from pixel {under} on; at the end they are 10^{steps[:, -1].max():.0f} and less"
)
assert 1 < under < 64

# %% [markdown]
# ## In logarithms
#
# The logarithm turns the product into a sum of moderate numbers:
#
#     s_c = log P(c) + Σ_j log P(x_j | c)              the joint, in logarithms
#     log P(x) = log Σ_c exp(s_c)                      the evidence
#     log P(c | x) = s_c − log P(x)                    the posterior
#
# Only exp(s_c) is still in the way. With m the largest of the s_c,
#
#     log Σ_c exp(s_c)  =  m + log Σ_c exp(s_c − m)
#
# Nothing in the second sum can overflow, its largest term is 1, and what underflows there is too small to matter.

# %%
joint = nb.predict_joint_log_proba([digit])[0]


def log_sum_exp(scores):
    top = scores.max()
    return top + np.log(np.exp(scores - top).sum())


posterior = joint - log_sum_exp(joint)
print(posterior.round(2))
assert np.allclose(posterior, nb.predict_log_proba([digit])[0])
assert np.isclose(np.exp(posterior).sum(), 1)

# %% [markdown]
# Is that the right number, or only a number? Python's fractions have no smallest value. The counts are whole and the
# smoothing is 1, so every θ is a fraction, and the product can be taken exactly:

# %%
counts, sizes = nb.feature_count_.astype(int), nb.class_count_.astype(int)
exact = []
for c in range(10):
    score = Fraction(int(sizes[c]), int(sizes.sum()))
    for n, x in zip(counts[c].tolist(), digit.astype(int).tolist(), strict=True):
        score *= Fraction(n + 1, int(counts[c].sum()) + 64) ** x
    exact.append(score)
shares = [score / sum(exact) for score in exact]
print(f"the largest product is 1 / (a number of {len(str(int(1 / max(exact))))} digits)")
ours = nb.predict_proba([digit])[0]
off = max(abs(float(a / Fraction(b)) - 1) for a, b in zip(shares, ours, strict=True))
assert off < 1e-9  # all ten posteriors of bayleaf are right to nine digits

# %% [markdown]
# ## What a constant does: nothing
#
# Add the same number to all s_c, and it appears in the evidence as well and cancels. So whatever does not depend on
# the class may be left out, such as the multinomial coefficient, in how many orders the same counts could have come
# (only `score_samples`, the evidence itself, needs it). For the *answer* not even the division is needed: the largest
# joint is the largest posterior.

# %%
rows = X[1::2]
joints = nb.predict_joint_log_proba(rows)
shifted = joints + np.linspace(-5000, 5000, len(rows))[:, None]
normalised = np.array([row - log_sum_exp(row) for row in shifted])
assert np.allclose(normalised, nb.predict_log_proba(rows), atol=1e-9)
assert (nb.classes_[joints.argmax(axis=1)] == nb.predict(rows)).all()
orders = gammaln(digit.sum() + 1) - gammaln(digit + 1).sum()  # log of the coefficient of this digit
assert np.isclose(log_sum_exp(joint) + orders, nb.score_samples([digit])[0])

# %% [markdown]
# With two classes only the difference f = s₁ − s₀ is left, and the posterior is the S-curve of logistic regression, 1
# / (1 + e^(−f)). Threes against eights, each held-out digit a dot:

# %%
pair = np.isin(y, [3, 8])
learn, judge = X[pair][::2], X[pair][1::2]
two = MultinomialNB().fit(learn, y[pair][::2])
scores = two.predict_joint_log_proba(judge)
f = scores[:, 1] - scores[:, 0]
chance = two.predict_proba(judge)[:, 1]
fig, ax = plt.subplots(
    num="An S-curve from 3 to 8; most digits lie far out on its flat ends", figsize=(5.8, 3.2)
)
curve = np.linspace(-60, 60, 400)
ax.plot(curve, 1 / (1 + np.exp(-curve)), color="0.5", linewidth=1)
truth = y[pair][1::2]
for label, colour in ((3, "C0"), (8, "C1")):
    own = truth == label
    ax.plot(f[own], chance[own], "o", markersize=4, alpha=0.6, color=colour, label=f"is {label}")
ax.set(xlabel="f, log-odds of 8 against 3", ylabel="P(8 | x)", xlim=(-60, 60))
ax.legend(loc="center right")
plt.show()
assert np.allclose(chance, 1 / (1 + np.exp(-f)))
sure, right = np.abs(f) > np.log(99), (f > 0) == (truth == 8)
print(
    f"{sure.mean():.0%} of the digits are judged with more than 99 %; right are {right.mean():.0%}"
)

# %% [markdown]
# Nearly all dots lie on the flat ends. The model is too sure of itself, since neighbouring pixels repeat each other
# and are counted as if they were independent. Lecture 16 measures that and repairs it.
#
# ## The evidence is not waste
#
# P(x) = Σ_c P(c) P(x | c) is what the model thinks of the *row*: how probable it is at all, whatever its class. Over
# all rows that are possible it sums to one, here for six mails and six words, 2⁶ rows:

# %%
mails = np.array([[1, 0, 1, 1, 1, 0], [0, 1, 1, 1, 1, 0], [1, 1, 0, 0, 0, 0],
                  [0, 1, 0, 1, 0, 0], [1, 0, 1, 0, 1, 0], [0, 0, 1, 1, 1, 1]])  # fmt: skip
words = BernoulliNB().fit(mails, ["spam", "ham", "ham", "spam", "spam", "spam"])
every = np.array(list(product([0, 1], repeat=6)))
total = np.exp(words.score_samples(every)).sum()
print(f"{len(every)} possible mails, evidence in all {total:.12f}")
assert np.isclose(total, 1)

# %% [markdown]
# `score_samples` gives log P(x); a row with very little of it is unlike everything learned (lecture 12).
#
# **Remember.** Add logarithms, subtract the largest before you exponentiate, divide last. The division turns scores
# into probabilities; it never changes which is largest.
#
# **Try.** What is P(c | x) for a row of which nothing is known, all `nan`? Predict it, then ask the model.
