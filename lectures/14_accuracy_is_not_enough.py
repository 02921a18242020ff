# %% [markdown]
# # 14. Accuracy is not enough
#
# One mail in a hundred is spam, and a filter that never says spam is right 99 times out of 100. Precision, recall and
# F say what accuracy hides.
#
# Accuracy is the share of right answers. It treats both kinds of error alike and lets the larger class decide:
#
#     accuracy   =  (TP + TN) / all          how much is right
#     precision  =  TP / (TP + FP)           of what was called spam, how much is
#     recall     =  TP / (TP + FN)           of the spam, how much was called so
#     F1         =  2 · precision · recall / (precision + recall)

# %%
import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import norm
from sklearn.datasets import load_digits

from bayleaf import GaussianNB
from bayleaf.evaluate.scores import measure

rng = np.random.default_rng(14)

# %% [markdown]
# ## The same classes, ever rarer
#
# The simplest case whose answers can be worked out on paper: one column, N(0, 1) for ham and N(2, 1) for spam. Only
# the share π of spam changes. Bayes' rule says spam where x > t = 1 + ½ log((1 − π)/π), and hence
#
#     recall = Φ(2 − t)     false alarms = Φ(−t)     precision = π recall / (π recall + (1 − π) false alarms)


# %%
def mails(share, rows=200_000):
    """A column and labels, `share` of them spam."""
    spam = rng.random(rows) < share
    return rng.normal(2.0 * spam)[:, None], np.where(spam, "spam", "ham")


def by_hand(share):
    limit = 1 + 0.5 * np.log((1 - share) / share)
    recall, alarms = norm.cdf(2 - limit), norm.cdf(-limit)
    hits = share * recall
    precision = hits / (hits + (1 - share) * alarms)
    return {
        "accuracy": hits + (1 - share) * (1 - alarms),
        "precision": precision,
        "recall": recall,
        "F1": 2 * precision * recall / (precision + recall),
    }


print(f"{'spam':>6} {'always ham':>11} {'accuracy':>9} {'precision':>10} {'recall':>7} {'F1':>6}")
for share in (0.5, 0.1, 0.01):
    model = GaussianNB().fit(*mails(share))
    X, y = mails(share)
    scores = measure(model.classes_, y, model.predict_log_proba(X))
    spam = scores.classes[1]
    found = (scores.accuracy.value, spam.precision.value, spam.recall.value, spam.f1.value)
    print(
        f"{share:6.0%} {scores.baseline:11.2f} {found[0]:9.2f} {found[1]:10.2f} {found[2]:7.2f} {found[3]:6.2f}"
    )
    assert np.allclose(found, list(by_hand(share).values()), atol=0.06)

# %% [markdown]
# As spam gets rarer, accuracy climbs from 84 to 99 %, no better than always ham, while recall falls from 84 to 9 %.
# The filter does nothing wrong. It *is* most often right by saying ham; to ask for accuracy was the mistake.

# %%
shares = np.geomspace(0.001, 0.5, 100)
curves = {name: [by_hand(share)[name] for share in shares] for name in by_hand(0.5)}
assert curves["accuracy"][0] > 0.998
assert curves["recall"][0] < 0.01

said = "As spam gets rarer, accuracy rises to that of always ham, precision sinks slowly, recall and F1 fall to nothing"
figure, ax = plt.subplots(num=said, figsize=(7.4, 3.7))
ax.plot(
    shares, 1 - shares, color="C3", linewidth=1.2, linestyle="--", label="accuracy of always ham"
)
for colour, (name, line) in zip(("C0", "C4", "C1", "C2"), curves.items(), strict=True):
    ax.plot(shares, line, color=colour, linewidth=1.8, label=name)
ax.set(xscale="log", xlabel="share of spam", ylabel="measure", ylim=(0, 1.02))
ax.xaxis.set_major_formatter(lambda share, _: f"{share:.1%}")
ax.invert_xaxis()
ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
plt.show()

# %% [markdown]
# ## Say what an error costs
#
# A lost mail hurts more than an unwanted one. If a false alarm costs a and a miss costs b, calling a mail spam is
# cheaper when P(spam | x) · b > P(ham | x) · a, that is where
#
#     P(spam | x)  >  a / (a + b)
#
# So nothing has to be learned again: the probabilities stay, the limit moves. Moving it from one end to the other
# draws the two curves below, for half spam and for one in a hundred.

# %%
said = "The two ROC curves coincide; the precision-recall curve of one spam in a hundred lies far below the other"
figure, (left, right) = plt.subplots(1, 2, num=said, figsize=(9, 3.8))
rankings = {}
for colour, share in (("C0", 0.5), ("C1", 0.01)):
    X, y = mails(share)
    ranking = measure(model.classes_, y, GaussianNB().fit(X, y).predict_log_proba(X)).rankings[0]
    rankings[share] = ranking
    left.plot(ranking.false_positive_rate, ranking.true_positive_rate, color=colour)
    right.plot(ranking.recall[1:], ranking.precision[1:], color=colour, label=f"{share:.0%} spam")
    print(
        f"{share:4.0%} spam: ROC area {ranking.roc_auc:.2f}, average precision {ranking.average_precision:.2f}"
    )
left.set(xlabel="false positive rate", ylabel="true positive rate = recall", title="ROC")
right.set(xlabel="recall", ylabel="precision", title="precision and recall", ylim=(0, 1.03))
right.legend(loc="lower left")
plt.show()
theory = norm.cdf(np.sqrt(2))  # P(a spam has the larger x) for means 2 apart
assert all(abs(ranking.roc_auc - theory) < 0.015 for ranking in rankings.values())
assert rankings[0.01].average_precision < rankings[0.5].average_precision - 0.4

# %% [markdown]
# ROC does not see the share of spam at all, since both its axes are shares *within* a class. Where one class is rare,
# look at precision and recall.
#
# ## On real data
#
# Is this digit an 8? One in ten is. `measure` gives every figure with its interval, and says where it misleads.

# %%
X, y = load_digits(return_X_y=True)
eight = np.where(y == 8, "8", "not 8")
model = GaussianNB(var_smoothing=1e-2).fit(X, eight)
log_proba = model.loo_predict_log_proba(X, eight)  # each digit judged by the others
scores = measure(model.classes_, eight, log_proba)
for line in scores.lines()[:7]:
    print(line)
print()
rare = scores.classes[0]
print(f"precision of 8: {rare.precision}\nrecall of 8:    {rare.recall}\nF1 of 8:        {rare.f1}")
hits, alarms = rare.true_positives, rare.false_positives
assert rare.precision.value == hits / (hits + alarms)
assert scores.accuracy.value < scores.baseline  # less often right than "never an 8"
assert scores.balanced_accuracy.value > 0.8

# %% [markdown]
# Here accuracy misleads the other way. The model is right *less* often than "never an 8", which finds none, and yet
# it finds nearly all of them, at the price of false alarms. Which of the two is better depends on what an alarm
# costs, and that is the question to ask first.
#
# **Remember.** Before an accuracy, say what always answering the larger class would give. On unbalanced data report
# precision and recall of the rare class, with intervals, and choose the limit by what errors cost.
#
# **Try.** A false alarm costs twenty misses. Where is the limit for one spam in a hundred, and how much spam is left?
