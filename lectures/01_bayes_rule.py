# %% [markdown]
# # 1. Bayes' rule and the naive assumption
#
# From what a class looks like to which class it is, and why the table that would need has more cells than there are
# atoms.
#
# Six mails have been read and sorted by hand. A new one comes: is it spam? All of the course answers this question,
# and this page does it with nothing but counting.

# %%
import matplotlib.pyplot as plt
import numpy as np

from bayleaf import BernoulliNB

mails = {
    "send us your password": "spam",
    "send us your review": "ham",
    "review password": "ham",
    "review us": "spam",
    "send your password": "spam",
    "send us your account": "spam",
}
labels = list(mails.values())
vocabulary = sorted({word for mail in mails for word in mail.split()})
X = np.array([[word in mail.split() for word in vocabulary] for mail in mails], dtype=float)
print(vocabulary)
print(X.astype(int))

# %% [markdown]
# ## One word
#
# Say the new mail contains the word *review*. We know how often it occurs in each class, P(review | class), and how
# frequent the classes are, P(class). We want the reverse, P(class | review). Both products below are the probability
# of "this class *and* this word", so they are equal, and dividing by P(review) gives Bayes' rule:
#
#     P(class | review) P(review)  =  P(review | class) P(class)
#
#     P(class | review)  =  P(review | class) P(class) / P(review)
#     posterior          =  likelihood × prior / evidence
#
# As a picture: the width of a column is the prior, the full colour goes up to the likelihood, so each area in full
# colour is a product. The posterior of a class is its share of them.

# %%
prior = {label: labels.count(label) / len(labels) for label in ("ham", "spam")}
likelihood = {
    label: np.mean(["review" in mail.split() for mail, its in mails.items() if its == label])
    for label in prior
}
area = {label: prior[label] * likelihood[label] for label in prior}
posterior = {label: area[label] / sum(area.values()) for label in prior}
for label, share in prior.items():
    print(
        f"{label:5} prior {share:.3f}  likelihood {likelihood[label]:.3f}  posterior {posterior[label]:.3f}"
    )

fig, ax = plt.subplots(
    num="A unit square in two columns, ham and spam, each coloured up to its likelihood",
    figsize=(5.2, 3.4),
)
left = 0.0
for colour, label in zip(("C0", "C1"), prior, strict=True):
    ax.bar(left, 1, prior[label], align="edge", color=colour, alpha=0.15, linewidth=1)
    ax.bar(
        left, likelihood[label], prior[label], align="edge", color=colour, alpha=0.55, linewidth=1
    )
    words = f"{label}\narea {area[label]:.3f}\nposterior {posterior[label]:.0%}"
    ax.text(left + prior[label] / 2, likelihood[label] + (-0.04 if label == "ham" else 0.04), words, ha="center",
            va="top" if label == "ham" else "bottom")  # fmt: skip
    left += prior[label]
ax.set(
    xlim=(0, 1),
    ylim=(0, 1.02),
    xlabel="prior P(class), as width",
    ylabel="likelihood P(review | class), as height",
)
plt.show()

# %% [markdown]
# The package does the same. One column, no smoothing:

# %%
review = vocabulary.index("review")
one_word = BernoulliNB(alpha=0.0).fit(X[:, [review]], labels)
print(one_word.classes_, one_word.predict_proba([[1.0]]).round(3))
assert np.allclose(one_word.predict_proba([[1.0]])[0], list(posterior.values()))

# %% [markdown]
# ## A whole mail
#
# A mail is a sequence of words x₁ … x_d. Nothing changes in the rule, but the likelihood is now that of the whole
# sequence, and for each class a table has to hold one number for each possible mail:
#
#     |C| + |C| |V|^d       priors, and every sequence of d words from a vocabulary V, for every class
#
# No collection of mails fills it: almost every mail of more than a few words occurs once, and never again. The **naive
# assumption** is that within a class the words are drawn independently of each other and of their place,
#
#     P(x₁ … x_d | c)  =  P(x₁ | c) P(x₂ | c) … P(x_d | c)
#
# and then one number per word and class is enough:
#
#     |C| + |C| |V|
#
# For two classes, a vocabulary of 10,000 words and mails of 100 words:

# %%
classes, words, length = 2, 10_000, 100
full, naive = classes + classes * words**length, classes + classes * words
print(f"full table: a number with {len(str(full))} digits")
print(f"naive:      {naive:,}")
assert naive == 20_002
assert len(str(full)) == 401

# %%
lengths = np.arange(1, 101)
fig, ax = plt.subplots(
    num="Powers of ten against the length of a mail: the full table climbs to 400, naive stays at 4",
    figsize=(5.6, 3.4),
)
ax.plot(lengths, np.log10(2.0) + lengths * np.log10(words), color="C1", linewidth=1.8)
ax.plot(lengths, np.full(100, np.log10(naive)), color="C0", linewidth=1.8)
ax.axhline(80, color="C2", linewidth=1, linestyle="--")
ax.text(62, 265, "every mail\n|C| + |C| |V|^d", ha="right")
ax.text(99, 12, "naive: |C| + |C| |V|", ha="right")
ax.text(99, 88, "atoms of the universe", ha="right")
ax.set(
    xlim=(1, 100),
    ylim=(0, 420),
    xlabel="d, words in a mail",
    ylabel="parameters, as a power of ten",
)
plt.show()

# %% [markdown]
# What the package keeps of a set of mails has exactly that size: a count per class, and a table of classes × words. It
# does not grow with the number of mails.

# %%
nb = BernoulliNB(alpha=0.0).fit(X, labels)
kept = nb.class_count_.size + nb.feature_count_.size
print(nb.feature_count_.astype(int), kept)
assert kept == 2 + 2 * len(vocabulary)

# %% [markdown]
# ## How naive is it?
#
# Quite. Three of the four spam mails have *send*, three have *your*, and they are the same three. If the words were
# independent, both would be in 3/4 × 3/4 of them:

# %%
spam = X[np.array(labels) == "spam"]
send, your = (spam[:, vocabulary.index(word)] for word in ("send", "your"))
print(f"P(send and your | spam) = {np.mean(send * your):.4f}")
print(f"P(send | spam) P(your | spam) = {send.mean() * your.mean():.4f}")
assert np.mean(send * your) == 3 / 4
assert send.mean() * your.mean() == 9 / 16

# %% [markdown]
# The assumption is wrong here and nearly everywhere. It can still name the right class, because the largest product
# has only to stay the largest; the probabilities suffer more, and lectures 9 and 16 come back to both.
#
# **Remember.** Posterior = likelihood × prior / evidence. The naive assumption replaces one number per possible mail
# by one number per word, and this is the only thing in Naive Bayes that is naive.
#
# **Try.** Change one label so that P(ham | review) becomes 1/3. Why can no change of labels make it 1/2?
