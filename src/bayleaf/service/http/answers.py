"""Answers: what the API says, as its description promises."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

LABEL = 64  # characters
Share = Annotated[float, Field(ge=0, le=1)]


class Judgement(BaseModel):
    """What a mail or text is."""

    label: str = Field(description="One of the labels, or `unsure`.")
    best: str = Field(description="The likeliest label, also when unsure.")
    probability: Share = Field(description="Probability of `best`.")
    probabilities: dict[str, Share]
    score: float = Field(description="Evidence for `best`; with two labels the log-odds.")
    points: float = Field(description="The score as spamd's clients are told it: 5.0 and more is spam.")
    notes: list[str] = Field(description="What was odd about the mail or about the verdict.")


class Judged(Judgement):
    """The same with the place of the mail in the history."""

    id: int | None = Field(description="For `/v1/history/{id}`; null when no history is kept.")


class Clue(BaseModel):
    """One summand of the score."""

    name: str
    family: str
    summand: float
    counts: list[int] = Field(description="Learned mails that have the token, in the order of `labels`.")


class Explained(Judgement):
    """A verdict with its reasons: the summands add up to `score`."""

    labels: list[str]
    clues: list[Clue] = Field(description="The strongest first.")
    others: float = Field(description="The sum of the clues that are not listed.")


class Learned(BaseModel):
    """What learning a mail came to."""

    done: Literal["learned", "corrected", "known"] = Field(
        description="`corrected`: another label was taken back. `known`: it had this one; nothing changed."
    )
    label: str


class Unlearned(BaseModel):
    """What unlearning a mail came to."""

    done: Literal["unlearned"]
    label: str = Field(description="The label that it had.")


class Corrected(Learned):
    """What a correction came to, and what it changed."""

    before: Judgement
    after: Judgement


class Text(BaseModel):
    """A text without headers, to be judged or learned."""

    text: str


class Told(BaseModel):
    """What a mail of the history is; null takes that back."""

    label: str | None = Field(min_length=1, max_length=LABEL)


class Token(BaseModel):
    """A token that has been learned."""

    name: str
    counts: dict[str, int] = Field(description="Learned mails that have it, by label.")
    label: str = Field(description="The label it speaks for most.")
    weight: float = Field(description="log P(token | label) − log P(token | other labels), smoothed.")
    seen: str | None = Field(description="The day it was last learned.")


class Tokens(BaseModel):
    """Tokens that were asked for, or the strongest of each label."""

    tokens: list[Token]


class Line(BaseModel):
    """A mail that was judged."""

    id: int
    time: float = Field(description="Seconds since 1970, UTC.")
    face: str = Field(description="Who asked: `milter`, `spamd`, `http` or `page`.")
    user: str
    identity: str = Field(description="The same for the same mail, in hexadecimal.")
    label: str
    best: str
    probability: Share
    sender: str
    subject: str
    size: int
    told: str | None = Field(description="The label that somebody gave it later.")
    kept: bool = Field(description="Whether the mail itself is still kept, so that it can be told.")


class Lines(BaseModel):
    """A part of the history."""

    mails: list[Line]
    next: int | None = Field(description="`before` for the next part; null when this was the last.")


class Status(BaseModel):
    """What the daemon has learned and done."""

    version: str
    mails: dict[str, int] = Field(description="Learned mails by label, in the shared store.")
    keys: int
    bytes: int
    worth: dict[str, float] = Field(description="What each kind of evidence is worth.")
    judged: dict[str, int] = Field(description="Mails judged as each label since the start.")
    counts: dict[str, int] = Field(
        description="Outcomes of learning, and what mail servers and spamc were refused, since the start."
    )
    history_dropped: int = Field(description="Lines of the history that were lost because the disk did not keep up.")


class State(BaseModel):
    """That all is well."""

    status: Literal["ok", "ready"]


class ModelFile(BaseModel):
    """A file of the folder of models."""

    name: str
    bytes: int
    changed: float = Field(description="Seconds since 1970, UTC.")


class ModelFiles(BaseModel):
    """The folder of models."""

    models: list[ModelFile]


class ModelFacts(BaseModel):
    """What a model is."""

    name: str
    kind: str
    labels: list[str]
    columns: dict[str, str] = Field(description="The columns of a record and their kinds, where the model names them.")


class Question(BaseModel):
    """Texts, or records of named values, to be labelled."""

    texts: list[str] | None = None
    records: list[dict[str, str | float | int | bool | None]] | None = None


class Predicted(BaseModel):
    """A label for each row, with the probabilities of all."""

    labels: list[str]
    probabilities: list[dict[str, Share]]
