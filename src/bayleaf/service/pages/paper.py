"""Paper: templates filled in. Everything that comes from a mail is escaped, and nothing in it stays hidden."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from math import isnan
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from bayleaf import __version__
from bayleaf.plain import plain

HERE = Path(__file__).parent
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with "no-referrer" browsers would not say where a form comes from
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
STATIC = {file.name: file.read_bytes() for file in sorted((HERE / "static").iterdir())}
STAMP = sha256(b"".join(STATIC.values())).hexdigest()[:12]  # names what they hold, so browsers may keep them

MANY = 6  # labels; of more, a page has a list instead of buttons, and leaves out those of which there is nothing to say


class Paper:
    """The templates of the pages."""

    def __init__(self) -> None:
        self.environment = Environment(
            loader=FileSystemLoader(HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.environment.filters |= {
            "shown": shown,
            "percent": percent,
            "signed": signed,
            "moment": moment,
            "size": size,
        }
        self.environment.globals |= {"version": __version__, "stamp": STAMP, "many": MANY}

    def page(self, name: str, code: int = 200, /, **facts: Any) -> HTMLResponse:
        """An answer with a page in it."""
        text = self.environment.get_template(f"{name}.html").render(facts)
        return HTMLResponse(text.encode("utf-8", "replace"), code, headers=HEADERS)


def shown(text: object, most: int = 80) -> str:
    """Text of strangers on one line."""
    return plain(text, most)


def percent(share: float, digits: int = 1) -> str:
    """A share in per cent that never claims to be all or nothing when it is not.

    >>> percent(0.99996), percent(0.5), percent(1.0), percent(0.00001)
    ('over 99.9%', '50.0%', '100.0%', 'under 0.1%')
    """
    if isnan(share):
        return "not known"
    least = 10**-digits / 100
    if 1 - least < share < 1:
        return f"over {1 - least:.{digits}%}"
    if 0 < share < least:
        return f"under {least:.{digits}%}"
    return f"{share:.{digits}%}"


def signed(value: float) -> str:
    """A number with its sign, as it is printed in books.

    >>> signed(-1.234), signed(-0.001)
    ('−1.23', '+0.00')
    """
    return f"{value:+z.2f}".replace("-", "−")


def moment(seconds: float) -> str:
    """A time on the clock of this machine."""
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")


def size(count: int) -> str:
    """Bytes in words.

    >>> size(900), size(20_000), size(5_000_000)
    ('900 B', '20 kB', '5.0 MB')
    """
    return f"{count} B" if count < 1000 else f"{count / 1e3:.0f} kB" if count < 1e6 else f"{count / 1e6:.1f} MB"


PAPER = Paper()
