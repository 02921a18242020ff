"""Downloads that go on where they were cut off."""

from __future__ import annotations

import http.client
import re
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from bayleaf import __version__
from bayleaf.errors import DataError

BLOCK = 1 << 16
MOST = 1 << 29  # half a gigabyte; the largest corpus has 14 MB
TRIES = 3
SECONDS = 30
RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")


def download(url: str, part: Path) -> None:
    """Bring all bytes of a URL into the file `part`; what is there already is not fetched again."""
    for _ in range(TRIES):
        try:
            if _attempt(url, part):
                return
        except urllib.error.HTTPError as fault:
            with fault:
                if fault.code != 416:
                    raise DataError(f"the server answered {fault.code} {fault.reason}") from fault
            part.unlink(missing_ok=True)  # there is nothing beyond what we have: it is of another file
        except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as fault:
            raise DataError(str(getattr(fault, "reason", fault)) or type(fault).__name__) from fault
    size = part.stat().st_size if part.exists() else 0
    raise DataError(f"cut off {TRIES} times, the last time after {size} bytes, which are kept for the next try")


def _attempt(url: str, part: Path) -> bool:
    """Fetch what is missing; whether all of it came."""
    have = part.stat().st_size if part.exists() else 0
    headers = {"User-Agent": f"bayleaf/{__version__}", "Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=SECONDS) as answer:
        span = RANGE.fullmatch(answer.headers.get("Content-Range", ""))
        if answer.status == 206 and (span is None or int(span[1]) != have):
            raise DataError(
                f"the server answered with another range than was asked for ({answer.headers.get('Content-Range')})"
            )
        have = have if answer.status == 206 else 0  # a server without ranges sends it all again
        length = answer.headers.get("Content-Length")
        total = have + int(length) if length and length.isdecimal() else None
        if total is not None and total > MOST:
            raise DataError(f"the server announces {total} bytes, expected at most {MOST}")
        with part.open("ab" if have else "wb") as file:
            got = _copy(answer, file, have, total)
    return got == total if total is not None else got >= 0


def _copy(answer: Any, file: Any, have: int, total: int | None) -> int:
    with _bar(have, total) as bar:
        try:
            while block := answer.read(BLOCK):
                have += len(block)
                if have > MOST:
                    raise DataError(f"the server sent more than {MOST} bytes")
                file.write(block)
                bar.update(len(block))
        except (http.client.IncompleteRead, ConnectionError, TimeoutError):
            return -1  # cut off; what came is in the file
    return have


def _bar(have: int, total: int | None) -> Any:
    from tqdm import tqdm

    return tqdm(total=total, initial=have, unit="B", unit_scale=True, leave=False, disable=not sys.stderr.isatty())
