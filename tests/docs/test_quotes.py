"""What the docs quote from the samples is what the samples say, and those are tested with the real software."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SAMPLES = [path.read_text() for path in (ROOT / "packaging" / "samples").rglob("*") if path.is_file()]


def test_quotes_are_in_the_samples() -> None:
    page = (ROOT / "docs" / "how-to" / "serve.md").read_text(encoding="utf-8")
    quotes = re.findall(r"```(?:ini|procmail)\n(.*?)```", page, re.DOTALL)
    assert len(quotes) >= 4
    for quote in quotes:
        assert any(quote in sample for sample in SAMPLES), quote
