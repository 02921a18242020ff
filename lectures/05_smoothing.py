# %% [markdown]
# # 5. Zero frequencies, Zipf's law and every smoothing
#
# One word that a class has never had makes a whole mail impossible. About half of all words occur once, so it happens
# all the time.
#
# Maximum likelihood gives a word that was not seen the probability 0. A product with one factor 0 is 0, however much
# the other words say. How often does that happen? The letters that ship with the package, 200 learned and 100 judged:

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from bayleaf import BernoulliNB, MultinomialNB
from bayleaf.demo.samples import LETTERS
from bayleaf.text import CountVectorizer

letters = pd.read_csv(LETTERS)
held_out = np.arange(len(letters)) % 3 == 0
vectorizer = CountVectorizer()  # columns for the words of all 300
X = vectorizer.fit_transform(letters["message"])
teams = letters["team"].to_numpy()
known, new = X[~held_out], X[held_out]
nb = MultinomialNB(alpha=0.0).fit(known, teams[~held_out])
unsmoothed = nb.predict_joint_log_proba(new)
impossible = np.isneginf(unsmoothed)
own = impossible[np.arange(len(teams[held_out])), np.searchsorted(nb.classes_, teams[held_out])]
print(f"{own.mean():.0%} of the letters are impossible for the team they were written to")
print(f"{impossible.all(axis=1).mean():.0%} are impossible for every team")
assert own.mean() > 0.9

# %% [markdown]
# ## Zipf's law
#
# This is no fault of a small collection. Sort the words of a corpus by how often they occur: the count falls about as
# one over the rank, so that in a log-log picture it is nearly a straight line down. Its end is a long shelf of words
# that occur once.
#
# The points below are three public corpora, counted by `python -m benchmarks vocabulary`
# (`benchmarks/results/2026-11-15-vocabulary-x86_64.md`); the line is the letters, counted here.

# %%
ranks = [digit * 10**power for power in range(6) for digit in (1, 2, 5)]
corpora = {
    "20 Newsgroups": "173592 86907 62396 32302 17390 7146 3314 1678 717 395 193 65 25 9 2 1",
    "R8": "36678 21793 14866 8068 4376 1892 882 490 198 88 34 9 3 1",
    "SMS": "2148 2080 831 666 440 236 119 58 22 9 4 1",
}
corpora = {name: np.array(row.split(), dtype=int) for name, row in corpora.items()}
once = {"20 Newsgroups": (74855, 134410), "R8": (9086, 23559), "SMS": (4799, 8713)}  # of all words

own_counts = np.sort(np.asarray(X.sum(axis=0)).ravel())[::-1]
once["letters"] = (int(np.sum(own_counts == 1)), len(own_counts))
fig, ax = plt.subplots(
    num="Count against rank, both logarithmic: four vocabularies fall along lines of slope about minus one",
    figsize=(5.8, 3.8),
)
ax.loglog(np.arange(1, len(own_counts) + 1), own_counts, color="C3", linewidth=1.8, label="letters")
for colour, (name, points) in zip(("C0", "C1", "C2"), corpora.items(), strict=True):
    ax.loglog(ranks[: len(points)], points, "o", markersize=4, color=colour, label=name)
line = np.array([1, 1e5])
ax.loglog(line, 3e5 / line, color="0.5", linewidth=0.8, linestyle="--", label="one over the rank")
ax.set(xlabel="rank of the word", ylabel="how often it occurs")
ax.legend()
plt.show()
for name, (alone, words) in once.items():
    print(f"{name:14} {alone:7,} of {words:7,} words occur once: {alone / words:.0%}")
news = corpora["20 Newsgroups"][3:]
slope = np.polyfit(np.log(ranks[3 : 3 + len(news)]), np.log(news), 1)[0]
print(f"slope in 20 Newsgroups from rank 10 on: {slope:.2f}")
assert -1.3 < slope < -0.9
assert all(0.35 < alone / words < 0.7 for alone, words in once.values())

# %% [markdown]
# A word that occurs once was nearly not seen at all. Turned round (Good and Turing): the share of *new* words in what
# comes next is about the number of words seen once, divided by all that was read. Half of the letters foretell the
# other half:

# %%
rng = np.random.default_rng(0)
foretold, found = [], []
for _ in range(20):
    order = rng.permutation(X.shape[0])
    first, second = X[order[:150]], X[order[150:]]
    seen = np.asarray(first.sum(axis=0)).ravel()
    foretold.append(np.sum(seen == 1) / seen.sum())
    found.append(second[:, seen == 0].sum() / second.sum())
print(
    f"new words: foretold {np.mean(foretold):.1%}, found {np.mean(found):.1%}, on average of 20 halvings"
)
assert abs(np.mean(foretold) - np.mean(found)) < 0.03

# %% [markdown]
# ## Every smoothing
#
# So some probability has to be taken from the words that were seen and given to those that were not. n is the count of
# a word in a class, N the sum of all, |V| the number of words, b the share of the word in all classes together.
#
#     lidstone         (n + α) / (N + α |V|)                   α = 1: Laplace
#       denominator m  (n + α) / (N + α m)                     m = 2 is right for "there or not", two outcomes
#     background       (n + α b) / (N + α)                     new words are as in the other classes
#     jelinek-mercer   (1 − α) n / N + α b                     a mixture
#     absolute         max(n − α, 0) / N + (what was taken) b  the same from each word
#
# All of them are weighings of the same counts, so one model shows them all: `set_params` and ask again.

# %%
counts = nb.feature_count_
billing, total, size = counts[0], counts[0].sum(), counts.shape[1]
background = counts.sum(axis=0) / counts.sum()
alpha = {"lidstone": 1.0, "background": 100.0, "jelinek-mercer": 0.3, "absolute": 0.5}
taken = np.minimum(billing, 0.5).sum()
unheard = background == 0  # in no class: these say nothing, whatever the smoothing
formula = {
    "lidstone": (billing + 1.0) / (total + size),
    "background": (billing + 100.0 * background) / (total + 100.0),
    "jelinek-mercer": 0.7 * billing / total + 0.3 * background,
    "absolute": np.maximum(billing - 0.5, 0) / total + taken / total * background,
}
theta = {}
for kind, strength in alpha.items():
    nb.set_params(smoothing=kind, alpha=strength)
    theta[kind] = np.exp(nb.feature_log_prob_[0])
    assert np.allclose(theta[kind][~unheard], formula[kind][~unheard])
    print(
        f"{kind:15} sum of θ {formula[kind].sum():.6f}   accuracy {nb.score(new, teams[held_out]):.0%}"
    )
    assert np.isclose(formula[kind].sum(), 1)

# %%
fig, axes = plt.subplots(
    1,
    4,
    sharey=True,
    num="Counts before and after four smoothings: Lidstone gives a line, the others a column per count",
    figsize=(9.2, 2.9),
)
for ax, (kind, values) in zip(axes, theta.items(), strict=True):
    ax.plot([0, 8], [0, 8], color="0.5", linewidth=0.8, linestyle="--")
    dots = np.unique(np.column_stack([billing, total * values])[~unheard].round(3), axis=0)
    ax.plot(dots[:, 0], dots[:, 1], "o", markersize=3, alpha=0.6, color="C0")
    ax.set(
        title=f"{kind}, α = {alpha[kind]:g}", xlabel="n, counted", xlim=(-0.5, 8.5), ylim=(-0.3, 9)
    )
axes[0].set_ylabel("θ N, as if counted")
plt.show()
laplace = theta["lidstone"]
assert len(np.unique(laplace[billing == 0].round(12))) == 1  # all unseen words alike
assert (
    len(np.unique(theta["background"][(billing == 0) & ~unheard].round(12))) > 3
)  # not so with a background

# %% [markdown]
# Lidstone treats all words with the same n alike: its dots lie on one line, and it takes most from those seen often.
# The three that use the background give each word its own place, so one count has many heights.
#
# The variants with another denominator: for Bernoulli a word has two outcomes, there or not, and α is added twice, so
# m = 2 is the rule. m = 1 and, for counts, every m other than |V| make "probabilities" that do not sum to one. Some
# lectures use them all the same, and they rank classes well enough:

# %%
there = (known > 0).astype(float)
laplace = BernoulliNB().fit(there, teams[~held_out])
m2 = BernoulliNB(denominator=2).fit(there, teams[~held_out])
assert np.allclose(laplace.feature_log_prob_, m2.feature_log_prob_)
for m in (None, 2, 1):
    variant = MultinomialNB(denominator=m).fit(known, teams[~held_out])
    mass = np.exp(variant.feature_log_prob_[0]).sum()
    print(
        f"denominator {m!s:5} sum of θ {mass:.3f}   accuracy {variant.score(new, teams[held_out]):.0%}"
    )

# %% [markdown]
# ## How much?
#
# Too little smoothing trusts words seen once, too much makes all classes alike. The learned letters themselves say
# what is enough: judge each by the counts of all the others (leave-one-out, one subtraction each) and take the α with
# the least log loss. `alpha="auto"` does that among the α that make hardly more errors than the best of them; the
# held-out letters are drawn for comparison, nothing was chosen by them.

# %%
strengths = np.logspace(-3, 2, 26)
truth = {
    name: np.searchsorted(nb.classes_, teams[part])
    for name, part in (("known", ~held_out), ("new", held_out))
}
alone, others = [], []
for strength in strengths:
    nb.set_params(smoothing="lidstone", alpha=strength)
    left_out = nb.loo_predict_log_proba(known, teams[~held_out])
    alone.append(-left_out[np.arange(len(left_out)), truth["known"]].mean())
    judged = nb.predict_log_proba(new)
    others.append(-judged[np.arange(len(judged)), truth["new"]].mean())
chosen = MultinomialNB(alpha="auto").fit(known, teams[~held_out]).alpha_

fig, ax = plt.subplots(
    num="Log loss against the strength of smoothing: a valley, left out and held out",
    figsize=(5.6, 3.3),
)
ax.semilogx(strengths, alone, color="C0", label="learned letters, each left out")
ax.semilogx(strengths, others, color="C1", label="held-out letters")
ax.axvline(chosen, color="0.5", linewidth=0.8, linestyle="--", label=f'alpha="auto": {chosen:g}')
ax.set(xlabel="α of Lidstone", ylabel="log loss")
ax.legend()
plt.show()
best = strengths[int(np.argmin(alone))]
print(
    f"least loss, left out: α = {best:.2g}; held out: α = {strengths[int(np.argmin(others))]:.2g}"
)
assert 1 / 3 < chosen / best < 3  # the grid of "auto" has half decades

# %% [markdown]
# **Remember.** Unseen is not impossible. Smoothing happens when counts are weighed, never when they are counted, so it
# can be chosen later, and by the data.
#
# **Try.** Draw the last figure for `smoothing="jelinek-mercer"`, whose α goes from 0 to 1. Is its valley deeper?
