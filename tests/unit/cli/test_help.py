"""What -h says: each argument is explained, and nothing is offered that does nothing."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from desk import bayleaf, write_rows

from bayleaf.cli.main import BOTH, DESK, MAIL, usage
from bayleaf.cli.parser import Parser

COMMANDS = [("desk", name) for name in DESK] + [("mail", name) for name in MAIL]


@pytest.mark.parametrize(("group", "name"), COMMANDS)
def test_every_argument_is_explained_under_a_name_for_people(group: str, name: str) -> None:
    command: Parser = import_module(f"bayleaf.cli.{group}.{name}").arguments()
    assert [action.dest for action in command._actions if not action.help] == []
    words = [action.metavar or action.dest for action in command._get_positional_actions() if not action.choices]
    assert words == [word.upper() for word in words]


def test_the_list_of_commands_has_each_one_once_where_it_belongs() -> None:
    file, mail, either = usage("desk").split("\n\nwith ")[1:]
    assert [line.split()[0] for line in file.splitlines()[1:]] == [name for name in DESK if name not in BOTH]
    assert [line.split()[1] for line in mail.splitlines()[1:]] == list(MAIL)
    assert [line.split()[0] for line in either.splitlines()[1:]] == list(BOTH)
    assert max(map(len, usage("desk").splitlines())) <= 80


def test_measuring_takes_no_store_since_it_reads_none() -> None:
    done = bayleaf("mail", "evaluate", "--store", "mail.db", "--spam", "Junk", "--ham", "Inbox")
    assert (done.returncode, done.stdout) == (64, "")
    assert "unrecognized arguments: --store" in done.stderr


def test_what_is_missing_is_called_as_in_the_help() -> None:
    assert "required: show;" in bayleaf("config").stderr


def test_one_row_is_one_row_and_lines_fit_the_screen(tmp_path: Path) -> None:
    data, model = write_rows(tmp_path / "rows.csv"), str(tmp_path / "m.bayleaf")
    one = tmp_path / "one.csv"
    one.write_text("\n".join(data.read_text().splitlines()[:2]) + "\n")
    data.write_text(data.read_text() + "no label,phone,3,\n")
    trained = bayleaf("train", str(data), "--label", "team", "-o", model, COLUMNS="60")
    assert "1 row without a label was left out" in trained.stderr
    chosen = trained.stdout.partition("chosen")[2].partition("\n\n")[0]
    assert max(len(line) for line in f"chosen{chosen}".splitlines()) <= 60
    assert bayleaf("forget", model, str(one), "--label", "team").stdout.startswith("forgot  1 row: 1 delivery\n")
