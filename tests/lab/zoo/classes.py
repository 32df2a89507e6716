"""Bad bots as Python classes; they run in the process of the lab."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from ctypes import string_at
from typing import Any


class Spinner:
    """Bot that works forever and ignores the alarm's exception."""

    def plan(self, view: Any, offers: Any, dice: Any) -> Any:
        """Loop forever; suppress every exception."""
        while True:
            with suppress(Exception):
                time.monotonic()


class Sleeper:
    """Bot that sleeps past its limit."""

    def plan(self, view: Any, offers: Any, dice: Any) -> Any:
        """Sleep for 1000 seconds."""
        time.sleep(1000)


class Glutton:
    """Bot that asks for more memory than exists."""

    def plan(self, view: Any, offers: Any, dice: Any) -> Any:
        """Allocate 2 ** 62 bytes."""
        return [bytearray(1 << 62)]


class Digger:
    """Bot that recurses without end."""

    def plan(self, view: Any, offers: Any, dice: Any) -> Any:
        """Recurse forever."""
        return self.plan(view, offers, dice)


class Leaver:
    """Bot that tries to end the process."""

    def plan(self, view: Any, offers: Any, dice: Any) -> Any:
        """Raise SystemExit."""
        sys.exit(0)


class Babbler:
    """Bot that plans text instead of commands."""

    def plan(self, view: Any, offers: Any, dice: Any) -> Any:
        """Return a line of text."""
        return ["end-phase"]


class Crasher:
    """Bot that ends the process of the lab with a segmentation fault."""

    def plan(self, view: Any, offers: Any, dice: Any) -> Any:
        """Read address 0."""
        string_at(0)


class Decent:
    """Bot that ends each phase."""

    def plan(self, view: Any, offers: Any, dice: Any) -> Any:
        """Return the first offer that ends the phase."""
        return [next(command for command in offers() if type(command).__name__ == "EndPhase")]
