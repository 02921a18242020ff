"""A home with some mail and letters, where the shell blocks of the docs are run."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bayleaf.datasets.spamassassin import PARTS
from bayleaf.demo.samples import lay_out, sample_mails

ROOT = Path(__file__).parents[1]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
THEIRS = ("spamc", "curl", "bogofilter", "sa-learn")  # where one is not installed, its lines are passed over
INSTALL = re.compile(r"(?:python3 -m venv|\. |pip install) ?(?P<what>.*)")  # typed in earnest by test_start.py


class Home:
    """Runs lines of a shell one by one; `programs` is the folder that `bayleaf` is in."""

    def __init__(self, folder: Path, programs: Path | None = None) -> None:
        self.folder, self.exported = folder, dict[str, str]()
        self.place = folder  # where commands are run
        self.programs = programs or Path(sys.executable).parent

    @property
    def data(self) -> Path:
        """Where data sets are looked for."""
        return self.folder / ".cache" / "bayleaf"

    def furnish(self) -> None:
        """What the pages say a reader has: old mail in folders, a Maildir, some mails, letters, what the demo left."""
        box = lay_out(self.folder)
        for name, label in (("Junk", "spam"), ("Inbox", "ham"), ("Archive", "ham")):
            shutil.copytree(box / label, self.folder / "Mail" / name)
        for name, label in (("", "ham"), (".Junk", "spam"), (".Archive", "ham")):
            shutil.copytree(box / label, self.folder / "Maildir" / name / "cur")
        for name, source in (("some-mail", "new/bitcoin"), ("wrong", "ham/001"), ("private", "ham/private")):
            shutil.copyfile(box / f"{source}.eml", self.folder / f"{name}.eml")
        lay_out(self.folder / "out")
        lay_corpus(self.data)
        if shutil.which("bogofilter"):  # who comes from there has taught it
            self.run("bogofilter -s < some-mail.eml\nbogofilter -n < wrong.eml")

    def environment(self) -> dict[str, str]:
        """Ours without what would lead out of the home."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("BAYLEAF_", "XDG_"))}
        path = f"{self.programs}{os.pathsep}{os.environ['PATH']}"
        return {**clean, "HOME": str(self.folder), "PATH": path, **self.exported}

    def run(self, block: str) -> str:
        """What a block prints. A daemon runs until the end of its block."""
        with ExitStack() as daemons:
            return "".join(self.line(line, daemons) for line in block.strip().splitlines())

    def line(self, line: str, daemons: ExitStack) -> str:
        """What one line prints."""
        word = line.split(maxsplit=1)[0]
        if "db.example" in line:
            pass  # nobody's database; tests/unit/store and tests/service have one
        elif word == "make":
            assert f"\n{line.split()[1]}:" in (ROOT / "Makefile").read_text(), line
        elif found := INSTALL.match(line):
            named = re.findall(r"\[(.*?)\]", found["what"])
            assert {extra for names in named for extra in names.split(",")} <= set(EXTRAS), line
        elif word == "cd":
            self.place = self.folder / line.split()[1]
            assert self.place.is_dir(), line
        elif word == "export":
            name, _, value = line.removeprefix("export ").partition("=")
            self.exported[name] = value
        elif line.partition("#")[0].strip() == "bayleaf demo":
            lay_out(self.folder / "out")  # test_demo.py sits through the whole story
        elif line.startswith("bayleaf serve") and "--new-token" not in line:
            daemons.enter_context(self.daemon(line))
        elif word not in THEIRS or shutil.which(word):
            return self.command(line)
        return ""

    def command(self, line: str) -> str:
        """What a command prints; it must end well, and a verdict is an end."""
        done = subprocess.run(
            ["bash", "-c", line],
            capture_output=True,
            text=True,
            cwd=self.place,
            env=self.environment(),
            check=False,
        )
        assert done.returncode in fine(line), f"{line}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr, f"{line}\n{done.stderr}"
        return done.stdout

    @contextmanager
    def daemon(self, line: str) -> Iterator[None]:
        """A daemon that listens, and stops when it is told to."""
        with subprocess.Popen(
            ["bash", "-c", f"exec {line}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.place,
            env=self.environment(),
        ) as running:
            assert running.stderr is not None
            said = [running.stderr.readline()]
            while said[-1] and "listening on" not in said[-1]:
                said.append(running.stderr.readline())
            assert said[-1], f"{line}\n{''.join(said)}"
            yield
            running.terminate()
            running.stderr.read()
        assert running.returncode == 0, line


def lay_corpus(folder: Path) -> None:
    """The samples under the names of the SpamAssassin corpus: what is there is not fetched."""
    folder.mkdir(parents=True)
    for part, remote in PARTS.items():
        with tarfile.open(folder / remote.file, "w:bz2", compresslevel=1) as archive:
            for at, raw in enumerate(sample_mails("spam" if part.startswith("spam") else "ham")):
                about = tarfile.TarInfo(f"{part}/{at:05}.mail")
                about.size = len(raw)
                archive.addfile(about, io.BytesIO(raw))


def fine(line: str) -> tuple[int, ...]:
    """Exit codes that say something else than failure."""
    verdicts: Mapping[str, tuple[int, ...]] = {
        "bayleaf mail judge": (0, 1, 2),
        "bogofilter": (0, 1, 2),
        "bayleaf-bogofilter": (0, 1, 2),
        "spamc": (0, 1),
    }
    return next((codes for start, codes in verdicts.items() if line.startswith(f"{start} ")), (0,))
