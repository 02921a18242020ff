"""ARFF as Weka writes it."""

from pathlib import Path

import pytest

from bayleaf import DataError
from bayleaf.readers import open_source

HEAD = """% a comment
@RELATION pets

@attribute 'the name' string
@ATTRIBUTE size NUMERIC
@attribute kind {cat, 'big dog', "a, b"}
@data
"""


def read(tmp_path: Path, text: str) -> tuple[dict[str, list[object]], list[object]]:
    path = tmp_path / "pets.arff"
    path.write_text(text, encoding="utf-8")
    with open_source(path) as source:
        batch = next(source.batches())
        return batch.columns, list(batch.places)


def test_dense_rows(tmp_path: Path) -> None:
    rows = "Tom, 1.5, cat\n% between\n'O\\'Neil, the', ?, 'big dog'\n\n?,2e3,'a, b'\n"
    columns, places = read(tmp_path, HEAD + rows)
    assert columns == {
        "the name": ["Tom", "O'Neil, the", None],
        "size": [1.5, None, 2000.0],
        "kind": ["cat", "big dog", "a, b"],
    }
    assert places == [8, 10, 12]


def test_a_quoted_nothing_is_an_empty_text(tmp_path: Path) -> None:
    assert read(tmp_path, HEAD + "'',1,cat\n")[0]["the name"] == [""]


def test_sparse_rows(tmp_path: Path) -> None:
    columns, _ = read(tmp_path, HEAD + "{0 Tom, 2 'big dog'}\n{1 3}\n{}\n")
    assert columns == {"the name": ["Tom", None, None], "size": [0.0, 3.0, 0.0], "kind": ["big dog", "cat", "cat"]}


def test_content_tells_it_without_a_name(tmp_path: Path) -> None:
    path = tmp_path / "pets"
    path.write_text(HEAD + "Tom,1,cat\n", encoding="utf-8")
    assert open_source(path).format == "arff"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + "Tom,1\n", "line 8: found 2 values, expected 3"),
        (HEAD + "Tom,big,cat\n", "line 8: found 'big' in 'size', expected a number"),
        (HEAD + "Tom,1,cow\n", "line 8: found 'cow' in 'kind', expected one of cat, big dog, a, b"),
        (HEAD + "'Tom,1,cat\n", 'line 8: found "\'Tom,1,cat", expected a value; mend its quotes'),
        (HEAD + "{7 x}\n", "line 8: found '7 x', expected an index below 3"),
        (HEAD + "{0 x\n", "line 8: found"),
        ("@relation x\n@attribute a numeric\n", "found no @data"),
        ("@relation x\n@data\n1\n", "line 2: found @data before any @attribute"),
        ("@relation x\n@attribute a relational\n@data\n", "line 2: found type 'relational'"),
        ("@relation x\n@attribute a\n@data\n", "line 2: found '@attribute a'"),
        ("@relation x\n@attribute a real\n@attribute a real\n@data\n", "found two attributes called 'a'"),
    ],
)
def test_faults_name_the_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(DataError) as error:
        read(tmp_path, text)
    assert words in str(error.value)
