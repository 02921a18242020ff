"""Built-in stop words by language, from Stopwords ISO (MIT, see stop_lists/NOTICE), read when they are asked for."""

import functools
from pathlib import Path

_FOLDER = Path(__file__).with_name("stop_lists")


@functools.cache
def languages() -> tuple[str, ...]:
    """Return the ISO 639-1 codes of the languages that have a list.

    >>> "de" in languages()
    True
    """
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.txt")))


@functools.cache
def stop_words(language: str) -> frozenset[str]:
    """Return the stop words of a language.

    >>> "und" in stop_words("de")
    True
    """
    if language not in languages():
        raise ValueError(f"no stop words for language {language!r}; there are lists for {', '.join(languages())}")
    return frozenset((_FOLDER / f"{language}.txt").read_text("utf-8").split("\n")) - {""}
