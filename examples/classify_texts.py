"""Texts in, labels with reasons out, kept in a file that runs no code when it is loaded.

It prints:

    ['delivery' 'billing']
    parcel is among the reasons: True
    the same after loading: True
"""

import tempfile
from pathlib import Path

import bayleaf
from bayleaf import TextClassifier

texts = [
    "where is my parcel?",
    "the parcel came too late",
    "no parcel yet, and no word from the driver",
    "the invoice is wrong",
    "you charged my card twice",
    "please send the invoice again",
]
labels = ["delivery"] * 3 + ["billing"] * 3
clf = TextClassifier().fit(texts, labels)
print(clf.predict(["a parcel for the neighbour", "charged again"]))

clues = clf.explain("Is the parcel on its way?").clues
print("parcel is among the reasons:", "parcel" in [clue.name for clue in clues])

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "letters.bayleaf"
    clf.save(path)
    print("the same after loading:", (bayleaf.load(path).predict_proba(texts) == clf.predict_proba(texts)).all())
