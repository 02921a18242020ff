"""Client: who sends mail to the mail server that asks."""

from __future__ import annotations

FAMILIES = (b"4", b"6")  # those that have a port and an address
USED = (b"j", b"v", b"i", b"{tls_version}", b"{auth_type}")  # of a server's words: its name, its kind, that of the mail
LONGEST = 1000  # bytes of a word; a line of SMTP has up to 512


class Client:
    """What it calls itself, what the server found out about it, and the server's own words (macros)."""

    def __init__(self) -> None:
        self.helo = self.host = self.address = b"unknown"
        self.macros: dict[bytes, bytes] = {}

    def came(self, data: bytes) -> None:
        r"""Takes what a server says of a connection: a name, a family, a port of two bytes, an address.

        >>> client = Client()
        >>> client.came(b"mail.example\x004\x01\x02192.0.2.1\x00")
        >>> client.host, client.address
        (b'mail.example', b'192.0.2.1')
        """
        host, _, rest = data[: 2 * LONGEST].partition(b"\0")
        self.host = b"unknown" if host.startswith(b"[") else host  # who has no name is called by the address
        self.address = rest[3:].partition(b"\0")[0] if rest[:1] in FAMILIES else b"127.0.0.1"
        if rest[:1] == b"6":  # as Received lines have it; Sendmail says so itself
            self.address = b"IPv6:" + self.address.removeprefix(b"IPv6:")


def used(data: bytes) -> dict[bytes, bytes]:
    r"""Those of a server's words that are used here.

    >>> used(b"j\x00mx.example\x00{daemon_port}\x0025\x00")
    {b'j': b'mx.example'}
    """
    names = data.split(b"\0")
    return {name: value[:LONGEST] for name, value in zip(names[::2], names[1::2], strict=False) if name in USED}
