"""Reach against a naive search over the very steps the rules allow."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.record import replace
from engine.kit.fields import distances
from engine.kit.grid import Place
from engine.rulesets.weltendaemmerung.fighting import is_in_reach, tiles_in_range
from engine.rulesets.weltendaemmerung.reach import ground, reach
from engine.rulesets.weltendaemmerung.state import Options, State, Terrain, Unit
from engine.rulesets.weltendaemmerung.tables import enterable, prices, terrain_table, units_table
from engine.tabletop.focus import DELTAS
from tests.rulesets.weltendaemmerung.small import is_allowed, played, positions, state, unit, view


def naive(position: State, mover: int) -> dict[Place, int]:
    """Most points left on every tile in reach, by trying all steps."""
    best: dict[Place, int] = {}
    start = position.units[mover]
    seen = {(start.x, start.y, start.b)}
    waiting = [position]
    while waiting:
        here = waiting.pop()
        for direction in DELTAS:
            line = f"step unit={mover} direction={direction}"
            if here.winner >= 0 or not is_allowed(here, line):
                continue
            there = played(here, line)
            now = there.units[mover]
            best[now.x, now.y] = max(best.get((now.x, now.y), 0), now.b)
            if (now.x, now.y, now.b) not in seen:
                seen.add((now.x, now.y, now.b))
                waiting.append(there)
    best.pop((start.x, start.y), None)
    return best


def moving(position: State) -> State:
    """Same board in the Bewegungsphase, for the side of the first unit."""
    units = [replace(found, b=found.b_max) for found in position.units.values()]
    side = 0 if position.units[0].type < 7 else 1
    return replace(position, phase=0, player=side, units=position.units.put(*units))


@pytest.mark.rule("WD-MOVE-2", "WD-MOVE-3", "WD-MOVE-6", "WD-MOVE-7", "WD-MOVE-8", "WD-WIN-4")
@given(positions(), st.integers(0, 12))
@settings(max_examples=60)
def test_the_reach_is_what_trying_every_step_finds(position: State, points: int) -> None:
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
def test_every_path_to_a_reachable_tile_is_walked_to_its_end(position: State) -> None:
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
def test_on_one_terrain_a_unit_reaches_a_diamond(kind: int, terrain: Terrain) -> None:
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
def test_a_field_over_the_map_agrees_with_the_reach_of_a_lone_unit(position: State) -> None:
    calm = replace(position.options, west_edge_win="off")
    position = replace(moving(position), options=calm)
    mover = replace(position.units[0], alive=True)
    field = distances(ground(position, mover.type), [(mover.x, mover.y)])
    found = reach(replace(position, units=position.units.put(mover)), mover).prices()
    for (x, y), price in found.items():
        # The last step may cost more than is left; over several rounds there may be a cheaper way.
        assert field[y, x] == price or field[y, x] < price > mover.b
    within = {
        (x, y)
        for y in range(position.terrain.height)
        for x in range(position.terrain.width)
        if field[y, x] <= mover.b
    }
    assert within <= {*found, (mover.x, mover.y)}


@pytest.mark.rule("WD-MOVE-2", "WD-MOVE-4")
def test_a_wood_is_paid_for_on_the_way_out() -> None:
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
def test_no_way_leads_on_from_a_tile_where_dailor_wins() -> None:
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
def test_the_strike_of_a_unit_is_every_tile_on_the_map_in_reach(key: str, mode: str) -> None:
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
