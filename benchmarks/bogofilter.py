"""bogofilter, one flavour with a folder of its own."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from benchmarks.mails import Mail

FORMATS = ["-v", "--spamicity-formats=%0.20f,%0.20f,%0.20f", "--terse-format=%1.1c %p"]


class Bogofilter:
    """A word list that can be taught and asked."""

    name = "bogofilter"

    def __init__(self, flavour: str, folder: Path) -> None:
        self.program, self.folder = f"bogofilter-{flavour}", folder / flavour
        self.clear()

    def clear(self) -> None:
        """Forgets everything."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()

    def __call__(self, *words: str, text: bytes = b"") -> bytes:
        call = [self.program, "-C", "-d", str(self.folder), *words]
        return subprocess.run(call, input=text, capture_output=True, check=False).stdout

    def judge(self, raw: bytes) -> tuple[str, float]:
        """Verdict and spamicity."""
        sign, score = (self("-t", *FORMATS, text=raw).split() or [b"U", b"0.52"])[:2]  # it refuses an empty word list
        return {b"S": "spam", b"H": "ham"}.get(sign, "unsure"), float(score)

    def learn(self, raw: bytes, label: str) -> None:
        self("-s" if label == "spam" else "-n", text=raw)

    def learn_list(self, mails: Sequence[Mail]) -> None:
        for label, flag in (("spam", "-s"), ("ham", "-n")):
            self(flag, "-b", text="".join(f"{path}\n" for path, _, of in mails if of == label).encode())

    def judge_list(self, mails: Sequence[Mail]) -> None:
        self("-T", "-b", text="".join(f"{path}\n" for path, _, _ in mails).encode())

    def judge_files(self, paths: Sequence[Path]) -> list[tuple[str, float]]:
        """Verdict and spamicity of each file, by one process."""
        lines = self("-T", "-b", *FORMATS[1:], text="".join(f"{path}\n" for path in paths).encode()).splitlines()
        names = {b"S": "spam", b"H": "ham"}
        return [(names.get(words[-2], "unsure"), float(words[-1])) for words in map(bytes.split, lines)]

    def stop(self) -> None:
        """Nothing runs."""
