"""Owner: what root makes belongs to whoever has to read it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def own(made: Path | int, like: os.stat_result) -> None:
    """Gives what root has made, a path or an open file, to the owner of what lies there, as SQLite does with its log.

    A daemon has to read the store that root restored, or taught a user, in its folder. Where root may give nothing
    away, as in a container without that right or on a foreign disk, it stays root's.
    """
    if os.geteuid() == 0:
        with suppress(PermissionError):
            os.chown(made, like.st_uid, like.st_gid)
