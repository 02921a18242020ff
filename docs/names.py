"""Write a table of names into each page of the reference: `python docs/names.py`.

Outside the site those pages would be lists of paths.
"""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs" / "reference").glob("*.md"))
NAME = re.compile(r"^::: (\S+)$", re.MULTILINE)
TABLE = re.compile(r"<!-- names -->\n.*?<!-- /names -->\n", re.DOTALL)


def meaning(path: str) -> str:
    """The first paragraph of what a class or function says of itself, read without importing it."""
    module, _, name = path.rpartition(".")
    file = ROOT / "src" / f"{module.replace('.', '/')}.py"
    if not file.exists():
        file = file.with_suffix("") / "__init__.py"
    body = ast.parse(file.read_text(encoding="utf-8")).body
    (found,) = [node for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name]
    first = (ast.get_docstring(found) or "").split("\n\n")[0]
    return re.sub(r"``?([^`]+)``?", r"`\1`", " ".join(first.split())).replace("|", "\\|")


def written(page: str) -> str:
    """The page with its table: each name that the site describes on it, and what it is."""
    rows = [f"| `{path.rpartition('.')[2]}` | {meaning(path)} |" for path in NAME.findall(page)]
    table = "\n".join(["<!-- names -->", "", "| name | is |", "|---|---|", *rows, "", "<!-- /names -->", ""])
    return TABLE.sub(lambda _: table, page)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")
