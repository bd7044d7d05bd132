"""Logging: one line a record on stderr, as text for people or as JSON for machines."""

from __future__ import annotations

import json
import logging
import sys
from typing import Any

TEXT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"
# What every record carries; anything else came from the caller's `extra`.
_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class JsonLines(logging.Formatter):
    """A record as one JSON object; fields given by `extra` stand beside the message."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        line: dict[str, Any] = {
            "time": round(record.created, 3),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {key: value for key, value in vars(record).items() if key not in _OWN}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def configure(level: str = "INFO", *, json_lines: bool = False) -> None:
    """Send all records of this process to stderr, replacing what was set up before.

    Args:
        level: the lowest level that is written, such as `INFO`.
        json_lines: JSON instead of text.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if json_lines else logging.Formatter(TEXT))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
