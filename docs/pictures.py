"""Draw the pictures of the README and the docs again: `python docs/pictures.py`."""

from pathlib import Path

from bayleaf.demo import digits, picture

X, X_new, y, _ = digits()
picture(Path(__file__).parent / "img" / "digits.png", X, y, X_new)
