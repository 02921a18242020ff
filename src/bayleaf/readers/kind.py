"""Which format a file is in, by its first bytes and its name."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

from bayleaf.errors import DataError
from bayleaf.mail.mailbox import is_maildir
from bayleaf.mail.pieces import FROM
from bayleaf.readers.encoding import MARKS, decode, encoding_of
from bayleaf.readers.folder import files
from bayleaf.readers.input import Input
from bayleaf.readers.text import PIECE

FORMATS = ("csv", "tsv", "jsonl", "json", "parquet", "arrow", "arff", "folder", "mail")
ENDINGS = {
    "csv": "csv", "tsv": "tsv", "tab": "tsv", "jsonl": "jsonl", "ndjson": "jsonl", "json": "json", "arff": "arff",
    "parquet": "parquet", "feather": "arrow", "arrow": "arrow", "ipc": "arrow", "mbox": "mail", "eml": "mail",
}  # fmt: skip
MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow"}
STRANGERS = {
    b"\x89PNG": "a PNG image", b"\xff\xd8\xff": "a JPEG image", b"GIF8": "a GIF image", b"%PDF": "a PDF document",
    b"PK\x03\x04": "a ZIP archive or an Office document", b"\xd0\xcf\x11\xe0": "an old Office document",
    b"Rar!": "a RAR archive", b"7z\xbc\xaf": "a 7z archive", b"(\xb5/\xfd": "Zstandard data", b"\x7fELF": "a program",
    b"SQLite format 3": "an SQLite database", b"\x89HDF": "an HDF5 file", b"\x93NUMPY": "a NumPy array",
    b"\x80\x04\x95": "a Python pickle", b"\x80\x05\x95": "a Python pickle",
}  # fmt: skip
MODEL = re.compile(rb'.{4}\0{4}\{"__metadata__":', re.DOTALL)  # safetensors: the length of its head, and that as JSON
RECEIVED = re.compile(rb"(?:Return-Path|Received|Delivered-To|Message-ID|MIME-Version):", re.IGNORECASE)
RELATION = re.compile(r"\s*(?:%[^\n]*\n\s*)*@relation\b", re.IGNORECASE)


def kind_of(source: Input, encoding: str | None = None) -> str:
    """The format of an input that is not a folder: certain first bytes, then the name, then what it looks like."""
    head = source.head(PIECE)
    for magic, kind in MAGIC.items():
        if head.startswith(magic):
            return kind
    _refuse_stranger(head, source.name)
    if encoding is None:  # otherwise it is text, whatever bytes that takes: UTF-16 is half NULs
        _refuse_binary(head, source.name)
    whole = decode(head) if encoding is None else head.decode(encoding_of(head, encoding, source.name)[0], "replace")
    kind = "" if source.path is None else by_name(source.path.name)
    text = whole[:4096].lstrip("\ufeff \t\r\n")
    if kind == "json" or not kind:
        if text.startswith("["):
            return "json"
        if text.startswith("{"):
            return "jsonl"
    if kind:
        return kind
    if _begins_a_mail(head):
        return "mail"
    return "arff" if RELATION.match(whole) else "csv"


def folder_kind(path: Path) -> str:
    """What a folder holds: "mail" if it is a Maildir or its first files are mails, otherwise "folder"."""
    if is_maildir(path):
        return "mail"
    entries = sorted(entry for entry in path.iterdir() if not entry.name.startswith("."))
    for entry in islice(entries, 8):
        if is_maildir(entry):
            return "mail"
        file = next(files(entry), None) if entry.is_dir() else entry
        if file is not None and _is_mail(file):
            return "mail"
    return "folder"


def _is_mail(file: Path) -> bool:
    if by_name(file.name) == "mail":
        return True
    return file.is_file() and _begins_a_mail(Input(file).head(4096))


def _begins_a_mail(head: bytes) -> bool:
    return re.match(FROM, head) is not None or RECEIVED.match(head) is not None


def by_name(name: str) -> str:
    """The format that the name of a file tells, packed or not; empty where it tells none.

    >>> by_name("letters.CSV.gz"), by_name("letters")
    ('csv', '')
    """
    return ENDINGS.get(re.sub(r"\.(?:gz|bz2|xz)$", "", name.lower()).rpartition(".")[2], "")


def _refuse_stranger(head: bytes, name: str) -> None:
    for magic, stranger in STRANGERS.items():
        if head.startswith(magic):
            remedy = "; unpack it, or save the table in it as CSV" if re.search("archive|Office|Zst", stranger) else ""
            raise DataError(f"{name}: looks like {stranger}, expected a table, texts or mails{remedy}")
    if MODEL.match(head):
        raise DataError(f"{name}: looks like a model, expected a table, texts or mails; name the file of the rows here")


def _refuse_binary(head: bytes, name: str) -> None:
    if head.startswith(tuple(MARKS)):
        return
    odd = sum(head.count(byte) for byte in (b"\0", b"\1", b"\2", b"\3", b"\4", b"\5", b"\6"))
    if b"\0" in head and odd > 4 + len(head) // 50:
        words = "looks like binary data, expected a table, texts or mails; if it is text, name its encoding"
        raise DataError(f"{name}: {words}, as utf-16-le")
