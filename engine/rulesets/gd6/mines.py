"""Mines that go off. Advanced variant."""

from __future__ import annotations

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.fights import Line
from engine.rulesets.gd6.lands import Job


def explode(work: Job, target: int, line: Line, seat: int) -> None:
    """Mines go off under a line until they or the units are used up.

    Rules: GD-MINE-2 to GD-MINE-4, GD-SPY-3.
    """
    mines = work.state.territories[target].mines
    exploded = line.suffer(mines)
    if exploded:
        left = mines - exploded
        work.emit(ev.MinesExploded(target, seat, exploded, left, line.losses()))
