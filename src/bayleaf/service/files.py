"""Files: how many a daemon may open, and how many of them its connections may take."""

from __future__ import annotations

import resource
from typing import NamedTuple

UNLIMITED = 1 << 20  # files, where there is no limit
SPARE = 2000  # for stores: two files each, those of 64 users in each of some ten threads


class Files(NamedTuple):
    """The connections that each face may hold: a connection is a file, and stores need files as well.

    >>> Files.shared(20_000, True), Files.shared(1024, True), Files.shared(1024, False)
    (Files(spamd=17000, http=1000), Files(spamd=256, http=256), Files(spamd=512, http=0))
    """

    spamd: int
    http: int

    @classmethod
    def raised(cls, http: bool) -> Files:
        """Raises the number of files this process may open to what the system allows, and shares them out."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != hard:  # under systemd they are the same, and the call is forbidden
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        return cls.shared(UNLIMITED if hard == resource.RLIM_INFINITY else hard, http)  # which is -1 on Linux

    @classmethod
    def shared(cls, files: int, http: bool) -> Files:
        """So many files shared out, with one face or with both."""
        room = files - min(SPARE, files // 2)
        pages = min(room // 2, 1000) if http else 0
        return cls(room - pages, pages)
