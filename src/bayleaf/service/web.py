"""Web: the HTTP face as the operator asked for it. Knows nothing of FastAPI."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bayleaf.errors import BayleafError
from bayleaf.service.certificate import Certificate
from bayleaf.service.listening import Listening
from bayleaf.service.live import LiveFilter, make
from bayleaf.service.logbook import BUDGET, Logbook
from bayleaf.service.tokens import Tokens
from bayleaf.store.address import Address
from bayleaf.store.occupied import expect_file

if TYPE_CHECKING:
    from bayleaf.service.http.face import HttpFace


class Web(NamedTuple):
    """Where it listens, who may come, which models it serves, how many bytes of judged mails are kept, and TLS."""

    addresses: Sequence[Listening]
    token_file: Path | None = None
    models: Path | None = None
    keep: int = BUDGET
    certificate: Certificate | None = None

    def tokens(self) -> Tokens | None:
        """Who may come; None when everybody on this machine may. Refuses to listen where anybody could come."""
        for address in self.addresses:
            if not address.loopback and self.token_file is None:
                raise BayleafError(
                    f"{address} can be reached from other machines: give --token-file FILE, or listen on 127.0.0.1"
                )
        return None if self.token_file is None else Tokens(self.token_file)

    def book(self, store: Path | Address) -> Logbook:
        """The history beside a store in a file; that of a database is this node's, in memory."""
        if not isinstance(store, Path):
            return Logbook(None, self.keep)
        make(store.parent)
        expect_file(store)
        return Logbook(store.with_name(f"{store.name}-history"), self.keep)

    def face(self, live: LiveFilter, tokens: Tokens | None, connections: int) -> HttpFace:
        """The face, which holds at most so many connections. Its libraries are loaded only now."""
        try:
            from bayleaf.service.http.face import HttpFace  # noqa: PLC0415 - an extra, and 300 ms
            from bayleaf.service.http.settings import Settings  # noqa: PLC0415
        except ModuleNotFoundError as error:
            raise BayleafError(
                f"--http needs {error.name}, which is not installed: pip install 'bayleaf[server]'"
            ) from None
        context = None if self.certificate is None else self.certificate.context
        usual = Settings(models=self.models)
        settings = usual._replace(connections=min(usual.connections, connections))
        return HttpFace(live, live.history, tokens, settings, context)

    def link(self, address: Listening) -> str:
        """What a browser takes; a unix socket stays what it is."""
        scheme = "http" if self.certificate is None else "https"
        return f"{scheme}://{address}/" if address.path is None else str(address)
