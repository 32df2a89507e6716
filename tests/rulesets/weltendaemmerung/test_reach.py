"""Reach, journeys and layers against naive searches over the legal steps and attacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.containers import Roster
from engine.core.dice import Scripted
from engine.core.record import replace
from engine.core.refused import Refused
from engine.kit.fields import distances
from engine.kit.grid import Place
from engine.kit.move_graph import place
from engine.rulesets.weltendaemmerung import RULES
from engine.rulesets.weltendaemmerung.commands import StepUnit
from engine.rulesets.weltendaemmerung.fighting import is_in_reach, tiles_in_range
from engine.rulesets.weltendaemmerung.lookup import side_of
from engine.rulesets.weltendaemmerung.picture import PRESENTER
from engine.rulesets.weltendaemmerung.reach import ground, reach
from engine.rulesets.weltendaemmerung.state import (
    ATTACK,
    GATES,
    MOVE,
    Options,
    State,
    Terrain,
    Unit,
    View,
)
from engine.rulesets.weltendaemmerung.tables import enterable, prices, terrain_table, units_table
from engine.tabletop.board import BoardMark
from engine.tabletop.focus import DELTAS, Focus
from tests.contract.walks import examples
from tests.rulesets.weltendaemmerung.small import (
    DUEL,
    played,
    positions,
    state,
    unit,
    view,
)

# -- reach in one phase ------------------------------------------------------------------


def naive(position: State, mover: int) -> dict[Place, int]:
    """Return the maximum points left on each tile in reach, by trying all steps."""
    best: dict[Place, int] = {}
    start = position.units[mover]
    seen = {(start.x, start.y, start.b)}
    waiting = [position]
    while waiting:
        for there in stepped(waiting.pop(), mover):
            now = there.units[mover]
            best[now.x, now.y] = max(best.get((now.x, now.y), 0), now.b)
            if (now.x, now.y, now.b) not in seen:
                seen.add((now.x, now.y, now.b))
                waiting.append(there)
    best.pop((start.x, start.y), None)
    return best


STEPS = tuple(StepUnit(0, direction) for direction in DELTAS)


def stepped(position: State, mover: int) -> Iterator[State]:
    """Yield the positions after each legal step of a unit."""
    for step in STEPS:
        after = position
        try:
            events = RULES.decide(position, position.player, replace(step, unit=mover), Scripted())
        except Refused:
            continue
        for event in events:
            after = RULES.evolve(after, event)
        yield after


def moving(position: State) -> State:
    """Return the board in the movement phase of the first unit's side."""
    units = [replace(found, b=found.b_max) for found in position.units.values()]
    side = 0 if position.units[0].type < 7 else 1
    return replace(position, phase=0, player=side, units=position.units.put(*units))


@pytest.mark.rule("WD-MOVE-2", "WD-MOVE-3", "WD-MOVE-6", "WD-MOVE-7", "WD-MOVE-8", "WD-WIN-4")
@given(positions(), st.integers(0, 12))
@settings(max_examples=60)
def test_reach_equals_trying_every_step(position: State, points: int) -> None:
    mover = replace(moving(position).units[0], b=points, alive=True)
    position = moving(position)
    position = replace(position, units=position.units.put(mover))
    if any(
        other.alive and (other.x, other.y) == (mover.x, mover.y) and other.id
        for other in position.units.values()
    ):
        return
    found = reach(view(position), mover)
    assert {tile: found.left(*tile) for tile in found.prices()} == naive(position, mover.id)


@pytest.mark.rule("WD-MOVE-7", "WD-MOVE-8")
@given(positions())
@settings(max_examples=40)
def test_every_path_to_a_reachable_tile_is_legal(position: State) -> None:
    position = moving(position)
    mover = position.units[0]
    if not mover.alive:
        return
    found = reach(position, mover)
    for x, y in found.prices():
        steps = ">".join(f"{a},{b}" for a, b in found.path(x, y))
        after = played(position, f"move unit={mover.id} path={steps}").units[mover.id]
        assert (after.x, after.y, after.b) == (x, y, found.left(x, y))


@pytest.mark.rule("WD-MOVE-7")
@pytest.mark.parametrize("kind", range(16))
@pytest.mark.parametrize("terrain", list(Terrain))
def test_reach_on_uniform_terrain_is_a_diamond(kind: int, terrain: Terrain) -> None:
    if not enterable()[kind][terrain]:
        return
    sign = terrain_table()[terrain].sign
    row = units_table()[kind]
    position = state((sign * 33,) * 33, Unit(0, kind, 16, 16, row.v, row.b, row.b))
    steps = (row.b - 1) // prices()[kind][terrain] + 1
    assert len(reach(position, position.units[0]).prices()) == 2 * steps * (steps + 1)


@pytest.mark.rule("WD-TERR-2", "WD-TERR-4", "WD-MOVE-2", "WD-MOVE-8")
@given(positions(most=1))
@settings(max_examples=60)
def test_cost_field_agrees_with_the_reach_of_a_lone_unit(position: State) -> None:
    calm = replace(position.options, west_edge_win="off")
    position = replace(moving(position), options=calm)
    mover = replace(position.units[0], alive=True)
    field = distances(ground(position, mover.type), [(mover.x, mover.y)])
    found = reach(replace(position, units=position.units.put(mover)), mover).prices()
    for (x, y), price in found.items():
        # The last step may cost more than is left; over several rounds a path may be cheaper.
        assert field[y, x] == price or field[y, x] < price > mover.b
    within = {
        (x, y)
        for y in range(position.terrain.height)
        for x in range(position.terrain.width)
        if field[y, x] <= mover.b
    }
    assert within <= {*found, (mover.x, mover.y)}


@pytest.mark.rule("WD-MOVE-2", "WD-MOVE-4")
def test_forest_is_paid_for_when_it_is_left() -> None:
    position = state((".f..",), unit(0, "sword", 0, 0))
    found = reach(position, position.units[0])
    assert [found.left(x, 0) for x in (1, 2, 3)] == [9, 7, 6]


@pytest.mark.rule("WD-MOVE-3")
def test_the_last_step_may_cost_more_than_is_left() -> None:
    position = state(("ss.",), unit(0, "wagon", 1, 0, b=1), options=Options(west_edge_win="off"))
    found = reach(position, position.units[0])
    assert found.prices() == {(0, 0): 7, (2, 0): 7}
    assert found.left(2, 0) == 0


@pytest.mark.rule("WD-MOVE-2")
def test_a_unit_without_points_reaches_nothing() -> None:
    position = state(("...",), unit(0, "sword", 1, 0, b=0))
    assert reach(position, position.units[0]).prices() == {}
    assert reach(position, position.units[0]).path(0, 0) == ()


@pytest.mark.rule("WD-WIN-4")
def test_reach_ends_on_a_tile_where_dailor_wins() -> None:
    rows = ("...", ".#.")
    axe = unit(0, "axe", 1, 0)
    assert set(reach(state(rows, axe), axe).prices()) == {(0, 0), (2, 0), (2, 1)}
    off = state(rows, axe, options=Options(west_edge_win="off"))
    assert (0, 1) in reach(off, axe).prices()
    sword = unit(0, "sword", 1, 0)
    assert (0, 1) in reach(state(rows, sword), sword).prices()


@pytest.mark.rule("WD-ATT-2")
@given(
    st.integers(-14, 14),
    st.integers(-14, 14),
    st.integers(0, 12),
    st.sampled_from(["floor", "exact"]),
)
def test_reach_of_an_attack_is_symmetric_and_grows_with_the_range(
    dx: int, dy: int, span: int, mode: str
) -> None:
    options = Options(reach="floor" if mode == "floor" else "exact")
    near = is_in_reach(options, span, dx, dy)
    for ax, ay in ((dx, -dy), (-dx, dy), (-dx, -dy), (dy, dx)):
        assert is_in_reach(options, span, ax, ay) == near
    if near:
        assert is_in_reach(options, span + 1, dx, dy)


@pytest.mark.rule("WD-ATT-2")
def test_range_one_is_exactly_the_eight_tiles_around() -> None:
    position = state(("." * 7,) * 7, unit(0, "sword", 3, 3))
    around = {(x, y) for x in (2, 3, 4) for y in (2, 3, 4)} - {(3, 3)}
    assert set(tiles_in_range(position, position.units[0])) == around
    exact = replace(position, options=Options(reach="exact"))
    assert set(tiles_in_range(exact, exact.units[0])) == {(3, 2), (2, 3), (4, 3), (3, 4)}


@pytest.mark.rule("WD-ATT-2")
@pytest.mark.parametrize("mode", ["floor", "exact"])
@pytest.mark.parametrize("key", ["sword", "eagle", "horse", "bow_e", "catapult"])
def test_range_of_a_unit_is_every_map_tile_in_reach(key: str, mode: str) -> None:
    options = Options(reach="floor" if mode == "floor" else "exact")
    position = state(("." * 20,) * 9, unit(0, key, 4, 3), options=options)
    archer = position.units[0]
    span = units_table()[archer.type].r
    naive_tiles = [
        (x, y)
        for y in range(9)
        for x in range(20)
        if (x, y) != (4, 3) and is_in_reach(options, span, x - 4, y - 3)
    ]
    assert list(tiles_in_range(position, archer)) == naive_tiles


# -- journeys of several rounds ----------------------------------------------------------


def told(marks: tuple[BoardMark, ...]) -> list[tuple[int, int, str, int]]:
    return [(mark.x, mark.y, mark.text, mark.turn) for mark in marks]


def walked(position: State, number: int) -> dict[tuple[int, int], int]:
    """Return the turn of arrival at each tile, by trying all steps, turn by turn."""
    found: dict[tuple[int, int], int] = {}
    mover = position.units[number]
    began, fresh = set[Place](), {(mover.x, mover.y)}
    for turn in range(12):
        first = replace(mover, b=mover.b if turn == 0 else mover.b_max)
        here = {replace(first, x=x, y=y) for x, y in fresh}
        seen = set(here)
        while here:
            reached = set()
            for each in here:
                now = replace(position, units=position.units.put(each))
                for after in stepped(now, number):
                    there = after.units[number]
                    found.setdefault((there.x, there.y), turn)
                    if after.winner < 0 and there not in seen:
                        reached.add(there)
            seen |= reached
            here = reached
        # Turns after the first begin with all points, so the same tile gives the same result.
        began |= fresh if turn else set()
        fresh = {(each.x, each.y) for each in seen} - began
    return found


@pytest.mark.rule("WD-MOVE-2", "WD-MOVE-3", "WD-MOVE-4", "WD-MOVE-6", "WD-MOVE-8")
@settings(max_examples=15)
@given(positions(4), st.integers(0, 3))
def test_route_takes_the_minimum_number_of_turns(position: State, pick: int) -> None:
    living = [each for each in position.units.values() if each.alive]
    if not living:
        return
    mover = living[pick % len(living)]
    side = 0 if mover.type < 7 else 1
    position = replace(position, phase=MOVE, player=side)
    mover = replace(mover, b=min(mover.b, mover.b_max))
    position = replace(position, units=position.units.put(mover))
    turns = walked(position, mover.id)
    seen, here = RULES.view(position, side), Focus(mover.x, mover.y)
    near = reach(position, mover).prices()
    for y in range(position.terrain.height):
        for x in range(position.terrain.width):
            marks = PRESENTER.route(seen, here, x, y)
            if (x, y) == (mover.x, mover.y) or (x, y) not in turns:
                assert marks == ()
            else:
                assert marks[-1].turn == turns[x, y]
                if turns[x, y] == 0:
                    assert marks[-1].text == str(near[x, y])


@pytest.mark.rule("WD-MOVE-3", "WD-MOVE-4")
def test_swamp_entered_with_the_last_point_is_paid_next_round() -> None:
    position = state((".sss..",), unit(0, "sword", 0, 0, b=1))
    marks = PRESENTER.route(view(position), Focus(0, 0), 5, 0)
    assert told(marks) == [
        (1, 0, "1", 0),
        (2, 0, "4", 1),
        (3, 0, "7", 1),
        (4, 0, "10", 1),
        (5, 0, "11", 1),
    ]


@pytest.mark.rule("WD-MOVE-3")
def test_points_missing_for_the_last_step_are_not_owed() -> None:
    position = state((".~...",), unit(0, "sword", 0, 0, b=2))
    marks = PRESENTER.route(view(position), Focus(0, 0), 3, 0)
    assert told(marks) == [(1, 0, "1", 0), (2, 0, "5", 0), (3, 0, "6", 1)]


@pytest.mark.rule("WD-MOVE-8")
def test_unaffordable_step_waits_for_the_next_round_by_option() -> None:
    rows = (".~...",)
    options = Options(last_step="must_afford")
    position = state(rows, unit(0, "sword", 0, 0, b=2), options=options)
    marks = PRESENTER.route(view(position), Focus(0, 0), 2, 0)
    assert told(marks) == [(1, 0, "1", 0), (2, 0, "5", 1)]


@pytest.mark.rule("WD-TURN-1")
def test_route_after_the_movement_phase_starts_next_round() -> None:
    spent = replace(DUEL, phase=GATES, units=Roster([unit(0, "sword", 0, 0, b=0)]))
    assert told(PRESENTER.route(view(spent), Focus(0, 0), 1, 0)) == [(1, 0, "1", 1)]
    waiting = replace(DUEL, player=1)
    assert told(PRESENTER.route(view(waiting), Focus(0, 0), 1, 0)) == [(1, 0, "1", 1)]
    coming = PRESENTER.route(view(DUEL), Focus(1, 1), 0, 1)
    assert told(coming) == [(0, 1, "1", 0)]


def test_route_prefers_the_held_unit_to_the_one_at_the_cursor() -> None:
    marks = PRESENTER.route(view(DUEL), Focus(1, 1, 0), 1, 0)
    assert [(mark.x, mark.y) for mark in marks] == [(1, 0)]
    assert PRESENTER.route(view(DUEL), Focus(3, 0), 1, 0) == ()
    assert PRESENTER.route(view(DUEL), Focus(0, 0), 99, 0) == ()


def test_cost_of_three_digits_is_shown_without_its_number() -> None:
    position = state(("." + "~" * 40 + ".",), unit(0, "sword", 0, 0))
    marks = PRESENTER.route(view(position), Focus(0, 0), 41, 0)
    assert (marks[20].text, marks[-1].text) == ("81", "++")


# -- layers ------------------------------------------------------------------------------


CORNER = Focus(0, 0)


def shown(seen: View, name: str, focus: Focus = CORNER) -> dict[tuple[int, int], str]:
    return {(mark.x, mark.y): mark.text for mark in PRESENTER.layer(seen, focus, name)}


def counted(position: State, side: int) -> dict[tuple[int, int], str]:
    """Count by unit and tile naively, without numbers on tiles of the side's own units."""
    found: Counter[tuple[int, int]] = Counter()
    own = [u for u in position.units.values() if u.alive and side_of(u.type) == side]
    for each in own:
        found.update(struck(position, each, side))
    shown_at = {at: str(count) if count < 10 else "+" for at, count in found.items()}
    return shown_at | {(u.x, u.y): "" for u in own if (u.x, u.y) in shown_at}


def struck(position: State, each: Unit, side: int) -> set[tuple[int, int]]:
    now = 2 * position.phase + position.player
    attacking = 2 * ATTACK + side
    if now == attacking and each.b == 0:
        return set()
    still = side < now <= attacking
    foes = [u for u in position.units.values() if u.alive and side_of(u.type) != side]
    points = each.b if now <= side else each.b_max
    mover = replace(each, b=0 if still else points)
    alone = replace(position, units=Roster([mover, *foes]))
    stands = [place(at, alone.terrain.width + 2) for at in reach(alone, mover).found]
    hit = {at for x, y in stands for at in tiles_in_range(alone, replace(mover, x=x, y=y))}
    return hit | set(stands)


@pytest.mark.rule("WD-MOVE-3", "WD-ATT-2", "WD-TURN-1", "WD-TURN-4")
@examples(200)
@given(positions())
def test_danger_is_every_tile_an_enemy_can_strike_next(position: State) -> None:
    for viewer in (0, 1):
        seen = RULES.view(position, viewer)
        assert shown(seen, "danger") == counted(position, 1 - viewer)
        assert shown(seen, "mine") == counted(position, viewer)


@pytest.mark.rule("WD-TURN-1")
def test_danger_excludes_movement_when_attacks_come_first() -> None:
    position = state((".....",), unit(0, "sword", 0, 0), unit(1, "axe", 4, 0, b=1), phase=ATTACK)
    assert set(shown(view(position), "danger")) == {(3, 0), (4, 0)}
    moving = replace(position, phase=MOVE, units=position.units.put(unit(1, "axe", 4, 0)))
    assert set(shown(view(moving), "danger")) == {(x, 0) for x in range(5)}


@pytest.mark.rule("WD-MOVE-7", "WD-WIN-4")
@pytest.mark.parametrize(("edge", "beyond"), [("on", False), ("off", True)])
def test_danger_does_not_extend_past_a_tile_that_ends_the_game(edge: str, *, beyond: bool) -> None:
    rows = ("..^", ".^.", ".^.", "...")
    options = Options(west_edge_win="on" if edge == "on" else "off")
    position = state(rows, unit(1, "axe", 1, 0, b=4), unit(0, "sword", 2, 3), options=options)
    for name, viewer in (("danger", 0), ("mine", 1)):
        found = set(shown(RULES.view(position, viewer), name))
        assert {(0, 0), (0, 1)} <= found
        assert ((0, 2) in found) == beyond


def test_danger_is_empty_after_the_end() -> None:
    over = replace(DUEL, winner=1, reason="commander")
    assert shown(view(over), "danger") == {}


@pytest.mark.rule("WD-TERR-2")
def test_prices_belong_to_the_unit_at_the_cursor() -> None:
    seen = view(DUEL)
    prices = shown(seen, "prices", Focus(1, 1))
    assert prices[1, 0] == "2"
    assert prices[0, 1] == "3"
    assert (2, 1) not in prices
    assert shown(seen, "prices", Focus(3, 0)) == {}


def test_turns_are_counted_from_the_current_one() -> None:
    position = state(("." * 25,), unit(0, "sword", 0, 0, b=3))
    turns = shown(view(position), "turns", Focus(0, 0))
    assert [turns[x, 0] for x in (1, 3, 4, 13, 14)] == ["1", "1", "2", "2", "3"]


def test_unknown_layer_is_refused() -> None:
    with pytest.raises(ValueError, match="no layer 'far'"):
        PRESENTER.layer(view(DUEL), Focus(0, 0), "far")
