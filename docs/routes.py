"""Write what the HTTP API says of itself into the reference: `python docs/routes.py`."""

from pathlib import Path
from tempfile import TemporaryDirectory

from bayleaf.service.history import History
from bayleaf.service.http import problem
from bayleaf.service.http.app import ABOUT, make_app
from bayleaf.service.http.settings import Settings
from bayleaf.service.live import LiveFilter
from bayleaf.service.logbook import Logbook

PAGE = Path(__file__).parent / "reference" / "http.md"
HEAD = f"""# HTTP API

{ABOUT}

A running daemon gives the same as OpenAPI 3.1 at `/openapi.json`. Written by `docs/routes.py`.
"""
EVERYWHERE = [str(status) for status in problem.EVERYWHERE]


def description() -> dict:
    """The OpenAPI description of a daemon that has learned nothing."""
    with TemporaryDirectory() as folder, History(Logbook(None)) as history:
        live = LiveFilter(Path(folder) / "mail.db", None, history)
        app = make_app(live, history, None, Settings())
        found = app.openapi()
        for close in app.state.closing:
            close()
        live.close()
    return found


def kind(schema: dict) -> str:
    """A schema in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(kind(each) for each in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {kind(schema['items'])}"
    if "additionalProperties" in schema and schema.get("type") == "object":
        return f"object of {kind(schema['additionalProperties'])}"
    return schema.get("format") or schema.get("type", "anything")


def row(*cells: str) -> str:
    """A line of a table."""
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def operation(method: str, path: str, about: dict) -> list[str]:
    """A route: what it takes and what it answers."""
    out = [f"### {method.upper()} {path}", "", about.get("description", ""), ""]
    takes = [
        row(f"`{each['name']}`", each["in"], kind(each["schema"]) + (", required" if each.get("required") else ""),
            each.get("description") or each["schema"].get("description", ""))
        for each in about.get("parameters", [])
    ]  # fmt: skip
    for media, content in about.get("requestBody", {}).get("content", {}).items():
        fields = content["schema"].get("properties")
        shown = ", ".join(f"`{name}`: {kind(each)}" for name, each in fields.items()) if fields else "as it is"
        takes.append(row("body", f"`{media}`", shown, ""))
    if takes:
        out += [row("takes", "in", "kind", ""), "|---|---|---|---|", *takes, ""]
    answers = {code: each for code, each in about["responses"].items() if code not in EVERYWHERE}
    out += [row("answers", "with", ""), "|---|---|---|"]
    for code, each in sorted(answers.items()):
        schemas = [f"{kind(content['schema'])}" for content in each.get("content", {}).values()]
        out.append(row(code, ", ".join(schemas), "" if code == "200" else each["description"]))
    return [*out, ""]


def schema(name: str, about: dict) -> list[str]:
    """A form of JSON."""
    out = [f"### {name}", "", about.get("description", ""), "", row("field", "kind", ""), "|---|---|---|"]
    out += [row(f"`{field}`", kind(each), each.get("description", "")) for field, each in about["properties"].items()]
    return [*out, ""]


def page() -> str:
    """The whole page."""
    found = description()
    lines = [HEAD, "## Routes", ""]
    for path, methods in found["paths"].items():
        for method, about in methods.items():
            lines += operation(method, path, about)
    some = next(iter(found["paths"].values()))["post"]["responses"]
    lines += ["## Any route may also answer", "", row("status", ""), "|---|---|"]
    lines += [row(code, some[code]["description"]) for code in EVERYWHERE]
    lines += ["", "## Forms", ""]
    for name, about in sorted(found["components"]["schemas"].items()):
        lines += schema(name, about)
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
