"""Draw the pictures of the README and the docs again: `python docs/pictures.py`."""

from pathlib import Path

from bayleaf.demo import digits, picture, six_mails

X, X_new, y, _ = digits()
picture(Path(__file__).parent / "img" / "digits.png", six_mails(), X, y, X_new)
