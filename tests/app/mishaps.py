"""Games of a tournament in which the program fails, by seed."""

from __future__ import annotations

import os
from collections.abc import Callable

from tui.headless.simulate import SimulatedGame, Task, TournamentSetup, played

DIES, RAISES, NEVER_ENDS = 6, 7, 8
"""Seeds of such games."""


def mishaps(setup: TournamentSetup) -> Callable[[Task], SimulatedGame]:
    """Work of a farm: games of which three fail."""
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
