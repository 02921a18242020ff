"""The page of the HTTP API says what the API says."""

from pathlib import Path

from web import docs

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "http.md"


def test_the_page_of_the_api_is_what_it_describes() -> None:
    assert PAGE.read_text(encoding="utf-8") == docs("routes").page(), "run `make examples`"
