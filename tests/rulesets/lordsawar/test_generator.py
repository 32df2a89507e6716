"""New maps are sound, playable and fair, and so are the lands that come with the game."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest

from engine.core.dice import Seeded
from engine.core.record import replace
from engine.core.ruleset import ScenarioFault
from engine.kit.fields import CostGrid, distances
from engine.kit.grid import distance
from engine.rulesets.lordsawar import setup
from engine.rulesets.lordsawar.events import GameSet
from engine.rulesets.lordsawar.generator import attempt, generated, harbours
from engine.rulesets.lordsawar.land import LandCode, land_of
from engine.rulesets.lordsawar.pieces import book_types
from engine.rulesets.lordsawar.rules import RULES
from engine.rulesets.lordsawar.scene import Made, Map, NewMap
from engine.rulesets.lordsawar.tables import armyset, recipe
from engine.strategic.generate.settlements import tiles
from engine.strategic.generate.shapes import around
from engine.strategic.pieces import NONE

NEW = NewMap(seed=1, sides=3, width=40, height=44, cities=12)
SHAPES = [
    NEW,
    replace(NEW, seed=2, sides=2, width=28, height=28, cities=4),
    replace(NEW, seed=3, sides=6, width=60, height=64, water=0, hills=30, forest=20, swamp=8),
    replace(NEW, seed=4, sides=4, width=60, height=50, water=45, hills=0, forest=0, swamp=0),
    replace(NEW, seed=5, sides=4, width=50, height=75, cities=20),
]
LANDS = tuple(scene for scene in RULES.scenarios().values() if isinstance(scene, Map))


@cache
def made(new: NewMap) -> Map:
    """Generate the map as a scenario, cached."""
    return generated(Map("new", "New", "", new=new), new)


def slots_of(scene: Map, city: int) -> list[str]:
    """Return the keys of the types that a city makes."""
    return [slot.unit if isinstance(slot, Made) else slot for slot in scene.cities[city].slots]


@pytest.mark.rule("LW-20.3")
@pytest.mark.parametrize("new", SHAPES)
def test_a_new_map_is_a_sound_scenario_for_its_sides(new: NewMap) -> None:
    scene = made(new)
    setup.check(scene)
    assert len(scene.sides) == new.sides
    assert (len(scene.rows[0]), len(scene.rows)) == (new.width, new.height)
    assert len({city.name for city in scene.cities}) == len(scene.cities)
    assert len({site.name for site in scene.sites}) == len(scene.sites)
    assert len(scene.cities) >= 3 * new.sides or len(scene.cities) >= new.cities


@pytest.mark.rule("LW-20.3")
def test_seed_determines_the_map() -> None:
    one, again, other = (attempt(Seeded(seed, 0, "map"), NEW) for seed in (b"1", b"1", b"2"))
    assert one == again
    assert one != other


@pytest.mark.rule("LW-20.3")
def test_terrains_have_their_default_shares() -> None:
    """Without cities: grass 78, water 7, swamp 2, forest 3, hills 5 and mountains 5 percent."""
    tiles_of: dict[str, float] = dict.fromkeys("~w.fhms=pc", 0)
    for seed in range(4):
        rows = made(NewMap(seed=seed, sides=4, width=70, height=105)).rows
        for row in rows:
            for sign in row:
                tiles_of[sign] += 100 / (4 * 70 * 105)
    water = sum(tiles_of[sign] for sign in "~wp=")
    wanted = {"s": 2, "f": 3, "h": 5, "m": 5, ".": 78}
    assert abs(water - 7) < 2.5
    assert all(abs(tiles_of[sign] - share) < 2 for sign, share in wanted.items())


@pytest.mark.rule("LW-20.3")
@pytest.mark.parametrize(
    ("dial", "signs"), [("water", "~w"), ("hills", "hm"), ("forest", "f"), ("swamp", "s")]
)
def test_higher_share_of_a_terrain_gives_more_of_it(dial: str, signs: str) -> None:
    def share(percent: int) -> int:
        rows = made(replace(NEW, **{dial: percent})).rows
        return sum(row.count(sign) for row in rows for sign in signs)

    assert share(1) < share(8) < share(18)


@pytest.mark.rule("LW-20.4")
@pytest.mark.parametrize("new", SHAPES)
def test_cities_make_distinct_buyable_types_cheapest_first(new: NewMap) -> None:
    scene = made(new)
    kinds = {kind.key: kind for kind in book_types().values()}
    numbers = armyset().new_maps
    capitals = {side.capital for side in scene.sides}
    for number, city in enumerate(scene.cities):
        prices = [kinds[key].price for key in slots_of(scene, number)]
        assert 1 <= len(prices) <= 4
        assert prices == sorted(prices)
        assert prices[0] > 0
        assert len(set(slots_of(scene, number))) == len(prices)
        low, high = numbers.income
        if (city.x, city.y) in capitals:
            low, high = numbers.capital_income
            assert len(prices) >= 2
        assert low <= city.income <= high


@pytest.mark.rule("LW-20", "LW-14")
def test_ruins_are_of_all_kinds_and_some_have_no_keeper() -> None:
    found = [site for seed in range(3) for site in made(NewMap(seed=seed, cities=60)).sites]
    ruins = [site for site in found if site.kind != "temple"]
    share = {
        kind: sum(site.kind == kind for site in ruins) / len(ruins)
        for kind in ("ruin", "stronghold", "sage")
    }
    assert 0 < share["sage"] < 0.12
    assert 0.08 < share["stronghold"] < 0.27
    assert 0.03 < sum(site.guardian == NONE for site in ruins) / len(ruins) < 0.2
    assert {site.guardian for site in found} == {0, NONE}


@pytest.mark.rule("LW-12.2")
@pytest.mark.parametrize("new", SHAPES)
def test_open_sea_touches_no_land(new: NewMap) -> None:
    ground = land_of(made(new)).terrain.cells
    wet = np.isin(ground, (LandCode.SHORE, LandCode.SEA, LandCode.PORT, LandCode.BRIDGE))
    firm = around(~wet) > 0
    assert not ((ground == LandCode.SEA) & firm).any()
    assert not ((ground == LandCode.SHORE) & ~firm).any()


# -- fair starts -----------------------------------------------------------------------------------


def starts(scene: Map) -> list[list[int]]:
    """Return the incomes that light infantry reaches from each capital in four turns.

    They are computed without the generator.
    """
    land = land_of(scene)
    costs = {"GRASS": 2, "FOREST": 3, "HILLS": 4, "SWAMP": 8, "CITY": 1, "BRIDGE": 1}
    table = [costs.get(ground.name, 0) for ground in LandCode]
    paved = np.asarray(land.roads.cells > 0)
    price = np.where(paved, 1, np.array(table, dtype=np.int32)[land.terrain.cells])
    ground = CostGrid(np.zeros_like(price), price, price == 0, ways=8)
    found = []
    for side in scene.sides:
        assert side.capital is not None
        field = distances(ground, tiles(side.capital))
        reached = [
            city.income
            for city in scene.cities
            if min(field[y, x] for x, y in tiles((city.x, city.y))) <= 48
        ]
        found.append(reached)
    return found


@pytest.mark.rule("LW-20.4")
@pytest.mark.parametrize("seed", range(1, 7))
def test_starts_on_new_maps_have_about_the_same_worth(seed: int) -> None:
    reached = starts(made(NewMap(seed=seed, sides=4, width=50, height=75)))
    worth = [sum(incomes) for incomes in reached]
    assert min(map(len, reached)) >= recipe().neighbours
    assert 100 * max(worth) <= recipe().spread * min(worth) + 100


@pytest.mark.rule("LW-20.4")
def test_capitals_are_thirty_tiles_apart_if_there_is_room() -> None:
    scene = made(NewMap(seed=1, sides=8, width=112, height=156, cities=60))
    places = [side.capital for side in scene.sides if side.capital is not None]
    away = min(distance(a, b, 8) for a in places for b in places if a != b)
    assert away >= 29


@pytest.mark.parametrize(
    "scene", [one for one in LANDS if one.new is None], ids=lambda one: one.name
)
def test_starts_of_shipped_lands_have_the_same_worth(scene: Map) -> None:
    setup.check(scene)
    reached = starts(scene)
    worth = [sum(incomes) for incomes in reached]
    assert 100 * max(worth) <= 102 * min(worth)
    assert min(map(len, reached)) >= 3


@pytest.mark.rule("LW-12.4")
@pytest.mark.parametrize(
    "scene", [one for one in LANDS if one.new is None], ids=lambda one: one.name
)
def test_every_city_of_shipped_lands_can_be_reached(scene: Map) -> None:
    land = land_of(scene)
    ground = np.where(land.terrain.cells == LandCode.PORT, LandCode.SHORE, land.terrain.cells)
    places = [(city.x, city.y) for city in scene.cities]
    assert harbours(ground, land.roads.cells > 0, places) is not None


def test_shipped_lands_contain_every_feature() -> None:
    assert [scene.name for scene in LANDS][:5] == ["border", "isles", "marches", "realms", "ford"]
    sizes = {scene.name: (len(scene.rows[0]), len(scene.rows)) for scene in LANDS if scene.rows}
    assert (sizes["marches"], sizes["realms"]) == ((70, 105), (112, 156))
    assert RULES.seat_range(LANDS[0]) == (2, 4)
    first = LANDS[0]
    assert {site.kind for site in first.sites} == {"unknown", "stronghold", "sage", "temple"}
    signs = {sign for row in first.rows for sign in row}
    assert signs >= set(".wfhms=pc")
    assert any("+" in row for row in first.roads)


# -- options of new maps ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"water": 61}, "new.water: 61 is not from 0 to 60"),
        ({"sides": 9}, "new.sides: 9 is not from 2 to 8"),
        ({"cities": 3}, "new.cities: 3 is not from 4 to 100"),
        ({"width": 20}, "new: 20 x 44: from 28 x 28 to 112 x 156 are possible"),
        ({"people": (True,)}, "new.people: must be 3"),
        ({"drawn": "12"}, "new.drawn: must be 32 hexadecimal digits"),
        (
            {"sides": 8, "width": 28, "height": 28, "water": 60, "hills": 40},
            "new: 30 maps had no room for 8 sides",
        ),
    ],
)
def test_impossible_settings_are_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ScenarioFault, match=re.escape(words)):
        made(replace(NEW, **changes))


def begun(**options: int | str) -> GameSet:
    """Return the first event of a game on a new map."""
    first = setup.begin(RULES.scenarios()["new"], options, Seeded(b"new", 0, "t"))[0]
    assert isinstance(first, GameSet)
    return first


@pytest.mark.rule("LW-20.3", "LW-0")
def test_options_set_the_size_and_the_terrain_of_a_new_map() -> None:
    state = begun(map_size="tiny", map_width=40, map_seed=7, cities=9, water=20).start
    assert (state.width, state.height) == (40, 75)
    assert len(state.cities) == 12
    assert (
        begun(map_width=40, map_height=40).start
        != begun(map_width=40, map_height=40, map_seed=2).start
    )


@pytest.mark.rule("LW-17", "LW-20")
def test_hidden_new_map_has_a_secret_part_of_its_seed() -> None:
    first = begun(hidden_map="on", map_width=40, map_height=40)
    assert first.scenario.new is not None
    assert first.scenario.new.drawn == first.start.secret
    assert first.start.origin == f"1 {first.start.secret}"
    open_again = replace(first.scenario, options={})
    setup.check(open_again)
    assert RULES.view(first.start, 0).secret == ""
    assert begun(map_width=40, map_height=40).start.terrain != first.start.terrain


def test_people_and_computers_get_their_chosen_seats() -> None:
    whole = RULES.scenarios()["new"]
    assert isinstance(whole, Map)
    seated = RULES.with_seats(whole, 3, frozenset({1}))
    assert seated.new is not None
    small = replace(seated.new, width=40, height=40)
    assert [side.human for side in made(small).sides] == [True, False, True]
    assert RULES.seat_range(whole) == (2, 8)
    assert RULES.default_seats(whole) == 4
