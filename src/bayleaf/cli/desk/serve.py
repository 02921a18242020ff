"""bayleaf serve: the daemon that mail software speaks to."""

from __future__ import annotations

import ipaddress
import logging
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from bayleaf.cli.mail.options import STORE, shared_path, store_path
from bayleaf.cli.parser import Parser
from bayleaf.cli.settings import renewed
from bayleaf.errors import BayleafError
from bayleaf.service.certificate import Certificate
from bayleaf.service.crowd import Network
from bayleaf.service.jsonlines import JsonLines
from bayleaf.service.listening import Listening
from bayleaf.service.serve import Service, hold_hup
from bayleaf.service.systemd import handed_over
from bayleaf.service.tokens import Tokens
from bayleaf.service.web import Web
from bayleaf.store.address import Address, same

ABOUT = """Serves one live filter. With --milter Postfix and Sendmail ask it about each mail that comes in. With --spamd
it speaks the protocol of SpamAssassin's daemon, so spamc, Exim and whatever else asks spamd asks bayleaf instead. With
--http it serves an API and pages; with none of them, those on a free port of this machine, whose address is printed.
SIGTERM finishes what has begun and stops, SIGHUP reads the configuration file, the tokens and the certificate and opens
the store again."""
EXAMPLES = """  bayleaf serve
  bayleaf serve --milter 127.0.0.1:8895 --http 127.0.0.1:8025
  bayleaf serve --token-file /etc/bayleaf/tokens --new-token train ann
  bayleaf serve --http 0.0.0.0:8025 --token-file /etc/bayleaf/tokens --models /var/lib/bayleaf/models
  bayleaf serve --store /var/lib/bayleaf/mail.db --spamd unix:/run/bayleaf/spamd.sock --allow-tell
  bayleaf serve --spamd 0.0.0.0:783 --allow-from 10.0.0.0/8 --users /var/lib/bayleaf/users
"""


def main(argv: Sequence[str]) -> int:
    """Runs until it is told to stop."""
    options = arguments().options(argv)
    token_file = None if options.token_file is None else Path(options.token_file)
    if options.new_token is not None:
        return new_token(token_file, *options.new_token)
    hold_hup()
    log(options.log)

    def places() -> tuple[Path | Address, Path | Address | None]:
        with renewed():
            return alone(store_path(options.store)), None if options.users is None else store_path(options.users)

    given = handed_over()
    spamd = [*map(Listening.of, given.spamd), *map(Listening.parse, options.spamd)]
    milter = [*map(Listening.of, given.milter), *map(Listening.parse, options.milter)]
    http = [*map(Listening.of, given.http), *map(Listening.parse, options.http)]
    if not spamd and not milter and not http:
        http = [Listening("127.0.0.1", 0)]
    models = None if options.models is None else folder(options.models)
    certificate = tls(options.tls_cert, options.tls_key, bool(http))
    web = Web(http, token_file, models, size(options.keep), certificate) if http else None
    networks = [network(text) for text in options.allow_from]
    Service(places, spamd, milter, networks, options.allow_tell, web).run()
    return 0


def alone(store: Path | Address) -> Path | Address:
    """This store, unless the setting `shared` asks for another one's counts as well: here users come on top instead."""
    shared = shared_path(None)
    if shared is None or same(shared, store):
        return store
    raise BayleafError(
        f"found the setting shared ({shared}), which is for the mail commands: the daemon would judge without it; "
        f"serve that store, --store {shared}, and give users their own on top with --users FOLDER, "
        "or start with BAYLEAF_SHARED= (empty) to serve one store alone"
    )


def new_token(file: Path | None, scope: str, name: str) -> int:
    """Makes a token and prints it, once."""
    if file is None:
        raise BayleafError("--new-token needs --token-file FILE, where its hash is kept")
    print(Tokens.add(file, name, scope))
    return 0


def tls(chain: str | None, key: str | None, http: bool) -> Certificate | None:
    """What HTTP is served with over TLS, if anything."""
    if chain is None and key is None:
        return None
    if chain is None or key is None or not http:
        raise BayleafError(
            "--tls-cert and --tls-key go together, and with --http: the other protocols are served without"
        )
    return Certificate(Path(chain), Path(key))


def folder(text: str) -> Path:
    """The folder of models; a mistyped one would be noticed by the first client only."""
    if not Path(text).is_dir():
        raise BayleafError(f"--models: found no folder {text}, expected one of model files: make it, or mend the path")
    return Path(text)


def size(text: str) -> int:
    """Bytes, as 256M."""
    found = re.fullmatch(r"(\d{1,12})([KMG]?)", text)
    if found is None:
        raise BayleafError(f"--keep: found {text!r}, expected bytes such as 0, 500000, 256M or 2G")
    return int(found[1]) * {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}[found[2]]


def log(form: str) -> None:
    """One line per event on standard error, without time unless it is JSON: systemd adds it."""
    # What is not printed is not looked up either; a line per mail is felt at 2,000 mails a second.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")
    if form == "json":
        logging.getLogger().handlers[0].setFormatter(JsonLines())


def network(text: str) -> Network:
    """A network, as 10.0.0.0/8."""
    try:
        return ipaddress.ip_network(text)
    except ValueError as error:
        raise BayleafError(f"--allow-from: {error}; expected a network such as 10.0.0.0/8") from None


def arguments() -> Parser:
    """What the command takes."""
    command = Parser("serve", ABOUT, EXAMPLES)
    command.add_argument("--store", help=STORE)
    command.add_argument(
        "--spamd",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="HOST:PORT or unix:PATH for the spamd protocol; several times for several",
    )
    command.add_argument(
        "--milter",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="the same for the milter protocol of Postfix and Sendmail: marks mail that comes in, and refuses none",
    )
    command.add_argument(
        "--http",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="HOST:PORT or unix:PATH for the API and the pages; beyond this machine only with --token-file",
    )
    command.add_argument(
        "--token-file", metavar="FILE", help="hashed tokens; without one of them nobody is let in over HTTP"
    )
    command.add_argument(
        "--new-token",
        nargs=2,
        metavar=("SCOPE", "NAME"),
        help="make a token for read or train, add it to the file, print it and stop",
    )
    command.add_argument("--tls-cert", metavar="FILE", help="serve HTTPS with this certificate and its chain (PEM)")
    command.add_argument("--tls-key", metavar="FILE", help="and this key (PEM, without a password)")
    command.add_argument("--models", metavar="FOLDER", help="model files that the API may be asked to predict with")
    command.add_argument(
        "--keep",
        default="256M",
        metavar="BYTES",
        help="judged mails kept beside the store to be looked at with --http (256M); 0 keeps none",
    )
    command.add_argument("--log", choices=("text", "json"), default="text", help="what log lines look like (text)")
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
