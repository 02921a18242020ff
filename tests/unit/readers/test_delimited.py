"""CSV and TSV: what comes back is what was written, and each fault names its line."""

import csv
import gzip
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayleaf import DataError
from bayleaf.readers import open_source
from bayleaf.readers.source import CELLS, repeated

FIELD = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)
NAMES = st.lists(st.text("abcdefgh", min_size=1, max_size=8), min_size=2, max_size=4, unique=True)


def read(path: Path, **options: Any) -> dict[str, list[Any]]:
    with open_source(path, **options) as source:
        columns: dict[str, list[Any]] = {name: [] for name in source.names}
        for batch in source.batches(1):
            for name, column in batch.columns.items():
                columns[name] += column
    return columns


def written(tmp_path: Path, text: str, encoding: str = "utf-8", name: str = "data.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


@given(data=st.data(), delimiter=st.sampled_from(",;\t|:"), ends=st.sampled_from(["\n", "\r\n"]), names=NAMES)
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_what_was_written_comes_back(
    tmp_path_factory: pytest.TempPathFactory,
    data: st.DataObject,
    delimiter: str,
    ends: str,
    names: list[str],
    quoting: int,
) -> None:
    # The writer of Python 3.11 leaves a lone carriage return unquoted when lines end without one.
    field = FIELD if "\r" in ends or quoting == csv.QUOTE_ALL else FIELD.map(lambda text: text.replace("\r", ""))
    rows = data.draw(st.lists(st.lists(field, min_size=len(names), max_size=len(names)), max_size=6))
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator=ends, quoting=quoting)
    writer.writerows([names, *rows])
    path = tmp_path_factory.mktemp("round") / "data.csv"
    path.write_bytes(out.getvalue().encode())
    columns = read(path, delimiter=delimiter)
    assert columns == {name: [row[i] or None for row in rows] for i, name in enumerate(names)}


@given(
    width=st.integers(1, 6),
    blanks=st.lists(st.integers(0, 9), min_size=2, max_size=5),
    ends=st.sampled_from(["\n", "\r\n"]),
    quoted=st.booleans(),
)
def test_blank_lines_are_no_rows(
    tmp_path_factory: pytest.TempPathFactory, width: int, blanks: list[int], ends: str, quoted: bool
) -> None:
    """As many as make up the fields of a row, or as stand at the end of a file."""
    lines, places = [",".join("abcdef"[:width])], []
    for row, count in enumerate(blanks):
        lines += [",".join([f'"{row}"' if quoted else str(row)] * width), *[""] * count]
        places.append(len(lines) - count)
    with open_source(written(tmp_path_factory.mktemp("blank"), ends.join([*lines, ""])), delimiter=",") as source:
        batches = list(source.batches())
    assert [place for batch in batches for place in batch.places] == places
    for name in "abcdef"[:width]:
        assert [cell for batch in batches for cell in batch.columns[name]] == [str(row) for row in range(len(blanks))]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", ":"])
def test_the_delimiter_is_found_and_told(tmp_path: Path, delimiter: str) -> None:
    rows = [["size", "words", "kind"], ["1.5", "a, b; c", "x"], ["2.5", "d: e | f", "y"]]
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter).writerows(rows)
    with open_source(written(tmp_path, out.getvalue(), name="data.txt")) as source:
        assert source.names == rows[0]
        assert source.notes[0].startswith("delimiter ")
        assert [batch.columns["kind"] for batch in source.batches()] == [["x", "y"]]


def test_decimal_commas_do_not_part_fields(tmp_path: Path) -> None:
    assert read(written(tmp_path, "1,5;2,5\n3,1;4,2\n"), header=False)["column_2"] == ["2,5", "4,2"]


def test_quotes_that_are_plain_text_are_left_alone(tmp_path: Path) -> None:
    lines = 'kind\ttext\nham\t"Hi" he said\nspam\tfree\nham\t"unclosed\nspam\twin\n'
    with open_source(written(tmp_path, lines)) as source:
        assert "quotes are plain text" in source.notes[0]
        assert next(source.batches()).columns["text"] == ['"Hi" he said', "free", '"unclosed', "win"]


def test_one_column_of_texts_with_commas(tmp_path: Path) -> None:
    assert read(written(tmp_path, "text\nwell, hello\nbye\n")) == {"text": ["well, hello", "bye"]}


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_places_are_physical_lines(tmp_path: Path, ends: str) -> None:
    text = ends.join(["a,b", "1,2", "", f'"x{ends}y{ends}z",3', "4,5", ""])
    with open_source(written(tmp_path, text)) as source:
        assert [place for batch in source.batches(1) for place in batch.places] == [2, 4, 7]


def test_a_line_feed_alone_ends_a_line_among_others(tmp_path: Path) -> None:
    with (
        open_source(written(tmp_path, "a,b,c\r\n1,2\n3,4\r\n")) as source,
        pytest.raises(DataError, match="line 2: found 2 fields"),
    ):
        list(source.batches())


@pytest.mark.parametrize("wide", ["w", "w" * 100])
def test_empty_cells_beside_short_and_long_ones(tmp_path: Path, wide: str) -> None:
    text = f"a,b\n{wide},\n,{wide}\n{wide},{wide}\n"
    assert read(written(tmp_path, text)) == {"a": [wide, None, wide], "b": [None, wide, wide]}


def test_lines_are_counted_across_many_pieces(tmp_path: Path) -> None:
    rows = [f'{i},"line one\nline two {i}",{"w" * 50}\n' for i in range(20_000)]
    with open_source(written(tmp_path, "id,text,more\n" + "".join(rows) + "bad\n")) as source:
        batches = source.batches(1)
        assert list(next(batches).places[:3]) == [2, 4, 6]
        with pytest.raises(DataError, match=r"data.csv, line 40002: found 1 fields, expected 3 \(as on line 1\)"):
            list(batches)


@pytest.mark.parametrize(
    ("codec", "note"), [("utf-8", ""), ("utf-8-sig", ""), ("utf-16", "UTF-16"), ("cp1252", "windows-1252")]
)
def test_the_encoding_is_found_and_told(tmp_path: Path, codec: str, note: str) -> None:
    with open_source(written(tmp_path, "größe,art\n1,é\n", codec)) as source:
        assert source.names == ["größe", "art"]
        assert note in " ".join(source.notes)
        assert next(source.batches()).columns["art"] == ["é"]


def test_a_letter_at_the_very_end_tells_the_encoding(tmp_path: Path) -> None:
    with open_source(written(tmp_path, "a,b\n1,é", "latin-1")) as source:
        assert next(source.batches()).columns["b"] == ["é"]
        assert any("because line 2 is not UTF-8" in note for note in source.notes)
    path = tmp_path / "cut.csv"
    path.write_bytes("a,b\né,é".encode()[:-1])
    with pytest.raises(DataError, match="line 2: found bytes that are not UTF-8"):  # cut off, as the other letter shows
        read(path)


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_mark_is_no_part_of_the_first_name(tmp_path: Path, codec: str) -> None:
    for mark in ("\ufeff", ""):
        assert read(written(tmp_path, f"{mark}a,b\nł,1\n", codec), encoding=codec) == {"a": ["ł"], "b": ["1"]}


def test_an_encoding_can_be_given(tmp_path: Path) -> None:
    assert read(written(tmp_path, "a,b\nł,1\n", "cp1250"), encoding="cp1250")["a"] == ["ł"]


def test_a_wrong_byte_far_into_the_file_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(b"a,b\n" + b"x,1\n" * 200_000 + b"\xe9,2\n")
    with open_source(path) as source, pytest.raises(DataError, match="line 200002: found bytes that are not UTF-8"):
        list(source.batches())


def test_without_a_header(tmp_path: Path) -> None:
    with open_source(written(tmp_path, "1,x\n2,y\n"), header=False) as source:
        batch = next(source.batches())
    assert batch.columns == {"column_1": ["1", "2"], "column_2": ["x", "y"]}
    assert list(batch.places) == [1, 2]


def test_an_index_without_a_name_and_a_header_of_numbers_are_noted(tmp_path: Path) -> None:
    with open_source(written(tmp_path, ",a\n0,x\n")) as source:
        assert source.names == ["column_1", "a"]
        assert "has no name" in source.notes[1]
    with open_source(written(tmp_path, "1,2\n3,4\n")) as source:
        assert "header=False" in source.notes[1]


def test_a_delimiter_at_the_end_of_every_line(tmp_path: Path) -> None:
    assert read(written(tmp_path, "a,b,\n1,2,\n3,4,\n")) == {"a": ["1", "3"], "b": ["2", "4"]}


def test_a_value_after_the_last_delimiter_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b,\n" + "1,2,\n" * 100_000 + "3,4,5\n")
    with pytest.raises(DataError, match="line 100002: found '5' after the last delimiter"):
        read(path)


def test_batches_are_bounded_and_the_same_whatever_their_size(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b\n" + "".join(f"{i},{'x' * 90}\n" for i in range(30_000)))
    with open_source(path) as source:
        sizes = [len(batch) for batch in source.batches(1 << 20)]
        whole = next(source.batches(1 << 30)).columns["a"]
    assert sum(sizes) == 30_000
    assert max(sizes) < 16_000
    assert whole == [str(i) for i in range(30_000)]


def test_a_table_of_small_cells_comes_in_batches_by_the_number_of_cells(tmp_path: Path) -> None:
    path = written(tmp_path, ",".join("abcdefgh") + "\n" + "1,2,3,4,5,6,7,8\n" * 200_000)
    with open_source(path) as source:
        sizes = [len(batch) for batch in source.batches()]
    assert sum(sizes) == 200_000
    assert CELLS <= 8 * max(sizes) < 1.5 * CELLS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "found an empty file"),
        ("\n \n", "found an empty file"),
        ("a,b\n1,2\n1,2,3\n", "line 3: found 3 fields, expected 2 (as on line 1); quote fields that hold ','"),
        ("a,b\n1,2\n1\n", "line 3: found 1 fields, expected 2"),
        ("a,b,a\n1,2,3\n", "line 1: found two columns called 'a', expected names that differ; rename one"),
        (
            "0,0,1\n",
            "line 1: found two columns called '0', expected names that differ; if it is a row, say header=False",
        ),
        ("a,b\n1,\0\n", "line 2: found a NUL character"),
        ('a,b\n1,"x\ny\n', "line 2: found a quoted field that never ends"),
        ('a,b\n"p, q","r, s"\n1,"x" y\n"t, u",v\n', "line 3: found text after a closing quote"),
    ],
)
def test_faults_name_file_and_line_in_one_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(DataError) as error:
        read(written(tmp_path, text))
    assert words in str(error.value)
    assert "data.csv" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"format": "xls"}, "format 'xls' is not known, expected one of csv"),
        ({"delimiter": "::"}, "delimiter '::' cannot be used"),
        ({"encoding": "base64"}, "encoding 'base64' is not known"),
        ({"encoding": "klingon"}, "encoding 'klingon' is not known"),
        ({"format": "folder"}, "found a file, expected a folder"),
    ],
)
def test_options_that_cannot_be(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    with pytest.raises(DataError, match=words):
        open_source(written(tmp_path, "a,b\n1,2\n"), **options)


def test_a_field_longer_than_the_csv_module_takes_by_itself(tmp_path: Path) -> None:
    long = "word, " * 100_000
    assert read(written(tmp_path, f'a,b\n1,"{long}"\n2,y\n'))["b"] == [long, "y"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_line_that_excel_writes_for_itself(end: str, tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(end.join(["sep=;", "a,b;c", "1,5;x", '"2\n5";y', ""]).encode("utf-8-sig"))
    with open_source(path) as source:
        assert source.names == ["a,b", "c"]
        (batch,) = source.batches()
    assert (batch.columns, list(batch.places)) == ({"a,b": ["1,5", "2\n5"], "c": ["x", "y"]}, [3, 4])
    path.write_bytes(end.join(["sep=;", "a;a", "1;2", ""]).encode())
    with pytest.raises(DataError, match="line 2: found two columns called 'a'"):
        open_source(path)
    path.write_text("sep=a\n1\n")  # a table of one column
    assert read(path) == {"sep=a": ["1"]}


def test_packed_files_are_unpacked_and_noted(tmp_path: Path) -> None:
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n1,2\n"))
    with open_source(path) as source:
        assert source.notes[0] == "unpacked gzip"
        assert next(source.batches()).columns == {"a": ["1"], "b": ["2"]}


class Watched(str):
    """A name that counts how often it is compared with another."""

    __slots__ = ()
    __hash__ = str.__hash__
    compared = 0

    def __eq__(self, other: object) -> bool:
        Watched.compared += 1
        return str.__eq__(self, other)


def test_names_of_a_wide_table_are_not_compared_with_each_other() -> None:
    assert repeated(Watched(name) for name in range(2_000)) is None
    assert Watched.compared < 100  # by hash: 20,000 columns took half a minute when each was compared with all before
