"""Faults of screens: each is reported, and the program restarts its screens if that may help."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic
from typing import Final

from tui.console.faults import ScreenFault, keep_report

AGAIN: Final = 10.0
"""Seconds after a fault within which a second fault on the first screen ends the program."""

_FIRST: Final = 2
"""Number of open screens when the first one is on top, as Textual's own is below it."""

_log = logging.getLogger(__name__)


class Recovery:
    """The faults of one run of the program, or of one person's screens on a host."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """Start without a fault; ``clock`` returns seconds."""
        self._clock = clock
        self._last: float | None = None
        self.line = ""
        """Sentence about the latest fault with the path of its report; empty before any fault."""
        self.note = ""
        """Shorter form of ``line`` for the first screen, which has little space."""

    def take(self, fault: ScreenFault) -> bool:
        """Log and report a fault of a screen.

        Return whether the program should restart its screens.
        """
        _log.error("a screen broke (%s)\n%s", " ".join(fault.screens), fault.trace)
        report = keep_report(fault)
        where = f"its report is {report}" if report is not None else "no report could be written"
        self.line = f"a fault of the program closed a screen; {where}"
        read = f"; to read it: banneret report {report.stem}" if report is not None else "."
        self.note = f"A fault closed a screen{read}"
        now, before = self._clock(), self._last
        self._last = now
        first = len(fault.screens) <= _FIRST
        return not (first and before is not None and now - before < AGAIN)
