"""Options that the mail commands have in common."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bayleaf.cli.parser import Parser
from bayleaf.cli.settings import default
from bayleaf.errors import StoreError
from bayleaf.mail import Filter
from bayleaf.store.address import Address, place
from bayleaf.store.occupied import exists

STORE = "a path or postgresql://... (default: $BAYLEAF_STORE, or bayleaf/mail.db in the XDG data folder)"


def parser(name: str, about: str, examples: str = "", json: bool = True) -> Parser:
    """A parser with the store options."""
    parser = Parser(f"mail {name}", about, examples, wrong=64)
    parser.add_argument("--store", help=STORE)
    parser.add_argument(
        "--shared",
        help="a store whose counts are added, for users without many mails of their own (default: $BAYLEAF_SHARED)",
    )
    parser.beyond = "a store is given by --store STORE"
    if json:
        parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def add_mails(command: Parser, told: str) -> None:
    """Mails of the two usual labels; `told` is said of them."""
    for name, what in (("--spam", f"mails, mboxes, Maildirs, folders{told}"), ("--ham", "the same for good mail")):
        command.add_argument(name, action="extend", nargs="+", default=[], metavar="PATH", help=what)


def store_path(given: str | None) -> Path | Address:
    """Where the store is."""
    text = given or os.environ.get("BAYLEAF_STORE") or default("store")
    found = place(text)
    if found is None:
        raise StoreError("found :memory:, expected a path or an address: it would be gone when the command ends")
    return found


def make_home(path: Path | Address) -> None:
    """Makes the folder of a store when it is missing."""
    if isinstance(path, Path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)


@contextmanager
def new_home(path: Path | Address) -> Iterator[None]:
    """The same; meanwhile a store is put there, and what was made is gone again where that fails."""
    made = [folder for folder in path.parents if not folder.exists()] if isinstance(path, Path) else []
    make_home(path)
    try:
        yield
    except BaseException:
        with suppress(OSError):  # somebody has put something there
            for folder in made:
                folder.rmdir()
        raise


def shared_path(given: str | None) -> Path | Address | None:
    """Where the shared store is, if there shall be one."""
    text = given or os.environ.get("BAYLEAF_SHARED")
    return place(text) if text else None


def learning_filter(options: Namespace) -> Filter:
    """The filter that the options name; its store and folder are made when missing."""
    path, shared = store_path(options.store), shared_path(options.shared)
    required(shared)  # one that is made of a mistyped path gives the user's store a secret that fits no other
    make_home(path)
    return Filter.open(path, shared=shared)


def standing_filter(options: Namespace) -> Filter:
    """The filter that the options name; what is missing is refused, since a mistyped path would be an empty store."""
    path, shared = store_path(options.store), shared_path(options.shared)
    for each in (path, shared):
        required(each)
    return Filter.open(path, shared=shared)


def judging_filter(options: Namespace) -> Filter:
    """The same; a user without a store of their own is judged by the shared one, and none is made."""
    shared = shared_path(options.shared)
    if shared is None or exists(store_path(options.store)):
        return standing_filter(options)
    required(shared)
    return Filter.open(shared)


def required(path: Path | Address | None) -> None:
    """Refuses a store that is not there."""
    if path is not None and not exists(path):
        raise StoreError(f"there is no store at {path}; make one with bayleaf mail learn --store {path} ...")
