"""Certificate: what the HTTP face proves itself with over TLS."""

from __future__ import annotations

import ssl
from pathlib import Path

from bayleaf.errors import BayleafError


class Certificate:
    """A certificate with its chain and its key, both as PEM; TLS 1.2 and newer. `reload` takes a renewed one."""

    def __init__(self, chain: Path, key: Path) -> None:
        self.chain, self.key = chain, key
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.reload()

    def reload(self) -> None:
        """Reads both files again, for connections from now on; what cannot be used is refused and the old one kept."""
        try:
            ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(self.chain, self.key, "")
            self.context.load_cert_chain(self.chain, self.key, "")
        except (OSError, ValueError) as error:  # SSLError is an OSError
            raise BayleafError(
                f"{self.chain} and {self.key} cannot be used for TLS ({error}): expected a certificate and its key as "
                "PEM, the key without a password"
            ) from None
