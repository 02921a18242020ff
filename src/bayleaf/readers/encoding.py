"""Which encoding a text is in, by its first bytes."""

from __future__ import annotations

import codecs
from contextlib import suppress

from bayleaf.errors import DataError

MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
GIVEN = {  # by name these codecs would take a mark for text
    "utf-8": ("utf-8-sig", b""),
    "utf-16-le": ("utf-16", codecs.BOM_UTF16_LE),
    "utf-16-be": ("utf-16", codecs.BOM_UTF16_BE),
    "utf-32-le": ("utf-32", codecs.BOM_UTF32_LE),
    "utf-32-be": ("utf-32", codecs.BOM_UTF32_BE),
}


def encoding_of(head: bytes, given: str | None, name: str, whole: bool = False) -> tuple[str, list[str]]:
    """The codec for a text that begins so, and what to tell about it: a mark counts, then UTF-8, then windows-1252."""
    if given is not None:
        codec = _known(given, name)
        better, mark = GIVEN.get(codec, (codec, b""))
        return (better if head.startswith(mark) else codec), []
    for mark, codec in MARKS.items():
        if head.startswith(mark):
            return codec, [] if codec == "utf-8-sig" else [f"encoding {codec.upper()}, by its byte order mark"]
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(head)
        at = len(head) - len(decoder.getstate()[0])
        # Half a sign at the end of other UTF-8 is a text that was cut off; alone it is a letter of another encoding.
        if not whole or at == len(head) or not head[:at].isascii():
            return "utf-8", []
    except UnicodeDecodeError as fault:
        at = fault.start
    line = head.count(b"\n", 0, at) + 1
    return "cp1252", [f"encoding windows-1252, because line {line} is not UTF-8; another can be given"]


def _known(given: str, name: str) -> str:
    """The name that Python has for an encoding; base64 and others of that kind are none of text."""
    with suppress(LookupError, ValueError):
        info = codecs.lookup(given)
        if info._is_text_encoding:
            return info.name
    raise DataError(f"{name}: encoding {given!r} is not known; give one that Python knows, as 'cp1250'")


def decode(raw: bytes) -> str:
    """A whole small text in whichever encoding it is; this never fails, because windows-1252 never does."""
    codec, _ = encoding_of(raw, None, "", whole=True)
    return raw.decode(codec, errors_of(codec, "replace"))


def errors_of(codec: str, others: str = "strict") -> str:
    """The error handling of a codec: five bytes have no meaning in windows-1252 and stay control characters."""
    return "bayleaf-control" if codec == "cp1252" else others


def _control(fault: UnicodeError) -> tuple[str, int]:
    if not isinstance(fault, UnicodeDecodeError):
        raise fault
    return fault.object[fault.start : fault.end].decode("latin-1"), fault.end


codecs.register_error("bayleaf-control", _control)
