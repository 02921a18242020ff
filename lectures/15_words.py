# %% [markdown]
# # 15. What each treatment of the words brings
#
# Pairs, stems, stop words, tf-idf: each is measured alone, on letters that ship with the package and on three public
# corpora.
#
# Between a text and its counts stands a list of decisions that text books recommend with confidence. What does each
# of them bring a multinomial model? First, what they do to one sentence:

# %%
import csv
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import StratifiedKFold

from bayleaf import MultinomialNB
from bayleaf.demo.samples import LETTERS
from bayleaf.text import CountVectorizer, TfidfVectorizer

PAIRS = {"ngram_range": (1, 2)}
TREATMENTS = {
    "words": CountVectorizer(),
    "upper and lower case": CountVectorizer(lowercase=False),
    "no stop words": CountVectorizer(stop_words="en"),
    "stems": CountVectorizer(stemmer="english"),
    "words of two texts or more": CountVectorizer(min_df=2),
    "present or not": CountVectorizer(binary=True),
    "words and pairs": CountVectorizer(**PAIRS),
    "letters, 3 to 5 in a word": CountVectorizer(analyzer="char_wb", ngram_range=(3, 5)),
    "tf-idf": TfidfVectorizer(),
    "tf-idf of words and pairs": TfidfVectorizer(**PAIRS),
    "all: stems, no stop words, pairs, tf-idf": TfidfVectorizer(
        stemmer="english", stop_words="en", **PAIRS
    ),
}
sentence = "The courier was not delivering the second delivery"
for name in ("words", "no stop words", "stems"):
    print(f"{name:14}", " ".join(TREATMENTS[name].build_analyzer()(sentence)))
pairs = TREATMENTS["words and pairs"].build_analyzer()(sentence)
print(f"{'pairs':14}", ", ".join([pair for pair in pairs if " " in pair][:4]), "...")

# %% [markdown]
# Stop words take "not" away, and stems do not always meet: delivering and delivery stay apart.
#
# ## 300 letters to a shop
#
# Which of four teams should read the letter? Five folds, five times with other folds: each letter is judged five
# times, by models that have not seen it. The smoothing belongs to the treatment, since more columns need less of it,
# so alpha is chosen by leave-one-out on the learned letters only.

# %%
with LETTERS.open(encoding="utf-8") as file:
    letters = list(csv.DictReader(file))
texts = np.array([letter["message"] for letter in letters], dtype=object)
teams = np.array([letter["team"] for letter in letters])


def alone(model, X, y):
    """Leave-one-out accuracy."""
    return np.mean(model.classes_[model.loo_predict_log_proba(X, y).argmax(axis=1)] == y)


def right(vectorizer, learn, judge):
    """Whether each judged letter goes to its team."""
    X = vectorizer.fit_transform(texts[learn])
    model = MultinomialNB().fit(X, teams[learn])
    alpha = max(
        (0.01, 0.1, 1.0), key=lambda alpha: alone(model.set_params(alpha=alpha), X, teams[learn])
    )
    return model.set_params(alpha=alpha).predict(vectorizer.transform(texts[judge])) == teams[judge]


hits = {name: np.zeros(len(texts)) for name in TREATMENTS}
for turn in range(5):
    for learn, judge in StratifiedKFold(5, shuffle=True, random_state=turn).split(texts, teams):
        for name, vectorizer in TREATMENTS.items():
            hits[name][judge] += right(vectorizer, learn, judge)

# %% [markdown]
# What counts is the difference to plain words *on the same letters*. Its interval comes from how it varies from
# letter to letter:

# %%
gains = {}
for name, own in hits.items():
    difference = 100 / 5 * (own - hits["words"])  # of five judgements
    gains[name] = difference.mean(), 1.96 * difference.std(ddof=1) / np.sqrt(len(texts))
    against = "" if name == "words" else f"{gains[name][0]:+5.1f} ± {gains[name][1]:.1f}"
    print(f"{name:42} {own.mean() / 5:6.1%}  {against}".rstrip())

# %% [markdown]
# ## Public corpora
#
# Three hundred letters leave wide intervals. The same treatments on 11,314 posts of 20 Newsgroups (headers,
# signatures and quotations taken out), 5,485 reports of Reuters and 5,171 short messages are in the newest table of
# `python -m benchmarks features`, in `benchmarks/results`, which this page reads:

# %%
# A notebook has no __file__, and runs in its folder.
here = Path(globals().get("__file__", "notebook")).resolve()
newest = max((here.parents[1] / "benchmarks" / "results").glob("*-features-*.md"))
print(newest.name)
corpora, measured = {"300 letters": gains}, {}
for section in newest.read_text(encoding="utf-8").split("\n### ")[1:]:
    title, _, head, _, *lines = section.strip().splitlines()
    title, columns = title.split(",")[0].removesuffix(" stripped"), head.strip("| ").split(" | ")
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    measured[title] = {row[0]: dict(zip(columns, row, strict=True)) for row in cells}
    corpora[title] = {
        name: tuple(map(float, row["against words"].split(" ± ")))
        for name, row in measured[title].items()
        if name != "words"
    }
names = [name for name in TREATMENTS if name != "words"]
print(f"{'points against words':40}", *(f"{title:>13}" for title in corpora))
for name in names:
    shown = ("{:+6.1f} ± {:.1f}".format(*corpora[title][name]) for title in corpora)
    print(f"{name:40}", *(f"{text:>13}" for text in shown))

wins = {name: sum(table[name][0] > table[name][1] for table in corpora.values()) for name in names}
losses = {
    name: sum(table[name][0] < -table[name][1] for table in corpora.values()) for name in names
}
assert max(wins.values()) < len(corpora)  # none wins everywhere
assert wins["tf-idf"] > 0 < losses["tf-idf"]  # the favourite wins here and loses there

# %%
said = "Points of accuracy that each treatment wins or loses against plain words, with intervals, on four corpora"
figure, axes = plt.subplots(1, len(corpora), num=said, figsize=(10.5, 4), sharey=True)
for ax, (title, table) in zip(axes, corpora.items(), strict=True):
    ax.axvline(0, color="C3", linewidth=0.8, linestyle="--")
    for place, name in enumerate(reversed(names)):
        gain, half = table[name]
        colour = "C2" if gain > half else "C1" if gain < -half else "C0"
        ax.errorbar(gain, place, xerr=half, color=colour, marker="o", markersize=5, linewidth=1.4)
    ax.set(title=title, xlabel="points against words")
axes[0].set_yticks(range(len(names)), list(reversed(names)))
plt.show()

# %% [markdown]
# Green is better than plain words by more than the interval, orange worse; of forty comparisons two would be one of
# them by chance. No treatment is green everywhere, and most of them are blue: not to be told from words. Tf-idf wins
# five points on long, chatty posts, where common words drown the rare ones, and loses one on terse reports. (Those
# are in lower case already, hence the zero.) Letters inside words help where texts are short, since a misspelt or
# inflected word still shares most of them.
#
# ## Two things that the picture does not show
#
# On the posts, smoothing matters more than any of this. And everywhere the greatest gift of tf-idf is not accuracy:
# its rows have length 1, so sums of evidence stay small, which cools an overheated model like the temperature of the
# next lecture.

# %%
for title, rows in measured.items():
    words, weighted = rows["words"], rows["tf-idf"]
    accuracy = f"{words['accuracy % at alpha 1']} % at alpha 1, {words['accuracy %']} % at {words['alpha']}"
    print(
        f"{title:13}",
        f"words {accuracy};",
        f"log loss {words['log loss']}, tf-idf {weighted['log loss']}",
    )
    assert float(weighted["log loss"]) < float(words["log loss"]) / 2

# %% [markdown]
# **Remember.** Choose alpha first, by leave-one-out. Then measure a treatment on your own texts, paired and with an
# interval; what it brings elsewhere says little.
#
# **Try.** Add `skip_pairs=2` to the treatments. How many letters would you need to see a gain of one point?
