"""Options that the mail commands have in common."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

from bayleaf.cli.parser import Parser
from bayleaf.cli.settings import default
from bayleaf.mail import Filter
from bayleaf.store.address import Address, place


def parser(name: str, about: str) -> Parser:
    """A parser with the store options."""
    parser = Parser(f"mail {name}", about, wrong=64)
    parser.add_argument(
        "--store",
        help="a path or postgresql://... (default: $BAYLEAF_STORE, or bayleaf/mail.db in the XDG data folder)",
    )
    parser.add_argument(
        "--shared",
        help="a store whose counts are added, for users without many mails of their own (default: $BAYLEAF_SHARED)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def store_path(given: str | None) -> Path | Address:
    """Where the store is."""
    text = given or os.environ.get("BAYLEAF_STORE") or default("store")
    return place(text) or Path(text)


def make_home(path: Path | Address) -> None:
    """Makes the folder of a store when it is missing."""
    if isinstance(path, Path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)


def open_filter(options: Namespace) -> Filter:
    """The filter that the options name; its folder is made when missing."""
    path = store_path(options.store)
    make_home(path)
    return Filter.open(path, shared=options.shared or os.environ.get("BAYLEAF_SHARED"))
