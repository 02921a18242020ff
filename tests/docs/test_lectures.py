"""Every lecture runs, what it claims holds (its assertions), and the page on the site is what it gives."""

import tomllib
from pathlib import Path

import pytest
from printed import alike
from web import docs

LECTURES = docs("lectures")
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("script", LECTURES.SCRIPTS, ids=lambda script: script.stem)
def test_the_page_is_what_the_lecture_gives(script: Path) -> None:
    made = LECTURES.lecture(script)
    written = (LECTURES.PAGES / f"{made.name}.md").read_text(encoding="utf-8")
    assert made.page == written or alike(made.page, written), "run `make examples`"
    assert made.figures, "a lecture draws something"
    assert made.page.index("**Remember.**") < made.page.index("**Try.**"), "it ends with what to remember and to try"
    kept = {path.name for path in LECTURES.PICTURES.glob(f"{made.name}-*.svg")}
    assert kept == set(made.figures)
    for name, picture in made.figures.items():
        assert ("#1f2328" in picture) == name.endswith("-light.svg"), f"{name}: ink that cannot be seen"


def test_the_vocabularies_that_are_quoted_are_those_of_the_table() -> None:
    table = (ROOT / "benchmarks" / "results" / "2026-11-15-vocabulary-x86_64.md").read_text(encoding="utf-8")
    rows = [line.replace(",", "").strip("|").split("|") for line in table.splitlines() if line.startswith("|")]
    script = (ROOT / "lectures" / "05_smoothing.py").read_text(encoding="utf-8")
    for _, _, _, words, once, _ in rows[2:5]:
        assert f"({once.strip()}, {words.strip()})" in script
    for column in zip(*(row[1:] for row in rows[7:]), strict=True):
        assert f'"{" ".join(cell.strip() for cell in column).strip()}"' in script


def test_the_gallery_has_every_lecture_and_nothing_else() -> None:
    names = [script.stem for script in LECTURES.SCRIPTS]
    assert (LECTURES.PAGES / "index.md").read_text(encoding="utf-8") == LECTURES.index(names), "run `make examples`"
    assert {path.stem for path in LECTURES.PAGES.glob("*.md")} == {*names, "index"}
    assert {path.name.partition("-")[0] for path in LECTURES.PICTURES.iterdir()} == set(names)


def test_the_menu_of_the_site_has_every_lecture() -> None:
    menu = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]["nav"]
    (section,) = [entry["The lectures"] for entry in menu if "The lectures" in entry]
    shown = [page for entry in section for page in entry.values()]
    assert shown == ["lectures/index.md", *(f"lectures/{script.stem}.md" for script in LECTURES.SCRIPTS)]
