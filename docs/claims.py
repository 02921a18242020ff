"""Write the figures of the newest benchmarks into the README and the docs: `python docs/claims.py`.

A spot `<!-- claim: KIND.KEY FORMAT -->17<!-- /claim -->` holds the figure KEY of the newest `*-KIND-*.json` in
benchmarks/results that has it. FORMAT is Python's (`.0f`); `1/` before it takes the inverse; a KEY with a star gives
the least "to" the largest. Between `<!-- bars: KIND -->` and `<!-- /bars -->` stand the machine, the picture and every
ratio.
"""

import json
import re
import shutil
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
CLAIM = re.compile(r"<!-- claim: (\S+) (1/)?(\S+) -->(.*?)<!-- /claim -->", re.DOTALL)
BARS = re.compile(r"(<!-- bars: (\w+) -->\n).*?(<!-- /bars -->)", re.DOTALL)


class NoTableError(Exception):
    """A claim that no table holds."""


def runs(kind: str) -> list[Path]:
    """The JSON files of a kind, the newest first."""
    return sorted(RESULTS.glob(f"????-??-??-{kind}-*.json"), reverse=True)


def figures(claim: str) -> list[float]:
    """What the newest table that knows the key says; several for a key with a star."""
    kind, _, key = claim.partition(".")
    for path in runs(kind):
        known = json.loads(path.read_text(encoding="utf-8"))["figures"]
        if found := [value for name, value in known.items() if fnmatchcase(name, key)]:
            return found
    raise NoTableError(f"{claim}: no {RESULTS.name}/*-{kind}-*.json has a figure {key}; run its benchmark")


def text(claim: str, inverse: str | None, form: str) -> str:
    """The words of a claim."""
    values = sorted(1 / value if inverse else value for value in figures(claim))
    least, largest = (format(value, form) for value in (values[0], values[-1]))
    return least if least == largest else f"{least} to {largest}"


def ratios(kind: str, page: Path) -> str:
    """Machine, versions, picture and all ratios of the newest run."""
    paths = runs(kind)
    if not paths:
        raise NoTableError(f"{kind}: no {RESULTS.name}/*-{kind}-*.json; run its benchmark")
    found = json.loads(paths[0].read_text(encoding="utf-8"))
    versions = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    whole = f"Whole table: `{paths[0].relative_to(ROOT).with_suffix('.md')}`."
    lines = [f"{found['date']}, {found['cpu']}, Python {found['python']}, {versions}. {whole}", ""]
    lines += [f"{found['note']}.", ""] if found.get("note") else []
    if found["bars"]:
        lines += [f"![{found['title']}]({picture(kind).relative_to(page.parent)})", ""]
        lines += ["| against | ratio | goal |", "|---|---|---|", *map(row, found["bars"]), ""]
    return "\n".join([*lines, *(f"Not run: {name}: {why}.\n" for name, why in found["not_run"].items()), ""])


def picture(kind: str) -> Path:
    """Its place in the docs; the site has only what lies there."""
    return ROOT / "docs" / "img" / "benchmarks" / f"{kind}.svg"


def row(bar: dict[str, Any]) -> str:
    goal = "" if bar["goal"] is None else f"{bar['goal']:g}x" + (" **missed**" if bar["ratio"] < bar["goal"] else "")
    return f"| {bar['name']} | {bar['ratio']:.2f}x | {goal} |"


def filled(page: str, path: Path) -> str:
    """The page with every spot filled."""
    page = BARS.sub(lambda spot: f"{spot[1]}\n{ratios(spot[2], path)}{spot[3]}", page)
    return CLAIM.sub(
        lambda spot: (
            f"<!-- claim: {spot[1]} {spot[2] or ''}{spot[3]} -->{text(spot[1], spot[2], spot[3])}<!-- /claim -->"
        ),
        page,
    )


if __name__ == "__main__":
    for path in PAGES:
        page = path.read_text(encoding="utf-8")
        for _, kind, _ in BARS.findall(page):
            picture(kind).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(runs(kind)[0].with_suffix(".svg"), picture(kind))
        path.write_text(filled(page, path), encoding="utf-8")
