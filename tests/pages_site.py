"""The pages on a loopback port, for tests: a filter that has learned the sample mails, and a history."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import Any

from web import USUAL, serving

from bayleaf.demo.samples import LABELS, NEW, sample_mails, subject
from bayleaf.demo.tour import SECRET
from bayleaf.mail import Filter
from bayleaf.service.http.settings import Settings
from bayleaf.service.tokens import Tokens
from bayleaf.store import Store

PLACES = ("/", "/review", "/words", "/words?q=pills", "/words/token?name=word:pills", "/quality", "/data")


def fresh(label: str) -> list[bytes]:
    """Sample mails that are not learned."""
    return [raw for raw in sample_mails(label) if subject(raw) in NEW.values()]


def taught(path: Path) -> Path:
    """A store with the other ones; its secret is no secret, so that every run has the same verdicts."""
    Store(path, secret=SECRET).close()
    with Filter.open(path) as learner:
        old = {label: [raw for raw in sample_mails(label) if subject(raw) not in NEW.values()] for label in LABELS}
        mixed = zip_longest(*([(raw, label) for raw in raws] for label, raws in old.items()))
        learner.train_many([mail for both in mixed for mail in both if mail])
    return path


class Site:
    """Serves until it is closed."""

    def __init__(self, store: Path, tokens: Tokens | None = None, settings: Settings = USUAL) -> None:
        self.tokens = tokens
        self._serving = serving(store, settings, tokens)
        client, self.live = self._serving.__enter__()
        assert self.live.history is not None
        self.history = self.live.history
        self.url = f"http://127.0.0.1:{client.port}"

    def judge_samples(self) -> None:
        """Puts every sample mail into the history."""
        for label in LABELS:
            for raw in sample_mails(label):
                self.live.judge(raw, face="spamd")

    def close(self) -> None:
        self.live.leave()
        self._serving.__exit__(None, None, None)


def sound(page: Any, scheme: str) -> None:
    """Nothing sticks out sideways, and axe finds nothing serious."""
    from axe_playwright_python.sync_playwright import Axe

    page.wait_for_load_state()  # or the style sheet may be under way
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), page.url
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(int(part) for part in ground.strip("rgb()").split(",")) > 384) == (scheme == "light")
    faults = [
        (fault["id"], [node["html"] for node in fault["nodes"]])
        for fault in Axe().run(page).response["violations"]
        if fault["impact"] in ("serious", "critical")
    ]
    assert faults == [], page.url
