"""Simultaneous orders: the order of seats, of sealing and of unranked list lines has no effect.

A turn here is a random position with a list for every seat, some lines of which are refused. It is
played to the opening of the next turn, settling rounds included, or to the end of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.codec import encode
from engine.core.containers import Roster
from engine.core.decision import BaseDecision
from engine.core.dice import Scripted
from engine.core.record import replace
from engine.rulesets.gd6 import RULES
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import AnyOrder, Move
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.state import Snapshot, State
from engine.rulesets.gd6.territories import Decision
from engine.rulesets.gd6.turns import close, go_on
from tests.contract.walks import examples
from tests.rulesets.gd6.relabelling import events_relabelled, relabelled
from tests.rulesets.gd6.table import begin
from tests.rulesets.gd6.turn_positions import battles, openings, turns

ROUNDS = 4
"""Failed settling rounds after which a turn is abandoned; after one more, seat order matters."""

TURNS = st.one_of(battles(), turns(), turns(), openings(), openings(most_seats=7))


def carried_out(state: State) -> tuple[State, tuple[ev.AnyEvent, ...]]:
    """Play the turn of sealed lists; a seat that must choose again reuses its last list."""
    decision: Decision = BaseDecision(state, evolve, Scripted())
    close(decision)
    return _to_the_end(decision, range(len(state.players)), decision.events)


def _to_the_end(
    decision: Decision, order: Sequence[int], told: tuple[ev.AnyEvent, ...]
) -> tuple[State, tuple[ev.AnyEvent, ...]]:
    """Play the remaining settling rounds, sealing lists in the given order."""
    while (
        decision.state.choosing
        and not decision.state.reason
        and decision.state.failed_rounds <= ROUNDS
    ):
        owing = RULES.owes(decision.state)
        for seat in order:
            if seat in owing:
                decision.emit(ev.ListWritten(seat, decision.state.players[seat].last))
                told += _sealed(decision, seat)
    return decision.state, told


def _sealed(decision: Decision, seat: int) -> tuple[ev.AnyEvent, ...]:
    """Seal a seat's list. Return the events that follow if it was the last."""
    decision.emit(ev.ListSealed(seat))
    count = len(decision.events)
    go_on(decision)
    return decision.events[count:]


def sealed_in_order(state: State, order: Sequence[int]) -> tuple[State, tuple[ev.AnyEvent, ...]]:
    """Play the turn with seats sealing in the given order; their written lists are kept."""
    drafts = Roster(replace(player, sealed=False) for player in state.players.values())
    decision: Decision = BaseDecision(replace(state, players=drafts), evolve, Scripted())
    told: tuple[ev.AnyEvent, ...] = ()
    owing = RULES.owes(decision.state)
    for seat in order:
        if seat in owing:
            told += _sealed(decision, seat)
    if not told:  # all have given up, and nobody is left to set it off
        close(decision)
        told = decision.events
    return _to_the_end(decision, order, told)


def orders_of(state: State) -> Iterable[Sequence[int]]:
    """Return all permutations of up to four seats, or 24 fixed samples of more."""
    seats = range(len(state.players))
    if len(seats) <= 4:
        return permutations(seats)
    mixer = Random(encode(state))  # noqa: S311 - a choice of examples
    return [mixer.sample(seats, len(seats)) for _ in range(24)]


def check_sealing(state: State) -> None:
    """Check that the order of sealing has no effect, in every settling round.

    The state after the turn and all events from its closing on must be equal, byte for byte.
    """
    ends = {tuple(map(encode, sealed_in_order(state, order))) for order in orders_of(state)}
    assert len(ends) == 1


def check_seats(state: State) -> None:
    """Check that permuting the seats with all their property only renames them.

    After renaming, the state after the turn and all events from its closing on must be equal, byte
    for byte. Runs of events visible to one seat each are sorted by seat first; all others keep
    their order.
    """
    after, events = carried_out(state)
    same = range(len(state.players))
    for names in orders_of(state):
        other, told = carried_out(relabelled(state, names))
        assert encode(relabelled(after, names)) == encode(relabelled(other, same))
        assert encode(events_relabelled(events, names)) == encode(events_relabelled(told, same))


@pytest.mark.rule("GD-TURN-3", "GD-HQ-4", "GD-HQ-5")
@examples(38)
@given(state=TURNS)
def test_permuting_seats_only_renames_them(state: State) -> None:
    check_seats(state)


@pytest.mark.rule("GD-LIST-3", "GD-TURN-3", "GD-HQ-5")
@examples(38)
@given(state=TURNS)
def test_order_of_sealing_changes_nothing(state: State) -> None:
    check_sealing(state)


@pytest.mark.slow
@settings(max_examples=2000)
@given(state=TURNS)
def test_seats_and_sealing_do_not_matter_in_thousands_of_turns(state: State) -> None:
    check_seats(state)
    check_sealing(state)


@pytest.mark.rule("GD-TURN-3", "GD-LIST-6")
@given(state=turns(), data=st.data())
def test_permuting_orders_other_than_moves_changes_nothing(
    state: State, data: st.DataObject
) -> None:
    players = []
    for player in state.players.values():
        moves = [order for order in player.orders if isinstance(order, Move)]
        others: list[AnyOrder] = [o for o in player.orders if not isinstance(o, Move)]
        mixed = data.draw(st.permutations(others))
        players.append(replace(player, orders=(*mixed, *moves)))
        moved_back = (*others, *moves)
        state = replace(state, players=state.players.put(replace(player, orders=moved_back)))
    one, _ = carried_out(state)
    other, _ = carried_out(replace(state, players=Roster(players)))
    assert one.territories == other.territories
    assert [(p.ip, p.crop, p.dynamite, p.toxic) for p in one.players.values()] == [
        (p.ip, p.crop, p.dynamite, p.toxic) for p in other.players.values()
    ]


@pytest.mark.rule("GD-OPT-1")
@given(state=turns(advanced=False))
def test_advanced_variant_without_its_orders_is_the_base_game(state: State) -> None:
    advanced = replace(state, options=replace(state.options, variant="advanced"))
    one, told = carried_out(state)
    other, heard = carried_out(advanced)
    refused = [e for e in told if isinstance(e, ev.OrderRefused)]
    if not any("variant_not_enabled" in event.codes for event in refused):
        assert told == heard
        assert replace(one, options=other.options) == other


def test_game_begins_where_the_scenario_says() -> None:
    game = begin("borders = [[1, 2]]\nseats = 2")
    assert RULES.owes(game.state) == {0, 1}
    assert game.state.players[0].opened == Snapshot()
