"""Order of turns (section 13.1), and the start of a turn (section 13.2)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.containers import Roster
from engine.core.dice import Dice, Scripted
from engine.core.record import replace
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import shuffled
from engine.rulesets.warlords2.state import State
from engine.strategic import events as ev
from engine.strategic import heroes, turns
from engine.strategic.commands import Hire
from engine.strategic.pieces import NONE, Item
from engine.strategic.world import HOSTILE, PEACE, WAR
from tests.strategic.ground import HERO, army, desk, side
from tests.strategic.turns.realm import at_desk, realm, seeded, sides


def ended(state: State, dice: Dice | None = None) -> tuple[State, tuple[ev.AnyEvent, ...]]:
    """End the turn of the current side; return state and events."""
    work, settings = at_desk(state, dice)
    turns.end_turn(work, settings, state.current)
    assert isinstance(work.state, State)
    return work.state, work.events


def plays(state: State, count: int) -> list[tuple[int, int]]:
    """Return (round, side) of the next ``count`` turns."""
    found = []
    for _ in range(count):
        state, _ = ended(state)
        found.append((state.turn, state.current))
    return found


@pytest.mark.rule("W2-13.1")
def test_sides_play_in_order_and_then_a_round_begins() -> None:
    state = realm((2, 2, 2), sides(True, True, True))
    assert plays(state, 4) == [(3, 1), (3, 2), (4, 0), (4, 1)]


@pytest.mark.rule("W2-13.1")
def test_defeated_sides_are_skipped() -> None:
    seats = sides(True, True, True, True)
    out = (replace(seats[0], alive=False), seats[1], replace(seats[2], alive=False), seats[3])
    state = realm((0, 2, 0, 2), out, at=1)
    assert plays(state, 3) == [(3, 3), (4, 1), (4, 3)]


@pytest.mark.rule("W2-13.1")
def test_a_side_without_cities_plays_until_the_round_ends() -> None:
    state = realm((2, 0, 2), sides(True, True, True))
    assert plays(state, 4) == [(3, 1), (3, 2), (4, 0), (4, 2)]


@pytest.mark.rule("W2-13.1")
def test_a_game_begins_with_the_first_turn_of_the_first_round() -> None:
    state = realm((1, 1), sides(True, True), turn=1, order=())
    work, settings = at_desk(state)
    turns.begin_game(work, settings)
    assert work.events[:2] == (
        ev.RoundBegan(turn=1, order=(0, 1)),
        ev.TurnBegan(side=0, at=0),
    )
    assert (work.state.current, work.state.stage) == (0, "orders")


@pytest.mark.rule("W2-13.1")
def test_random_order_swaps_twenty_pairs_of_eight_places() -> None:
    state = realm((1, 1, 1), sides(True, True, True))
    dice = Scripted([1, 8, 2, 3] + [5] * 36)
    assert shuffled(desk(state, dice)) == (2, 1, 0)
    assert Counter(dice.thrown)[8, 5] == 36
    assert dice.left() == 0


@pytest.mark.rule("W2-13.1")
@given(throws=st.lists(st.integers(1, 8), min_size=40, max_size=40))
def test_random_order_has_every_side_once(throws: list[int]) -> None:
    state = realm((1, 1, 1, 1, 1), sides(*[True] * 5))
    assert sorted(shuffled(desk(state, throws))) == [0, 1, 2, 3, 4]


@pytest.mark.rule("W2-13.1", "W2-0.1")
def test_order_changes_each_round_only_with_random_turns() -> None:
    state = realm((1, 1, 1, 1), sides(*[True] * 4), at=3)
    usual = {ended(replace(state, turn=turn))[0].order for turn in (3, 4)}
    assert usual == {(0, 1, 2, 3)}
    drawn = replace(state, options=Options(random_turns="on"))
    work, settings = at_desk(drawn)
    orders = set()
    for _ in range(20):
        turns.end_turn(work, settings, work.state.current)
        orders.add(work.state.order)
    assert len(orders) > 1


BUSY = Options(diplomacy="on", hidden_map="on")


def busy() -> State:
    """Return a position before the turn start of side 1 in which everything happens."""
    state = realm((1, 1), (side(0, gold=5), side(1, gold=5)), options=BUSY, hidden=True)
    own = replace(state.cities[2], making=0, left=1)
    armies = [
        army(1, 0, 4, points=0, owner=1, defends=True),
        army(2, 3, 4, HERO, points=0, owner=1, xp=15),
    ]
    return replace(
        state,
        cities=state.cities.put(own),
        armies=Roster(armies),
        next_id=3,
        treaties=((PEACE, PEACE), (PEACE, PEACE)),
        sides=Roster((side(0, stances=(0, 0), gold=5), side(1, stances=(WAR, 0), gold=5))),
    )


@pytest.mark.rule("W2-13.2")
def test_turn_start_follows_the_order_of_the_rule_book() -> None:
    state, events = ended(busy())
    assert [type(event) for event in events] == [
        ev.TurnBegan,
        ev.TreatyChanged,
        ev.PointsRefilled,
        ev.TowersBuilt,
        ev.IncomeCame,
        ev.ArmiesGrew,
        ev.Counted,
        ev.ArmyMade,
        ev.TilesFound,
    ]
    assert state.stage == "orders"


@pytest.mark.rule("W2-13.2", "W2-9.3")
def test_no_army_is_made_in_the_first_turn() -> None:
    _, events = ended(replace(busy(), turn=1))
    made = {ev.Counted, ev.ArmyMade, ev.ArmySent, ev.ArmyArrived}
    assert not made & {type(event) for event in events}


def offered() -> tuple[State, tuple[ev.AnyEvent, ...]]:
    """Start the turn of a rich side 1 until a hero is offered; return state and events."""
    state = busy()
    rich = replace(state, sides=state.sides.put(replace(state.sides[1], gold=5000)))
    tries = (ended(rich, seeded(number)) for number in range(200))
    return next(one for one in tries if one[0].question is not None)


@pytest.mark.rule("W2-13.2", "W2-10.1")
def test_production_waits_for_the_answer_to_an_offered_hero() -> None:
    waiting, events = offered()
    assert [type(event) for event in events[-2:]] == [ev.Asked, ev.StageSet]
    assert (waiting.stage, len(waiting.armies)) == ("offer", 2)
    work, settings = at_desk(waiting)
    heroes.hire(work, settings, 1, Hire(accept=False))
    turns.go_on_turn(work, settings)
    assert [type(event) for event in work.events[:3]] == [ev.Answered, ev.StageSet, ev.Counted]
    assert (work.state.stage, len(work.state.armies)) == ("orders", 3)


@pytest.mark.rule("W2-13.2")
def test_treaties_change_at_the_start_of_the_turn() -> None:
    state, _ = ended(busy())
    assert state.treaties == ((PEACE, WAR), (WAR, PEACE))
    assert HOSTILE not in state.treaties[0]


@pytest.mark.rule("W2-13.1")
def test_side_without_cities_is_eliminated_at_the_round_end() -> None:
    flag = Item(3, "standard", 1, "Banner", "planted", x=5, y=1, side=1)
    bag = [
        flag,
        Item(1, "weapon", 1, "Axe", "carried", holder=7),
        Item(2, "weapon", 1, "Bow", "carried", holder=8),
        Item(4, "weapon", 1, "Club", "carried", holder=9),
    ]
    seats = (side(0, gold=5), side(1, gold=90, flag=(5, 1)), side(2, gold=5))
    base = realm((2, 0, 2), seats, at=2)
    state = replace(
        base,
        items=Roster(bag),
        terrain=base.terrain.put(1, 6, 10),
        armies=Roster(
            [
                army(6, 0, 6, owner=1),
                army(7, 2, 6, HERO, owner=1),
                army(8, 1, 6, HERO, owner=1, aboard=True),
                army(9, 0, 0, HERO, owner=0),
            ]
        ),
    )
    after, events = ended(state)
    out = after.sides[1]
    assert (out.alive, out.gold, out.flag) == (False, 0, None)
    assert list(after.armies) == [9]
    assert after.treaties[1] == (HOSTILE, PEACE, HOSTILE)
    axe, bow, banner, club = (after.items[k] for k in (1, 2, 3, 4))
    assert (axe.where, axe.x, axe.y) == ("ground", 2, 6)
    assert (bow.where, bow.holder) == ("lost", NONE)
    assert (banner.where, banner.x, banner.y) == ("ground", 5, 1)
    assert club.holder == 9
    order = [type(event) for event in events]
    assert order.index(ev.SideOut) < order.index(ev.RoundBegan)


@pytest.mark.rule("W2-13.1")
def test_no_side_is_eliminated_before_the_round_ends() -> None:
    state, events = ended(realm((2, 2, 0), sides(True, True, True)))
    assert state.sides[2].alive
    assert not any(isinstance(event, ev.SideOut) for event in events)


@pytest.mark.rule("W2-9.7", "W2-13.1")
def test_active_neutrals_make_armies_when_the_round_ends() -> None:
    state = realm((1, 1), sides(True, True), 1, options=Options(neutral_strength="active"))
    town = replace(state.cities[3], attacked_by=1, tier=0)
    state = replace(state, cities=state.cities.put(town))
    first, _ = ended(state)
    assert len(first.armies) == 0
    second, _ = ended(first)
    assert [one.at for one in second.armies.values()] == [(town.x, town.y)]
