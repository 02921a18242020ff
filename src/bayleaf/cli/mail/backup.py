"""bayleaf mail backup: the whole store as one file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bayleaf.cli.mail.options import open_filter, parser


def main(argv: Sequence[str]) -> int:
    """Writes the store, while it is in use, into one file that is a store itself."""
    command = parser("backup", main.__doc__ or "")
    command.add_argument("file", type=Path)
    options = command.parse_args(argv)
    with open_filter(options) as judge:
        judge.backup(options.file)
    return 0
