"""Report: one dated table with machine, versions and ratios."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("bayleaf", "scikit-learn", "river", "numpy", "scipy", "fasttext-numpy2-wheel", "vowpalwabbit", "pyspark")
HEAD = ("work", "against", "bayleaf", "peer", "ratio", "goal", "two threads", "extra memory")


class Report:
    """Rows are printed as they come and written as Markdown at the end."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.rows: list[tuple[str, ...]] = []

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
    ) -> None:
        """One comparison; `ratio` is how many times faster ours is, `two` what a second thread brings."""
        met = "" if goal is None or ratio >= goal else " **missed**"
        row = (
            work,
            against,
            ours,
            theirs,
            f"{ratio:.1f}x",
            "" if goal is None else f"{goal:g}x{met}",
            "" if two is None else f"{two:.2f}x",
            "" if memory is None else f"{memory:.1%} of X",
        )
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

    def write(self, path: Path | None) -> None:
        """The whole report, to a file when one is named."""
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join([f"# {self.title}", "", setting(), "", *self.table()]), encoding="utf-8")


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
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES if installed(name))
    python = platform.python_version()
    return f"{datetime.now(UTC):%Y-%m-%d}, {cpu()}, {platform.machine()}, Python {python}, {packages}."


def installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def cpu() -> str:
    """The processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown CPU")
