"""bayleaf serve: the daemon that mail software speaks to."""

from __future__ import annotations

import ipaddress
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from bayleaf.cli.mail.options import store_path
from bayleaf.cli.parser import Parser
from bayleaf.cli.settings import configure, forget
from bayleaf.errors import BayleafError
from bayleaf.service.address import Address as Listening
from bayleaf.service.serve import Network, Service
from bayleaf.store.address import Address

ABOUT = """Serves one live filter. With --spamd it speaks the protocol of SpamAssassin's daemon, so spamc, Exim,
spamass-milter and whatever else asks spamd asks bayleaf instead. SIGTERM finishes what has begun and stops, SIGHUP
reads the configuration file and opens the store again."""
EXAMPLES = """  bayleaf serve --spamd 127.0.0.1:783
  bayleaf serve --store /var/lib/bayleaf/mail.db --spamd unix:/run/bayleaf/spamd.sock --allow-tell
  bayleaf serve --spamd 0.0.0.0:783 --allow-from 10.0.0.0/8 --users /var/lib/bayleaf/users
"""


def main(argv: Sequence[str]) -> int:
    """Runs until it is told to stop."""
    options = arguments().options(argv)
    if not options.spamd and "LISTEN_FDS" not in os.environ:
        raise BayleafError("nothing to serve: give --spamd HOST:PORT or --spamd unix:PATH")
    log()

    def places() -> tuple[Path | Address, Path | Address | None]:
        forget()
        configure()
        return store_path(options.store), None if options.users is None else store_path(options.users)

    addresses = [Listening.parse(text) for text in options.spamd]
    Service(places, addresses, [network(text) for text in options.allow_from], options.allow_tell).run()
    return 0


def log() -> None:
    """One line per event on standard error, without time: systemd adds it."""
    # What is not printed is not looked up either; a line per mail is felt at 2,000 mails a second.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")


def network(text: str) -> Network:
    """A network, as 10.0.0.0/8."""
    try:
        return ipaddress.ip_network(text)
    except ValueError as error:
        raise BayleafError(f"--allow-from: {error}; expected a network such as 10.0.0.0/8") from None


def arguments() -> Parser:
    """What the command takes."""
    command = Parser("serve", ABOUT, EXAMPLES)
    command.add_argument(
        "--store",
        help="a path or postgresql://... (default: $BAYLEAF_STORE, or bayleaf/mail.db in the XDG data folder)",
    )
    command.add_argument(
        "--spamd",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="HOST:PORT or unix:PATH for the spamd protocol; several times for several",
    )
    command.add_argument("--allow-tell", action="store_true", help="let clients of spamd teach (spamc -L)")
    command.add_argument(
        "--allow-from",
        action="append",
        default=[],
        metavar="NETWORK",
        help="a network that may connect besides this machine; needed to listen on other than loopback",
    )
    command.add_argument(
        "--users",
        metavar="FOLDER",
        help="a store for each user that clients name, added to the shared one; or postgresql://...",
    )
    return command
