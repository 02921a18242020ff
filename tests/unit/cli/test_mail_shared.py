"""bayleaf mail with a shared store beside one's own, and mails that are given twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from letters import letter, letters

from bayleaf.cli.main import main
from bayleaf.mail import Filter


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a shared store, the store of a user who wants what others call spam, and a mail."""
    with Filter.open(tmp_path / "shared.db") as shared:
        shared.train_many(letters(20))
    with Filter.open(tmp_path / "own.db", shared=tmp_path / "shared.db") as own:
        own.train_many((letter(n, "spam"), "ham") for n in range(100, 110))
    (tmp_path / "new.eml").write_bytes(letter(90, "spam"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BAYLEAF_STORE", "own.db")
    return tmp_path


@pytest.mark.parametrize("way", ["option", "variable"])
def test_a_user_is_judged_by_both_stores(
    here: Path, way: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if way == "variable":
        monkeypatch.setenv("BAYLEAF_SHARED", "shared.db")
    main(["mail", "judge", "--json", "new.eml", *(["--shared", "shared.db"] if way == "option" else [])])
    found = json.loads(capsys.readouterr().out)["probabilities"]
    with Filter.open("own.db", shared=here / "shared.db") as both, Filter.open("shared.db") as shared:
        assert found == both.judge(letter(90, "spam")).probabilities
        assert found["spam"] < shared.judge(letter(90, "spam")).probabilities["spam"]


def test_a_shared_store_is_not_made_of_a_mistyped_path(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mail", "judge", "--store", "none.db", "--shared", "typo.db", "new.eml"]) == 70
    assert "there is no store at typo.db" in capsys.readouterr().err
    assert sorted(path.name for path in here.glob("*.db")) == ["own.db", "shared.db"]


def test_a_mail_under_two_labels_is_told_with_its_place(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = b"From a@example Mon Jan  1 10:00:00 2024\n"
    (here / "box").write_bytes(b"\n".join(line + letter(n, "spam") for n in (50, 51, 52)))
    (here / "junk").write_bytes(b"\n".join(line + letter(n, "spam") for n in (51, 52)))
    assert main(["mail", "learn", "--store", "m.db", "--spam", "junk", "--ham", "box"]) == 0
    assert capsys.readouterr().err.startswith("bayleaf: box, mail 2 (and 1 more): found under another label before")


def test_a_file_and_a_link_to_it_have_one_label(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "link.eml").symlink_to("new.eml")
    assert main(["mail", "learn", "--store", "m.db", "--spam", "new.eml", "--ham", "link.eml"]) == 70
    assert "link.eml: found as spam and as ham, expected one label" in capsys.readouterr().err
