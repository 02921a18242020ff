"""Tokens: who may use the service, kept as hashes in a file."""

from __future__ import annotations

import hmac
import os
import re
import secrets
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from bayleaf.errors import BayleafError

SCOPES = ("read", "train")  # each includes those before it
LINE = re.compile(r"([\w.@-]{1,64}) (read|train) ([0-9a-f]{64})")


class Holder(NamedTuple):
    """The name a token was made for, what it allows, and the SHA-256 of the token."""

    name: str
    scope: str
    digest: bytes


class Tokens:
    """The tokens of a file, one ``NAME SCOPE SHA-256`` per line.

    A token is 256 random bits, so its hash cannot be turned back by trying; nothing slower than SHA-256 is needed. The
    token itself is shown once, by `add`.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     secret = Tokens.add(Path(folder) / "tokens", "ann", "read")
    ...     tokens = Tokens(Path(folder) / "tokens")
    >>> tokens.scope(secret), tokens.scope("guess")
    ('read', None)
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._holders = read(path)
        if not self._holders:
            raise BayleafError(
                f"{path} holds no token, so nobody could come in: make one with "
                f"`bayleaf serve --token-file {path} --new-token read NAME`"
            )

    def reload(self) -> None:
        """Reads the file again; when it cannot be read, what was there stays and the reason is raised.

        A file without tokens lets nobody in: the last one has been taken back.
        """
        self._holders = read(self.path)

    def holder(self, token: str) -> Holder | None:
        """Whose token this is. Takes the same time whichever it is, and however much of it is right."""
        digest, found = sha256(token.encode("utf-8", "surrogateescape")).digest(), None
        for holder in self._holders:
            if hmac.compare_digest(holder.digest, digest):
                found = holder
        return found

    def scope(self, token: str) -> str | None:
        """What a token allows: ``"read"`` or ``"train"``; None when it is none of ours."""
        holder = self.holder(token)
        return None if holder is None else holder.scope

    @staticmethod
    def add(path: Path, name: str, scope: str) -> str:
        """Makes a token and appends its hash to the file, which is made when missing; the token."""
        token = f"bl_{secrets.token_urlsafe(32)}"
        line = f"{name} {scope} {sha256(token.encode()).hexdigest()}"
        if not LINE.fullmatch(line):
            raise BayleafError(
                f"found the scope {scope!r} and the name {name!r}, expected read or train and at most 64 letters, "
                "digits and any of . @ _ -"
            )
        if path.exists() and any(holder.name == name for holder in read(path)):
            raise BayleafError(f"{path} has a token for {name} already: delete its line first, or take another name")
        try:
            with os.fdopen(os.open(path, os.O_CREAT | os.O_RDWR | os.O_APPEND, 0o600), "rb+") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(size - 1, 0))
                end = b"" if file.read() in (b"", b"\n") else b"\n"  # which some editors leave out
                file.write(end + f"{line}\n".encode())
        except OSError as error:
            raise BayleafError(f"{path} cannot be written: {error.strerror}") from None
        return token


def read(path: Path) -> list[Holder]:
    """The lines of a token file; empty ones and those that begin with # are passed over."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise BayleafError(f"{path} cannot be read: {error}; expected a file of tokens") from None
    holders = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            found = LINE.fullmatch(line.strip())
            if found is None:
                raise BayleafError(f"{path}, line {number}: expected NAME, read or train, and a SHA-256 in hexadecimal")
            holders.append(Holder(found[1], found[2], bytes.fromhex(found[3])))
    return holders
