"""bayleaf completion: the shell's TAB key."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from bayleaf.cli.parser import Parser

SHELLS = ("bash", "zsh", "fish", "tcsh")
ABOUT = "Prints completion for a shell: commands, options and file names. It was written when the package was built."
EXAMPLES = """  bayleaf completion bash > ~/.local/share/bash-completion/completions/bayleaf
  bayleaf completion zsh > "${fpath[1]}/_bayleaf"
  bayleaf completion fish > ~/.config/fish/completions/bayleaf.fish
"""


def main(argv: Sequence[str]) -> int:
    """Prints the file for a shell."""
    options = arguments().options(argv)
    print(files("bayleaf.cli").joinpath("completions", f"bayleaf.{options.shell}").read_text("utf-8"), end="")
    return 0


def arguments() -> Parser:
    """What the command takes."""
    command = Parser("completion", ABOUT, EXAMPLES)
    command.add_argument("shell", choices=SHELLS, help="the shell you use")
    return command
