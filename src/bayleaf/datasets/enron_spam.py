"""Enron-Spam."""

from __future__ import annotations

from bayleaf.datasets.archive import members
from bayleaf.datasets.dataset import Dataset
from bayleaf.datasets.remote import Remote
from bayleaf.errors import DataError

HOMES = ("http://www2.aueb.gr/users/ion/data/enron-spam/", "http://www.aueb.gr/users/ion/data/enron-spam/")
PARTS = {
    part: Remote(f"{part}.tar.gz", tuple(f"{home}preprocessed/{part}.tar.gz" for home in HOMES), None)
    for part in ("enron1", "enron2", "enron3", "enron4", "enron5", "enron6")
}


def load_enron_spam() -> Dataset:
    """Enron-Spam, preprocessed: 33,716 mails of six people, 17,171 of them spam.

    From Metsis, Androutsopoulos, Paliouras: Spam filtering with naive Bayes – which naive Bayes? (CEAS 2006). Fetched
    once (about 12 MB in six files). A text is a subject and a body, without headers. The parts are enron1 to enron6,
    each in the order of time, as incremental evaluation wants it.
    """
    texts, labels, parts = [], [], []
    for part, remote in PARTS.items():
        path = remote.path()
        found = []
        for name, content in members(path):
            # enron1/ham/0001.1999-12-10.farmer.ham.txt: number, date, whose, label
            label = name.split("/")[-2] if name.count("/") else ""
            if label in ("ham", "spam") and name.endswith(".txt"):
                found.append((name.rpartition("/")[2], label, content))
        if not found:
            raise DataError(f"{path}: found no mails in folders ham and spam; delete it and it is fetched again")
        found.sort(key=lambda mail: [*mail[0].split(".")[1:2], mail[0]])
        texts += [content.decode("latin-1") for _, _, content in found]
        labels += [label for _, label, _ in found]
        parts += [part] * len(found)
    return Dataset(
        texts, labels, parts, f"Enron-Spam preprocessed, {len(texts)} mails", HOMES[0], "public, for research"
    )
