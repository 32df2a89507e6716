"""The cost map, and what steps cost groups."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given, settings

from engine.core.record import replace
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import cost_bytes, settings_of
from engine.rulesets.warlords2.state import State
from engine.rulesets.warlords2.tables import Terrain, terrain_rows
from engine.strategic import costs
from engine.strategic.costs import Mode, Mover
from engine.strategic.pieces import NOBODY, Army, Item
from engine.strategic.settings import RuleSettings
from engine.strategic.world import armies_at, city_at, stacks
from tests.strategic.ground import (
    ARCHERS,
    BATS,
    DWARVES,
    HERO,
    LIGHT,
    NAVY,
    SCOUTS,
    army,
    city,
    world,
)
from tests.strategic.moving.lands import lands, places
from tests.strategic.moving.naive import Group, Rules

CLASSIC = Options(
    cost_table="classic", road_rule="cost1", zoc_penalty=0, flying_step="cap2", group_ability="any"
)
EVERY = " .fhmsdtxc~w=r"


def bytes_of(state: State, mode: Mode = Mode.GROUND) -> list[list[int]]:
    found = costs.cost_map(state, settings_of(state.options), 0, mode)
    bytes_: list[list[int]] = cost_bytes(found).tolist()
    return bytes_


def steps_of(state: State, *kinds: int) -> list[list[int]]:
    group = tuple(army(90 + n, 0, 0, kind) for n, kind in enumerate(kinds))
    settings = settings_of(state.options)
    who = costs.mover(state, settings.moving, group)
    assert who is not None
    found: list[list[int]] = costs.prices(state, settings, who).steps.tolist()
    return found


@pytest.mark.rule("W2-3.1")
@pytest.mark.parametrize(
    ("column", "prices"),
    [
        ("seed", [0, 2, 3, 4, 6, 5, 5, 3, 3, 1, 0, 0, 3, 5]),
        ("classic", [0, 2, 4, 6, 0, 5, 2, 2, 2, 1, 0, 0, 1, 5]),
    ],
)
def test_ground_tables_equal_the_rule_book(column: str, prices: list[int]) -> None:
    """W2-3.1."""
    assert [getattr(row, column) for row in terrain_rows()] == prices
    options = Options(cost_table="seed" if column == "seed" else "classic")
    found = bytes_of(world([EVERY], options=options))
    assert [number & 7 for number in found[0]] == prices


@pytest.mark.rule("W2-3.1", "W2-8.2")
def test_boats_and_battle_classes_equal_the_rule_book() -> None:
    """W2-3.1, W2-8.2."""
    assert [code for code, row in enumerate(terrain_rows()) if row.boat] == [10, 11, 12, 13]
    classes = {row.key: row.fight for row in terrain_rows()}
    assert [key for key, fight in classes.items() if fight == "hills"] == ["hills", "mountains"]
    assert [key for key, fight in classes.items() if fight == "woods"] == ["forest"]
    assert [key for key, fight in classes.items() if fight == "city"] == ["city"]
    assert len(terrain_rows()) == len(Terrain)


@pytest.mark.rule("W2-4.1", "W2-5.2")
def test_flying_costs_one_except_over_the_void() -> None:
    """W2-4.1, W2-5.2."""
    assert bytes_of(world([EVERY]), Mode.AIR)[0] == [0, *[1] * 11, 1 | 0x40, 1]
    assert steps_of(world([EVERY]), BATS)[0] == [0, *[1] * 13]


@pytest.mark.rule("W2-0.1")
def test_classic_flyers_pay_at_most_two() -> None:
    """W2-0.1 flying_step."""
    found = steps_of(world([EVERY], options=CLASSIC), BATS)
    assert found[0] == [0, 2, 2, 2, 2, 2, 2, 2, 2, 1, 2, 2, 1, 2]


@pytest.mark.rule("W2-4.3")
def test_single_road_tile_is_not_connected() -> None:
    """W2-4.3: 0x20 needs a road, a city or a bridge among the eight neighbours."""
    state = world(["#..#.", ".....", "...=."], roads=[(1, 2), (2, 2), (4, 2)])
    found = bytes_of(state)
    assert found[0] == [0x12, 2, 2, 0x12, 2]
    assert found[2] == [2, 0x32, 0x32, 0x43, 0x32]


@pytest.mark.rule("W2-4.3")
def test_a_road_beside_a_city_is_connected() -> None:
    """W2-4.3."""
    state = world(["....", "....", "..#."], cities=[city(0, 0, 0, 0)])
    assert bytes_of(state)[2][2] == 0x32


@pytest.mark.rule("W2-4.2", "W2-4.3")
def test_foes_cost_one_and_do_not_open_closed_ground() -> None:
    """W2-4.2, W2-4.3."""
    foes = [army(k, k, 0, owner=1) for k in range(3)]
    state = world(["h ~."], armies=foes)
    assert [number & 7 for number in bytes_of(state)[0]] == [1, 0, 0, 2]


@pytest.mark.rule("W2-4.5a")
@pytest.mark.parametrize(
    ("owner", "peace", "zone"), [(1, False, True), (1, True, False), (NOBODY, False, False)]
)
def test_only_armies_at_war_have_a_zone_of_control(owner: int, peace: bool, zone: bool) -> None:
    """W2-4.5a."""
    state = world(["...", "...", "..."], armies=[army(1, 1, 1, owner=owner)], peace=peace)
    found = np.array(bytes_of(state))
    assert bool((found & 8).any()) == zone
    assert not found[1, 1] & 8
    if zone:
        assert ((found & 8) != 0).sum() == 8


@pytest.mark.rule("W2-4.5a", "W2-4.2")
def test_hostile_armies_cost_one_without_a_zone_of_control() -> None:
    """W2-4.5a: at war; W2-4.2: hostile or at war."""
    state = world(["fff"], armies=[army(1, 1, 0, owner=1)], treaties=((0, 1), (1, 0)))
    assert bytes_of(state)[0] == [3, 1, 3]


@pytest.mark.rule("W2-4.5a")
def test_tile_of_a_foe_is_outside_the_zone_of_control() -> None:
    """W2-4.5a; section 19, number 3."""
    state = world(["...."], armies=[army(1, 1, 0, owner=1), army(2, 2, 0, owner=1)])
    assert bytes_of(state)[0] == [0x0A, 1, 1, 0x0A]


@pytest.mark.rule("W2-4.5b")
@pytest.mark.parametrize(
    ("here", "there", "price"),
    [((0, 0), (1, 0), 4), ((1, 0), (1, 1), 2), ((0, 1), (1, 2), 2), ((1, 0), (0, 0), 2)],
)
def test_the_toll_is_paid_on_entering_a_zone(
    here: tuple[int, int], there: tuple[int, int], price: int
) -> None:
    """W2-4.5b: not within it, not out of it, not onto a road."""
    state = world(["...", "...", ".##"], armies=[army(9, 2, 1, owner=1)])
    settings = settings_of(state.options)
    who = Mover(0, Mode.GROUND, 0x0F)
    entry = costs.entry(state, settings, who, there)
    assert entry + costs.toll(state, settings, who, here, there) == price


@pytest.mark.rule("W2-4.5b")
def test_leaving_a_road_in_a_zone_pays_the_toll() -> None:
    """W2-4.5b: A not in ZoC or A has a road."""
    state = world(["...", "#..", "..."], armies=[army(9, 1, 1, owner=1)])
    settings = settings_of(state.options)
    assert costs.toll(state, settings, Mover(0, Mode.GROUND, 0), (0, 1), (0, 2)) == 2


@pytest.mark.rule("W2-5.2", "W2-6.2")
@pytest.mark.parametrize(
    ("kinds", "prices"),
    [
        ((LIGHT,), [2, 3, 4, 2, 2]),
        ((ARCHERS,), [2, 2, 4, 2, 2]),
        ((DWARVES,), [2, 3, 2, 2, 2]),
        ((SCOUTS,), [2, 2, 2, 2, 2]),
        ((SCOUTS, ARCHERS), [2, 2, 4, 2, 2]),
        ((ARCHERS, DWARVES), [2, 3, 4, 2, 2]),
        ((ARCHERS, BATS), [2, 2, 4, 2, 2]),
    ],
)
def test_abilities_cap_costs_if_all_members_have_them(
    kinds: tuple[int, ...], prices: list[int]
) -> None:
    """W2-5.2, W2-6.2: the slowest member; flyers never slow a group."""
    state = world([".fh##"])
    assert steps_of(state, *kinds)[0] == prices


@pytest.mark.rule("W2-0.1")
@pytest.mark.parametrize(
    ("kinds", "prices"),
    [
        ((LIGHT, ARCHERS), [2, 2, 6, 1, 1]),
        ((LIGHT, DWARVES), [2, 4, 2, 1, 1]),
        ((LIGHT, BATS), [2, 4, 6, 1, 1]),
    ],
)
def test_one_guide_is_enough_in_the_classic_column(
    kinds: tuple[int, ...], prices: list[int]
) -> None:
    """W2-0.1 group_ability, road_rule."""
    assert steps_of(world([".fh##"], options=CLASSIC), *kinds)[0] == prices


@pytest.mark.rule("W2-4.4")
def test_roads_and_bridges_cap_costs_but_open_no_ground() -> None:
    """W2-4.4: the caps of the default column."""
    state = world(["mm=s~ "], roads=[(0, 0), (1, 0), (5, 0)])
    assert steps_of(state, LIGHT)[0] == [2, 2, 2, 5, 0, 0]
    shut = world(["mm"], roads=[(0, 0), (1, 0)], options=Options(cost_table="classic"))
    assert steps_of(shut, LIGHT)[0] == [0, 0], "a cap opens nothing under the classic prices either"


@pytest.mark.rule("W2-4.1", "W2-4.4")
def test_classic_road_costs_one_on_any_land_and_opens_mountains() -> None:
    """W2-4.1: plains, forest, hills, marsh, and mountains that are closed without a road."""
    state = world([".fhsm", "....m"], roads=[(x, 0) for x in range(5)], options=CLASSIC)
    assert steps_of(state, LIGHT) == [[1, 1, 1, 1, 1], [2, 2, 2, 2, 0]]
    assert steps_of(state, BATS) == [[1, 1, 1, 1, 1], [2, 2, 2, 2, 2]], "flyers pay one on roads"
    void = world([" ."], roads=[(0, 0)], options=CLASSIC)
    assert steps_of(void, LIGHT)[0] == [0, 2], "the void is no land"


@pytest.mark.rule("W2-4.1", "W2-5.2")
def test_classic_fleets_pay_one_on_open_water_and_two_by_the_shore() -> None:
    """W2-4.1, W2-5.2: 1 on open water, 2 on shore, 1 on roads."""
    state = world(["~w=r~."], roads=[(3, 0)], options=CLASSIC)
    assert steps_of(state, NAVY)[0] == [1, 2, 1, 1, 1, 0]
    sailor = army(90, 0, 0, LIGHT, aboard=True)
    who = costs.mover(state, settings_of(CLASSIC).moving, (sailor,))
    assert who is not None
    assert costs.prices(state, settings_of(CLASSIC), who).steps[0].tolist() == [1, 2, 1, 1, 1, 0]


@pytest.mark.rule("W2-6.6")
@pytest.mark.parametrize(
    ("options", "price"), [(CLASSIC, 2), (Options(), 0), (Options(road_rule="cost1"), 0)]
)
def test_classic_ports_on_the_shore_are_crossed_on_foot(options: Options, price: int) -> None:
    """W2-6.6: at 2, as if they were land; only ports on the shore."""
    state = world([".w.", ".~."], ports=((1, 0), (1, 1)), options=options)
    assert steps_of(state, LIGHT)[0][1] == price
    assert steps_of(state, LIGHT)[1][1] == 0


@pytest.mark.rule("W2-5.2", "W2-6.6")
def test_boats_stay_on_water_and_in_ports_and_pay_at_most_two() -> None:
    """W2-5.2, W2-6.6."""
    state = world(["~w=r.", "....."])
    assert steps_of(state, NAVY)[0] == [2, 2, 2, 2, 0]
    harbour = world(["..~", "..~"], cities=[city(0, 0, 0, 0)])
    assert steps_of(harbour, NAVY) == [[1, 1, 2], [1, 1, 2]]
    inland = world(["...~", "...~"], cities=[city(0, 0, 0, 0)])
    assert steps_of(inland, NAVY) == [[0, 0, 0, 2], [0, 0, 0, 2]]


@pytest.mark.rule("W2-6.1")
@pytest.mark.parametrize(
    ("armies", "mode"),
    [
        ((army(1, 0, 0, BATS),), Mode.AIR),
        ((army(1, 0, 0, BATS), army(2, 0, 0)), Mode.GROUND),
        ((army(1, 0, 0, NAVY), army(2, 0, 0, BATS)), Mode.WATER),
        ((army(1, 0, 0, aboard=True), army(2, 0, 0, BATS)), Mode.WATER),
        ((army(1, 0, 0, NAVY), army(2, 0, 0, aboard=True)), Mode.WATER),
        ((army(1, 0, 0, NAVY), army(2, 0, 0)), None),
        ((army(1, 0, 0, aboard=True), army(2, 0, 0)), None),
        ((army(1, 0, 0, HERO), army(2, 0, 0, BATS)), Mode.GROUND),
    ],
)
def test_groups_have_their_movement_mode(armies: tuple[Army, ...], mode: Mode | None) -> None:
    """W2-6.1."""
    state = world(["."], armies=armies)
    who = costs.mover(state, settings_of(state.options).moving, armies)
    assert (None if who is None else who.mode) == mode


@pytest.mark.rule("W2-6.1", "W2-0.1")
def test_a_hero_flies_with_an_item_or_on_a_flyer_by_the_classic_rule() -> None:
    """W2-6.1, W2-0.1 hero_rides_flyers."""
    wings = Item(id=3, kind="flight", value=0, name="Wings", where="carried", holder=1)
    hero, bats = army(1, 0, 0, HERO), army(2, 0, 0, BATS)
    state = world(["."], armies=[hero, bats], items=[wings])
    who = costs.mover(state, settings_of(state.options).moving, (hero,))
    assert who is not None
    assert who.mode is Mode.AIR
    rules = settings_of(Options(hero_rides_flyers="on")).moving
    bare = world(["."], armies=[hero, bats])
    riding = costs.mover(bare, rules, (hero, bats))
    assert riding is not None
    assert riding.mode is Mode.AIR
    alone = costs.mover(bare, rules, (hero,))
    assert alone is not None
    assert alone.mode is Mode.GROUND


@pytest.mark.rule("W2-4.3", "W2-5.2")
@given(lands())
@settings(max_examples=30)
def test_cost_maps_equal_the_naive_implementation(
    land: tuple[State, tuple[Army, ...]],
) -> None:
    """Sections 4.3, 5.2; section 19, numbers 3 and 4."""
    state, group = land
    settings = settings_of(state.options)
    who = costs.mover(state, settings.moving, group)
    assume(who is not None)
    assert who is not None
    _check_prices(state, settings, who)
    _check_prices(_shifted(state, lambda army: army.owner == 0), settings, who)
    _check_prices(_shifted(state, lambda army: army.owner != 0), settings, who)


def _shifted(state: State, moves: Callable[[Army], bool]) -> State:
    """Move some stacks one tile to the left if that tile is empty; return the position."""
    for at, stack in stacks(state.armies).items():
        there = at[0] - 1, at[1]
        if at[0] and moves(stack[0]) and not armies_at(state, there) and not city_at(state, there):
            gone = (replace(army, x=there[0]) for army in stack)
            state = replace(state, armies=state.armies.put(*gone))
    return state


def _check_prices(state: State, settings: RuleSettings, who: Mover) -> None:
    plain = Rules(
        state, Group(who.side, int(who.mode), who.flags, who.aboard, who.boats), wary=True
    )
    found = cost_bytes(costs.cost_map(state, settings, 0, who.mode))
    steps = costs.prices(state, settings, who).steps
    for x, y in places(state):
        number = int(found[y, x])
        assert number == plain.byte((x, y), int(who.mode))
        assert int(steps[y, x]) == plain.step((x, y), int(who.mode))
        assert not number & 0x80
        assert number & 0x10 or not number & 0x20
        if plain.hostile((x, y)):
            assert not number & 8
            assert number & 7 <= 1 or not plain.enterable((x, y), int(who.mode))
