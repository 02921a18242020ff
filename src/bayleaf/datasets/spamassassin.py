"""The public corpus of SpamAssassin."""

from __future__ import annotations

from bayleaf.datasets.archive import members
from bayleaf.datasets.dataset import Dataset
from bayleaf.datasets.remote import Remote
from bayleaf.errors import DataError
from bayleaf.mail.pieces import split
from bayleaf.readers.visible import Visible

HOME = "https://spamassassin.apache.org/old/publiccorpus/"
PARTS = {
    part: Remote(f"20030228_{part}.tar.bz2", (f"{HOME}20030228_{part}.tar.bz2",), None)
    for part in ("easy_ham", "easy_ham_2", "hard_ham", "spam", "spam_2")
}


def load_spamassassin() -> Dataset:
    """The SpamAssassin public corpus of 28 February 2003: 6,047 raw mails, 1,897 of them spam.

    Fetched once (8 MB in five files). `mails` are the raw mails, `texts` their subjects and the text that is seen. The
    parts are easy_ham, easy_ham_2, hard_ham, spam and spam_2.
    """
    mails: list[bytes] = []
    labels: list[str] = []
    parts: list[str] = []
    for part, remote in PARTS.items():
        path = remote.path()
        before = len(mails)
        for name, content in members(path):
            if name.rpartition("/")[2] != "cmds":  # the shell script that named the files
                mails.append(next(split(content)))
        if len(mails) == before:
            raise DataError(f"{path}: found no mails in it; delete it and it is fetched again")
        parts += [part] * (len(mails) - before)
        labels += ["spam" if part.startswith("spam") else "ham"] * (len(mails) - before)
    seen = map(Visible.read, mails)
    return Dataset(
        ["\n".join(filter(None, (mail.subject, mail.text))) for mail in seen],
        labels,
        parts,
        f"SpamAssassin public corpus 20030228, {len(mails)} mails",
        HOME,
        "public, for testing filters; the texts belong to their senders",
        mails,
    )
