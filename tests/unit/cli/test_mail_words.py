"""bayleaf mail words --find: what is known of a word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from letters import letters

from bayleaf.cli.main import main
from bayleaf.mail import Filter


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    """The command on a store of forty mails, which say casino in spam only."""
    with Filter.open(tmp_path / "m.db") as learner:
        learner.train_many(letters(20))
    return ["mail", "words", "--store", str(tmp_path / "m.db"), "--find"]


def test_the_word_comes_first_with_its_mails_and_its_side(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "CASINO", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    own = sum(b"casino" in raw for raw, _ in letters(20))
    assert (found[0]["name"], found[0]["label"], found[0]["counts"]) == ("word:casino", "spam", {"spam": own, "ham": 0})
    assert all("casino" in token["name"].lower() and token["seen"] for token in found)
    main([*words, "casino"])
    head, first, *_ = capsys.readouterr().out.splitlines()
    assert head.split() == ["weight", "for", "token", "spam", "ham", "last", "learned"]
    assert first.split()[1:] == ["spam", "word:casino", str(own), "0", found[0]["seen"]]


def test_what_nobody_has_learned_is_said(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "neverlearned"]) == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "found no learned token with 'neverlearned'" in shown.err
