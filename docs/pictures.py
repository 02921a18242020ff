"""Draw the pictures of the README and the docs again: `python docs/pictures.py`."""

from pathlib import Path

from bayleaf.demo.picture import picture

picture(Path(__file__).parent / "img" / "digits.png")
