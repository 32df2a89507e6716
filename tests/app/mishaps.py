"""Fail in some games of a tournament, chosen by seed."""

from __future__ import annotations

import os
from collections.abc import Callable

from study.lab.simulate import SimulatedGame, Task, TournamentSetup, played

DIES, RAISES, NEVER_ENDS = 6, 7, 8
"""Seeds of the games that fail, named by the failure."""


def mishaps(setup: TournamentSetup) -> Callable[[Task], SimulatedGame]:
    """Return the work of a farm in which three games fail."""
    usual = played(setup)

    def one(task: Task) -> SimulatedGame:
        if task.seed == DIES:
            os._exit(1)
        if task.seed == RAISES:
            raise ZeroDivisionError("no armies")
        while task.seed == NEVER_ENDS:
            pass
        return usual(task)

    return one
