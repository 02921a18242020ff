"""Report: one dated table with machine, versions, ratios and spread."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.record import Record, cpu

__all__ = ["Report", "cpu", "sections", "setting"]
HEAD = ("work", "against", "bayleaf", "peer", "ratio", "goal", "two threads", "extra memory")


class Report:
    """Rows are printed as they come and written as Markdown at the end, with a JSON file and a picture beside it."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.rows: list[tuple[str, ...]] = []
        self.record = Record(title)

    def add(
        self,
        work: str,
        against: str,
        ours: str,
        theirs: str,
        ratio: float,
        goal: float | None,
        two: float | None = None,
        memory: float | None = None,
        *,
        key: str = "",
        runs: tuple[Sequence[float], Sequence[float]] = ((), ()),
    ) -> None:
        """One comparison; `ratio` is how many times faster ours is, `two` what a second thread brings.

        `runs` are all runs of both sides, in the unit of `ours` and `theirs`.
        """
        met = "" if goal is None or ratio >= goal else " **missed**"
        key = key or slug(f"{work} {against}")
        self.record.bar(key, f"{work} – {against}", ratio, goal)
        self.record.runs[key] = {"ours": list(runs[0]), "theirs": list(runs[1])}
        self._row(
            work,
            against,
            ours + spread(runs[0]),
            theirs + spread(runs[1]),
            f"{ratio:.1f}x",
            "" if goal is None else f"{goal:g}x{met}",
            "" if two is None else f"{two:.2f}x",
            "" if memory is None else f"{memory:.1%} of X",
        )

    def skip(self, work: str, against: str, why: object) -> None:
        """A comparison that could not be made, and why."""
        self._row(work, against, "", f"not run: {why}", "", "", "", "")
        self.record.not_run[against] = str(why)

    def _row(self, *row: str) -> None:
        self.rows.append(row)
        print(" | ".join(row), flush=True)

    def table(self) -> list[str]:
        """The rows as Markdown."""
        return [
            "| " + " | ".join(HEAD) + " |",
            "|" + "---|" * len(HEAD),
            *("| " + " | ".join(row) + " |" for row in self.rows),
            "",
        ]

    def write(self, path: Path | None, note: str = "") -> None:
        """The whole report, to a file when one is named."""
        if path is not None:
            picture = self.record.write(path)
            head = [f"# {self.title}", "", self.record.setting(), "", *([note, ""] if note else [])]
            path.write_text("\n".join([*head, *self.table(), *picture]), encoding="utf-8")


def spread(runs: Sequence[float]) -> str:
    """Least, most and median of several runs."""
    return f" ({min(runs):.3g}–{max(runs):.3g}, median {median(runs):.3g})" if len(runs) > 1 else ""


def slug(text: str) -> str:
    """A name for a row that has none."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def sections(path: Path, title: str, parts: dict[str, list[str]]) -> None:
    """Write sections under a title; those of an older file at this place that are not written anew are kept."""
    old = path.read_text(encoding="utf-8").split("\n## ")[1:] if path.exists() else []
    kept = {name: body for name, _, body in (part.partition("\n") for part in old)}
    for name, lines in parts.items():
        kept[name] = "\n".join(["", setting(), "", *lines])
    path.parent.mkdir(parents=True, exist_ok=True)
    text = [f"# {title}\n", *(f"## {name}\n{kept[name].rstrip()}\n" for name in sorted(kept))]
    path.write_text("\n".join(text), encoding="utf-8")


def setting() -> str:
    """Date, machine and versions."""
    return Record("").setting()
