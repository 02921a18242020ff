"""Write shell completion and the manual page from the parsers of the commands: `python docs/shell.py`."""

import os
from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path

import shtab

from bayleaf.cli.desk.completion import SHELLS
from bayleaf.cli.main import DESK, MAIL

ROOT = Path(__file__).resolve().parents[1]
COMPLETIONS = ROOT / "src" / "bayleaf" / "cli" / "completions"
MANUAL = ROOT / "packaging" / "man" / "bayleaf.1"
ABOUT = "Naive Bayes for tables, texts and mail"


def tree() -> ArgumentParser:
    """All commands as one parser, which the command line itself never builds."""
    root = ArgumentParser(prog="bayleaf", description=ABOUT)
    root.add_argument("--version", action="store_true", help="print the version")
    commands = root.add_subparsers(dest="command", metavar="COMMAND")
    add(commands, "desk", DESK)
    add(
        commands.add_parser("mail", help="the spam filter").add_subparsers(dest="mail", metavar="COMMAND"), "mail", MAIL
    )
    return root


def add(commands, group: str, names: dict[str, str]) -> None:
    """The commands of a group."""
    for name, text in names.items():
        parser = import_module(f"bayleaf.cli.{group}.{name}").arguments()
        for action in parser._actions:
            if action.type is Path or action.metavar in ("FILE", "PATH", "MODEL"):
                action.complete = shtab.FILE
        commands.add_parser(name, help=text, description=text, parents=[parser], add_help=False)  # one line for a menu


def manual() -> str:
    """The manual page, in roff."""
    lines = [".TH BAYLEAF 1", ".SH NAME", f"bayleaf \\- {ABOUT}", ".SH SYNOPSIS", ".B bayleaf", "COMMAND [...]"]
    for group, prefix, names in (("desk", "", DESK), ("mail", "mail ", MAIL)):
        for name in names:
            parser = import_module(f"bayleaf.cli.{group}.{name}").arguments()
            lines += [
                f".SH bayleaf {prefix}{name}",
                ".nf",
                *map(plain, parser.format_help().rstrip().splitlines()),
                ".fi",
            ]
    return "\n".join(lines) + "\n"


def plain(line: str) -> str:
    """A line that roff leaves alone."""
    line = line.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return f"\\&{line}" if line[:1] in (".", "'") else line


def written() -> dict[Path, str]:
    """Every file and what belongs into it, on a screen of 80 columns."""
    os.environ["COLUMNS"] = "80"
    shells = {COMPLETIONS / f"bayleaf.{shell}": shtab.complete(tree(), shell) + "\n" for shell in SHELLS}
    return {**shells, MANUAL: manual()}


if __name__ == "__main__":
    for path, text in written().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
