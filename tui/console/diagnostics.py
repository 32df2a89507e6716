"""Diagnostics: log records go to a file, since the screen owns the terminal."""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler

from tui.console.faults import folder

_MOST_BYTES = 200_000


def start() -> None:
    """Write log records to ``banneret.log`` in the user's state folder, if it is writable."""
    root = logging.getLogger()
    try:
        folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        handler: logging.Handler = RotatingFileHandler(
            folder() / "banneret.log", maxBytes=_MOST_BYTES, backupCount=1, delay=True
        )
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    root.addHandler(handler)
    root.setLevel(logging.INFO)
