"""A mail server started for one connection, as inetd would."""

from __future__ import annotations

import smtplib
import socket
import subprocess
from collections.abc import Sequence

PATIENCE = 120  # seconds
SENDER, RECEIVER = "deals@bulk.example", "me@test.example"


def hand_over(command: Sequence[str], mail: bytes) -> None:
    """Sends a mail over loopback to a server that is started for this connection; returns when the server has ended."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        client = smtplib.SMTP(timeout=PATIENCE)
        with subprocess.Popen(command, stdin=(near := _pair(listening, client)), stdout=near) as server:
            near.close()
            code, words = client.getreply()
            assert code == 220, words
            client.sendmail(SENDER, [RECEIVER], mail)
            client.quit()
            assert server.wait(timeout=PATIENCE) == 0


def _pair(listening: socket.socket, client: smtplib.SMTP) -> socket.socket:
    """The server's end of a connection whose other end the client gets."""
    client.sock = socket.create_connection(listening.getsockname(), timeout=PATIENCE)
    return listening.accept()[0]
