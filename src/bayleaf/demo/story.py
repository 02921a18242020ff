"""Story: the chapters of the tour. A sentence, then a command or a few lines that show it."""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import NamedTuple

from bayleaf.demo import digits, lecture
from bayleaf.demo.samples import CUSTOMER

DRAWS = find_spec("matplotlib") is not None
MISSING = "Pages and pictures need matplotlib: pip install 'bayleaf[plot]'"


class Type(NamedTuple):
    """A command to type after `bayleaf`; {out} stands for the folder of the tour, {box} for that of its mails."""

    words: str


class Export(NamedTuple):
    """A variable of the environment to set before."""

    name: str
    value: str


class Chapter(NamedTuple):
    """A heading and what follows: sentences, commands, and functions that print."""

    title: str
    steps: Sequence[str | Type | Export | Callable[[], None]]


LECTURE = Chapter(
    "1  Six mails, a seventh, and all of the arithmetic",
    [
        "Naive Bayes counts words per class and multiplies. Nothing is hidden, so nothing has to be believed:",
        lecture.show,
    ],
)

DIGITS = Chapter(
    "2  Learning is a sum, so it can be split, merged and taken back",
    [
        """1,797 handwritten digits, half to learn and half to test. Leave-one-out judges every learned image as if it
        had not been learned, in one pass and without refitting.""",
        digits.show,
    ],
)

MAILBOX = Chapter(
    "3  A mailbox",
    [
        """The office of a translator: 135 old mails in fifteen languages, sorted by hand. They ship with the package,
        and every one of them is invented.""",
        Export("BAYLEAF_STORE", "{box}/store.db"),
        Type("mail learn --ham {box}/ham --spam {box}/spam"),
        """The figures are honest: each mail is judged as if it had not been learned, and with so few of them the filter
        says "unsure" rather than lose one. Now some that are new. A pharmacist writes about pills, but to a friend:""",
        Type("mail judge --explain -n 6 {box}/new/pharmacist.eml"),
        "This one hides words in its mark-up that are there for filters only:",
        Type("mail judge --explain -n 6 {box}/new/bitcoin.eml"),
        """The colleague who asks for an urgent transfer, somebody who pretends to be that colleague, and a bank that is
        none, in Japanese:""",
        Type("mail judge {box}/new/transfer.eml {box}/new/boss.eml {box}/new/japanese-bank.eml"),
        """The last is phishing from the stolen account of a customer, a reply to a question that was really asked. The
        filter falls for it, as a person would. Tell it:""",
        Type("mail judge {box}/new/reply.eml"),
        Type("mail correct spam {box}/new/reply.eml"),
        Type("mail judge {box}/new/reply.eml"),
        """A letter about an inheritance is nobody's business. Forgetting is exact, and a recount of the whole store
        proves it:""",
        Type("mail forget {box}/ham/private.eml"),
        Type("mail check"),
        """How good is the filter on this mailbox? All mails in random order, each judged before its label is told.
        1-ROCA% is how often a ham scores above a spam, hm% the ham lost, sm% the spam not caught.""",
        Type("mail evaluate --ham {box}/ham --spam {box}/spam"),
    ],
)

TABLE = Chapter(
    "4  A labelled table",
    [
        """300 letters to a shop: the text, how it came in, minutes waited, earlier orders (where known), and the team
        that answered. Columns are taken for what they look like; who wrote should not matter.""",
        Type("train {out}/letters.csv --label team --columns customer=ignore -o {out}/letters.bayleaf"),
        """No rows were held back for that estimate: each was judged by the counts without it. One answer, with all of
        its arithmetic:""",
        Type(
            "explain {out}/letters.bayleaf 'message=I sent the lamp back weeks ago, where is my refund?' "
            "channel=form minutes_waited=80"
        ),
        "The whole evaluation, as a page to look at and as pictures:" if DRAWS else f"The whole evaluation. {MISSING}",
        Type(
            "evaluate {out}/letters.csv --label team --columns customer=ignore "
            + ("--report {out}/report.html --plot {out}/pictures" if DRAWS else "")
        ),
        "Labels for new rows, as any program can read them:",
        Type("predict {out}/letters.bayleaf {out}/new-letters.csv"),
        f"""Customer {CUSTOMER} wants to be forgotten. Counts can be subtracted: they are then, bit for bit, those of a
        model that never saw the rows. The receipt:""",
        Type("forget {out}/letters.bayleaf {out}/one-customer.csv --label team"),
        "The offices north and south may not share their letters, so they share their counts:",
        Type("train {out}/north.csv --label team --columns customer=ignore -o {out}/north.bayleaf -q"),
        Type("train {out}/south.csv --label team --columns customer=ignore -o {out}/south.bayleaf -q"),
        Type("merge {out}/north.bayleaf {out}/south.bayleaf -o {out}/both.bayleaf"),
        "And since the model is a distribution, letters can be drawn from it. They are words in no order:",
        Type("sample {out}/both.bayleaf -n 3 --seed 1"),
    ],
)

CHAPTERS = [LECTURE, DIGITS, MAILBOX, TABLE]

NEXT = """
Your own table or texts, and how good that is before it is used:
  bayleaf train your.csv --label COLUMN -o your.bayleaf
  bayleaf evaluate your.csv --label COLUMN --report r.html

Your own mail, and what a new one is and why:
  bayleaf mail learn --ham ~/Mail/Inbox --spam ~/Mail/Junk
  bayleaf mail judge --explain some-mail.eml

The rest:
  bayleaf -h
"""
