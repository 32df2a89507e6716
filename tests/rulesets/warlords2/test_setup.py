"""The beginning of games."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.dice import Scripted, Seeded
from engine.core.options import OptionFault, Value
from engine.core.record import replace
from engine.rulesets.warlords2 import setup
from engine.rulesets.warlords2.events import GameSet
from engine.rulesets.warlords2.evolve import evolve
from engine.rulesets.warlords2.rules import RULES
from engine.rulesets.warlords2.scenario_codec import position
from engine.rulesets.warlords2.scene import Map
from engine.rulesets.warlords2.state import State
from engine.rulesets.warlords2.tables import city_art
from engine.strategic.decision import new_ids
from engine.strategic.events import GameEnded
from engine.strategic.pieces import NOBODY, NONE
from engine.strategic.world import PEACE, WAR, cities_of
from tests.rulesets.warlords2.test_scenes import scene
from tests.strategic.chances import shipped

NARROWS = "narrows"


def started(made: Map, seed: bytes = b"setup", **options: Value) -> State:
    """Return the first state of a game, before its first round."""
    first = setup.begin(made, options, Seeded(seed, 0, "decide"))[0]
    assert isinstance(first, GameSet)
    return first.start


@pytest.mark.rule("W2-16.4")
def test_capitals_have_owner_and_art_of_their_sides() -> None:
    state = started(shipped(NARROWS))
    for side in state.sides.values():
        (capital,) = cities_of(state, side.id)
        assert (capital.x, capital.y) == side.capital
        found = tuple(state.art[y, x] for x, y in capital.tiles)
        assert found == city_art(side.id)


@pytest.mark.rule("W2-9.7", "W2-9.3")
def test_capitals_are_guarded_by_their_best_army_others_by_scouts() -> None:
    state = started(shipped(NARROWS))
    for city in state.cities.values():
        (army,) = (army for army in state.armies.values() if army.home == city.id)
        assert (army.at, army.points, army.owner) == (city.tiles[0], 0, city.owner)
        best = city.slots[-1].type if city.owner != NOBODY else 11
        assert army.type == best


@pytest.mark.rule("W2-9.7")
def test_strong_neutral_cities_are_guarded_by_a_type_of_theirs() -> None:
    state = started(shipped(NARROWS), neutral_strength="strong")
    for city in cities_of(state, NOBODY):
        (army,) = (army for army in state.armies.values() if army.home == city.id)
        assert army.type in {slot.type for slot in city.slots}
        assert 0 <= city.tier <= 3


@pytest.mark.rule("W2-9.7")
def test_quick_start_deals_out_all_cities_in_turn() -> None:
    state = started(shipped(NARROWS), quick_start="on")
    counts = Counter(city.owner for city in state.cities.values())
    assert NOBODY not in counts
    assert max(counts.values()) - min(counts.values()) <= 1
    for city in state.cities.values():
        kept = [army for army in state.armies.values() if army.home == city.id]
        assert 1 <= len(kept) <= 4
        assert {army.owner for army in kept} == {city.owner}
        assert {army.type for army in kept} <= {slot.type for slot in city.slots}
        assert tuple(state.art[y, x] for x, y in city.tiles) == city_art(city.owner)


@pytest.mark.rule("W2-9.7", "W2-1.5")
def test_a_quick_start_deals_the_nearest_city_first() -> None:
    state = started(shipped("skirmish"), quick_start="on")
    owners = {city.name: city.owner for city in state.cities.values()}
    assert owners == {"Rowanstead": 0, "Thornhold": 1, "Gull Bay": 1, "Millbrook": 0}


@pytest.mark.rule("W2-9.1")
def test_slots_are_sorted_by_price_without_boats_unless_enabled() -> None:
    gulls = {"x": 0, "y": 0, "slots": ["navy", "pegasi", "scouts", "catapults"]}
    made = scene(cities=[gulls, {"x": 3, "y": 2, "slots": ["archers", "scouts"]}])
    plain_city = started(made).cities[0]
    assert [slot.type for slot in plain_city.slots] == [11, 10, 8]
    assert plain_city.defence == 2
    sailing = started(made, classic_navy="on").cities[0]
    assert [slot.type for slot in sailing.slots] == [11, 10, 5, 8]
    assert started(made).cities[1].defence == 1


@pytest.mark.rule("W2-9.3")
def test_the_handicap_makes_the_first_armies_stronger() -> None:
    sides = [{"capital": [0, 0], "enhanced": True}, {"capital": [3, 2]}]
    state = started(scene(sides=sides))
    assert [army.strength for army in state.armies.values()] == [3, 3]


@pytest.mark.rule("W2-15.7", "W2-12.3")
def test_missing_gold_and_ratings_are_drawn_at_random() -> None:
    for seed in (b"1", b"2", b"3"):
        for side in started(scene(), seed).sides.values():
            assert 23 <= side.gold <= 170
            assert 1 <= side.rating <= 8


@pytest.mark.rule("W2-12.1")
@pytest.mark.parametrize(("option", "agreed"), [("on", PEACE), ("off", WAR)])
def test_sides_begin_at_peace_with_diplomacy_and_at_war_without(option: str, agreed: int) -> None:
    state = started(scene(), diplomacy=option)
    assert state.treaties == ((PEACE, agreed), (agreed, PEACE))
    assert [side.stances for side in state.sides.values()] == [(PEACE, agreed), (agreed, PEACE)]


@pytest.mark.rule("W2-11.1")
def test_hidden_map_shows_only_land_near_own_armies() -> None:
    state = started(shipped("mist"))
    for side in state.sides.values():
        known = state.discovered.cells >> side.id & 1
        x, y = side.capital or (0, 0)
        assert known[y, x]
        assert 0 < int(known.sum()) < 80
    assert len(bytes.fromhex(state.secret)) == 16
    assert not state.origin
    bare = started(shipped(NARROWS))
    assert bool((bare.discovered.cells == 255).all())
    assert not bare.secret


NEW_MAP: dict[str, Value] = {"map_seed": 7, "map_width": 40, "map_height": 40}


@pytest.mark.rule("W2-11.4", "W2-15")
def test_new_hidden_map_depends_on_more_than_its_seed() -> None:
    new = shipped("new")
    dark = [started(new, seed, hidden_map="on", **NEW_MAP) for seed in (b"one", b"two")]
    bare = [started(new, seed, hidden_map="off", **NEW_MAP) for seed in (b"one", b"two")]
    assert dark[0].terrain != dark[1].terrain
    assert bare[0].terrain == bare[1].terrain != dark[0].terrain
    assert not bare[0].secret + bare[0].origin


@pytest.mark.rule("W2-11.4", "W2-15")
def test_secret_of_a_hidden_map_is_revealed_at_the_end() -> None:
    made = shipped("new")
    state = started(made, b"setup", hidden_map="on", **NEW_MAP)
    ended = GameEnded((0,), "conquest")
    seen = RULES.view(state, 0)
    assert (seen.secret, seen.origin) == ("", "")
    over = evolve(state, ended)
    told = RULES.view(over, 0)
    seed, drawn = told.origin.split(" ")
    assert (seed, drawn) == ("7", state.secret)
    said = [line.text for line in RULES.presenter.tell(ended, told)]
    assert any(drawn in text for text in said)
    assert made.new is not None
    again = replace(made, new=replace(made.new, drawn=drawn))
    assert started(again, b"other", hidden_map="off", **NEW_MAP).terrain == state.terrain
    assert started(again, b"other", hidden_map="on", **NEW_MAP).terrain != state.terrain


@pytest.mark.rule("W2-11.4")
def test_position_without_a_secret_gets_one_and_unused_ids() -> None:
    state = started(shipped("mist"))
    plain = RULES.position(replace(state, order=(0, 1, 2)))
    assert plain.now is not None
    older = replace(plain, now=replace(plain.now, secret="", key=77))
    again = started(older)
    assert again.armies == state.armies
    assert (again.key, len(again.secret)) == (0, 32)
    assert min(new_ids(again, 20)) > max(again.armies)
    assert started(plain).secret == state.secret


@pytest.mark.rule("W2-10.3", "W2-10.4")
def test_sites_and_items_are_filled() -> None:
    state = started(shipped(NARROWS))
    assert len(state.items) == 22
    assert all(site.kind != "unknown" for site in state.sites.values())
    assert sum(site.kind == "temple" for site in state.sites.values()) == 2


@pytest.mark.rule("W2-1.3")
def test_unused_capitals_are_neutral_with_fewer_players() -> None:
    made = RULES.with_seats(shipped(NARROWS), 2, frozenset({1}))
    state = started(made)
    assert len(state.sides) == 2
    assert [side.human for side in state.sides.values()] == [True, False]
    assert Counter(city.owner for city in state.cities.values()) == {0: 1, 1: 1, NOBODY: 12}
    assert RULES.seat_range(shipped(NARROWS)) == (2, 4)
    assert RULES.default_seats(shipped(NARROWS)) == 2
    assert RULES.default_seats(shipped("horseshoe")) == 8
    assert RULES.default_seats(shipped("new")) == 4
    assert RULES.seat_range(position(state)) == (2, 2)


@pytest.mark.rule("W2-17")
@pytest.mark.parametrize("name", ["skirmish", "mist", NARROWS])
def test_position_begins_unchanged_without_dice(name: str) -> None:
    state: Any = RULES.empty()
    for event in setup.begin(shipped(name), {}, Seeded(b"position", 0, "decide")):
        state = evolve(state, event)
    (again,) = setup.begin(position(state), {}, Scripted())
    assert isinstance(again, GameSet)
    assert again.start == state


@pytest.mark.rule("W2-17")
def test_position_keeps_custom_types_and_numbers() -> None:
    state = started(scene())
    stronger = replace(state.types[2], strength=9)
    odd = replace(state.cities[0], slots=(replace(state.cities[0].slots[0], cost=77),))
    strange = replace(
        state, types=state.types.put(stronger), cities=state.cities.put(odd), order=(0, 1)
    )
    (again,) = setup.begin(position(strange), {}, Scripted())
    assert isinstance(again, GameSet)
    assert again.start == strange


@settings(max_examples=20)
@given(seed=st.binary(max_size=4), variation=st.sampled_from(["on", "off"]))
def test_start_is_a_sound_position_with_any_dice(seed: bytes, variation: str) -> None:
    state = started(shipped("mist"), seed, variation=variation)
    setup.check(position(replace(state, order=(0, 1, 2))))
    assert len(set(state.armies)) == len(state.cities)
    assert all(city.making == NONE for city in state.cities.values())


def test_first_event_contains_scenario_and_options() -> None:
    made = shipped("new")
    wanted: dict[str, Value] = {"map_seed": 7, "column": "classic", "quests": "on"}
    events = setup.begin(made, wanted, Seeded(b"first", 0, "decide"))
    told, options = RULES.setup(events[0])
    assert told.new is not None
    assert told.new.seed == 7
    assert setup.begin(told, options, Seeded(b"first", 0, "decide")) == events
    with pytest.raises(ValueError, match="game-set"):
        RULES.setup(events[1])


def test_options_of_new_maps_are_refused_for_other_maps() -> None:
    with pytest.raises(OptionFault, match="no new map"):
        setup.begin(shipped("skirmish"), {"map_seed": 7}, Scripted())


@pytest.mark.rule("W2-15.10")
def test_pictures_vary_by_tile_but_not_by_game() -> None:
    one, other = started(shipped(NARROWS), b"1"), started(shipped(NARROWS), b"2")
    assert one.art == other.art
    table = np.frombuffer(one.table, dtype=np.uint8)
    assert np.array_equal(table[one.art.cells], one.terrain.cells)
    assert len(np.unique(one.art.cells)) > 20
