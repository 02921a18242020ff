"""A site that has learned the sample mails, and a page that must not complain."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from pages_site import Site, taught

from bayleaf.service.tokens import Tokens


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    running = Site(taught(tmp_path / "m.db"))
    yield running
    running.close()


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that is only looked at, with every sample mail in its history."""
    running = Site(taught(tmp_path_factory.mktemp("still") / "m.db"))
    running.judge_samples()
    yield running
    running.close()


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[tuple[Site, dict[str, str]]]:
    """A site that wants a token, and a token for each scope."""
    secrets = {scope: Tokens.add(tmp_path / "tokens", f"{scope}er", scope) for scope in ("read", "train")}
    running = Site(taught(tmp_path / "m.db"), Tokens(tmp_path / "tokens"))
    yield running, secrets
    running.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A tab. A word on its console, or a request to anywhere else, fails the test."""
    context = browser.new_context()
    tab = context.new_page()
    tab.set_default_timeout(20_000)
    told: list[str] = []
    asked: list[str] = []
    tab.on("console", lambda message: told.append(message.text))
    tab.on("pageerror", lambda error: told.append(str(error)))
    tab.on("request", lambda request: asked.append(request.url))
    yield tab
    context.close()
    assert told == []
    assert {httpx.URL(url).host for url in asked} <= {"127.0.0.1"}
