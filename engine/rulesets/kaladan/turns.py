"""Turns and phases: the seat that must act, and the steps between two choices. See: KA-6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from engine.core.refused import Refused
from engine.rulesets.kaladan import battle, event_phase, founding
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.actions import may_act, may_march, may_spawn
from engine.rulesets.kaladan.board import Decision, castles, controlled
from engine.rulesets.kaladan.purchases import may_buy
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.rounds import end_turn, judge, score
from engine.rulesets.kaladan.state import (
    NOBODY,
    SETUP_PHASES,
    TURN_PHASES,
    Phase,
    StateOrView,
)
from engine.rulesets.kaladan.tables import tables

STATISTICS = ("castles", "tiles", "units", "gold")
"""Names of the numbers of each seat, in the order in which they count at the round limit."""


def owing(state: StateOrView) -> frozenset[int]:
    """Return the seat that must act; empty after the end. See: KA-6, KA-7.1, KA-11.1."""
    if state.reason or not state.players:
        return frozenset()
    if state.battle is not None:
        asked = state.battle.asked
        return frozenset() if asked == NOBODY else frozenset((asked,))
    if state.event is not None:
        return frozenset(state.event.asked[:1])
    return frozenset((state.active,))


def has_choice(seen: StateOrView, seat: int, phase: Phase) -> bool:
    """Return whether a seat can do anything in a phase besides ending it. See: KA-6."""
    match phase:
        case "spawn":
            return may_spawn(seen, seat)
        case "action":
            return may_act(seen, seat)
        case "purchase":
            return may_buy(seen, seat)
        case "reinforcement":
            return may_march(seen, seat)
        case "world" | "realms" | "castles" | "deployment" | "event" | "income":
            return False
        case _:
            assert_never(phase)


def may_end_phase(seen: StateOrView) -> bool:
    """Return whether the seat may end the phase now.

    It may not during a battle or an event, nor in phases that end automatically. See: KA-6.3 to
    KA-6.6, KA-13.
    """
    ends = ("spawn", "action", "purchase", "reinforcement")
    return seen.phase in ends and seen.battle is None and seen.event is None


def end_phase(decision: Decision, _seat: int) -> None:
    """End the phase; unused spawns, moves and marches are lost. See: KA-6.

    Raises:
        Refused: a choice must be made first.
    """
    if not may_end_phase(decision.state):
        text = "There is a choice to be made first."
        raise Refused(Refusal.WRONG_PHASE, text, "KA-13")
    _leave_phase(decision)


def go_on(decision: Decision) -> None:
    """Continue the game until a seat has to choose: phases, events, battles, the end.

    Skip phases without a choice, even if the last choice disappears during the phase. After a
    command that can be undone, leave the choice with the seat, so that it can still undo: the book
    does not cover this, and ending the phase automatically would make the command final.
    Rules: KA-6.
    """
    if decision.events and not any(event.irreversible for event in decision.events):
        return
    while not decision.state.reason and _carried_on(decision):
        pass


def _carried_on(decision: Decision) -> bool:
    """Do the next step without a choice; return False if a seat has to choose."""
    state = decision.state
    if state.battle is not None:
        if state.battle.asked == NOBODY:
            battle.go_on(decision)
        return decision.state.battle is None
    if judge(decision):
        return True
    if state.phase in SETUP_PHASES:
        founding.go_on(decision)
        return decision.state.phase not in SETUP_PHASES
    return _resolved(decision) if state.event is not None else _turned(decision)


def _turned(decision: Decision) -> bool:
    """Do the next step of a turn; return False if its seat has to choose."""
    state, seat = decision.state, decision.state.active
    if not state.players[seat].alive:
        end_turn(decision)
    elif state.phase == "event" and event_phase.draw(decision):
        return True
    elif has_choice(state, seat, state.phase):
        return False
    else:
        if state.phase == "income":
            _take_income(decision, seat)
        _leave_phase(decision)
    return True


def _resolved(decision: Decision) -> bool:
    """Discard an event card that all have answered, and continue. Rules: KA-6.1. See: KA-11."""
    state = decision.state
    if state.event is None or state.event.asked:
        return False
    decision.emit(ev.EventResolved(state.event.card))
    if state.players[state.active].alive:
        _leave_phase(decision)
    return True


def _leave_phase(decision: Decision) -> None:
    """Begin the next phase with something to do, or end the turn. Rules: KA-6."""
    state = decision.state
    for phase in TURN_PHASES[TURN_PHASES.index(state.phase) + 1 :]:
        if phase == "income" or has_choice(state, state.active, phase):
            decision.emit(ev.PhaseBegan(phase, state.active))
            return
    end_turn(decision)


def _take_income(decision: Decision, seat: int) -> None:
    """Give the income: 1 gold for each tile, 1 more for each castle tile. Rules: KA-6.2."""
    state, turn = decision.state, tables().turn
    tiles, built = income_of(state, seat)
    gain = tiles * turn.income_per_tile + built * turn.income_per_castle_extra
    gold = state.players[seat].gold + gain
    decision.emit(ev.IncomeReceived(seat, tiles, built, gold))


def income_of(seen: StateOrView, seat: int) -> tuple[int, int]:
    """Return the numbers of tiles and castle tiles that give a seat income. Rules: KA-6.2."""
    return len(controlled(seen, seat)), len(castles(seen, seat))


def statistics(state: StateOrView) -> Mapping[str, tuple[int, ...]]:
    """Return the numbers of each seat: castles, tiles, units, gold."""
    scores = [score(state, seat) for seat in state.players]
    return {name: tuple(row[at] for row in scores) for at, name in enumerate(STATISTICS)}
