"""New maps are sound, playable and fair."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

from engine.core.containers import Plane
from engine.core.dice import Seeded
from engine.core.record import replace
from engine.core.ruleset import ScenarioFault
from engine.kit.fields import FAR, distances
from engine.rulesets.warlords2 import setup
from engine.rulesets.warlords2.generator import attempt, generated, planned, priced
from engine.rulesets.warlords2.ground_plan import harbours, recipe
from engine.rulesets.warlords2.land import land_of
from engine.rulesets.warlords2.rules import RULES
from engine.rulesets.warlords2.scene import Map, NewMap
from engine.rulesets.warlords2.tables import Terrain, signs, unit_rows
from engine.strategic.generate.new_maps import LandPlan
from engine.strategic.generate.settlements import tiles
from engine.strategic.generate.shapes import around
from tests.strategic.chances import shipped

NEW = NewMap(seed=1, sides=3, width=40, height=44)
SHAPES = [
    NEW,
    replace(NEW, seed=2, sides=2, width=28, height=28, water=6),
    replace(NEW, seed=3, sides=6, width=60, height=64, water=0, hills=6, forest=6, cities=6),
    replace(NEW, seed=4, sides=4, width=60, height=50, hills=0, forest=0, cities=0),
]


@cache
def made(new: NewMap) -> Map:
    """Generate the map as a scenario, cached."""
    return generated(Map("new", "New", "", new=new), new)


@pytest.mark.rule("W2-15", "W2-15.12")
@pytest.mark.parametrize("new", SHAPES)
def test_a_new_map_is_a_sound_scenario_for_its_sides(new: NewMap) -> None:
    scene = made(new)
    setup.check(scene)
    assert len(scene.sides) == new.sides
    assert (len(scene.rows[0]), len(scene.rows)) == (new.width, new.height)
    assert all(city.name and len(city.name) <= 15 for city in scene.cities)
    assert len({city.name for city in scene.cities}) == len(scene.cities)
    assert len({site.name for site in scene.sites}) == len(scene.sites)


@pytest.mark.rule("W2-15")
def test_seed_determines_the_map() -> None:
    one, again, other = (attempt(Seeded(seed, 0, "map"), NEW) for seed in (b"1", b"1", b"2"))
    assert one == again
    assert one != other


@pytest.mark.rule("W2-15.2")
@pytest.mark.parametrize("new", SHAPES)
def test_shore_separates_land_and_ocean(new: NewMap) -> None:
    ground = land_of(made(new)).terrain.cells
    water = np.isin(ground, (Terrain.OCEAN, Terrain.SHORE))
    firm = around(~water & (ground != Terrain.BRIDGE)) > 0
    assert not ((ground == Terrain.OCEAN) & firm).any()
    assert not ((ground == Terrain.SHORE) & ~firm).any()


@pytest.mark.rule("W2-15.1")
def test_higher_water_dial_gives_more_water() -> None:
    def share(water: int) -> int:
        rows = made(replace(NEW, water=water)).rows
        return sum(row.count("~") + row.count("w") for row in rows)

    assert share(0) < share(3) < share(6)


@pytest.mark.rule("W2-15.3")
def test_no_mountain_is_beside_the_shore() -> None:
    ground = land_of(made(SHAPES[2])).terrain.cells
    assert (ground == Terrain.MOUNTAINS).any()
    bridged = around(ground == Terrain.BRIDGE) > 0
    shore = around(ground == Terrain.SHORE) > 0
    assert not ((ground == Terrain.MOUNTAINS) & shore & ~bridged).any()


@pytest.mark.rule("W2-15.7")
@pytest.mark.parametrize("new", SHAPES)
def test_cities_make_weak_types_first_and_capitals_earn_well(new: NewMap) -> None:
    scene = made(new)
    capitals = {side.capital for side in scene.sides}
    low, die = recipe().cities.income
    by_key = {row.key: row for row in unit_rows()}
    for city in scene.cities:
        kinds = [by_key[str(key)] for key in city.slots if key != "navy"]
        assert 1 <= len(city.slots) <= 4
        assert kinds[0].price == min(kind.price for kind in kinds)
        if (city.x, city.y) in capitals:
            assert city.income >= 30
        else:
            assert low + 1 <= city.income <= low + die


@pytest.mark.rule("W2-15.8")
def test_sites_are_away_from_cities_and_some_are_temples() -> None:
    scene = made(SHAPES[2])
    assert any(site.kind == "temple" for site in scene.sites)
    for site in scene.sites:
        away = min(
            max(abs(site.x - x), abs(site.y - y))
            for city in scene.cities
            for x, y in tiles((city.x, city.y))
        )
        assert away > 3


@pytest.mark.rule("W2-15.9")
def test_roads_run_over_land_from_city_to_city() -> None:
    land = land_of(made(SHAPES[2]))
    joined = land.roads.cells > 0
    ends = np.isin(land.terrain.cells, (Terrain.CITY, Terrain.BRIDGE))
    assert joined.any()
    assert not (joined & (around(joined | ends, 4) == 0)).any()


@pytest.mark.rule("W2-15.11")
def test_signs_are_beside_roads_and_name_cities() -> None:
    scene = made(SHAPES[2])
    names = {city.name for city in scene.cities}
    beside = around(land_of(scene).roads.cells > 0) > 0
    assert scene.signs
    for sign in scene.signs:
        assert beside[sign.y, sign.x]
        assert {line.split(": ")[0] for line in sign.text.split("\n")} <= names


@pytest.mark.rule("W2-15.12", "W2-15.7")
@pytest.mark.parametrize("seed", range(1, 9))
def test_starts_have_about_the_same_worth(seed: int) -> None:
    """Computed from the finished scenario, without the generator's own sums."""
    scene = made(replace(NEW, seed=seed, sides=4, width=56, height=64))
    land = land_of(scene)
    price = np.array([0, 2, 3, 4, 6, 5, 5, 3, 3, 1, 0, 0, 2, 5])[land.terrain.cells]
    price = np.where(land.roads.cells > 0, np.minimum(price, 2), price)
    ground = priced(planned_of(scene))
    assert np.array_equal(ground.enter, price)
    worth = []
    for side in scene.sides:
        assert side.capital is not None
        field = distances(ground, tiles(side.capital))
        near = [
            city.income
            for city in scene.cities
            if min(field[y, x] for x, y in tiles((city.x, city.y))) <= 48
        ]
        assert len(near) >= recipe().cities.neighbours
        worth.append(sum(near))
    assert 100 * max(worth) <= recipe().cities.spread * min(worth) + 100


def planned_of(scene: Map) -> LandPlan:
    """Return terrain and roads of a scenario in the form that the generator prices."""
    land = land_of(scene)
    return LandPlan(land.terrain, land.roads, (), ())


@pytest.mark.rule("W2-15.12", "W2-6.6")
def test_an_island_without_a_harbour_gets_one() -> None:
    rows = ["wcc.ww......w"] * 2 + ["w...ww..cc..w"] * 2 + ["w...ww......w"] * 2
    rows = ["w" * 13, *rows, "w" * 13]
    terrain = Plane([[signs()[sign] for sign in row] for row in rows])
    assert harbours(terrain, [(1, 1), (8, 3)]) == ((5, 0),)
    assert harbours(terrain, [(1, 1)]) == ((5, 0),)


@pytest.mark.rule("W2-15.12")
def test_map_with_an_unreachable_city_is_rejected() -> None:
    rows = ["cc.mmmcc", "cc.mmmcc", "...mmm.."]
    terrain = Plane([[signs()[sign] for sign in row] for row in rows])
    assert harbours(terrain, [(0, 0), (6, 0)]) is None


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"water": 7}, "new.water: is not from 0 to 6"),
        ({"sides": 9}, "new.sides: is not from 2 to 8"),
        ({"width": 20}, "new: 20 x 44: from 28 x 28 to 112 x 156 are possible"),
        ({"people": (True,)}, "new.people: must be 3"),
        ({"seed": 10**12}, "new.seed: has more than nine digits"),
        ({"sides": 8, "width": 28, "height": 28}, "new: 30 maps had no room for 8 sides"),
    ],
)
def test_impossible_settings_are_refused(changes: dict[str, int], words: str) -> None:
    with pytest.raises(ScenarioFault, match=re.escape(words)):
        made(replace(NEW, **changes))


def test_people_and_computers_get_their_chosen_seats() -> None:
    seated = RULES.with_seats(shipped("new"), 3, frozenset({1}))
    assert seated.new is not None
    assert [side.human for side in made(seated.new).sides] == [True, False, True]


def test_map_without_enough_land_is_rejected() -> None:
    dice = Seeded(b"1", 0, "map")
    crowded = replace(NEW, sides=8, width=28, height=28)
    assert attempt(dice, crowded) is None
    plan = planned(Seeded(b"1", 0, "map"), NEW)
    assert plan is not None
    field = distances(priced(plan), [plan.cities[0]])
    assert field[plan.cities[0][1], plan.cities[0][0]] < FAR


def share(new: NewMap, terrain: Terrain) -> float:
    """Return the fraction of a map that is of a terrain."""
    return float((land_of(made(new)).terrain.cells == terrain).mean())


@pytest.mark.rule("W2-15.4")
def test_rivers_run_from_high_ground_to_the_sea() -> None:
    ground = land_of(made(SHAPES[2])).terrain.cells
    rivers = ground == Terrain.RIVER
    assert rivers.any()
    assert (rivers & (around(np.isin(ground, (Terrain.OCEAN, Terrain.SHORE))) > 0)).any()


@pytest.mark.rule("W2-15.5")
def test_higher_forest_dial_gives_more_forest() -> None:
    little, much = (share(replace(NEW, forest=dial), Terrain.FOREST) for dial in (0, 6))
    assert 0 < little < much


@pytest.mark.rule("W2-15.6")
def test_marsh_is_away_from_the_shore() -> None:
    ground = land_of(made(SHAPES[2])).terrain.cells
    marsh = ground == Terrain.MARSH
    assert marsh.any()
    assert not (marsh & (around(ground == Terrain.SHORE) > 0)).any()
