# %% [markdown]
# # 16. Calibration
#
# Of the mails to which a filter gives 90 %, nine in ten should be spam. Naive Bayes is right more seldom than it is
# sure; why that is so, and what one number, the temperature, does about it.
#
# An answer has two parts, the class and how sure. The class survives wrong assumptions well (lecture 9). The sureness
# does not: it is a product of many factors, and each that repeats another counts again.

# %%
import csv

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from bayleaf import GaussianNB, MultinomialNB, TextClassifier
from bayleaf.demo.samples import LETTERS
from bayleaf.evaluate.scores import measure
from bayleaf.plot import reliability

# %% [markdown]
# ## Why it is too sure
#
# Give the model the same column k times. Nothing was learned that was not known before; the right probability is that
# of one column. But the model adds k equal summands, so the log-odds are k times as large.

# %%
rng = np.random.default_rng(16)
y = np.arange(2000) % 2
x = (rng.normal(size=2000) + 1.5 * y)[:, None]
grid = np.linspace(-3, 4.5, 200)[:, None]
once = GaussianNB().fit(x, y)
copies = {k: GaussianNB().fit(np.repeat(x, k, axis=1), y) for k in (1, 2, 5, 20)}
said = "P(class 1) against x: the more copies of the column, the more the curve becomes a step"
figure, ax = plt.subplots(num=said, figsize=(5.6, 3.4))
for colour, (k, model) in zip(("C0", "C2", "C4", "C1"), copies.items(), strict=True):
    proba = model.predict_proba(np.repeat(grid, k, axis=1))[:, 1]
    ax.plot(grid, proba, color=colour, label=f"{k} × the same column")
    log_odds = model.predict_log_proba(np.repeat(grid, k, axis=1)) @ [-1, 1]
    assert np.allclose(log_odds, k * (once.predict_log_proba(grid) @ [-1, 1]))
ax.set(xlabel="x", ylabel="P(class 1 | x)")
ax.legend()
plt.show()

# %% [markdown]
# Dividing the log-odds by k would undo it exactly. Real columns are not copies, but they repeat each other in part,
# so one divides by some number T between 1 and d:
#
#     P(c | x)  =  softmax( log P(c, x) / T )
#
# T is called the **temperature**. It moves no maximum, so no answer changes; it only makes all of them less sure.
#
# ## How to find T
#
# By the log loss, −log P(truth), on rows that the counts have not seen. Leave-one-out gives such rows for nothing
# (lecture 13), so no data are held back.

# %%
X, y = load_digits(return_X_y=True)
X, X_new, y, y_new = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)
model = MultinomialNB().fit(X, y)
alone, new = model.loo_predict_log_proba(X, y), model.predict_log_proba(X_new)


def tempered(log_proba, T):
    return log_softmax(log_proba / T, axis=1)


def loss(log_proba, truth, T):
    return -tempered(log_proba, T)[np.arange(len(truth)), truth].mean()


best = minimize_scalar(lambda T: loss(alone, y, T), bounds=(1, 64), method="bounded").x
print(f"T = {best:.0f}")
before, after = (measure(model.classes_, y_new, tempered(new, T)) for T in (1.0, best))
for name, scores in (("T = 1", before), ("best T", after)):
    print(
        f"{name:7} right {scores.accuracy.value:.1%}, sure to {scores.reliability.confidence:.1%}, "
        f"log loss {scores.log_loss.value:.2f}, calibration error {scores.reliability.error:.1%}"
    )
assert after.accuracy.value == before.accuracy.value
assert 1 < best < 64
assert after.log_loss.value < before.log_loss.value / 2
assert after.reliability.error < before.reliability.error / 2

# %%
said = "Log loss has its minimum at the same T for both; answers lie below the line before, on it afterwards"
figure, (left, middle, right) = plt.subplots(1, 3, num=said, figsize=(11, 3.6))
temperatures = np.geomspace(1, 64, 60)
for colour, name, rows, truth in (("C2", "learned, left out", alone, y), ("C0", "new", new, y_new)):
    left.plot(temperatures, [loss(rows, truth, T) for T in temperatures], color=colour, label=name)
left.plot(best, loss(alone, y, best), "o", color="C1", label="chosen")
left.set(xscale="log", xlabel="temperature T", ylabel="log loss")
left.legend()
reliability(before, middle)
reliability(after, right)
plt.show()

at_new = minimize_scalar(lambda T: loss(new, y_new, T), bounds=(1, 64), method="bounded").x
print(
    f"the best for the new digits would have been {at_new:.0f}: loss {loss(new, y_new, at_new):.3f} ",
    end="",
)
print(f"instead of {loss(new, y_new, best):.3f}")
assert loss(new, y_new, best) - loss(new, y_new, at_new) < 0.02

# %% [markdown]
# An image has about 300 units of ink, which the multinomial model takes for 300 independent draws. T says that they
# are worth about 300 / T of them. A dot on the line means: when it says 80 %, it is right in 80 % of the cases. The
# bars at the bottom show that at T = 1 nearly all answers were given at 100 %.
#
# ## Texts
#
# `TextClassifier(family="multinomial")` finds its temperature by itself, and `temperature=1` is the text book. Its
# default, the evidence table, goes further: a weight for each kind of evidence instead of one T for all.

# %%
with LETTERS.open(encoding="utf-8") as file:
    letters = list(csv.DictReader(file))
texts, teams = (
    [letter["message"] for letter in letters],
    np.array([letter["team"] for letter in letters]),
)
order = rng.permutation(len(teams))
ways = {
    "multinomial, T = 1": {"family": "multinomial", "temperature": 1.0},
    "multinomial, own T": {"family": "multinomial"},
    "evidence": {},
}
found = {}
for name, settings in ways.items():
    logs = np.zeros((len(teams), 4))
    for judged in np.array_split(order, 10):
        learned = np.setdiff1d(order, judged)
        classifier = TextClassifier(**settings).fit([texts[i] for i in learned], teams[learned])
        logs[judged] = classifier.predict_log_proba([texts[i] for i in judged])
    found[name] = measure(classifier.classes_, teams, logs)
    scores = found[name]
    print(
        f"{name:19} right {scores.accuracy.value:.0%}, sure to {scores.reliability.confidence:.0%}, "
        f"log loss {scores.log_loss.value:.2f}"
    )
assert found["multinomial, own T"].log_loss.value <= found["multinomial, T = 1"].log_loss.value

# %% [markdown]
# **Remember.** Naive Bayes is too sure because repeated evidence is counted again. A temperature found by
# leave-one-out repairs the probabilities and leaves every answer as it was.
#
# **Try.** Binarise the digits and use `BernoulliNB`. Is its temperature higher or lower, and why?
