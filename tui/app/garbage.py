"""No garbage collection while the program starts: nearly all that is made then stays.

Looking through modules, tables and styles again and again takes a tenth of the time to the first
picture; and as they stay, no later collection looks at them either.
"""

from __future__ import annotations

import gc
from typing import Final

STARTED: Final = 1.0
"""Seconds after which the first picture has been shown."""


def rest() -> None:
    """Collect nothing until ``go_on``."""
    gc.disable()


def go_on() -> None:
    """Collect again, but for what is there by now."""
    gc.freeze()
    gc.enable()
