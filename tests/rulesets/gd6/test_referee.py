"""Referee orders: executed unchecked and free of charge, and secret until they happen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.core.codec import encode_json
from engine.core.dice import Scripted
from engine.core.ids import HOUSE, PUBLIC
from engine.core.record import Record
from engine.core.ruleset import ScenarioFault
from engine.core.scenarios import parse
from engine.rulesets.gd6 import RULES
from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.lists import project
from engine.rulesets.gd6.state import State

LINE = [[at, at + 1] for at in range(1, 9)]
"""Nine territories in a row."""

LANDS = (
    {"id": 1, "owner": 0, "army": 5, "hq": 0, "loyalty": 3},
    {"id": 2, "owner": 0, "army": 2},
    {"id": 8, "owner": 1, "army": 4},
    {"id": 9, "owner": 1, "army": 6, "hq": 1},
)


def position(*forced: str, orders: Sequence[str] = (), **more: Any) -> State:
    """Return a position with two seats; seat 0 has referee orders and a list."""
    document = {
        "name": "row",
        "title": "Row",
        "about": "",
        "borders": LINE,
        "seats": 2,
        "territories": LANDS,
        "options": {"variant": "advanced"},
        "players": [
            {"id": 0, "hq_built": True, "status": "active", "forced": forced, "orders": orders},
            {"id": 1, "hq_built": True, "status": "active"},
        ],
    }
    return folded(RULES.empty(), RULES.begin(parse(RULES, encode_json(document | more)), {}, DICE))


DICE = Scripted()


def folded(state: State, events: Sequence[Any]) -> State:
    for event in events:
        state = RULES.evolve(state, event)
    return state


def closed(state: State, *, sealed: bool = True) -> tuple[State, tuple[Any, ...]]:
    """Let the house close the turn. Return the position and the events."""
    if sealed:
        state = folded(state, RULES.decide(state, 0, do.SealList(), DICE))
    events = tuple(RULES.decide(state, HOUSE, do.SealList(), DICE))
    return folded(state, events), events


def told(events: Sequence[Any], kind: type[Record]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


@pytest.mark.rule("GD-FORCED-2")
@pytest.mark.parametrize(
    ("order", "event"),
    [
        ("spawn at=5 count=40", ev.Spawned(0, 5, 40, 40)),
        ("build at=9 construct=library", ev.ConstructBuilt(0, 9, "library")),
        ("mine at=9 count=7", ev.MinesLaid(0, 9, 7)),
        ("promote at=2 unit=spy count=1", ev.Promoted(0, 2, "spy", 1)),
        ("crop lots=2,90", ev.CropUsed(0, ((2, 90, 92),))),
        ("dynamite source=1 target=8", ev.DynamiteUsed(0, 1, 8, "army", 3, None)),
        ("toxic source=1 target=9", ev.ToxicUsed(0, 1, 9)),
        ("buy item=toxic", ev.ItemBought(0, "toxic", 1)),
    ],
)
def test_referee_order_runs_unchecked_and_costs_nothing(order: str, event: ev.AnyEvent) -> None:
    for sealed in (True, False):
        _, events = closed(position(order), sealed=sealed)
        assert event in events
        assert not told(events, ev.IpPaid) + told(events, ev.ItemSpent)
        assert not told(events, ev.OrderRefused)


@pytest.mark.rule("GD-FORCED-2")
def test_referee_move_leaps_and_takes_units_left_by_the_list() -> None:
    state = position("move path=1>6 count=9", orders=["move path=1>2 count=2"])
    after, events = closed(state)
    (bound,) = told(events, ev.SquadsBound)
    assert sorted((squad.path, squad.count) for squad in bound.squads) == [((1, 2), 2), ((1, 6), 3)]
    assert not told(events, ev.OrderReduced)
    assert (after.territories[6].owner, after.territories[6].army) == (0, 3)


@pytest.mark.rule("GD-FORCED-2")
def test_referee_order_is_ignored_by_checks_of_a_list() -> None:
    state = position("spawn at=2 count=30", orders=["spawn at=1 count=2"])
    after, events = closed(state)
    assert not told(events, ev.OrderRefused)
    assert (after.territories[1].army, after.territories[2].army) == (7, 32)


@pytest.mark.rule("GD-FORCED-1")
def test_referee_orders_last_one_turn_and_travel_with_the_position() -> None:
    state = position("buy item=crop")
    again = RULES.begin(RULES.position(state), {}, DICE)
    assert folded(RULES.empty(), again).players[0].forced == (do.Buy("crop"),)
    after, _ = closed(state)
    assert (after.players[0].forced, after.players[0].last) == ((), ())


@pytest.mark.rule("GD-FORCED-1", "GD-SECRET-1")
def test_referee_orders_are_visible_to_their_seat_only() -> None:
    with_them, without = position("mine at=5 count=1", "hq at=4"), position()
    for viewer in (1, PUBLIC):
        assert RULES.view(with_them, viewer) == RULES.view(without, viewer)
    assert RULES.view(with_them, 0).players[0].forced
    assert project(RULES.view(with_them, 0)).after.territories[5].mines == 1


@pytest.mark.rule("GD-FORCED-3")
@pytest.mark.parametrize(
    "order",
    [
        "hq at=5",
        "spawn at=8 count=3",
        "promote at=8 unit=heavy count=2",
        "build at=5 construct=bivouac",
        "crop lots=8,3",
        "move path=8>7 count=1",
        "move path=1>2 count=1 unit=spy",
    ],
)
def test_impossible_referee_order_does_nothing(order: str) -> None:
    (after, _), (idle, _) = closed(position(order)), closed(position())
    assert after.territories == idle.territories
    RULES.begin(RULES.position(after), {}, DICE)


@pytest.mark.rule("GD-FORCED-3")
def test_referee_settles_a_seat_where_there_is_room() -> None:
    players = [
        {"id": 0, "hq_built": True, "status": "active"},
        {"id": 1, "forced": ["hq at=7"]},
    ]
    state = position(players=players, territories=LANDS[:2])
    after, _ = closed(state, sealed=False)
    assert (after.territories[7].hq, after.players[1].status) == (1, "active")


@pytest.mark.rule("GD-FORCED-1")
@pytest.mark.parametrize(
    ("order", "text"),
    [
        ("spawn at=77 count=1", "There is no territory 77"),
        ("spawn at=1 count=0", "1 to"),
        ("move path=1 count=1", "different territories"),
        ("move path=1>1 count=1", "different territories"),
        ("seal", "seal"),
    ],
)
def test_scenario_with_an_impossible_referee_order_is_refused(order: str, text: str) -> None:
    with pytest.raises(ScenarioFault, match=text) as caught:
        position(order)
    assert caught.value.place == "players[0].forced[0]"


@pytest.mark.rule("GD-FORCED-1")
def test_eliminated_seat_has_no_referee_orders() -> None:
    players = [{"id": 0, "status": "eliminated", "hq_built": True, "forced": ["buy item=crop"]}]
    with pytest.raises(ScenarioFault, match="is for a seat that is out"):
        position(players=players, territories=LANDS[2:])
