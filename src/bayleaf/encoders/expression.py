"""Python regular expressions in the dialect of the native engine, where both mean the same."""

import functools
import re
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from bayleaf._core import TextPlan
from bayleaf.encoders.characters import runs

_CLASSES = {
    op.CATEGORY_WORD: (r"\w+", ""),
    op.CATEGORY_NOT_WORD: (r"\w+", "^"),
    op.CATEGORY_SPACE: (r"\s+", ""),
    op.CATEGORY_NOT_SPACE: (r"\s+", "^"),
    op.CATEGORY_DIGIT: (r"\d+", ""),
    op.CATEGORY_NOT_DIGIT: (r"\d+", "^"),
}
_PLACES = {op.AT_BEGINNING: r"\A", op.AT_BEGINNING_STRING: r"\A", op.AT_END_STRING: r"\z"}
_EDGES = {op.AT_BOUNDARY: r"(?-u:\b)", op.AT_NON_BOUNDARY: r"(?-u:\B)"}


class Expression(NamedTuple):
    """A native pattern, and whether it agrees with Python on ASCII texts only."""

    pattern: str
    ascii_only: bool


class _DiffersError(Exception):
    """The two engines may give different answers."""


@functools.lru_cache(maxsize=256)
def translate(pattern: str) -> Expression | None:
    r"""Return the pattern for the native engine, or None where only Python's own engine will do.

    The pattern is read by Python's parser and written anew, so that no difference in syntax can slip through; word,
    digit and space classes are spelled out as the running Python has them. Refused are empty matches, look-around,
    back-references, flags, groups inside repetitions and what becomes too large. A word boundary agrees on ASCII texts
    only.

    >>> translate("[ab]+c?")
    Expression(pattern='(?:[\\x{61}\\x{62}]){1,}(?:\\x{63}){0,1}', ascii_only=False)
    >>> translate("(?<=a)b") is None
    True
    """
    tree = _parser.parse(pattern)
    if tree.state.flags & ~(re.UNICODE | re.VERBOSE) or tree.getwidth()[0] == 0 or tree.state.groups > 2:
        return None
    try:
        native = _sequence(tree, repeated=False)
        _compile(native)
    except _DiffersError:
        return None
    return Expression(native, any(edge in native for edge in _EDGES.values()))


def _compile(native: str) -> None:
    plain: dict[str, Any] = {"lowercase": False, "strip_accents": None, "stemmer": None, "unspaced": False}
    try:
        TextPlan(analyzer="word", pattern=native, ngrams=(1, 1), skip=0, stop_words=(), **plain)
    except ValueError:  # repetitions of large classes can pass the engine's limit of 64 MB
        raise _DiffersError from None


def _sequence(nodes: Any, repeated: bool) -> str:
    return "".join(_node(kind, value, repeated) for kind, value in nodes)


def _node(kind: Any, value: Any, repeated: bool) -> str:
    if kind is op.LITERAL:
        return _letter(value)
    if kind is op.NOT_LITERAL:
        return f"[^{_letter(value)}]"
    if kind is op.ANY:
        return r"[^\n]"
    if kind is op.IN:
        return _set(value)
    if kind is op.AT and value in _PLACES | _EDGES:
        return (_PLACES | _EDGES)[value]
    if kind is op.BRANCH:
        return "(?:" + "|".join(_sequence(branch, repeated) for branch in value[1]) + ")"
    if kind is op.SUBPATTERN:
        return _group(value, repeated)
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT):
        least, most, body = value
        limit = "" if most is op.MAXREPEAT else most
        return f"(?:{_sequence(body, True)}){{{least},{limit}}}" + ("?" if kind is op.MIN_REPEAT else "")
    raise _DiffersError


def _group(value: Any, repeated: bool) -> str:
    number, add, remove, body = value
    if add or remove or (number is not None and repeated):
        raise _DiffersError
    return ("(?:" if number is None else "(") + _sequence(body, repeated) + ")"


def _set(items: Any) -> str:
    negated = items[0][0] is op.NEGATE
    return f"[{'^' if negated else ''}" + "".join(_member(*item) for item in items[negated:]) + "]"


def _member(kind: Any, value: Any) -> str:
    if kind is op.LITERAL:
        return _letter(value)
    if kind is op.RANGE:
        return f"{_letter(value[0])}-{_letter(value[1])}"
    if kind is op.CATEGORY and value in _CLASSES:
        pattern, negation = _CLASSES[value]
        spelled = "".join(f"{_letter(a)}-{_letter(b)}" for a, b in runs(pattern))
        return f"[{negation}{spelled}]"
    raise _DiffersError


def _letter(code: int) -> str:
    if 0xD800 <= code < 0xE000:
        raise _DiffersError
    return f"\\x{{{code:x}}}"
