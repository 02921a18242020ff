"""Other filters that are taught nine tenths of the mails and asked about the last: bsfilter and SpamAssassin."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from benchmarks.bogofilter import Bogofilter
from benchmarks.daemons import spamd
from benchmarks.mails import Mail

SAID = re.compile(r"^combined probability (.*) \d+ ([\d.]+)$", re.MULTILINE)
NOT_THERE = {
    "SpamBayes": "Debian 12 has none, and 1.1b3 of PyPI does not build on Python 3.11",
    "rspamd": "its Bayes wants a Redis; its speed without one is in the table of the service",
}


class Peer(Protocol):
    """What a filter has to be able to do."""

    name: str

    def learn_list(self, mails: Sequence[Mail]) -> None:
        """Learns files."""

    def judge_files(self, paths: Sequence[Path]) -> list[tuple[str, float]]:
        """Verdict and score of each file."""

    def stop(self) -> None:
        """Ends what it started."""


class Bsfilter:
    """A Bayesian filter in Ruby, as Debian has it; spam above 0.95, its own limit for its default method."""

    name = "bsfilter"
    limit = 0.95

    def __init__(self, folder: Path) -> None:
        self.call = ["bsfilter", "--homedir", str(folder / "bsfilter")]
        (folder / "bsfilter").mkdir()

    def learn_list(self, mails: Sequence[Mail]) -> None:
        for flag, label in (("--add-spam", "spam"), ("--add-clean", "ham")):
            paths = [str(path) for path, _, of in mails if of == label]
            for start in range(0, len(paths), 500):  # so many names fit a command line
                subprocess.run([*self.call, flag, *paths[start : start + 500]], check=True, capture_output=True)
        subprocess.run([*self.call, "--update"], check=True, capture_output=True)

    def judge_files(self, paths: Sequence[Path]) -> list[tuple[str, float]]:
        found: dict[str, float] = {}
        for start in range(0, len(paths), 500):
            call = [*self.call, "-v", *map(str, paths[start : start + 500])]
            said = subprocess.run(call, check=False, capture_output=True).stdout.decode("utf-8", "replace")
            found |= {path: float(score) for path, score in SAID.findall(said)}
        return [("spam" if found[str(path)] > self.limit else "ham", found[str(path)]) for path in paths]

    def stop(self) -> None:
        """Nothing runs."""


class SpamAssassin:
    """spamd with rules and Bayes, no network tests, asked by spamc. Its rules were tuned on mail of these years."""

    name = "SpamAssassin, rules and Bayes"

    def __init__(self, folder: Path, core: int) -> None:
        self.folder, self.core = folder, core

    def learn_list(self, mails: Sequence[Mail]) -> None:
        served = spamd(self.folder, mails, self.core, most=len(mails))
        assert served is not None
        self.served = served

    def judge_files(self, paths: Sequence[Path]) -> list[tuple[str, float]]:
        call = ["spamc", "-d", "127.0.0.1", "-p", self.served.address.rpartition(":")[2], "-c", "-s", "10000000"]
        found = []
        for path in paths:
            with path.open("rb") as mail:
                said = subprocess.run(call, stdin=mail, capture_output=True, check=False).stdout
            score, _, limit = said.decode().strip().partition("/")
            found.append(("spam" if float(score) >= float(limit) else "ham", float(score)))
        return found

    def stop(self) -> None:
        self.served.stop()


def peers(folder: Path, core: int) -> tuple[list[Peer], dict[str, str]]:
    """Those that are installed, and why others are not run."""
    found: list[Peer] = []
    missing = dict(NOT_THERE)
    flavour = next((name for name in ("bdb", "sqlite") if shutil.which(f"bogofilter-{name}")), None)
    if flavour:
        found.append(Bogofilter(flavour, folder))
    if shutil.which("bsfilter"):
        found.append(Bsfilter(folder))
    if shutil.which("spamc") and shutil.which("sa-learn"):
        found.append(SpamAssassin(folder, core))
    for name, there in (("bogofilter", flavour), ("bsfilter", shutil.which("bsfilter"))):
        missing |= {} if there else {name: "it is not installed; as root, make bench-mail installs it"}
    if not any(isinstance(peer, SpamAssassin) for peer in found):
        missing["SpamAssassin"] = "it is not installed; as root, make bench-mail installs it"
    return found, missing
