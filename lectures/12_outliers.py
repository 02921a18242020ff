# %% [markdown]
# # 12. Outliers
#
# The denominator of Bayes' rule, P(x), says how usual a row is. A classifier that must answer can at least say that
# it has never seen anything like it.
#
# A posterior compares classes. It is high whenever one class explains a row *better than the others*, even if all of
# them explain it badly. What tells the two apart is the evidence, which cancels in the posterior and which
# `score_samples` gives:
#
#     log P(x)  =  log Σ_c  P(c) P(x | c)

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split

from bayleaf import GaussianNB
from bayleaf.plot import decision_boundary

rng = np.random.default_rng(12)
who = np.repeat(["child", "adult"], 300)
people = np.concatenate(
    [rng.normal([1.15, 21], [0.09, 4], (300, 2)), rng.normal([1.72, 72], [0.09, 11], (300, 2))]
)
model = GaussianNB().fit(people, who)
joint = model.predict_joint_log_proba(people)
assert np.allclose(model.score_samples(people), np.log(np.exp(joint).sum(axis=1)))

# %% [markdown]
# ## Sure, and unheard of
#
# Four visitors. How sure is the model, and how usual are they? The limit is a choice: here the log P(x) that one
# learned row in a hundred stays below.

# %%
limit = np.quantile(model.score_samples(people), 0.01)
visitors = {
    "an adult": [1.75, 75.0],
    "a child": [1.20, 23.0],
    "small and heavy": [1.15, 72.0],
    "a giant": [2.60, 160.0],
}
rows = np.array(list(visitors.values()))
sure, usual = model.predict_proba(rows).max(axis=1), model.score_samples(rows)
for name, how_sure, how_usual in zip(visitors, sure, usual, strict=True):
    verdict = "outlier" if how_usual < limit else ""
    print(f"{name:16} sure to {how_sure:7.2%}   log P(x) {how_usual:7.1f}   {verdict}".rstrip())
assert (usual[:2] > limit).all()
assert (usual[2:] < limit).all()
assert model.predict_proba(rows[3:]).max() > 0.999  # as sure as can be of a giant

# %% [markdown]
# The giant is an adult beyond doubt, says the posterior, since no child is like that. "Small and heavy" is no outlier
# in either column alone: children have that height and adults that weight. Only the combination is odd, and log P(x)
# sees it, because the columns are independent *within* a class and not over all.

# %%
low, high = people.min(axis=0), people.max(axis=0)
assert ((low < rows[2]) & (rows[2] < high)).all()
side = [np.linspace(0.7, 2.8, 300), np.linspace(-20, 185, 300)]
plane = np.stack(np.meshgrid(*side), axis=-1).reshape(-1, 2)
height = model.score_samples(plane).reshape(300, 300)

figure, ax = plt.subplots(
    num="Height and weight of children and adults; a ring around each cloud, two visitors outside of both",
    figsize=(6, 4),
)
everybody = np.concatenate([people, rows])
decision_boundary(model, everybody, np.append(who, model.predict(rows)), ax, s=6)
ax.contour(*side, height, levels=[limit], colors="C3", linewidths=1.6, linestyles="solid")
ax.plot(*rows.T, "D", color="C4", markersize=7, markeredgecolor="C3")
for name in ("small and heavy", "a giant"):
    ax.annotate(name, visitors[name], (-9, 7), textcoords="offset points", ha="center")
ax.set(xlabel="height in m", ylabel="weight in kg")
plt.show()

# %% [markdown]
# The line between the colours divides the plane between the classes, out to infinity. The ring is log P(x) at the
# limit: within it the model has seen such people, outside of it the answer is an extrapolation.
#
# ## Digits that are none
#
# On images: learn the real digits, then show digits that were not learned, digits upside down, digits on their side,
# and pixels in random order. The area under the ROC curve is the probability that a stranger has the lower log P(x)
# of the two.

# %%
X, y = load_digits(return_X_y=True)
X, X_new, y, y_new = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)
digits = GaussianNB(var_smoothing=1e-2).fit(X, y)
images = X_new.reshape(-1, 8, 8)
strangers = {
    "upside down": images[:, ::-1].reshape(-1, 64),
    "on its side": np.rot90(images, axes=(1, 2)).reshape(-1, 64),
    "shuffled pixels": rng.permuted(X_new, axis=1),
}


def area(of, usual, strange):
    values = np.concatenate([of.score_samples(usual), of.score_samples(strange)])
    return roc_auc_score(np.repeat([0, 1], [len(usual), len(strange)]), -values)


for name, rows in strangers.items():
    print(f"{name:16} {area(digits, X_new, rows):.2f}")
unseen = []
for digit in range(10):
    others = GaussianNB(var_smoothing=1e-2).fit(X[y != digit], y[y != digit])
    unseen.append(area(others, X_new[y_new != digit], X_new[y_new == digit]))
print(f"{'a digit unseen':16} {np.mean(unseen):.2f}   from {min(unseen):.2f} to {max(unseen):.2f}")
assert area(digits, X_new, strangers["shuffled pixels"]) > 0.99
assert 0.85 < np.mean(unseen) < 0.97

# %%
figure, ax = plt.subplots(
    num="Histograms of −log P(x): new digits lowest, upside down a little above, on the side and shuffled far above",
    figsize=(6.4, 3.4),
)
bins = np.geomspace(100, 6000, 60)
everything = {"new digits": X_new, **strangers}
for colour, (name, rows) in zip(("C0", "C2", "C1", "C3"), everything.items(), strict=True):
    strange = -digits.score_samples(rows)
    ax.hist(strange, bins, color=colour, alpha=0.35)
    ax.hist(strange, bins, color=colour, histtype="step", linewidth=1.4, label=name)
ax.set(xscale="log", xlabel="−log P(x): the further right, the odder", ylabel="images")
ax.legend(loc="upper right")
plt.show()

# %% [markdown]
# Upside down is the hardest, and rightly so: 0, 1, 3 and 8 hardly change. Two warnings. P(x) multiplies 64 pixels
# that are not independent, so its size means nothing and only the order counts. And for texts log P(x) falls with
# each word, whatever the word: compare log P(x) per word, or texts of the same length.

# %%
wrong = digits.predict(X_new) != y_new
oddest = np.argsort(digits.score_samples(X_new))
for name, rows in (
    ("the ten oddest", oddest[:10]),
    ("the odder half", oddest[:450]),
    ("the other half", oddest[450:]),
):
    print(f"{name}: {wrong[rows].mean():.0%} wrong")
assert wrong[oddest[:450]].mean() > 2 * wrong[oddest[450:]].mean()

# %% [markdown]
# That is what the number is good for: where a row is unlike anything learned, the answer is more often wrong, however
# sure it sounds.
#
# **Remember.** The posterior says *which*, the evidence says *whether any*. Ask for both before trusting an answer
# that is far from everything learned.
#
# **Try.** Where does a newborn (0.5 m, 3.5 kg) stand? Move the limit until it is let in, and count what else comes
# in.
