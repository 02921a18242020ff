"""20 Newsgroups."""

from __future__ import annotations

from bayleaf.datasets.archive import members
from bayleaf.datasets.dataset import Dataset
from bayleaf.datasets.remote import Remote
from bayleaf.errors import DataError

HOME = "http://qwone.com/~jason/20Newsgroups/"
REMOTE = Remote(
    "20news-bydate.tar.gz",
    ("https://ndownloader.figshare.com/files/5975967", f"{HOME}20news-bydate.tar.gz"),
    "8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610",
)


def load_20newsgroups() -> Dataset:
    """20 Newsgroups, by date: 18,846 posts in 20 groups, 11,314 of them older ones in the part "train".

    Fetched once (14 MB). The texts are whole posts with their headers; the parts are train and test.
    """
    texts, labels, parts = [], [], []
    path = REMOTE.path()
    for name, content in members(path):
        # 20news-bydate-train/alt.atheism/49960
        folders = name.split("/")
        if len(folders) >= 3 and folders[-3].startswith("20news-bydate-"):
            texts.append(content.decode("latin-1"))
            labels.append(folders[-2])
            parts.append(folders[-3].removeprefix("20news-bydate-"))
    if not texts:
        raise DataError(f"{path}: found no posts in it; delete it and it is fetched again")
    return Dataset(texts, labels, parts, f"20 Newsgroups by date, {len(texts)} posts", HOME, "public, for research")
