# %% [markdown]
# # 10. Missing data
#
# A value that is not there adds nothing to a sum. That is all there is to it, it is exact, and it beats filling in.
#
# Most methods need a complete row. Naive Bayes does not: a row's probability is a product over its columns, and
# summing the product over all values that a missing column could have had removes exactly one factor,
#
#     Σ_v  P(x₁ | c) P(v | c)  =  P(x₁ | c) Σ_v P(v | c)  =  P(x₁ | c) · 1
#
# In learning, the count of a missing value is left out as well: each column has its own number of rows.

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine

from bayleaf import BernoulliNB, GaussianNB

X, y = load_wine(return_X_y=True)
rng = np.random.default_rng(10)
holes = np.where(rng.random(X.shape) < 0.3, np.nan, X)
print(
    f"{len(X)} wines, {X.shape[1]} columns; rows without a hole: {(~np.isnan(holes).any(axis=1)).sum()}"
)

# %% [markdown]
# With three values in ten gone, hardly a row is complete: of 13 columns none is missing with probability 0.7¹³, about
# one row in a hundred. Yet nothing special has to be done.
#
# ## It is exact
#
# Learned from a column with holes, the mean is the mean of what is there. And the score of a row with a hole is that
# of a model which never had the column:

# %%
nb = GaussianNB(var_smoothing=0.0).fit(holes, y)
assert np.allclose(nb.theta_, [np.nanmean(holes[y == c], axis=0) for c in nb.classes_])

row = holes[:1]
there = ~np.isnan(row[0])
smaller = GaussianNB(var_smoothing=0.0).fit(holes[:, there], y)
print("columns there:", np.flatnonzero(there))
print("with holes   :", nb.predict_joint_log_proba(row).round(4))
print("without them :", smaller.predict_joint_log_proba(row[:, there]).round(4))
assert np.allclose(nb.predict_joint_log_proba(row), smaller.predict_joint_log_proba(row[:, there]))

# %% [markdown]
# A row of which nothing is known gets the prior, as it should:

# %%
nothing = nb.predict_proba(np.full((1, X.shape[1]), np.nan))
print(nothing.round(3))
assert np.allclose(nothing, nb.class_prior_)

# %% [markdown]
# ## Against filling in
#
# Half of the wines are learned, half are judged, and the same share of values is missing in both; twenty times over,
# with other wines and other holes. The rivals: put the column's mean into each hole, put 0, or learn from complete
# rows only (and fill the judged ones by means, for they have to be answered).


# %%
def drop(values, share):
    return np.where(rng.random(values.shape) < share, np.nan, values)


def accuracy(learn, known, judge, truth):
    return GaussianNB().fit(learn, known).score(judge, truth)


def one_split(share):
    order = rng.permutation(len(X))
    first, second = order[::2], order[1::2]
    learn, judge = drop(X[first], share), drop(X[second], share)
    means = np.nanmean(learn, axis=0)
    filled = [np.where(np.isnan(part), means, part) for part in (learn, judge)]
    zeros = [np.nan_to_num(part, nan=0.0) for part in (learn, judge)]
    whole = ~np.isnan(learn).any(axis=1)
    enough = all((y[first][whole] == c).sum() > 1 for c in range(3))
    return {
        "left out": accuracy(learn, y[first], judge, y[second]),
        "column's mean": accuracy(filled[0], y[first], filled[1], y[second]),
        "zero": accuracy(zeros[0], y[first], zeros[1], y[second]),
        "complete rows": accuracy(learn[whole], y[first][whole], filled[1], y[second])
        if enough
        else np.nan,
    }


shares = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]
runs = {share: [one_split(share) for _ in range(20)] for share in shares}
ways = list(runs[0.0][0])
table = {way: np.array([[run[way] for run in runs[share]] for share in shares]) for way in ways}
possible = {way: ~np.isnan(values).any(axis=1) for way, values in table.items()}
print("missing       ", *(f"{share:6.0%}" for share in shares))
for way, values in table.items():
    means = [
        f"{row.mean():6.1%}" if fine else "     –"
        for row, fine in zip(values, possible[way], strict=True)
    ]
    print(f"{way:14}", *means)

at = shares.index(0.5)
gain = table["left out"][at] - table["column's mean"][at]
assert gain.mean() > 2 * gain.std(ddof=1) / np.sqrt(
    len(gain)
)  # not luck: more than two standard errors

# %%
figure, ax = plt.subplots(
    num="Accuracy against the share of missing values: leaving out stays highest, complete rows end at 10 %",
    figsize=(6, 3.6),
)
for colour, (way, values) in zip(("C0", "C1", "C3", "C2"), table.items(), strict=True):
    middle, error = values.mean(axis=1), values.std(axis=1, ddof=1) / np.sqrt(values.shape[1])
    fine = possible[way]
    ax.errorbar(
        np.array(shares)[fine],
        middle[fine],
        2 * error[fine],
        color=colour,
        marker="o",
        markersize=4,
        label=way,
    )
ax.set(xlabel="share of values missing", ylabel="accuracy on new wines")
ax.legend(loc="lower left")
plt.show()

# %% [markdown]
# Bars are two standard errors. Filling in pretends to know: a mean is a *typical* value, so it narrows the variance
# and then speaks for the class whose mean is nearest. Complete rows are soon gone.
#
# ## Missing is not zero, and not always innocent
#
# For a Bernoulli model "the word is absent" is evidence, and "nobody looked" is not:

# %%
seen = np.array([[1, 1, 1], [1, 1, 0], [0, 0, 1], [0, 0, 0]])
coins = BernoulliNB().fit(seen, ["lucky", "lucky", "plain", "plain"])
print(coins.predict_proba(np.array([[1, 0, 1], [1, np.nan, 1]])).round(2))

# %% [markdown]
# All of this holds when values are lost without regard to what they are. Where *that* a value is missing says
# something (a test is ordered only for the ill), say so: one more column with 1 for missing. Below, only the ill have
# their second value measured often, and the values themselves are noise.

# %%
ill = rng.integers(0, 2, 4000)
value = np.where(rng.random(4000) < np.where(ill == 1, 0.8, 0.2), rng.normal(size=4000), np.nan)
alone = value[:, None]
told = np.column_stack([value, np.isnan(value)])
print(f"the value {GaussianNB().fit(alone, ill).score(alone, ill):.2f}, ", end="")
print(
    f"with a column that says whether it is there {GaussianNB().fit(told, ill).score(told, ill):.2f}"
)
assert abs(GaussianNB().fit(told, ill).score(told, ill) - 0.8) < 0.02

# %% [markdown]
# **Remember.** A missing value is a factor that sums to 1. Leave it out, in learning and in asking; if its absence
# means something, make that a column.
#
# **Try.** Let the holes fall only on judged wines, then only on learned ones. Which of the two costs more?
