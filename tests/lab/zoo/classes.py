"""Bad bots as Python classes; they run in the process of the lab."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from ctypes import string_at
from typing import Any


class Spinner:
    """Works for ever, whatever it is told."""

    def plan(self, view: Any, offers: Any, dice: Any) -> Any:
        """Work."""
        while True:
            with suppress(Exception):
                time.monotonic()


class Sleeper:
    """Falls asleep."""

    def plan(self, view: Any, offers: Any, dice: Any) -> Any:
        """Sleep."""
        time.sleep(1000)


class Glutton:
    """Takes more memory than there is."""

    def plan(self, view: Any, offers: Any, dice: Any) -> Any:
        """Take it."""
        return [bytearray(1 << 62)]


class Digger:
    """Calls itself without end."""

    def plan(self, view: Any, offers: Any, dice: Any) -> Any:
        """Call it."""
        return self.plan(view, offers, dice)


class Leaver:
    """Ends the process, as it thinks."""

    def plan(self, view: Any, offers: Any, dice: Any) -> Any:
        """Leave."""
        sys.exit(0)


class Babbler:
    """Plans words in place of commands."""

    def plan(self, view: Any, offers: Any, dice: Any) -> Any:
        """Some words."""
        return ["end-phase"]


class Crasher:
    """Ends the process of the lab with a segmentation fault."""

    def plan(self, view: Any, offers: Any, dice: Any) -> Any:
        """Read what is not there."""
        string_at(0)


class Decent:
    """Ends its phase."""

    def plan(self, view: Any, offers: Any, dice: Any) -> Any:
        """The first offer of the end of a phase."""
        return [next(command for command in offers() if type(command).__name__ == "EndPhase")]
