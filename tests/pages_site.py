"""The pages on a loopback port, for tests: a filter that has learned the sample mails, and a history."""

from __future__ import annotations

import threading
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from bayleaf.demo.samples import LABELS, NEW, sample_mails, subject
from bayleaf.mail import Filter
from bayleaf.service import LiveFilter
from bayleaf.service.history import History
from bayleaf.service.pages import router


class Keys(dict[str, str]):
    """Tokens and what they allow."""

    def scope(self, token: str) -> str | None:
        return self.get(token)


def fresh(label: str) -> list[bytes]:
    """Sample mails that are not learned."""
    return [raw for raw in sample_mails(label) if subject(raw) in NEW.values()]


def taught(path: Path) -> Path:
    """A store with the other ones."""
    with Filter.open(path) as learner:
        for label in LABELS:
            learner.train_many([(raw, label) for raw in sample_mails(label) if subject(raw) not in NEW.values()])
    return path


class Site:
    """Serves until it is closed."""

    def __init__(self, store: Path, tokens: Keys | None = None) -> None:
        self.history = History.open(None)
        self.live = LiveFilter(store, history=self.history)
        self.pages = router(self.live, self.history, tokens)
        app = FastAPI(openapi_url=None)
        app.include_router(self.pages)
        self.server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", lifespan="off"))
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
        self.pages.desk.close()  # type: ignore[attr-defined]
        self.live.close()
        self.history.close()
