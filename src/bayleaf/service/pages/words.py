"""Words: what single tokens stand for."""

from __future__ import annotations

from typing import NamedTuple

from starlette.responses import Response

from bayleaf.mail import Filter
from bayleaf.mail.lexicon import Lexicon
from bayleaf.service.judged import Judged
from bayleaf.service.pages.asking import Asking
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
    query, kind = asking.given("q")[:200].strip(), asking.given("kind")

    def look(own: Filter) -> Response:
        lexicon = Lexicon(own)
        found = lexicon.search(query, MOST) if query else []
        strongest = {} if query else lexicon.strongest(STRONGEST, kind)
        labels = own.evidence().labels
        return asking.page("words", query=query, kind=kind, found=found, strongest=strongest, labels=labels)

    return asking.desk.live.ask(look)


def one(asking: Asking) -> Response:
    """A token, and what would be different without it."""
    name, tried = asking.given("name")[:400], asking.given("mail")
    trial = asking.desk.tried.get(tried) if tried else None

    def look(own: Filter) -> Response:
        token = Lexicon(own).find(name, trial.raw if trial is not None else "")
        here = None if token is None or trial is None else Removal.of(own, trial.raw, token.key)
        effects = [] if token is None else recent(asking, own, token.key)
        facts = {"name": name, "token": token, "tried": tried if trial else "", "removal": here, "effects": effects}
        return asking.page("token", 200 if token else 404, looked=RECENT, **facts)

    return asking.desk.live.ask(look)


def recent(asking: Asking, own: Filter, key: int) -> list[Effect]:
    """Recent mails that have the token, those that it changes most first."""
    effects = []
    for mail in asking.desk.history.find(unsure_first=False, limit=RECENT):
        raw = asking.desk.history.raw(mail.id) if mail.kept else None
        removal = None if raw is None else Removal.of(own, raw, key)
        if removal is not None:
            effects.append(Effect(mail, removal))
    return sorted(effects, key=lambda effect: -abs(effect.removal.change))


SHOWN = {"/words": show, "/words/token": one}
DONE: dict[str, tuple[str, object]] = {}
