"""The start of a game: purses, garrisons, quick start, production, sites and rewards."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.dice import Scripted, Seeded
from engine.core.ids import PUBLIC, REFEREE
from engine.core.options import OptionFault
from engine.core.record import replace
from engine.rulesets.lordsawar import setup
from engine.rulesets.lordsawar.first_state import (
    dealt_cities,
    drawn_reward,
    first_state,
    sites_filled,
)
from engine.rulesets.lordsawar.land import land_of
from engine.rulesets.lordsawar.options import PRESETS, Options
from engine.rulesets.lordsawar.rules import RULES
from engine.rulesets.lordsawar.scenario_codec import described_state
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.setup import settled
from engine.rulesets.lordsawar.state import State
from engine.rulesets.lordsawar.tables import armyset
from engine.strategic.pieces import NOBODY, NONE
from tests.rulesets.lordsawar.lands import plain_rows, scene, start, towns


def described(of: Map, **options: Any) -> State:
    """Return the state of a scenario before any draw."""
    return described_state(of, land_of(of), settled(options, of.options))


def row(count: int, **changes: Any) -> State:
    """Return two sides and ``count`` cities in a row, before any draw."""
    return described(towns(count), **changes)


# -- purses ----------------------------------------------------------------------------------------


@pytest.mark.rule("LW-20.2")
@pytest.mark.parametrize(("preset", "gold"), tuple(zip(PRESETS, (131, 128, 124, 121), strict=True)))
def test_gold_at_the_start_is_that_of_the_preset_plus_a_draw(preset: str, gold: int) -> None:
    found = {
        side.gold
        for seed in range(40)
        for side in start(towns(3), bytes([seed]), preset=preset).sides.values()
    }
    assert found == set(range(gold - 4, gold + 3))


@pytest.mark.rule("LW-20.2")
def test_scenario_may_define_the_gold() -> None:
    sides = [{"capital": [0, 0], "gold": 1000}, {"capital": [3, 2]}]
    assert start(scene(sides=sides)).sides[0].gold == 1000


@pytest.mark.rule("LW-16.1")
@pytest.mark.parametrize(("diplomacy", "treaty"), [("off", 2), ("on", 0)])
def test_sides_begin_at_war_or_with_diplomacy_at_peace(diplomacy: str, treaty: int) -> None:
    state = start(scene(), diplomacy=diplomacy)
    assert state.treaties == ((0, treaty), (treaty, 0))
    assert state.opinions == ((8, 8), (8, 8))
    assert state.proposals == ((-1, -1), (-1, -1))


# -- garrisons -------------------------------------------------------------------------------------


@pytest.mark.rule("LW-17.2")
@pytest.mark.parametrize(
    ("mode", "garrison"),
    [
        ("average", ["scouts"]),
        ("strong", ["heavy_infantry"]),
        ("defensive", ["scouts", "scouts"]),
    ],
)
def test_capitals_get_their_strongest_type_and_neutrals_by_option(
    mode: str, garrison: list[str]
) -> None:
    state = start(towns(3), neutral_cities=mode)
    assert sorted(plain_rows(state)) == sorted(
        ["0 heavy_infantry 0,0", "1 heavy_infantry 8,0", *(f"15 {kind} 4,0" for kind in garrison)]
    )
    assert [city.making for city in state.cities.values()] == [0, NONE, 0]
    assert all(army.points == army.max_move for army in state.armies.values())


@pytest.mark.rule("LW-17")
def test_other_cities_of_a_side_get_their_weakest_type() -> None:
    cities = [{"x": x, "y": 0, "slots": ["heavy_infantry", "scouts"]} for x in (0, 4, 8)]
    cities[1]["owner"] = 1
    state = start(replace(towns(3), cities=scene(cities=cities).cities))
    assert "1 scouts 4,0" in list(plain_rows(state))
    assert state.cities[1].making == 0
    assert state.cities[1].left == 2


@pytest.mark.rule("LW-17.2")
def test_active_neutral_city_gets_its_strongest_type_at_79_percent() -> None:
    kept = Counter(
        state.types[army.type].key
        for seed in range(30)
        for state in (start(towns(20), bytes([seed]), neutral_cities="active"),)
        for army in state.armies.values()
        if army.owner == NOBODY
    )
    assert 0.73 < kept["heavy_infantry"] / kept.total() < 0.85


def test_city_without_slots_has_no_garrison() -> None:
    cities = [{"x": 0, "y": 0}, {"x": 3, "y": 2, "slots": ["archers"]}]
    state = start(scene(cities=cities), neutral_cities="defensive")
    assert list(plain_rows(state)) == ["1 archers 3,2"]
    assert state.cities[0].making == NONE


# -- quick start and production --------------------------------------------------------------------


@pytest.mark.rule("LW-20.5")
def test_quick_start_deals_the_nearest_cities_evenly() -> None:
    state = start(towns(7), quick_start="even", neutral_cities="strong")
    assert [city.owner for city in state.cities.values()] == [0, 0, 0, NOBODY, 1, 1, 1]
    assert [city.defence for city in state.cities.values()] == [3, 3, 3, 2, 3, 3, 3]
    assert [city.making for city in state.cities.values()] == [0, 0, 0, NONE, 0, 0, 0]
    kinds = [army.split()[1] for army in plain_rows(state) if army[:2] in {"0 ", "1 "}]
    assert Counter(kinds) == {"scouts": 4, "heavy_infantry": 2}


@pytest.mark.rule("LW-20.5")
@pytest.mark.parametrize(("count", "share"), [(7, 1), (25, 1), (45, 2)])
def test_a_head_start_gives_computers_five_percent_of_the_cities(count: int, share: int) -> None:
    seated = RULES.with_seats(towns(count), 2, frozenset({1}))
    state = start(seated, quick_start="head_start")
    owned = Counter(city.owner for city in state.cities.values())
    assert (owned[0], owned[1]) == (1, 1 + share)
    assert state.cities[count - 2].owner == 1


def test_head_start_without_computers_changes_nothing() -> None:
    assert dealt_cities(row(5, quick_start="head_start")) == {}
    assert dealt_cities(row(5)) == {}


@pytest.mark.rule("LW-20")
@pytest.mark.parametrize(
    ("mode", "least", "most"), [("always", 0, 0), ("usually", 24, 44), ("never", 100, 100)]
)
def test_production_can_be_bought_in_some_cities(mode: str, least: int, most: int) -> None:
    closed = [
        len(start(towns(20), bytes([seed]), build_production=mode).no_buying) for seed in range(10)
    ]
    assert least <= sum(closed) * 100 / 200 <= most


@pytest.mark.rule("LW-20")
def test_capitals_always_sell_types_even_if_cities_seldom_do() -> None:
    closed = [start(towns(20), bytes([n]), build_production="seldom").no_buying for n in range(20)]
    assert not any({0, 19} & set(row) for row in closed)
    assert 0.8 < sum(map(len, closed)) / (20 * 18) < 0.97


def test_city_without_purchases_in_the_scenario_has_none() -> None:
    cities = [{"x": 0, "y": 0, "slots": ["scouts"], "buys": False}, {"x": 3, "y": 2}]
    assert start(scene(cities=cities)).no_buying == (0,)


# -- sites -----------------------------------------------------------------------------------------


RUINS: Final = [{"x": x, "y": 2} for x in range(1, 39)]


def ruins(**changes: Any) -> Map:
    """Return ten cities in a row with ruins below them."""
    return replace(towns(10), sites=scene(sites=RUINS, **changes).sites)


@pytest.mark.rule("LW-14", "LW-19.5")
def test_ruins_without_a_keeper_get_a_type_that_guards_ruins() -> None:
    listed: list[dict[str, Any]] = [
        {"x": 2, "y": 0},
        {"x": 3, "y": 0, "guardian": 5},
        {"x": 4, "y": 0, "guardian": -1},
    ]
    listed += [{"x": 3, "y": 1, "kind": "temple"}, {"x": 5, "y": 0, "kind": "sage"}]
    state = start(scene(sites=listed))
    guards = {row.id + 1 for row in armyset().units if row.guards_ruins}
    drawn, told, none, temple, sage = (site.guardian for site in state.sites.values())
    assert {drawn, sage} <= guards
    assert (told, none, temple) == (5, 0, 0)
    assert state.guardians[drawn - 1].name == state.types[drawn - 1].name


@pytest.mark.rule("LW-14")
def test_strongholds_are_hidden_and_temples_are_not() -> None:
    listed = [{"x": 2, "y": 0, "kind": "stronghold"}, {"x": 3, "y": 0, "kind": "temple"}]
    state = start(scene(sites=listed), hidden_ruins=100)
    assert [site.hidden for site in state.sites.values()] == [True, False]
    assert 0 not in RULES.view(state, 0).sites
    assert 1 in RULES.view(state, 0).sites


@pytest.mark.rule("LW-19.5")
@pytest.mark.parametrize(("preset", "percent"), tuple(zip(PRESETS, (1, 2, 3, 4), strict=True)))
def test_some_plain_ruins_are_hidden_by_preset(preset: str, percent: int) -> None:
    chosen = settled({"preset": preset}, {})
    assert chosen.hidden_ruins == percent
    hidden = sum(
        site.hidden
        for seed in range(60)
        for site in sites_filled(
            described(ruins(), preset=preset), Seeded(bytes([seed]), 0, "t")
        ).sites.values()
    )
    assert 0.3 * percent < hidden / (60 * 38) * 100 < 1.8 * percent


@pytest.mark.rule("LW-14", "LW-11")
def test_items_are_the_whole_set_or_those_of_the_scenario() -> None:
    state = start(scene())
    assert [item.name for item in state.items.values()] == [row.name for row in armyset().items]
    purse = state.items[37]
    assert (purse.kind, purse.adds("purse")) == ("item", 6)
    assert state.items[37].adds("purse") == 6
    staff = state.items[41]
    assert staff.powers
    assert (staff.powers.charges, staff.powers.acts) == (11, ("ADD_2MP_STACK",))
    own = [{"id": 4, "kind": "weapon", "value": 2, "name": "Axe"}]
    assert [item.name for item in start(scene(items=own)).items.values()] == ["Axe"]


@pytest.mark.rule("LW-14.2")
def test_rewards_are_equally_likely_and_in_bounds() -> None:
    kinds: Counter[str] = Counter()
    for seed in range(40):
        state = start(ruins(), bytes([seed]), hidden_map="on", hidden_ruins=10)
        assert set(state.rewards) == set(state.sites)
        items = [reward.item for reward in state.rewards.values() if reward.kind == "item"]
        assert len(set(items)) == len(items)
        for reward in state.rewards.values():
            kinds[reward.kind] += 1
            match reward.kind:
                case "gold":
                    assert 310 <= reward.gold <= 1309
                case "allies":
                    assert 1 <= reward.count <= 8
                    assert state.types[reward.ally].special
                case "item":
                    item = state.items[reward.item]
                    assert (item.where, item.holder) == ("site", reward.id)
                case "ruin":
                    assert state.sites[reward.site].hidden
                    assert reward.site != reward.id
                case "map":
                    assert 0 <= reward.x <= reward.x + reward.width <= state.width
                    assert 0 <= reward.y <= reward.y + reward.height <= state.height
                case _:
                    raise AssertionError(reward.kind)
    assert set(kinds) == {"gold", "allies", "item", "ruin", "map"}
    assert all(0.15 < count / kinds.total() < 0.25 for count in kinds.values())


@pytest.mark.rule("LW-14.2")
def test_reward_is_gold_if_no_other_is_possible() -> None:
    state = described(scene(items=[{"id": 0, "kind": "weapon", "value": 1, "name": "a"}]))
    state = replace(state, items=state.items.put(replace(state.items[0], where="lost")))
    for kind in (3, 4):  # an item of an empty pool, a hidden ruin where none is
        reward = drawn_reward(state, 0, Scripted([(4, kind), (1000, 90)]))
        assert (reward.kind, reward.gold) == ("gold", 399)


@pytest.mark.rule("LW-14")
def test_sages_temples_and_given_rewards_are_kept() -> None:
    listed = [{"x": 2, "y": 0, "kind": "sage"}, {"x": 3, "y": 0, "kind": "temple"}]
    listed += [{"x": 4, "y": 0}, {"x": 5, "y": 0, "searched": True}]
    told = [{"id": 2, "kind": "item", "item": 8}]
    state = start(scene(sites=listed, rewards=told, items=[]), hidden_ruins=0)
    assert list(state.rewards) == [2]
    assert (state.items[8].where, state.items[8].holder) == ("site", 2)


@pytest.mark.rule("LW-14", "LW-17")
def test_rewards_are_hidden_until_they_are_given() -> None:
    for hidden in ("on", "off"):
        events = setup.begin(ruins(), {"hidden_map": hidden}, Seeded(b"s", 0, "t"))
        state = RULES.evolve(RULES.empty(), events[0])
        assert state.rewards
        for viewer in (0, 1, PUBLIC):
            assert not RULES.view(state, viewer).rewards
            shown: Any = RULES.redact(events[0], RULES.empty(), state, viewer)
            assert not shown.start.rewards
            assert not any(item.where == "site" for item in shown.start.items.values())
        assert RULES.view(state, REFEREE).rewards == state.rewards


# -- order and invariants ------------------------------------------------------------------------


@pytest.mark.rule("LW-19.5")
def test_dice_are_rolled_in_the_order_of_the_steps() -> None:
    """Gold, garrisons, production, keepers, hidden ruins, rewards; recognised by their dice."""
    of = replace(towns(3), sites=scene(sites=[{"x": 3, "y": 0}]).sites)
    dice = Seeded(b"order", 0, "t")
    options = {"neutral_cities": "active", "build_production": "usually", "hidden_ruins": 50}
    first_state(described(of, **options), of, dice)
    keepers = sum(row.guards_ruins for row in armyset().units)
    assert [sides for sides, _ in dice.thrown[:9]] == [7, 7, 100, 3, 3, 3, keepers, 100, 4]


@pytest.mark.rule("LW-0", "LW-20")
def test_options_of_new_maps_are_refused_for_other_scenarios() -> None:
    with pytest.raises(OptionFault, match="map_seed: this scenario has no new map"):
        setup.begin(scene(), {"map_seed": 3}, Seeded(b"s", 0, "t"))


@pytest.mark.rule("LW-19.5")
def test_cities_of_unused_sides_become_neutral() -> None:
    whole = RULES.scenarios()["border"]
    assert isinstance(whole, Map)
    seated = RULES.with_seats(whole, 2, frozenset({1}))
    state = start(seated)
    assert [side.human for side in state.sides.values()] == [True, False]
    assert {city.owner for city in state.cities.values()} == {0, 1, NOBODY}
    assert RULES.seat_range(whole) == (2, 4)
    assert RULES.default_seats(whole) == 2


@given(seed=st.binary(min_size=1, max_size=4), quick=st.sampled_from(("none", "even")))
def test_every_start_keeps_the_invariants(seed: bytes, quick: str) -> None:
    state = start(towns(9), seed, quick_start=quick, neutral_cities="defensive")
    assert all(side.gold >= 0 for side in state.sides.values())
    assert max(Counter(army.at for army in state.armies.values()).values()) <= 8
    assert state.next_id > max(state.armies)
    assert isinstance(state.options, Options)
