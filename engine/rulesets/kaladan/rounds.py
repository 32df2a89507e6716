"""Pass the turn on, end rounds, and end the game. See: KA-16, KA-17."""

from __future__ import annotations

from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.board import (
    Decision,
    castles,
    controlled,
    living,
    on_board,
    turn_order,
)
from engine.rulesets.kaladan.state import State, StateOrView


def end_turn(decision: Decision) -> None:
    """End the turn and begin the next seat's; end the round after its last turn.

    The round ends when the turn passes the end of the turn order, no matter which seats are alive.
    Rules: KA-16. See: KA-6.
    """
    seat = decision.state.active
    decision.emit(ev.TurnEnded(seat))
    state = decision.state
    after = turn_order(state, seat + 1)[0]
    number = state.round
    if place_in_order(state, after) <= place_in_order(state, seat):
        decision.emit(ev.RoundEnded(number))
        if state.options.round_limit and number >= state.options.round_limit:
            decision.emit(ev.GameEnded("round_limit", leaders(state)))
            return
        number += 1
    begin_turn(decision, after, number)


def begin_turn(decision: Decision, seat: int, number: int) -> None:
    """Begin a seat's turn with its first phase. Rules: KA-6."""
    decision.emit(ev.TurnBegan(seat, number))
    decision.emit(ev.PhaseBegan("event", seat))


def place_in_order(seen: StateOrView, seat: int) -> int:
    """Return a seat's place in the turn order; the First Player has 0. See: KA-5.1."""
    return (seat - seen.first) % len(seen.players)


def judge(decision: Decision) -> bool:
    """End the game if at most one Crown is left; return whether the game is over.

    A battle is finished first. If no Crown is left, the seats that fell last share the victory.
    Rules: KA-17.1, KA-17.2, KA-17.
    """
    state = decision.state
    left = living(state)
    if len(left) > 1 or state.battle is not None:
        return False
    if left:
        decision.emit(ev.GameEnded("last_crown", left))
    else:
        fell = (event.seat for event in decision.events if isinstance(event, ev.SeatEliminated))
        decision.emit(ev.GameEnded("no_crown", tuple(sorted(fell))))
    return True


def leaders(state: State) -> tuple[int, ...]:
    """Return the living seats with the best score, in order. Rules: KA-17.3."""
    scores = {seat: score(state, seat) for seat in living(state)}
    best = max(scores.values())
    return tuple(seat for seat, points in scores.items() if points == best)


def score(seen: StateOrView, seat: int) -> tuple[int, int, int, int]:
    """Return the score at the end: castle tiles, tiles, units and gold. Rules: KA-17.3."""
    tiles, units = len(controlled(seen, seat)), len(on_board(seen, seat))
    return len(castles(seen, seat)), tiles, units, seen.players[seat].gold
