"""Eliminate seats, and let them resign. See: KA-8.1, KA-8.4, KA-16."""

from __future__ import annotations

from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.board import Decision, living, standing
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.state import NOBODY, Battle, State, StateOrView, Unit


def eliminate(decision: Decision, seat: int, by: int, specials: tuple[int, ...] = ()) -> None:
    """Eliminate a seat whose Crown fell; give its Special Units to the victor.

    ``by`` is the victor or NOBODY; ``specials`` are in the order in which they get a place. The
    other units leave the game, except the dead, which stay dead. Gold, hand and deck are lost.
    Rules: KA-8.1. See: KA-8.3.
    """
    decision.emit(ev.SeatEliminated(seat, by, specials))


def may_resign(seen: StateOrView, seat: int) -> bool:
    """Return whether a seat can resign; the last one alive cannot. Rules: KA-8.4. See: KA-17.1."""
    return living(seen) != (seat,)


def resign(decision: Decision, seat: int) -> None:
    """Resign: remove all units of the seat from the game; no seat gains anything.

    If the seat was in a battle, that ends without a verdict. Removals become final only in step 9
    of a battle, so units of the other side that were removed earlier return to their tile. Effects
    of cards, gold already paid and revealed cards stay as they are. The book does not cover a seat
    with the last Crown whose battle is not over: it has won and cannot resign. Rules: KA-8.4.

    Raises:
        Refused: the seat is the last one alive.
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
    """Return the removed units of a battle, placed on their side's tile again. See: KA-7.9."""
    tiles = {side.seat: side.tile for side in fought.sides}
    return tuple(
        replace(unit, place="board", tile=tiles[unit.owner])
        for unit in state.units.values()
        if unit.place == "removed"
    )
