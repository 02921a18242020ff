"""Good words in the last tenth of the spam."""

from __future__ import annotations

import pytest
from letters import letters

from bayleaf.evaluate.attack import attack, lacking
from bayleaf.evaluate.index import Index
from bayleaf.evaluate.place import Held
from bayleaf.evaluate.stream import Protocol

ODD = b"From: q@strange.example\nSubject: zebra quilt\n\nzebra quilt umbrella violin walrus\n"


@pytest.mark.parametrize(
    "stream",
    [
        [*letters(9), (ODD, "spam"), (ODD + b"xylophone\n", "SPAM")],  # capitals: is taught, but not asked for
        [*letters(2), (ODD, "spam")],
    ],
    ids=["twenty", "five"],
)
def test_the_attack_is_on_the_last_tenth_as_if_it_had_not_been_taught(stream: list[tuple[bytes, str]]) -> None:
    assert not lacking(Index([(Held(raw), label) for raw, label in stream]))
    protocol = Protocol()
    with protocol.fresh() as judge:
        list(protocol.run(judge, stream))
        clean = attack(judge, stream)["attack: clean"]
    assert (clean["mails"], clean["sm%"]) == (1, 100), "its words are in no other mail"


def test_good_words_make_spam_look_like_ham() -> None:
    stream, protocol = letters(60), Protocol()
    with protocol.fresh() as judge:
        list(protocol.run(judge, stream))
        found = attack(judge, stream)
    assert found["attack: clean"]["sm%"] < found["attack: append 50"]["sm%"] <= found["attack: append 500"]["sm%"]
    assert {rates["mails"] for rates in found.values()} == {12}


@pytest.mark.parametrize(
    ("labels", "missing"),
    [
        ("ham ham spam", ""),
        ("spam ham", "spam in"),
        ("ham SPAM", "spam in"),
        ("spam spam", "ham before"),
        ("spam", "ham before"),
    ],
)
def test_an_attack_needs_spam_and_ham_before_it(labels: str, missing: str) -> None:
    assert lacking(Index([(Held(b""), label) for label in labels.split()])) == missing
