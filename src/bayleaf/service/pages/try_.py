"""Try: a mail is put in, and a verdict with its reasons comes out."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice

from starlette.responses import Response

from bayleaf.errors import BadValueError, NotLearnedError
from bayleaf.mail import Filter, Verdict
from bayleaf.mail.pieces import pieces
from bayleaf.readers.visible import Visible
from bayleaf.service.pages.asking import Asking
from bayleaf.service.pages.correction import Correction
from bayleaf.service.pages.figures import progress
from bayleaf.service.pages.lesson import LONGEST
from bayleaf.service.pages.marked import Marked
from bayleaf.service.pages.sums import Sums
from bayleaf.service.pages.tried import Trial

# A text becomes a mail by a header field that every mail has and few texts begin with.
MAIL = re.compile(
    rb"\A(?:From [^\n]*\n)?(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*)*?"
    rb"(?:From|To|Subject|Date|Received|Return-Path|Message-ID|MIME-Version|Delivered-To|Content-Type):",
    re.IGNORECASE,
)


def start(asking: Asking) -> Response:
    """The empty form."""
    mails = asking.desk.live.ask(lambda own: own.evidence().mails)
    return asking.page("try", progress=progress(mails), most=LONGEST)


def judge(asking: Asking) -> Response:
    """Takes the mail and goes where its verdict is shown."""
    file = asking.file("file")
    raw = file.file.read(LONGEST + 1) if file is not None else asking.given("text").replace("\r\n", "\n").encode()
    if len(raw) > LONGEST:
        raise BadValueError(
            f"found more than {LONGEST:,} bytes, expected one mail of at most that: the page Data takes mailboxes"
        )
    if len(list(islice(pieces(raw), 2))) > 1:  # one verdict on all of them would be none, and be learned as one mail
        raise BadValueError("found an mbox with several mails, expected one mail: the page Data takes mailboxes")
    if not raw.strip():
        asking.say("There was nothing to judge: paste a mail or choose a file.")
        return asking.go("/")
    mail = raw if MAIL.match(raw.lstrip()) else raw.decode("utf-8", "replace")
    _, id = asking.desk.live.judged(mail, "", "page")
    return asking.go(f"/try/{asking.desk.tried.put(Trial(mail, history=id))}")


def held(view: Callable[[Asking, Trial], Response]) -> Callable[[Asking], Response]:
    """A view of the mail that the address names, while it is here."""

    def shown(asking: Asking) -> Response:
        trial = asking.desk.tried.get(asking.request.path_params["name"])
        if trial is not None:
            return view(asking, trial)
        asking.say("That mail is no longer held here: put it in again.")
        return asking.go("/")

    return shown


@held
def result(asking: Asking, trial: Trial) -> Response:
    """The verdict, the text with its clues, the sum, and the way to correct it."""
    verdict, labels, fields, scale = asking.desk.live.ask(lambda own: weighed(own, trial.raw), trial.user)
    text = trial.raw if isinstance(trial.raw, str) else Visible.read(trial.raw).text
    sums = Sums.of(verdict)
    clues = verdict.clues
    return asking.page(
        "verdict",
        name=asking.request.path_params["name"],
        trial=trial,
        verdict=verdict,
        labels=labels,
        scale=scale,
        sums=sums,
        fields={name: Marked.field(name.lower(), value, clues, sums.sign) for name, value in fields.items() if value},
        body=Marked.body(text or "", clues, sums.sign),
        known=asking.desk.live.known(trial.raw, trial.user),
        change=trial.corrected,
    )


def weighed(own: Filter, raw: bytes | str) -> tuple[Verdict, tuple[str, ...], dict[str, str], dict[str, float]]:
    """The verdict, the labels there are, header fields to look at, and how far ham and spam reach on a scale."""
    features, evidence = own.read(raw), own.evidence()
    fields = {"From": features.sender, "Subject": features.subject}
    pair = set(evidence.labels) == {"spam", "ham"}
    scale = {label: own.policy.slack(label, min(evidence.totals)) for label in evidence.labels if pair}
    return own.judge_features(features, raw), evidence.labels, fields, scale


@held
def correct(asking: Asking, trial: Trial) -> Response:
    """Learns what somebody says it is."""
    made = Correction.make(asking.desk.live, trial.raw, asking.label(), trial.user)
    trial.corrected = made if trial.corrected is None else trial.corrected.then(made)
    return back(asking)


@held
def undo(asking: Asking, trial: Trial) -> Response:
    """Takes the correction back."""
    if trial.corrected is not None:
        try:
            trial.corrected.undo(asking.desk.live, trial.raw, trial.user)
            asking.say("Taken back: everything is counted as it was before.")
        except NotLearnedError as error:
            asking.say(str(error))
        trial.corrected = None
    return back(asking)


def back(asking: Asking) -> Response:
    """To the verdict."""
    return asking.go(f"/try/{asking.request.path_params['name']}#outcome")


SHOWN = {"/": start, "/try": start, "/try/{name}": result}
DONE = {"/try": ("read", judge), "/try/{name}/correct": ("train", correct), "/try/{name}/undo": ("train", undo)}
