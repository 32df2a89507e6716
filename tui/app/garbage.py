"""Suspend garbage collection while the program starts, as nearly all its objects stay alive.

Traversing modules, tables and styles again and again takes a tenth of the time to the first
picture. Later collections skip these objects too.
"""

from __future__ import annotations

import gc
from typing import Final

STARTED: Final = 1.0
"""Seconds after which the first picture has been shown."""


def rest() -> None:
    """Suspend collection until ``go_on``."""
    gc.disable()


def go_on() -> None:
    """Resume collection; it ignores the objects that exist now."""
    gc.freeze()
    gc.enable()
