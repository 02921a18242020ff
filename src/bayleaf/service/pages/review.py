"""Review: the stream of judged mail, to be looked through and corrected."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.responses import Response

from bayleaf.errors import NotLearnedError
from bayleaf.service.pages.asking import Asking
from bayleaf.service.pages.correction import take_back
from bayleaf.service.pages.desk import Step
from bayleaf.service.pages.tried import Trial

SIZE = 50  # mails on a page


def show(asking: Asking) -> Response:
    """The mails that were asked for, those in doubt first."""
    query, label, before = asking.given("q")[:200], asking.given("label"), asking.given("before")
    newest = asking.given("order") == "newest"
    mails = asking.desk.history.find(
        query, label or None, not newest, asking.number(before) if before else None, limit=SIZE + 1
    )
    asked = {"q": query, "label": label, "order": "newest" if newest else ""}
    more = {**asked, "before": str(mails[SIZE - 1].id)} if len(mails) > SIZE else None
    return asking.page(
        "review",
        mails=mails[:SIZE],
        labels=asking.labels,
        asked=asked,
        first=not before,
        here_again=address({**asked, "before": before}),
        more=None if more is None else address(more),
        undo=asking.desk.last(asking.visitor.session),
    )


def address(asked: dict[str, str]) -> str:
    """The address of a view of the stream."""
    return "/review?" + urlencode({name: value for name, value in asked.items() if value})


def correct(asking: Asking) -> Response:
    """Learns every ticked mail as one label."""
    label, steps, done, missing, changed = asking.label(), list[Step](), 0, 0, 0
    try:
        for text in asking.form.getlist("id"):
            id = asking.number(str(text))
            mail, raw = asking.desk.history.get(id), asking.desk.history.raw(id)
            if mail is None or raw is None:
                missing += 1
                continue
            before = Step(id, mail.user, label, asking.desk.live.known(raw, mail.user))
            try:
                if asking.desk.live.train(raw, label, mail.user).result() != "known":
                    steps.append(before)
                done += 1
            except NotLearnedError:
                changed += 1
    finally:  # what was learned before one was refused can be undone all the same
        if steps:
            asking.desk.did(asking.visitor.session, steps)
    told = [f"{count(done)} learned as {label}."] if done else []
    told += [f"{count(missing)} no longer kept and left out."] if missing else []
    told += [f"{count(changed)} left out: changed since learned as something else."] if changed else []
    asking.say(" ".join(told) or "Nothing was ticked, nothing was learned.")
    return asking.go(origin(asking))


def undo(asking: Asking) -> Response:
    """Takes a correction back, all of its mails; from where the store fails on, it can be tried again."""
    steps = asking.desk.undo(asking.visitor.session, asking.number(asking.given("number")))
    some, undone = bool(steps), 0
    try:
        while steps:
            undone += undid(asking, steps[-1])
            steps.pop()
    finally:
        if steps:
            asking.desk.did(asking.visitor.session, steps)
    asking.say(f"{count(undone)} taken back." if some else "There is nothing to take back.")
    return asking.go(origin(asking))


def undid(asking: Asking, step: Step) -> bool:
    """Whether a mail is as it was before; one that is no longer kept, or has changed since, cannot be."""
    raw = asking.desk.history.raw(step.id)
    try:
        if raw is not None:
            take_back(asking.desk.live, raw, step.label, step.previous, step.user)
    except NotLearnedError as error:
        asking.say(str(error))
        return False
    return raw is not None


def origin(asking: Asking) -> str:
    """The view that a form was on."""
    back = asking.given("back")
    return back if back.startswith("/review?") else "/review"


def count(mails: int) -> str:
    """In words."""
    return "1 mail" if mails == 1 else f"{mails} mails"


def look(asking: Asking) -> Response:
    """Opens a mail of the history on the page Try."""
    id = asking.number(asking.request.path_params["id"])
    mail, raw = asking.desk.history.get(id), asking.desk.history.raw(id)
    if mail is None or raw is None:
        asking.say("That mail is no longer kept.")
        return asking.go("/review")
    return asking.go(f"/try/{asking.desk.tried.put(Trial(raw, mail.user, id))}")


SHOWN = {"/review": show, "/review/{id}": look}
DONE = {"/review": ("train", correct), "/review/undo": ("train", undo)}
