"""The pages on a loopback port, for tests: a filter that has learned the sample mails, and a history."""

from __future__ import annotations

import threading
from itertools import zip_longest
from pathlib import Path

import uvicorn

from bayleaf.demo.samples import LABELS, NEW, sample_mails, subject
from bayleaf.mail import Filter
from bayleaf.service import LiveFilter
from bayleaf.service.history import History
from bayleaf.service.http.app import make_app
from bayleaf.service.http.settings import Settings
from bayleaf.service.tokens import Tokens


def fresh(label: str) -> list[bytes]:
    """Sample mails that are not learned."""
    return [raw for raw in sample_mails(label) if subject(raw) in NEW.values()]


def taught(path: Path) -> Path:
    """A store with the other ones."""
    with Filter.open(path) as learner:
        old = {label: [raw for raw in sample_mails(label) if subject(raw) not in NEW.values()] for label in LABELS}
        mixed = zip_longest(*([(raw, label) for raw in raws] for label, raws in old.items()))
        learner.train_many([mail for both in mixed for mail in both if mail])
    return path


class Site:
    """Serves until it is closed."""

    def __init__(self, store: Path, tokens: Tokens | None = None) -> None:
        self.history = History.open(None)
        self.live = LiveFilter(store, history=self.history)
        self.tokens = tokens
        self.app = make_app(self.live, self.history, tokens, Settings())
        self.server = uvicorn.Server(uvicorn.Config(self.app, port=0, log_level="warning", lifespan="off"))
        self.ready = threading.Event()
        started = self.server.startup

        async def startup(sockets: object = None) -> None:
            await started(sockets)  # type: ignore[arg-type]
            self.ready.set()

        self.server.startup = startup  # type: ignore[method-assign, assignment]
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        assert self.ready.wait(60)
        self.port = self.server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def judge_samples(self) -> None:
        """Puts every sample mail into the history."""
        for label in LABELS:
            for raw in sample_mails(label):
                self.live.judge(raw, face="spamd")

    def close(self) -> None:
        self.server.should_exit = True
        self.thread.join()
        for close in self.app.state.closing:
            close()
        self.live.close()
        self.history.close()
