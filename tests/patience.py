"""How long tests wait for what must happen.

A busy machine may take minutes for what usually takes a moment. So a test that waits asks again
until it is so, and never sleeps for a fixed time instead.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

PATIENCE: Final = 180.0
"""Seconds after which something that should happen counts as missing."""

GLANCE: Final = 0.01
"""Seconds between two checks."""


def wait_for(is_so: Callable[[], Any], what: object = "it") -> None:
    """Check until ``is_so`` returns a true value."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, f"waited for {what}"
        time.sleep(GLANCE)


async def until(is_so: Callable[[], Any], *, between: float = GLANCE) -> None:
    """Check until ``is_so`` returns a true value, every ``between`` seconds."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(between)
