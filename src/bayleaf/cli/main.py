"""bayleaf: the command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from bayleaf import __version__
from bayleaf.errors import BayleafError

GROUPS = {
    "mail": {
        "learn": "learn mails from mboxes, Maildirs and folders",
        "judge": "say what a mail is; exit 0 ham, 1 spam, 2 unsure",
        "filter": "pass a mail through and add X-Bayleaf headers",
        "correct": "learn mails under another label",
        "forget": "take the learning of mails back",
        "evaluate": "measure the filter on your own mail, the TREC way",
        "status": "what has been learned",
        "words": "the words and headers that tell labels apart",
        "backup": "the whole store as one file",
        "restore": "a store from a backup",
        "check": "recount the store from its ledger",
        "expire": "forget what has not been seen for long",
    },
}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code: 64 for wrong usage, 70 for what the library refuses."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["--version"]:
        print(f"bayleaf {__version__}")
        return 0
    if words[:1] == ["demo"]:  # by name: the demo stands on the command line, not under it
        return int(import_module("bayleaf.demo.tour").main(words[1:]))
    group, name = (*words[:2], "", "")[:2]
    if name not in GROUPS.get(group, {}):
        asked = group in ("", "-h", "--help") or (group in GROUPS and name in ("", "-h", "--help"))
        print(usage(group), file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 64
    command = import_module(f"bayleaf.cli.{group}.{name}")
    try:
        return int(command.main(words[2:]))
    except BayleafError as error:
        print(f"bayleaf: {error}", file=sys.stderr)
        return 70
    except BrokenPipeError:
        sys.stdout = None  # whoever read has gone: nothing to flush, nothing to say
        return 74
    except KeyboardInterrupt:
        return 130


def usage(group: str) -> str:
    """The list of commands."""
    lines = ["usage: bayleaf GROUP COMMAND [...]; -h after a command explains it", ""]
    for name, commands in GROUPS.items():
        if group not in GROUPS or group == name:
            lines += [f"  bayleaf {name} {command:9} {text}" for command, text in commands.items()]
    if group not in GROUPS:
        lines.append("  bayleaf demo           the whole story, on data that ships with the package")
    return "\n".join(lines)
