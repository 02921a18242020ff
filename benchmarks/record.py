"""Record: what a run found, kept beside its table as numbers (JSON) and as bars (SVG)."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.bars import Bar, bars
from benchmarks.cores import second_core

PACKAGES = ("bayleaf", "scikit-learn", "river", "numpy", "scipy", "fasttext-numpy2-wheel", "vowpalwabbit", "pyspark")


@dataclass
class Record:
    """Bars are ratios, above 1 where bayleaf is better; figures are what the docs may claim, by name."""

    title: str
    bars: list[Bar] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)
    runs: dict[str, dict[str, list[float]]] = field(default_factory=dict)  # every run of both sides, by row
    not_run: dict[str, str] = field(default_factory=dict)  # peer or row, and why
    programs: dict[str, str] = field(default_factory=dict)  # versions of what pip did not install

    def bar(self, key: str, name: str, ratio: float, goal: float | None = None) -> None:
        """One comparison, which may also be claimed."""
        self.bars.append(Bar(key, name, round(ratio, 4), goal))
        self.figures[key] = round(ratio, 4)

    def setting(self) -> str:
        """Date, machine and versions in a sentence."""
        found = {**versions(), **self.programs}
        packages = ", ".join(f"{name} {number}" for name, number in found.items())
        python = platform.python_version()
        said = f"{datetime.now(UTC):%Y-%m-%d}, {cpu()}, {platform.machine()}, Python {python}, {packages}."
        return f"{said} Two plain processes at once do {second_core():.2f} times the work of one on this machine."

    def write(self, table: Path) -> list[str]:
        """Writes both files beside the table; the lines that show the picture and name what was not run."""
        written = {
            "title": self.title,
            "date": f"{datetime.now(UTC):%Y-%m-%d}",
            "cpu": cpu(),
            "machine": platform.machine(),
            "python": platform.python_version(),
            "versions": {**versions(), **self.programs},
            "not_run": self.not_run,
            "figures": self.figures,
            "bars": [asdict(each) for each in self.bars],
            "runs": {
                key: {side: [round(run, 6) for run in found] for side, found in sides.items()}
                for key, sides in self.runs.items()
            },
        }
        table.parent.mkdir(parents=True, exist_ok=True)
        table.with_suffix(".json").write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
        lines = [f"Not run: {name}: {why}." for name, why in self.not_run.items()]
        if self.bars:
            picture = table.with_suffix(".svg")
            picture.write_text(bars(self.title, self.bars), encoding="utf-8")
            lines += ["", f"![{self.title}: how many times better bayleaf is]({picture.name})"]
        return [*lines, ""]


def versions() -> dict[str, str]:
    """Those of the packages that are installed."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def cpu() -> str:
    """The processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown CPU")
