"""Run the examples of the README and the docs and write down what they print: `python docs/outputs.py [PAGE ...]`."""

import io
import os
import re
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "tests"))

from home import Home  # noqa: E402 - the same home in which the tests run them

BLOCK = re.compile(r"```(python|text|sh)\n(.*?)```\n", re.DOTALL)


def rewritten(page: str) -> str:
    """The page with what its blocks print."""
    home = Home(Path(tempfile.mkdtemp()))
    home.furnish()
    os.chdir(home.folder)
    os.environ["BAYLEAF_DATA"] = str(home.data)
    names: dict[str, object] = {}
    printed = ""

    def answer(block: re.Match[str]) -> str:
        nonlocal printed
        if block[1] == "text":
            return f"```text\n{printed.rstrip()}\n```\n"
        if block[1] == "sh":
            printed = home.run(block[2])
        else:
            with redirect_stdout(io.StringIO()) as out:
                exec(block[2], names)
            printed = out.getvalue()
        return block[0]

    return BLOCK.sub(answer, page)


PAGES = [Path(page).resolve() for page in sys.argv[1:]] or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
for path in PAGES:
    if path.parent.name == "lectures":
        continue  # written whole by docs/lectures.py
    path.write_text(rewritten(path.read_text(encoding="utf-8")), encoding="utf-8")
