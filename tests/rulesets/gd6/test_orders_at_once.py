"""Nothing depends on who is first: seats, sealing, the order of a list where it does not count."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.codec import encode
from engine.core.containers import Roster
from engine.core.dice import Scripted
from engine.core.record import replace
from engine.core.work import Work
from engine.rulesets.gd6 import RULES
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.lands import Job
from engine.rulesets.gd6.orders import AnyOrder, Move
from engine.rulesets.gd6.state import NOBODY, Player, Snapshot, State, Territory
from engine.rulesets.gd6.turns import close
from tests.rulesets.gd6.table import begin
from tests.rulesets.gd6.turn_positions import turns

SECRET = (
    ev.OrderRefused
    | ev.OrderReduced
    | ev.IpPaid
    | ev.MinesLaid
    | ev.ItemSpent
    | ev.ItemBought
    | ev.IncomeEarned
)
"""Told to one seat each; they stand in the log seat by seat."""


def carried_out(state: State) -> tuple[State, tuple[ev.AnyEvent, ...]]:
    work: Job = Work(state, evolve, Scripted())
    close(work)
    return work.state, work.events


def relabelled(state: State, names: Sequence[int]) -> State:
    """The state with seat ``n`` called ``names[n]``."""

    def seat(old: int) -> int:
        return old if old == NOBODY else names[old]

    def land(here: Territory) -> Territory:
        laid = tuple(sorted((seat(old), count) for old, count in here.laid))
        return replace(here, owner=seat(here.owner), hq=seat(here.hq), laid=laid)

    def player(old: Player) -> Player:
        return replace(old, id=seat(old.id))

    return replace(
        state,
        territories=Roster(map(land, state.territories.values())),
        players=Roster(map(player, state.players.values())),
        deeds=tuple(replace(deed, seat=seat(deed.seat)) for deed in state.deeds),
        winners=tuple(sorted(seat(winner) for winner in state.winners)),
        choosing=tuple(sorted(seat(old) for old in state.choosing)),
    )


@pytest.mark.rule("GD-TURN-3")
@given(state=turns(), data=st.data())
def test_permuting_seats_changes_nothing_but_their_letters(
    state: State, data: st.DataObject
) -> None:
    names = data.draw(st.permutations(range(len(state.players))))
    after, events = carried_out(state)
    other, told = carried_out(relabelled(state, names))
    assert encode(relabelled(after, names)) == encode(other)
    assert [type(e) for e in events if not isinstance(e, SECRET)] == [
        type(e) for e in told if not isinstance(e, SECRET)
    ]


@pytest.mark.rule("GD-LIST-3", "GD-TURN-3")
@given(state=turns(seats=3))
def test_the_order_of_sealing_changes_nothing(state: State) -> None:
    ends = set()
    drafts = replace(
        state,
        players=Roster(replace(player, sealed=True) for player in state.players.values()),
    )
    for order in permutations(range(3)):
        now = replace(
            drafts, players=Roster(replace(p, sealed=False) for p in drafts.players.values())
        )
        work: Job = Work(now, evolve, Scripted())
        for seat in order:
            work.emit(ev.ListSealed(seat))
        count = len(work.events)
        close(work)
        ends.add((encode(work.state), encode(work.events[count:])))
    assert len(ends) == 1


@pytest.mark.rule("GD-TURN-3", "GD-LIST-6")
@given(state=turns(), data=st.data())
def test_permuting_orders_that_are_no_moves_changes_nothing(
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
def test_the_advanced_variant_without_its_orders_is_the_base_game(state: State) -> None:
    advanced = replace(state, options=replace(state.options, variant="advanced"))
    one, told = carried_out(state)
    other, heard = carried_out(advanced)
    refused = [e for e in told if isinstance(e, ev.OrderRefused)]
    if not any("variant_not_enabled" in event.codes for event in refused):
        assert told == heard
        assert replace(one, options=other.options) == other


def test_the_table_begins_where_a_scenario_says() -> None:
    game = begin("borders = [[1, 2]]\nseats = 2")
    assert RULES.owes(game.state) == {0, 1}
    assert game.state.players[0].opened == Snapshot()
