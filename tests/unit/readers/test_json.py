"""JSON Lines and arrays of objects."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayleaf import DataError
from bayleaf.readers import open_source

VALUE = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
ROWS = st.lists(st.dictionaries(st.text(max_size=4), VALUE, max_size=4), min_size=1, max_size=6)


def read(path: Path | str) -> tuple[dict[str, list[Any]], list[Any], list[str]]:
    with open_source(path) as source:
        columns: dict[str, list[Any]] = {name: [] for name in source.names}
        places = []
        for batch in source.batches(1):
            places += batch.places
            for name, column in batch.columns.items():
                columns[name] += column
        return columns, places, source.notes


def written(tmp_path: Path, text: str, name: str) -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@given(rows=ROWS)
@pytest.mark.parametrize("name", ["data.jsonl", "data.json"])
def test_what_was_written_comes_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]], name: str
) -> None:
    lines = [json.dumps(row) for row in rows]
    text = "\n".join(lines) if name == "data.jsonl" else "[" + ",\n ".join(lines) + "]"
    columns, places, _ = read(written(tmp_path_factory.mktemp("json"), text, name))
    names = list(dict.fromkeys(key for row in rows for key in row))
    assert columns == {name: [row.get(name) for row in rows] for name in names}
    assert places == list(range(1, len(rows) + 1))


@pytest.mark.parametrize("name", ["data.jsonl", "data.json"])
def test_lists_and_objects_are_their_json(tmp_path: Path, name: str) -> None:
    line = '{"a": {"b": [1, "é"]}, "c": null}'
    columns, _, _ = read(written(tmp_path, f"[{line}]" if name == "data.json" else line, name))
    assert columns == {"a": ['{"b": [1, "é"]}'], "c": [None]}


def test_a_key_that_turns_up_later_is_passed_over_with_one_note(tmp_path: Path) -> None:
    lines = ['{"a": "%s"}' % ("x" * 100)] * 5000 + ['{"a": "y", "new": 1}'] * 3
    columns, _, notes = read(written(tmp_path, "\n".join(lines), "data.jsonl"))
    assert list(columns) == ["a"]
    assert len(columns["a"]) == 5003
    assert [note for note in notes if "'new'" in note] == ["passed over 'new': not in the first 256 KB of the file"]


def test_blank_lines_count_as_lines(tmp_path: Path) -> None:
    _, places, _ = read(written(tmp_path, '\n{"a": 1}\r\n\n{"a": 2}\n', "data.jsonl"))
    assert places == [2, 4]


def test_an_array_longer_than_a_piece_on_one_line_and_with_long_values(tmp_path: Path) -> None:
    rows = [{"i": i, "text": "word " * (200_000 if i == 7 else 20)} for i in range(5000)]
    columns, places, _ = read(written(tmp_path, json.dumps(rows), "data.json"))
    assert columns["i"] == list(range(5000))
    assert columns["text"][7] == rows[7]["text"]
    assert set(places) == {1}


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("d.jsonl", '{"a": 1}\n{"a": }\n', "line 2: found '{\"a\": }', which is not JSON"),
        ("d.jsonl", '{"a": 1}\n[1]\n', "line 2: found [1], expected an object with the values of a row"),
        ("d.jsonl", '{"a": ' + "1" * 5000 + "}", "line 1: found"),
        ("d.jsonl", "", "found an empty file"),
        ("d.json", "[]", "found an array without objects"),
        ("d.json", '[{"a": 1},\n 7]', "line 2: found '7]', expected an object"),
        ("d.json", '[{"a": 1}\n', "found the end of the file, expected ',' or ']'"),
        ("d.json", '[{"a": 1},\n{"a": 2]', "line 2: found '{\"a\": 2]', expected an object"),
        ("d.json", '"text"', "expected '['"),
    ],
)
def test_faults_name_the_line(tmp_path: Path, name: str, text: str, words: str) -> None:
    with pytest.raises(DataError) as error:
        read(written(tmp_path, text, name))
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ['{"a": 1}\n{"a": 2}\n', '[{"a": 1},\n{"a": 2}]'])
def test_standard_input_is_told_by_its_content_and_read_once(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    with open_source("-") as source:
        assert not source.rereadable
        batches = list(source.batches())
        assert batches[0].columns == {"a": [1, 2]}
        assert list(batches[0].places) == [1, 2]
        with pytest.raises(DataError, match="standard input was read before"):
            source.batches()
