"""Report: one dated table with machine, versions and ratios."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("bayleaf", "scikit-learn", "river", "numpy", "scipy")
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

    def write(self, path: Path | None) -> None:
        """The whole table, to a file when one is named."""
        packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
        lines = [
            f"# {self.title}",
            "",
            f"{datetime.now(UTC):%Y-%m-%d}, {cpu()}, {platform.machine()}, Python {platform.python_version()}, "
            f"{packages}.",
            "",
            "| " + " | ".join(HEAD) + " |",
            "|" + "---|" * len(HEAD),
            *("| " + " | ".join(row) + " |" for row in self.rows),
            "",
        ]
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(lines), encoding="utf-8")


def cpu() -> str:
    """The processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown CPU")
