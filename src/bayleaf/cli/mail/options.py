"""Options that the mail commands have in common."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from bayleaf.mail import Filter

WIDTH = 100


def parser(name: str, about: str) -> argparse.ArgumentParser:
    """A parser with the store options."""
    # The width is given: asking for that of the screen loads shutil and three compressors at every start.
    parser = argparse.ArgumentParser(
        prog=f"bayleaf mail {name}",
        description=about,
        formatter_class=lambda prog: argparse.HelpFormatter(prog, width=WIDTH),
    )
    parser.add_argument(
        "--store", help="the store (default: $BAYLEAF_STORE, or bayleaf/mail.db in the XDG data folder)"
    )
    parser.add_argument("--shared", help="a store whose counts are added, for users without many mails of their own")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def store_path(given: str | None) -> Path:
    """Where the store is."""
    if given or os.environ.get("BAYLEAF_STORE"):
        return Path(given or os.environ["BAYLEAF_STORE"])
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "bayleaf" / "mail.db"


def open_filter(options: argparse.Namespace) -> Filter:
    """The filter that the options name; its folder is made when missing."""
    path = store_path(options.store)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Filter.open(path, shared=options.shared)
