"""Rounds and phases (section 5)."""

from __future__ import annotations

from engine.rulesets.weltendaemmerung.events import (
    AttacksGiven,
    GameWon,
    PhaseBegan,
    PointsRestored,
    RoundEnded,
)
from engine.rulesets.weltendaemmerung.lookup import Job
from engine.rulesets.weltendaemmerung.state import ELDOIN

LAST = 6
"""The number of the state that ends a round. Rules: WD-TURN-2."""

GIVES_ATTACKS = (2, 3)
"""The states after which every unit has one attack. Rules: WD-TURN-4."""


def end_phase(work: Job) -> None:
    """End the phase of the player to move.

    Rules: WD-TURN-1, WD-TURN-3, WD-TURN-4, WD-TURN-5, WD-WIN-3.
    """
    state = work.state
    ends = 2 * state.phase + state.player + 1
    if ends == LAST:
        work.emit(PointsRestored())
        work.emit(RoundEnded(completed=state.completed + 1))
        if work.state.completed >= state.rounds:
            work.emit(GameWon(side=ELDOIN, reason="time"))
            return
        ends = 0
    elif ends in GIVES_ATTACKS:
        work.emit(AttacksGiven())
    work.emit(PhaseBegan(phase=ends // 2, player=ends % 2))
