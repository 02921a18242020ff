# %% [markdown]
# # 7. The matrix form and the linear classifier
#
# Training is one product of matrices, judging is another, and between two classes stands a straight line.
#
# Write the labels as a matrix Y with one row per example and one column per class, a single 1 in each row. Then the
# loops of lecture 2 are gone:
#
#     counts   = Yᵀ X                         classes × columns
#     sizes    = Yᵀ 1                         classes
#     Θ        = counts, smoothed, each row divided by its sum
#     π        = sizes divided by their sum
#
#     scores   = X (log Θ)ᵀ + log π           rows × classes; the largest of each row is the answer

# %%
import matplotlib.pyplot as plt
import numpy as np
from scipy.sparse import csr_matrix
from sklearn.datasets import load_digits

from bayleaf import BernoulliNB, MultinomialNB
from bayleaf.plot import decision_boundary

X, y = load_digits(return_X_y=True)
Y = np.eye(10)[y]
counts, sizes = Y.T @ X, Y.sum(axis=0)
theta = (counts + 1) / (counts + 1).sum(axis=1, keepdims=True)
scores = X @ np.log(theta).T + np.log(sizes / sizes.sum())

nb = MultinomialNB().fit(X, y)
print(counts.shape, scores.shape)
assert (nb.feature_count_ == counts).all()  # whole numbers: the same to the last bit
assert np.allclose(nb.predict_joint_log_proba(X), scores)
assert (nb.predict(X) == scores.argmax(axis=1)).all()

# %% [markdown]
# A product Yᵀ X is a sum over the rows, one outer product per example. That is why examples may come in any order and
# in any number of parts, and can be taken back (lecture 13). And a sparse X, where most counts are 0 as in texts,
# costs only its non-zeros:

# %%
parts = sum(np.outer(Y[i], X[i]) for i in range(len(X)))
assert (parts == counts).all()
sparse = MultinomialNB().fit(csr_matrix(X), y)
assert (sparse.feature_count_ == counts).all()
print(f"{np.mean(X != 0):.0%} of the values of X are not zero")

# %% [markdown]
# ## Two classes: a line
#
# With two classes subtract one column of scores from the other:
#
#     f(x) = (log π₁ − log π₀)  +  Σ_j x_j (log θ₁ⱼ − log θ₀ⱼ)  =  b + w · x
#
# The answer is class 1 where f is positive. This is a linear classifier, like the perceptron and logistic regression;
# only the way to w is another. `coef_` and `intercept_` hold w and b. For threes against eights w is a picture: purple
# pixels say 8, orange pixels say 3.

# %%
pair = np.isin(y, [3, 8])
A, c = X[pair], y[pair]
two = MultinomialNB().fit(A, c)
w = two.feature_log_prob_[1] - two.feature_log_prob_[0]
b = two.class_log_prior_[1] - two.class_log_prior_[0]
assert np.allclose(two.coef_, w)
assert np.allclose(two.intercept_, b)
assert (two.predict(A) == np.where(A @ w + b > 0, 8, 3)).all()

fig, (left, right) = plt.subplots(
    1, 2, num="Left: weights of the pixels, an 8 closes where a 3 is open. Right: w · x + b of threes and eights",
    figsize=(7.4, 3.0), width_ratios=[1, 1.5],
)  # fmt: skip
limit = np.abs(w).max()
shown = left.imshow(w.reshape(8, 8), cmap="PuOr", vmin=-limit, vmax=limit)
fig.colorbar(shown, ax=left, label="w, log-odds of 8 per unit of ink", shrink=0.8)
left.set_axis_off()
bins = np.linspace(-130, 130, 40)
for digit, colour in ((3, "C1"), (8, "C0")):
    right.hist(A[c == digit] @ w + b, bins, color=colour, alpha=0.6, label=f"{digit}")
right.axvline(0, color="0.5", linewidth=1)
right.set(xlabel="f(x) = b + w · x", ylabel="digits")
right.legend()
plt.show()

# %% [markdown]
# In two dimensions the line can be seen. Two words, their counts, and the model's answer everywhere:

# %%
import pandas as pd

rng = np.random.default_rng(3)
ham, spam = rng.poisson((4.0, 1.5), (40, 2)), rng.poisson((1.2, 4.5), (40, 2))
mails = pd.DataFrame(
    np.concatenate([ham, spam]), columns=["“meeting” in a mail", "“offer” in a mail"]
)
labels = np.repeat(["ham", "spam"], 40)
model = MultinomialNB().fit(mails, labels)
ax = decision_boundary(model, mails, labels)
ax.figure.set_label("Counts of two words with ham and spam on the two sides of a straight line")
plt.show()

# %% [markdown]
# Straight to the eye, and by numbers: the points of the drawn line, which was found from the probabilities alone, all
# satisfy b + w · x = 0.

# %%
(line,) = [each for each in ax.collections if each.get_gid() == "boundary"]
points = np.concatenate([path.vertices for path in line.get_paths()])
on_line = model.intercept_ + points @ model.coef_[0]
print(f"{len(points)} points, less than 1e-12 from the line, in log-odds")
assert len(points) > 50
assert np.abs(on_line).max() < 1e-12

# %% [markdown]
# The other families for counts and categories are linear too. For Bernoulli, x log p + (1 − x) log(1 − p) is log(1 −
# p) + x log(p / (1 − p)): a constant for the intercept, and a weight. The Gaussian is linear when both classes have
# the same variances, and otherwise quadratic: lecture 8.

# %%
present = BernoulliNB(binarize=8).fit(A, c)
p = np.exp(present.feature_log_prob_)
logit = np.log(p / (1 - p))
w, b = logit[1] - logit[0], np.log1p(-p).sum(axis=1) @ [-1, 1] + present.class_log_prior_ @ [-1, 1]
assert np.allclose(present.coef_, w)
assert np.allclose(present.intercept_, b)

# %% [markdown]
# ## The same line, found otherwise
#
# Logistic regression draws a line as well, b + w · x, and searches for the w that makes the *labels* most probable.
# Naive Bayes takes the w that follows from counting each class alone. That needs no search; but two columns that say
# the same count twice, and a search can take that back once it has seen enough. Both, on the same 64 columns of ink or
# no ink, 40 random draws of each size:

# %%
from sklearn.linear_model import LogisticRegression

ink, rounds, sizes = (A > 8).astype(float), 40, [4, 8, 16, 32, 64, 128, 200]
results = {"naive Bayes": [], "logistic regression": []}
rng = np.random.default_rng(0)
for size in sizes:
    right = {name: [] for name in results}
    for _ in range(rounds):
        order = np.concatenate([rng.permutation(np.flatnonzero(c == digit)) for digit in (3, 8)])
        threes, eights = order[: np.sum(c == 3)], order[np.sum(c == 3) :]
        learn = np.concatenate([threes[: size // 2], eights[: size // 2]])
        judge = np.concatenate([threes[-70:], eights[-70:]])
        for name, rival in (
            ("naive Bayes", BernoulliNB()),
            ("logistic regression", LogisticRegression(solver="liblinear")),
        ):
            right[name].append(rival.fit(ink[learn], c[learn]).score(ink[judge], c[judge]))
    for name, shares in right.items():
        results[name].append((np.mean(shares), np.std(shares) / np.sqrt(rounds)))

fig, ax = plt.subplots(
    num="Accuracy against examples: level with few, logistic regression ahead with many",
    figsize=(5.8, 3.4),
)
for colour, (name, values) in zip(("C0", "C1"), results.items(), strict=True):
    mean, error = np.array(values).T
    ax.errorbar(sizes, mean, 2 * error, fmt="o-", markersize=4, color=colour, label=name, capsize=2)
ax.set_xscale("log", base=2)
ax.set_xticks(sizes, [str(size) for size in sizes])
ax.set(xlabel="digits learned", ylabel="accuracy on 140 others")
ax.legend(loc="lower right")
plt.show()
means, errors = (np.array([[pair[k] for pair in row] for row in results.values()]) for k in (0, 1))
lead, doubt = means[1] - means[0], 2 * np.hypot(*errors)
for size, points, bar in zip(sizes, 100 * lead, 100 * doubt, strict=True):
    print(f"{size:4} digits: logistic regression leads by {points:4.1f} ± {bar:.1f} points")
assert (np.abs(lead) < doubt)[:3].all()  # no difference can be seen
assert lead[-1] > doubt[-1]

# %% [markdown]
# The bars are two standard errors. With few digits the two are level, with many the search is ahead. Ng and Jordan,
# *On discriminative vs. generative classifiers* (2001), show that naive Bayes comes to its limit with fewer examples
# and that the limit of the other is at least as good; in much of their data it also led at the beginning, which cannot
# be seen here.
#
# **Remember.** Yᵀ X to learn, X (log Θ)ᵀ to judge. Naive Bayes over counts is a linear classifier whose weights are
# differences of logarithms.
#
# **Try.** Copy every column of `ink` once, `np.hstack([ink, ink])`. Which of the two lines notices?
