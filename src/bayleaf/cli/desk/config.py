"""bayleaf config: every setting and where it comes from."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bayleaf.cli.parser import Parser
from bayleaf.cli.settings import SETTINGS, file, variable, whence
from bayleaf.plain import aligned

ABOUT = """Shows each setting, its value and where it comes from. A flag wins over a BAYLEAF_ variable, that over the
configuration file (TOML, one `name = value` per line), and that over the default."""
EXAMPLES = """  bayleaf config show
  BAYLEAF_STORE=/srv/mail.db bayleaf config show --json
"""


def main(argv: Sequence[str]) -> int:
    """Prints the settings."""
    options = arguments().options(argv)
    rows = list(whence())
    if options.json:
        print(json.dumps({name: {"value": value, "from": origin} for name, value, origin in rows}))
        return 0
    print(f"configuration file: {file()}\n")
    shown = [(name, value, origin, f"{SETTINGS[name]} (${variable(name)})") for name, value, origin in rows]
    print("\n".join(aligned([("setting", "value", "from", "is"), *shown], "llll")))
    return 0


def arguments() -> Parser:
    """What the command takes."""
    command = Parser("config", ABOUT, EXAMPLES)
    command.add_argument("what", metavar="show", choices=["show"], help="prints them")
    command.add_argument("--json", action="store_true", help="print JSON")
    return command
