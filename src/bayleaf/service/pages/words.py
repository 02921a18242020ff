"""Words: what single tokens stand for."""

from __future__ import annotations

from typing import NamedTuple

from starlette.responses import Response

from bayleaf.mail import Filter
from bayleaf.service.judged import Judged
from bayleaf.service.pages.asking import Asking
from bayleaf.service.pages.lexicon import Lexicon
from bayleaf.service.pages.removal import Removal

MOST = 60  # tokens found
STRONGEST = 20  # per label
RECENT = 200  # mails of the history that a removal is tried on: about half a second


class Effect(NamedTuple):
    """What the removal of a token does to a mail of the history."""

    mail: Judged
    removal: Removal


def show(asking: Asking) -> Response:
    """Tokens that match a search, or the strongest ones."""
    query = asking.given("q")[:200].strip()

    def look(own: Filter) -> Response:
        lexicon = Lexicon(own)
        found = lexicon.search(query, MOST) if query else []
        strongest = {} if query else lexicon.strongest(STRONGEST)
        return asking.page("words", query=query, found=found, strongest=strongest, labels=own.evidence().labels)

    return asking.desk.live.ask(look)


def one(asking: Asking) -> Response:
    """A token, and what would be different without it."""
    name, tried = asking.given("name")[:400], asking.given("mail")
    trial = asking.desk.tried.get(tried) if tried else None

    def look(own: Filter) -> Response:
        token = Lexicon(own).find(name)
        here = None if token is None or trial is None else Removal.of(own, trial.raw, token.key)
        effects = [] if token is None else recent(asking, own, token.key)
        return asking.page(
            "token", 200 if token else 404, name=name, token=token, tried=tried, removal=here, effects=effects,
            looked=RECENT,
        )  # fmt: skip

    return asking.desk.live.ask(look)


def recent(asking: Asking, own: Filter, key: int) -> list[Effect]:
    """Recent mails that have the token, those that it changes most first."""
    effects = []
    for mail in asking.desk.history.find(unsure_first=False, limit=RECENT):
        raw = asking.desk.history.raw(mail.id) if mail.kept else None
        removal = None if raw is None else Removal.of(own, raw, key)
        if removal is not None:
            effects.append(Effect(mail, removal))
    return sorted(effects, key=lambda e: -abs(e.removal.probability - e.removal.probability_without))


SHOWN = {"/words": show, "/words/token": one}
DONE: dict[str, tuple[str, object]] = {}
