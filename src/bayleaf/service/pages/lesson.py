"""Lesson: the mails in a file that somebody uploaded."""

from __future__ import annotations

import csv
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import PurePosixPath
from typing import BinaryIO, NamedTuple

from bayleaf.errors import DataError
from bayleaf.mail.mailbox import BESIDE, PACKED, box, headed
from bayleaf.mail.mbox import PART
from bayleaf.readers.dialect import Dialect, sniff
from bayleaf.readers.encoding import encoding_of, errors_of
from bayleaf.readers.text import PIECE
from bayleaf.service.limits import MAIL

Mail = tuple[bytes | str, str]
# Choices beside the labels. No label has a space around it, so none is taken for one of these.
NAMED, TAKE_BACK = " as the file says", " take back"
LONGEST = MAIL
ENTRY = 256 * 2**20  # bytes of a file in an archive once inflated: mboxes are large
INFLATED = 2 * 2**30  # of all of them
ENTRIES = 200_000
CELL = 1 << 24  # characters of a cell
FOLDERS = {"junk": "spam", "inbox": "ham"}  # what mail programs call them
CELLS = {"1": "spam", "0": "ham", "true": "spam", "false": "ham"}  # what tables call them
TEXTS = ("text", "mail", "message", "body", "content", "v2")
LABELS = ("label", "class", "category", "verdict", "target", "spam", "v1")
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)


class Lesson(NamedTuple):
    """An open file, the name it had, the label of its mails (or `NAMED`), and the labels the store has."""

    file: BinaryIO
    name: str
    label: str
    labels: tuple[str, ...]
    notes: list[str]

    def mails(self) -> Iterator[Mail]:
        """Mails (bytes) or texts (str) with their labels. What is left out is noted; a file of no use is refused."""
        self.file.seek(0)
        head = self.file.read(16)
        self.file.seek(0)
        if head.startswith(PACKED):
            raise DataError(
                f"{self.name}: found a file packed with gzip, bzip2 or xz, expected a mailbox, a table or a ZIP "
                f"archive. Unpack it first, or learn it with `bayleaf mail learn`"
            )
        if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
            return self._archive()
        if self.name.lower().endswith((".csv", ".tsv")):
            return self._table()
        return self._mailbox()

    def _mailbox(self) -> Iterator[Mail]:
        if self.label == NAMED:
            raise DataError(f"{self.name}: found a mailbox, which does not say what its mails are: choose a label")
        content = iter(partial(self.file.read, PART), b"")
        yield from ((raw, self.label) for raw in self._fitting(content, self.name))

    def _fitting(self, content: Iterator[bytes], name: str) -> Iterator[bytes]:
        number = 0
        try:
            for _, number, raw in box(content):  # noqa: B007 - how far it came
                if len(raw) > LONGEST:
                    self._note(f"{name}: a mail of {len(raw):,} bytes was left out")
                elif raw.strip():
                    self._note(f"{name}: found no header, expected a mail; learned as it is", not headed(raw))
                    yield raw
        except OSError as error:
            if number:
                raise
            self._note(f"{name}: left out, {error.strerror}")

    def _archive(self) -> Iterator[Mail]:
        try:
            with zipfile.ZipFile(self.file) as archive:
                entries = [entry for entry in archive.infolist() if not entry.is_dir()]
                if len(entries) > ENTRIES:
                    raise DataError(f"{self.name}: found {len(entries):,} files, expected at most {ENTRIES:,}")
                yield from self._entries(archive, entries)
        except zipfile.BadZipFile as error:
            raise DataError(f"{self.name} is damaged: {error}; pack it again") from None

    def _entries(self, archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo]) -> Iterator[Mail]:
        left = INFLATED
        for entry in entries:
            path = PurePosixPath(entry.filename.replace("\\", "/"))
            label = self._label(path)
            if re.fullmatch(BESIDE, path.name) or label is None:
                self._note(
                    f"{path}: left out, no folder of its path is called {' or '.join(self.labels)}", label is None
                )
                continue
            if entry.file_size > min(ENTRY, left):  # reading stops at the size the archive declares
                raise DataError(
                    f"{self.name}: {path} inflates to {entry.file_size:,} bytes, expected at most {ENTRY:,} "
                    f"for one file and {INFLATED:,} for all; upload it in parts"
                )
            left -= entry.file_size
            try:
                content = archive.read(entry)
            except DAMAGED as error:
                self._note(f"{path}: left out, {error}")
                continue
            if content.startswith((b"PK", *PACKED)):
                self._note(f"{path}: left out, an archive in an archive")
                continue
            yield from ((raw, label) for raw in self._fitting(iter([content]), str(path)))

    def _label(self, path: PurePosixPath) -> str | None:
        if self.label != NAMED:
            return self.label
        parts = (*reversed(path.parts[:-1]), path.stem)  # the innermost folder that says something, then the file
        return next(filter(None, (self._called(part, FOLDERS) for part in parts)), None)

    def _called(self, word: str, others: dict[str, str]) -> str | None:
        low = word.strip().lower()
        labels = sorted(self.labels, key=lambda label: label != word.strip())  # as it is written, or else in any case
        return next((label for label in labels if label.lower() in (low, others.get(low))), None)

    def _table(self) -> Iterator[Mail]:
        csv.field_size_limit(max(csv.field_size_limit(), CELL))
        codec, (delimiter, quoted) = self._dialect()
        text = io.TextIOWrapper(self.file, codec, errors_of(codec, "replace"), newline="")
        try:
            lines = (line.replace("\0", "") for line in text)
            rows = csv.DictReader(lines, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE)
            names = {str(name).strip().lower(): name for name in rows.fieldnames or ()}
            body = next((names[name] for name in TEXTS if name in names), None)
            kind = next((names[name] for name in LABELS if name in names), None)
            if body is None or (kind is None and self.label == NAMED):
                raise DataError(
                    f"{self.name}: found the columns {', '.join(names) or 'of an empty file'}, expected one called "
                    f"{', '.join(TEXTS[:5])}, and one called {', '.join(LABELS[:5])} unless you choose a label"
                )
            for row in rows:
                label = self.label if kind is None or self.label != NAMED else self._called(str(row[kind]), CELLS)
                if label is None:
                    self._note(f"line {rows.line_num}: left out, its label is none of {', '.join(self.labels)}")
                elif row[body]:
                    yield row[body], label
        except csv.Error as error:
            raise DataError(f"{self.name}: {error}; expected a table with quotes as in RFC 4180") from None
        finally:
            text.detach()

    def _dialect(self) -> tuple[str, Dialect]:
        """The encoding of a table and what parts its fields, as `bayleaf train` finds them out."""
        head = self.file.read(PIECE)
        self.file.seek(0)
        codec, _ = encoding_of(head, None, self.name, whole=len(head) < PIECE)
        self._note(
            f"{self.name}: found what is not UTF-8, read as windows-1252; save it as UTF-8 if its letters look wrong",
            codec == "cp1252",
        )
        sample = head.decode(codec, "replace").replace("\0", "")
        tab = "\t" if self.name.lower().endswith(".tsv") else None
        return codec, sniff(sample, len(head) < PIECE, tab)[0]

    def _note(self, words: str, wanted: bool = True) -> None:
        """Keeps the first few: a thousand would not be read."""
        if wanted and len(self.notes) < 20:
            self.notes.append(words)
