"""Tables of thousands of columns at the desk."""

from __future__ import annotations

from pathlib import Path

from desk import bayleaf, refused


def test_thousands_of_columns_are_not_all_named(tmp_path: Path) -> None:
    wide, model = tmp_path / "wide.csv", str(tmp_path / "wide.bayleaf")
    names = ",".join(f"f{number}" for number in range(2000))
    wide.write_text(f"label,{names}\n" + "".join(f"{'ab'[n % 2]},{','.join([str(n)] * 2000)}\n" for n in range(6)))
    assert bayleaf("train", str(wide), "-q", "-o", model).returncode == 0
    one = tmp_path / "one.csv"
    one.write_text("f0\n1\n")
    for words in (
        ["explain", model, "hello"],
        ["predict", model, str(one), "-q"],
        ["train", str(wide), "--label", "nope", "-o", model, "-q"],
    ):
        told = refused(*words)
        assert "more" in told
        assert len(told) < 400
