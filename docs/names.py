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


def parsed(module: str) -> ast.Module:
    """The source of a module or package, which is not imported: some want Spark or a web server."""
    file = ROOT / "src" / f"{module.replace('.', '/')}.py"
    if not file.exists():
        file = file.with_suffix("") / "__init__.py"
    return ast.parse(file.read_text(encoding="utf-8"))


def home(path: str) -> str:
    """The outermost package that hands the name on, or the module that defines it."""
    module, _, name = path.rpartition(".")
    parents = module.split(".")
    for some in range(1, len(parents)):
        package = ".".join(parents[:some])
        for node in ast.walk(parsed(package)):
            taken = isinstance(node, ast.ImportFrom) and name in [alias.name for alias in node.names]
            if taken and module.startswith(str(node.module)):
                return package
    return module


def meaning(path: str) -> str:
    """The first paragraph of what a class or function says of itself."""
    module, _, name = path.rpartition(".")
    body = parsed(module).body
    (found,) = [node for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name]
    first = (ast.get_docstring(found) or "").split("\n\n")[0]
    return re.sub(r"``?([^`]+)``?", r"`\1`", " ".join(first.split())).replace("|", "\\|")


def written(page: str) -> str:
    """The page with its table: each name that the site describes on it, where to import it from, and what it is."""
    rows = [f"| `{path.rpartition('.')[2]}` | `{home(path)}` | {meaning(path)} |" for path in NAME.findall(page)]
    table = "\n".join(["<!-- names -->", "", "| name | from | is |", "|---|---|---|", *rows, "", "<!-- /names -->", ""])
    return TABLE.sub(lambda _: table, page)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")
