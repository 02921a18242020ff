"""The running Python's own idea of letters, spaces, lower case and accents, for the native encoder.

Python's Unicode version grows with its releases (14 in 3.11, 15.1 in 3.13). Where results must equal those of Python's
`re` and `str.lower`, the tables are therefore read from the interpreter itself, once per process and only when needed:
20 ms, and 100 ms more for accents (measured on one x86-64 core).
"""

import functools
import re
import unicodedata

import numpy as np

from bayleaf._core import TextChars

LAST = 0x40000  # no letter, digit, space or accent lies above plane 3; a test looks at every code point


@functools.cache
def characters(accents: bool = False) -> TextChars:
    """Return the table, with accent-free forms if asked for.

    >>> characters().about(ord("Ä"))  # word character, space, lower case
    (True, False, 228)
    """
    return TextChars(runs(r"\w+"), runs(r"\s+"), _lower(), _bare() if accents else None)


@functools.cache
def runs(pattern: str) -> list[tuple[int, int]]:
    """Return first and last code point of every run that the pattern matches in the row of all code points."""
    return [(m.start(), m.end() - 1) for m in re.finditer(pattern, _every())]


@functools.cache
def _every() -> str:
    return np.arange(LAST, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")


def _lower() -> list[tuple[int, list[int]]]:
    # İ is the only one whose lower case is longer; the rest of the row keeps its length and can be compared at once.
    text = _every().replace("İ", "i")
    low = text.lower()
    if len(low) != len(text):
        return [(c, [ord(x) for x in chr(c).lower()]) for c in range(LAST) if chr(c).lower() != chr(c)]
    before, after = (np.frombuffer(s.encode("utf-32-le", "surrogatepass"), "<u4") for s in (text, low))
    changed = np.flatnonzero(before != after)
    pairs = [(int(c), [int(after[c])]) for c in changed if c != 0x130]
    return [*pairs, (0x130, [ord(x) for x in "İ".lower()])]


def _bare() -> dict[int, str]:
    codes = [c for c in range(0x80, LAST) if not 0xD800 <= c < 0xE000]
    # A line feed has no accents and keeps its neighbours apart, so one call normalises them all.
    forms = unicodedata.normalize("NFKD", "\n".join(map(chr, codes))).split("\n")
    combining = unicodedata.combining
    changed = (
        (c, form) for c, form in zip(codes, forms, strict=True) if len(form) > 1 or ord(form) != c or combining(form)
    )
    return {c: "".join(x for x in form if not combining(x)) for c, form in changed}
