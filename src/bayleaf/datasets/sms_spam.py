"""The SMS Spam Collection."""

from __future__ import annotations

from bayleaf.datasets.archive import members
from bayleaf.datasets.dataset import Dataset
from bayleaf.datasets.remote import Remote
from bayleaf.errors import DataError

REMOTE = Remote(
    "smsspamcollection.zip",
    ("https://archive.ics.uci.edu/ml/machine-learning-databases/00228/smsspamcollection.zip",),
    "1587ea43e58e82b14ff1f5425c88e17f8496bfcdb67a583dbff9eefaf9963ce3",
)


def load_sms_spam() -> Dataset:
    """The SMS Spam Collection v.1: 5,574 short messages in English, 747 of them spam (Almeida, Gómez Hidalgo 2011).

    Fetched once (0.2 MB). It has one part, "all", and about 400 messages that occur more than once.
    """
    texts, labels = [], []
    path = REMOTE.path()
    for name, content in members(path):
        if name.rpartition("/")[2] == "SMSSpamCollection":
            for line in content.decode("utf-8", "replace").replace("\r", "").split("\n"):
                label, tab, text = line.partition("\t")
                if tab:
                    labels.append(label)
                    texts.append(text)
    if not texts:
        raise DataError(
            f"{path}: found no file SMSSpamCollection with messages in it; delete it and it is fetched again"
        )
    return Dataset(
        texts,
        labels,
        ["all"] * len(texts),
        f"SMS Spam Collection v.1, {len(texts)} messages",
        "https://archive.ics.uci.edu/dataset/228/sms+spam+collection",
        "CC BY 4.0",
    )
