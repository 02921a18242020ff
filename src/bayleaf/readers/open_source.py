"""Open a file, a folder, a mailbox or standard input as a source of rows."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from bayleaf.errors import DataError
from bayleaf.readers.arff import Arff
from bayleaf.readers.arrow import Arrow
from bayleaf.readers.delimited import Delimited
from bayleaf.readers.folder import Folder
from bayleaf.readers.input import Input
from bayleaf.readers.jsonarray import JsonArray
from bayleaf.readers.jsonlines import JsonLines
from bayleaf.readers.kind import FORMATS, folder_kind, kind_of
from bayleaf.readers.source import Source


def open_source(
    path: str | Path,
    *,
    format: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    header: bool = True,
    stream: BinaryIO | None = None,
) -> Source:
    r"""The rows at a path, to be read in batches.

    Parameters
    ----------
    path : str or Path
        A file, packed with gzip, bzip2 or xz or not; a folder of folders of text files; an mbox, a Maildir or a folder
        of them; ``-`` is standard input.
    format : str, optional
        One of csv, tsv, jsonl, json, parquet, arrow, arff, folder, mail. Found by content and name if not given.
    delimiter : str, optional
        What parts the fields of a CSV file. Found if not given, and told in the notes.
    encoding : str, optional
        The encoding of a text. If not given: what its byte order mark says, else UTF-8, else windows-1252 with a note.
    header : bool
        Whether the first row of a CSV file holds the names; otherwise they are column_1, column_2 and so on.
    stream : binary file, optional
        The bytes of the file, where they are not to be read from the path, which then is a name only.

    Returns
    -------
    Source
        With the names of the columns and what was found out; nothing but the first part of the file has been read.

    Raises
    ------
    DataError
        When it cannot be read, with the file, the line and what to do.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "pets.csv")
    >>> _ = file.write_text('name;kind\nTom;"a cat"\nRex;a dog\n')
    >>> source = open_source(file)
    >>> source.names, source.notes
    (['name', 'kind'], ['delimiter semicolon'])
    >>> [batch.columns for batch in source.batches()]
    [{'name': ['Tom', 'Rex'], 'kind': ['a cat', 'a dog']}]

    """
    if format is not None and format not in FORMATS:
        raise DataError(f"{path}: format {format!r} is not known, expected one of {', '.join(FORMATS)}")
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
        raise DataError(f"{path}: delimiter {delimiter!r} cannot be used, expected one character, as ',' or '\\t'")
    source = Input(path, stream)
    try:
        if stream is None and source.path is not None and source.path.is_dir():
            return _folder(source, source.path, format)
        kind = format or ("csv" if delimiter else kind_of(source, encoding))
        return _file(source, kind, delimiter, encoding, header)
    except BaseException:
        source.close()
        raise


def _folder(source: Input, path: Path, format: str | None) -> Source:
    try:
        kind = format or folder_kind(path)
        if kind == "folder":
            return Folder(source, path)
    except OSError as fault:
        raise DataError(f"{source.name}: cannot be read ({fault.strerror})") from fault
    if kind == "mail":
        return _mails(source)
    raise DataError(f"{source.name}: found a folder, expected a {kind} file; give one of the files in it")


def _mails(source: Input) -> Source:
    from bayleaf.readers.mails import Mails  # the mail parser of the standard library is slow to load

    return Mails(source)


def _file(source: Input, kind: str, delimiter: str | None, encoding: str | None, header: bool) -> Source:
    if kind == "folder":
        raise DataError(f"{source.name}: found a file, expected a folder with one folder for each class")
    if kind == "mail":
        return _mails(source)
    if kind in ("parquet", "arrow"):
        return Arrow(source, format=kind)
    if kind == "arff":
        return Arff(source, encoding=encoding)
    if kind == "json":
        return JsonArray(source, encoding=encoding)
    if kind == "jsonl":
        return JsonLines(source, encoding=encoding)
    return Delimited(source, delimiter=delimiter or ("\t" if kind == "tsv" else None), encoding=encoding, header=header)
