"""Garbage collection in small portions: a whole one would hold up everybody for half a second.

Only young objects are looked at while people play. What lives on is put where no collection looks,
which costs nothing. All of it is looked at when enough people have left, for whole screen programs
hang together in circles.
"""

from __future__ import annotations

import asyncio
import gc
from typing import Final

PORTION: Final = 0.15
"""Seconds between two looks at young objects."""

PORTIONS: Final = 100
"""Looks after which what lives on is looked at no more."""


async def tidy() -> None:
    """Collect in portions until this is cancelled; then as Python does by itself."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        while True:
            for _ in range(PORTIONS):
                await asyncio.sleep(PORTION)
                gc.collect(0)
            gc.freeze()
    finally:
        gc.enable()


def collect_all() -> None:
    """Look at everything, which takes a while."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
