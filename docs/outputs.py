"""Run the examples of the README and the docs and write down what they print: `python docs/outputs.py`."""

import io
import os
import re
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"```(python|text)\n(.*?)```\n", re.DOTALL)


def rewritten(page: str) -> str:
    names: dict[str, object] = {}
    printed = ""

    def answer(block: re.Match[str]) -> str:
        nonlocal printed
        if block[1] == "text":
            return f"```text\n{printed.rstrip()}\n```\n"
        with redirect_stdout(io.StringIO()) as out:
            exec(block[2], names)
        printed = out.getvalue()
        return block[0]

    return BLOCK.sub(answer, page)


os.chdir(tempfile.mkdtemp())
for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
    if path.parent.name == "lectures":
        continue  # written whole by docs/lectures.py
    path.write_text(rewritten(path.read_text(encoding="utf-8")), encoding="utf-8")
