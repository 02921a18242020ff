"""The mails of the benchmarks: the SpamAssassin corpus, each body once, in a fixed order."""

from __future__ import annotations

import hashlib
import random
import re
from pathlib import Path

from benchmarks.corpora import files

Mail = tuple[Path, bytes, str]  # file, bytes, label


def corpus(folder: Path) -> list[Mail]:
    """The mails as files and bytes, shuffled by `random.Random(1)`."""
    for name, raw in files("spamassassin"):
        path = folder / Path(*Path(name).parts[-2:])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
    found, seen = [], set()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "cmds":
            raw = path.read_bytes()
            body = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[1:] or [b""]
            digest = hashlib.sha256(b" ".join(body[0].split())).digest()
            if digest not in seen:
                seen.add(digest)
                found.append((path, raw, "ham" if "ham" in path.parent.name else "spam"))
    random.Random(1).shuffle(found)
    return found
