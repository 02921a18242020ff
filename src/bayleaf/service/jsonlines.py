"""JsonLines: the log for machines."""

from __future__ import annotations

import json
import logging


class JsonLines(logging.Formatter):
    """One JSON object per line: time, level, logger, words, and the fields of events that have some.

    >>> record = logging.LogRecord("bayleaf.http", 20, "", 0, "status=%(status)d", ({"status": 200},), None)
    >>> json.loads(JsonLines().format(record))["status"]
    200
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        fields = record.args if isinstance(record.args, dict) else {}
        about = {"time": record.created, "level": record.levelname, "logger": record.name}
        return json.dumps({**about, "message": record.getMessage(), **fields}, default=str)
