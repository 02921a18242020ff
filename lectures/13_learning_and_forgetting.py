# %% [markdown]
# # 13. Learning and forgetting, one row at a time
#
# Counts are sums. A row is learned by adding it and forgotten by subtracting it, at a cost that does not depend on
# how much was learned before.
#
# Most models see their data many times and cannot say afterwards what a single row has done to them. What Naive Bayes
# keeps is one number per class and column,
#
#     learn    table[c] += row
#     forget   table[c] −= row
#
# so both touch d numbers, for a row of d columns, whether a hundred rows were learned or a billion.

# %%
import time

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from bayleaf import GaussianNB, MultinomialNB, NegativeCountError

X, y = load_digits(return_X_y=True)
whole = MultinomialNB().fit(X, y)

# %% [markdown]
# ## In parts, in any order
#
# All at once, row by row, in parts and backwards, or on two machines whose models are added: the same table, to the
# last bit, since sums of whole numbers below 2⁵³ are exact in floating point.

# %%
one_by_one = MultinomialNB()
for i in range(len(X)):
    one_by_one.partial_fit(X[i : i + 1], y[i : i + 1], classes=np.arange(10))
backwards = MultinomialNB()
for part in np.array_split(np.arange(len(X))[::-1], 7):
    backwards.partial_fit(X[part], y[part], classes=np.arange(10))
added = MultinomialNB().fit(X[:600], y[:600]) + MultinomialNB().fit(X[600:], y[600:])
for name, model in {"row by row": one_by_one, "backwards": backwards, "added": added}.items():
    same = np.array_equal(model.feature_count_, whole.feature_count_)
    print(f"{name:12} the same table: {same}")
    assert same

# %% [markdown]
# ## Forgetting is exact
#
# Digits 200 to 399 came from somebody who wants them back. The model afterwards is not *about* the one that never saw
# them. It is that model, and a prediction cannot tell them apart:

# %%
theirs = slice(200, 400)
ours = np.r_[0:200, 400 : len(X)]
never = MultinomialNB().fit(X[ours], y[ours])
whole.unlearn(X[theirs], y[theirs])
assert np.array_equal(whole.feature_count_, never.feature_count_)
assert np.array_equal(whole.predict_proba(X), never.predict_proba(X))
print("as if never seen:", np.array_equal(whole.predict_proba(X), never.predict_proba(X)))

try:
    whole.unlearn(X, y)  # more than was learned
except NegativeCountError:
    print(
        "refused, and nothing changed:", np.array_equal(whole.feature_count_, never.feature_count_)
    )

# %% [markdown]
# Sums of real numbers round, so `GaussianNB` comes back up to rounding. It keeps n, Σz and Σz² of z = x − pivot, with
# a pivot near the data, and beside both sums what rounding took off them; without a pivot, the squares of large numbers
# would swallow the digits that matter:

# %%
rng = np.random.default_rng(13)
far = rng.normal(1e9, 1.0, (1000, 1))  # a spread of 1 around a billion
gaussian = GaussianNB(var_smoothing=0.0).fit(far, np.zeros(1000)).unlearn(far[10:], np.zeros(990))
by_squares = (far[:10] ** 2).mean() - far[:10].mean() ** 2
print(f"variance of ten values: {far[:10].var():.6f}")
print(f"after learning 1000 and forgetting 990: {gaussian.var_[0, 0]:.6f}")
print(
    f"squares of such values are apart by {np.spacing(1e18):.0f}: no variance of 2 can be seen there"
)
assert np.isclose(gaussian.var_[0, 0], far[:10].var(), rtol=1e-6)
assert by_squares % 128 == 0  # mean of squares less square of mean: 0 or 128 or −128

# %% [markdown]
# ## What one row costs
#
# Counted first: which numbers of the model differ after one more row? At most d of the table, and one count of a
# class, no matter how many rows came before.

# %%
width = 64
for rows in (100, 1000, 10_000):
    counts = rng.poisson(1.0, (rows + 1, width))
    model = MultinomialNB().fit(counts[:rows], np.arange(rows) % 10)
    before = model.feature_count_.copy(), model.class_count_.copy()
    model.partial_fit(counts[rows:], [3])
    touched = [
        int((new != old).sum())
        for new, old in zip((model.feature_count_, model.class_count_), before, strict=True)
    ]
    print(
        f"{rows:6} rows before: {touched[0]} numbers of {before[0].size} and {touched[1]} class count changed"
    )
    assert touched[0] <= width
    assert touched[1] == 1

# %% [markdown]
# Then by the clock: learning one row after n others, forgetting it again, and learning all n + 1 anew, which is what
# a model without subtraction would have to do. At the right, d grows instead. (Times depend on the machine and are
# drawn, not checked; each is the least of many.)


# %%
def least(call, times):
    """The least seconds of some calls: the one that was disturbed least."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return min(taken)


def costs(rows, width):
    """Seconds to learn one row, to forget it, and to learn everything anew."""
    counts = rng.poisson(1.0, (rows, width)).astype(float)
    labels = np.arange(rows) % 2
    model = MultinomialNB().fit(counts, labels)
    row, label = counts[:1], labels[:1]
    learn = least(lambda: model.partial_fit(row, label), 50)
    forget = least(lambda: model.unlearn(row, label), 50)
    return learn, forget, least(lambda: MultinomialNB().fit(counts, labels), 3)


sizes, widths = (
    [100, 300, 1000, 3000, 10_000, 30_000, 100_000],
    [64, 256, 1024, 4096, 16_384, 65_536],
)
by_rows = np.array([costs(n, 64) for n in sizes])
by_width = np.array([costs(10, d) for d in widths])

said = "Microseconds for one row: level in the number of rows learned before, rising with the number of columns"
figure, (left, right) = plt.subplots(1, 2, num=said, figsize=(9, 3.5), sharey=True)
for ax, places, table in ((left, sizes, by_rows), (right, widths, by_width)):
    for colour, name, column in zip(
        ("C0", "C2", "C1"), ("learn a row", "forget it", "learn all anew"), table.T, strict=True
    ):
        if ax is left or colour != "C1":
            ax.plot(places, 1e6 * column, color=colour, marker="o", markersize=4, label=name)
    ax.set(xscale="log", yscale="log")
left.set(xlabel="rows learned before (64 columns)", ylabel="microseconds")
right.set(xlabel="columns")
left.legend()
plt.show()

# %% [markdown]
# Learning anew grows with n, and one row does not. With d it grows, once d is large enough to be noticed beside the
# price of a call from Python.
#
# The same subtraction gives leave-one-out for nothing: to judge a learned row honestly, take it out, ask, and put it
# back. `loo_predict_log_proba` does this for all rows in one pass.

# %%
some = MultinomialNB().fit(X, y)
fast = some.loo_predict_log_proba(X, y)
for i in (0, 500, 1000):
    some.unlearn(X[i : i + 1], y[i : i + 1])
    assert np.allclose(some.predict_log_proba(X[i : i + 1]), fast[i])
    some.partial_fit(X[i : i + 1], y[i : i + 1])
print(f"leave-one-out accuracy of {len(X)} rows: {np.mean(fast.argmax(axis=1) == y):.1%}")

# %% [markdown]
# **Remember.** Learn is +, forget is −, merge is +, leave-one-out is − then +. One operation, O(d) each.
#
# **Try.** Correct a wrong label with two calls. Then keep a window of the last 500 rows of a stream: what does a step
# cost?
