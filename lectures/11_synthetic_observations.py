# %% [markdown]
# # 11. Synthetic observations
#
# A model that knows P(x | c) can be run backwards: choose a class, draw a row. What it draws shows what it believes,
# and what it cannot know.
#
# Naive Bayes is a *generative* model. It says how a row comes to be: first the class, by the prior; then each column
# by itself, given the class. `sample` does just that.

# %%
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from bayleaf import GaussianNB
from bayleaf.plot.canvas import COLOURS

X, y = load_digits(return_X_y=True)
X, X_new, y, y_new = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)
model = GaussianNB(var_smoothing=1e-3).fit(X, y)
drawn, labels = model.sample(5000, random_state=0)
print(drawn.shape, "classes drawn:", np.bincount(labels))

# %% [markdown]
# The draws follow what was learned: their means and variances within a class are those of the model, up to the noise
# of drawing 500 or so rows.

# %%
threes = drawn[labels == 3]
noise = np.sqrt(model.var_[3] / len(threes))
off = np.abs(threes.mean(axis=0) - model.theta_[3]) / noise
print(f"means of 64 pixels, in standard errors: largest {off.max():.1f}, mean {off.mean():.2f}")
assert off.max() < 4.5
assert abs(off.mean() - np.sqrt(2 / np.pi)) < 0.25  # the mean of |N(0, 1)|

# %% [markdown]
# ## What they look like


# %%
clear = (*to_rgb(COLOURS[2]), 0.0)
INK = LinearSegmentedColormap.from_list(
    "ink", [clear, COLOURS[2]]
)  # see-through where there is no ink


def show(parts, said):
    axes = plt.subplots(len(parts), 10, num=said, figsize=(8, 0.95 * len(parts)))[1]
    for line, (name, images) in zip(axes, parts.items(), strict=True):
        for ax, image in zip(line, images, strict=True):
            ax.imshow(image.reshape(8, 8), cmap=INK, vmin=0, vmax=16, interpolation="nearest")
            ax.set_axis_off()
        line[0].text(-1.5, 3.5, name, ha="right", va="center")
    plt.show()


def first(rows, of):
    return [rows[of == c][0] for c in range(10)]


show(
    {"real": first(X, y), "mean": model.theta_, "drawn": first(drawn, labels)},
    "Digits 0 to 9: real ones, the mean of each class, and rows drawn from the model, which are noisy",
)

# %% [markdown]
# The drawn digits can be recognised, and nobody would take them for handwriting. Each pixel is right by itself, but
# ink comes in strokes: within a class, a pixel and the one below it go together. The model left exactly this out, so
# its draws do not have it.


# %%
def together(rows, of):
    """The mean correlation, within a class, of a pixel with the one below it, where both vary."""
    found = []
    for c in np.unique(of):
        images = rows[of == c].reshape(-1, 8, 8)
        centred = images - images.mean(axis=0)
        spread = images.std(axis=0)
        vary = (spread[1:] > 2) & (spread[:-1] > 2)
        product = (centred[:, 1:] * centred[:, :-1]).mean(axis=0)
        found.append((product[vary] / (spread[1:] * spread[:-1])[vary]).mean())
    return np.mean(found)


print(f"pixel and the one below: real {together(X, y):+.2f}, drawn {together(drawn, labels):+.2f}")
assert together(X, y) > 0.3
assert abs(together(drawn, labels)) < 0.03

# %% [markdown]
# ## It believes itself
#
# On its own draws the model is always right, and nearly always sure: there the columns *are* independent. On real
# digits it is as sure, and right nine times out of ten. A model's opinion of itself is no evaluation.

# %%
for name, rows, truth in (("its own draws", drawn, labels), ("real digits", X_new, y_new)):
    sure = model.predict_proba(rows).max(axis=1).mean()
    print(f"{name:14} right {model.score(rows, truth):.1%}, on average sure to {sure:.1%}")
again = GaussianNB(var_smoothing=1e-3).fit(drawn, labels)
print(f"learned from draws only, real digits: {again.score(X_new, y_new):.1%}")
assert model.score(drawn, labels) > 0.99
assert abs(again.score(X_new, y_new) - model.score(X_new, y_new)) < 0.03

# %% [markdown]
# The last line: a model taught by draws alone is as good as its teacher. All that Naive Bayes knows is in the means
# and variances, and the draws carry them over.
#
# ## Better draws: more classes
#
# If each digit is divided into a few ways of writing it, the columns are more nearly independent within each way. The
# label becomes a pair, (digit, way), found by k-means; the model is the same.

# %%
way = np.zeros(len(y), dtype=int)
for digit in range(10):
    way[y == digit] = KMeans(8, n_init=4, random_state=0).fit_predict(X[y == digit])
finer = GaussianNB(var_smoothing=1e-2).fit(X, 8 * y + way)
plain = GaussianNB(var_smoothing=1e-2).fit(X, y)
written, written_way = finer.sample(5000, random_state=0)
right = np.mean(finer.predict(X_new) // 8 == y_new)
print(f"one way to write a digit: {plain.score(X_new, y_new):.0%}, eight ways: {right:.0%}")
print(f"pixel and the one below, drawn within a digit: {together(written, written_way // 8):+.1f}")
assert right > plain.score(X_new, y_new) + 0.02
assert together(written, written_way // 8) > 0.1

show(
    {"one way": first(drawn, labels), "eight ways": first(written, written_way // 8)},
    "Digits drawn with one class each are noisy; drawn with eight classes each they have strokes",
)

# %% [markdown]
# **Remember.** `sample` shows what a model has understood. Whatever the draws lack, the model cannot use: here
# strokes, in texts the order of words.
#
# **Try.** Draw from `BernoulliNB(binarize=8)` instead. Which digits survive, and which melt into each other?
