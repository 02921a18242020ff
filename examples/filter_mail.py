"""A mail filter: teach it, ask it, correct it, and take a mail back.

It prints:

    learned learned
    spam
    the clues add up: True
    left: {'spam': 1, 'ham': 0}
"""

from bayleaf.mail import Filter

spam = b"From: deals@example.net\nSubject: cheap pills\n\nBuy cheap pills now, limited offer"
ham = b"From: ann@example.org\nSubject: lunch\n\nLunch at noon? The usual place."
new = b"From: x@example.net\nSubject: pills\n\ncheap pills, buy now"

with Filter.open(":memory:") as mails:  # a path keeps what was learned
    print(mails.train(spam, "spam"), mails.train(ham, "ham"))
    verdict = mails.judge(new)
    print(verdict.best)
    print("the clues add up:", abs(sum(clue.summand for clue in verdict.clues) - verdict.score) < 1e-9)
    mails.untrain(ham)  # a private mail that should not have been learned
    print("left:", mails.status()["mails"])
