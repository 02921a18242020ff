"""kill -9 of the daemon while clients teach: what was acknowledged is there, once; it starts again without hands."""

from __future__ import annotations

import http.client
from collections.abc import Callable
from pathlib import Path

import pytest
from daemon import Daemon, request
from letters import letter
from teacher import Teach, kill_while_learning
from web import Client

pytestmark = pytest.mark.slow


def over_spamd(daemon: Daemon) -> Teach:
    def teach(mail: bytes, label: str | None) -> bool:
        fields = ["Remove: local"] if label is None else [f"Message-class: {label}", "Set: local"]
        try:
            return daemon.ask(request("TELL", mail, *fields)).endswith(b"\r\n\r\n")
        except OSError:
            return False

    return teach


def over_http(daemon: Daemon) -> Teach:
    client = Client(daemon.web)
    client.post("/v1/judge", letter(1, "spam"))  # so that the history is written to as well

    def teach(mail: bytes, label: str | None) -> bool:
        try:
            answer = client.post("/v1/untrain" if label is None else f"/v1/train?label={label}", mail)
        except (OSError, http.client.HTTPException):
            return False
        assert answer.status == 200
        return True

    return teach


@pytest.mark.parametrize(
    ("words", "teacher"),
    [(["--allow-tell"], over_spamd), (["--http", "127.0.0.1:0"], over_http)],
    ids=["spamd", "http"],
)
def test_nothing_acknowledged_is_lost_and_nothing_counts_twice(
    words: list[str], teacher: Callable[[Daemon], Teach], tmp_path: Path
) -> None:
    store = tmp_path / "mail.db"
    kill_while_learning(store, lambda: Daemon(tmp_path, *words, store=store), teacher)
