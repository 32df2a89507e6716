"""Elimination and resigning. Rules: KA-8.1, KA-8.4, KA-16."""

from __future__ import annotations

from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.board import Decision, living, standing
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.state import NOBODY, Battle, State, StateOrView, Unit


def eliminate(decision: Decision, seat: int, by: int, specials: tuple[int, ...] = ()) -> None:
    """A seat whose Crown fell is out; the victor takes its Special Units. Rules: KA-8.1, KA-8.3.

    ``by`` is the victor or NOBODY; ``specials`` are in the order in which they find a place. The
    other units leave the game, but for the dead, who stay so. Gold, hand and deck are gone.
    """
    decision.emit(ev.SeatEliminated(seat, by, specials))


def may_resign(seen: StateOrView, seat: int) -> bool:
    """True unless a seat is the last one alive. Rules: KA-8.4, KA-17.1."""
    return living(seen) != (seat,)


def resign(decision: Decision, seat: int) -> None:
    """A seat gives up: all its units leave the game, and nobody gains anything.

    A battle it was part of ends there, without a verdict. Removals become final only in its
    step 9, so units of the other side that were removed before that stand on their tile again;
    what its cards have done, gold that changed hands and cards that were revealed are as they are.
    The book is silent about a Crown that is the last one while its battle is not over: that seat
    has won and cannot give up. Rules: KA-8.4.

    Raises:
        Refused: it is the last seat alive.
    """
    if not may_resign(decision.state, seat):
        text = "Yours is the last Crown; the war is won when this battle is over."
        raise Refused(Refusal.GAME_OVER, text, "KA-17.1")
    fought = decision.state.battle
    decision.emit(ev.SeatEliminated(seat, NOBODY, resigned=True))
    if fought is not None and seat in {side.seat for side in fought.sides}:
        back = _returned(decision.state, fought)
        here = (unit for side in fought.sides for unit in standing(decision.state, side.tile))
        done = sorted({unit.id for unit in (*here, *back)})
        decision.emit(ev.BattleEnded("abandoned", tuple(done), back))


def _returned(state: State, fought: Battle) -> tuple[Unit, ...]:
    """Removed units of a battle as they stand on their side's tile again. Rules: KA-7.9."""
    tiles = {side.seat: side.tile for side in fought.sides}
    return tuple(
        replace(unit, place="board", tile=tiles[unit.owner])
        for unit in state.units.values()
        if unit.place == "removed"
    )
