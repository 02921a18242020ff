# %% [markdown]
# # 3. Bernoulli, multinomial and Gaussian on the same data
#
# Three answers to "how probable is this value, given the class?", side by side on the same mails and the same digits.
#
# Lecture 1 left one thing open: what P(x | c) *is* for a single column. That is the family. The rule, the prior and
# the product stay as they are.
#
#     Bernoulli      there or not     p^x (1 − p)^(1 − x)                    p: share of the rows that have it
#     multinomial    how often        θ^x, and all θ of a class sum to 1     θ: share of all that was counted
#     Gaussian       how much         exp(−(x − μ)² / 2σ²) / √(2πσ²)         μ, σ²: mean and variance
#
# ## The same mails
#
# Four documents and a fifth, from Manning, Raghavan and Schütze, *Introduction to Information Retrieval*, examples
# 13.1 and
# 13.2. Is the last one about China?

# %%
import matplotlib.pyplot as plt
import numpy as np

from bayleaf import BernoulliNB, GaussianNB, MultinomialNB
from bayleaf.text import CountVectorizer

documents = [
    "Chinese Beijing Chinese",
    "Chinese Chinese Shanghai",
    "Chinese Macao",
    "Tokyo Japan Chinese",
]
china = ["yes", "yes", "yes", "no"]
new = ["Chinese Chinese Chinese Tokyo Japan"]
vectorizer = CountVectorizer()
X = vectorizer.fit_transform(documents).toarray()
x = vectorizer.transform(new).toarray()
print(vectorizer.get_feature_names_out())
print(x)

# %%
answers = {}
for model in (MultinomialNB(), BernoulliNB(), GaussianNB(var_smoothing=0.1)):
    name = type(model).__name__
    answers[name] = dict(zip(model.fit(X, china).classes_, model.predict_proba(x)[0], strict=True))
    print(f"{name:14} P(China) = {answers[name]['yes']:.4f}")
assert round(answers["MultinomialNB"]["yes"], 2) == 0.69
yes = 3 / 4 * 4 / 5 * 1 / 5 * 1 / 5 * (1 - 2 / 5) ** 3
no = 1 / 4 * (2 / 3) ** 3 * (1 - 1 / 3) ** 3
assert np.isclose(answers["BernoulliNB"]["yes"], yes / (yes + no))  # 0.005 and 0.022 in the book

# %% [markdown]
# The same four documents, opposite answers. Where do they come from? The three *Chinese* of the new document count
# three times for the multinomial and once for Bernoulli. And Bernoulli alone takes note of what is *not* there: that
# Beijing, Macao and Shanghai are missing speaks against China. `explain` has these terms. (The Gaussian should not
# have been asked: one document that is not about China has a mean and no variance, and what was added to it decides
# alone.)

# %%
multinomial, bernoulli = MultinomialNB().fit(X, china), BernoulliNB().fit(X, china)
names = vectorizer.get_feature_names_out()
odds = {
    type(model).__name__: [
        clue.summands[1] - clue.summands[0] for clue in model.explain(x)[0].clues
    ]
    for model in (multinomial, bernoulli)
}
fig, ax = plt.subplots(
    num="Log-odds for China of six words: absent words count for Bernoulli only, Chinese counts thrice for multinomial",
    figsize=(5.8, 3.2),
)
for shift, colour, (family, values) in zip((-0.2, 0.2), ("C0", "C1"), odds.items(), strict=True):
    ax.bar(np.arange(len(names)) + shift, values, 0.38, color=colour, label=family)
ax.axhline(0, color="0.5", linewidth=0.8)
ax.set_xticks(
    range(len(names)), [f"{name}\n× {count}" for name, count in zip(names, x[0], strict=True)]
)
ax.set(ylabel="log-odds for China", xlabel="word, and how often the new document has it")
ax.legend()
plt.show()
absent = x[0] == 0
assert (np.array(odds["MultinomialNB"])[absent] == 0).all()
assert (np.array(odds["BernoulliNB"])[absent] < 0).all()

# %% [markdown]
# ## The same digits
#
# A pixel of scikit-learn's handwritten digits goes from 0 to 16. Bernoulli asks whether there is ink (more than 8),
# the multinomial takes the value for a count of drops, the Gaussian for a measurement. What each has learned of the
# digit 3 is a picture, one number per pixel:

# %%
from sklearn.datasets import load_digits

digits, labels = load_digits(return_X_y=True)
learn = np.arange(len(digits)) % 2 == 0
models = {
    "Bernoulli: p": BernoulliNB(binarize=8),
    "multinomial: θ": MultinomialNB(),
    "Gaussian: μ": GaussianNB(var_smoothing=0.01),
    "Gaussian: σ": GaussianNB(var_smoothing=0.01),
}
accuracy = {}
for name, model in models.items():
    accuracy[name] = model.fit(digits[learn], labels[learn]).score(digits[~learn], labels[~learn])
learned = [
    np.exp(models["Bernoulli: p"].feature_log_prob_[3]),
    np.exp(models["multinomial: θ"].feature_log_prob_[3]),
    models["Gaussian: μ"].theta_[3],
    np.sqrt(models["Gaussian: σ"].var_[3]),
]
fig, axes = plt.subplots(
    1,
    4,
    num="Four maps of 64 pixels: the digit 3 as each family has learned it",
    figsize=(7.6, 2.1),
)
for ax, name, image in zip(axes, models, learned, strict=True):
    ax.imshow(image.reshape(8, 8), cmap="Greens")
    ax.set_title(name)
    ax.set_axis_off()
plt.show()
for name in list(models)[:3]:
    print(f"{name.partition(':')[0]:12} {accuracy[name]:.1%} of {np.sum(~learn)} other digits")

# %% [markdown]
# Three maps that look alike, and one that knows something the others do not: σ is large where threes differ, around
# the bend in the middle, and small at the sides that no three touches. The multinomial has no such number, and its θ
# are shares of one total: it knows how ink is spread, not how much there is. Twice as much ink in the same places
# doubles each score and leaves the order as it was; for the Gaussian it is another picture.

# %%
others = digits[~learn]
for name in ("multinomial: θ", "Gaussian: μ"):
    changed = (models[name].predict(others) != models[name].predict(2 * others)).mean()
    print(
        f"{name.partition(':')[0]:12} answers otherwise for {changed:.1%} when the ink is doubled"
    )
linear = models["multinomial: θ"]
once, twice = (linear.predict_joint_log_proba(n * others) - linear.class_log_prior_ for n in (1, 2))
assert np.allclose(2 * once, twice)

# %% [markdown]
# ## One column, three likelihoods
#
# One pixel, the one in the middle, in the digits 0 and 1. Bars and curves are P(value | class); where they cross, the
# column changes sides.

# %%
pixel, pair = 8 * 4 + 4, np.isin(labels, [0, 1])
two, which = digits[pair][:, [pixel]], labels[pair]
values = np.arange(17)
gaussian = GaussianNB(var_smoothing=0.01).fit(two, which)
present = BernoulliNB(binarize=8, alpha=0).fit(two, which)
fig, axes = plt.subplots(
    1,
    3,
    num="What zeros and ones have in their middle: as seen, as ink or no ink, as two bells",
    figsize=(8.4, 2.8),
)
for label, colour in ((0, "C0"), (1, "C1")):
    side = -0.2 if label == 0 else 0.2
    seen = np.bincount(two[which == label, 0].astype(int), minlength=17) / np.sum(which == label)
    axes[0].bar(values + side, seen, 0.42, color=colour, label=f"digit {label}")
    ink = np.exp(present.feature_log_prob_[label, 0])
    axes[1].bar(np.array([0, 1]) + side, [1 - ink, ink], 0.38, color=colour)
    mean, variance = gaussian.theta_[label, 0], gaussian.var_[label, 0]
    fine = np.linspace(-4, 22, 260)
    axes[2].plot(
        fine,
        np.exp(-((fine - mean) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance),
        color=colour,
    )
axes[0].legend()
axes[0].set(xlabel="value of the pixel", ylabel="share of the digits", title="as seen")
axes[1].set_xticks([0, 1], ["no ink", "ink"])
axes[1].set(ylabel="P(ink | digit)", title="Bernoulli")
axes[2].set(xlabel="value of the pixel", ylabel="density", title="Gaussian")
plt.show()

# %% [markdown]
# The bell of the ones gives values above 16 a chance that they do not have, and the zeros are not bell-shaped at all.
# A family is a claim about a column, and a column may break it; the class that comes out best is often right all the
# same.
#
# **Remember.** Presence, count or measure: choose by what a *zero* means. For Bernoulli a missing word is evidence,
# for the multinomial it is nothing, for the Gaussian it is the number 0.
#
# **Try.** `MultinomialNB(binary=True)` counts each word of a document once. On which side does the fifth document fall
# now?
