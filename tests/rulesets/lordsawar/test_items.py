"""Items: their permanent effects, their charges, and how they are dropped and planted."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.dice import Seeded
from engine.core.ids import PUBLIC, Seat
from engine.core.record import UNSET, replace
from engine.core.refused import Refused
from engine.rulesets.lordsawar.commands import UseItem
from engine.rulesets.lordsawar.events import ItemUsed
from engine.rulesets.lordsawar.evolve import evolve
from engine.rulesets.lordsawar.item_uses import offered
from engine.rulesets.lordsawar.items import stock
from engine.rulesets.lordsawar.land import WATER, LandCode
from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.rulesets.lordsawar.rules import RULES
from engine.rulesets.lordsawar.state import State
from engine.rulesets.lordsawar.tables import armyset
from engine.strategic import item_records, turns
from engine.strategic.commands import Drop, PickUp, PlantFlag
from engine.strategic.pieces import NOBODY, ItemKind
from engine.strategic.world import armies_at, armies_of, flies, items_of
from tests.rulesets.lordsawar.hero_positions import (
    ARCHONS,
    GHOSTS,
    HERO,
    WORMS,
    after,
    army,
    position,
    refused,
    with_item,
)

IDS = {item.name: item.id for item in armyset().items}


def bearing(name: str, *more: object, at: tuple[int, int] = (3, 3), **moves: int) -> State:
    """Return a position in which hero 1 carries an item."""
    start = position(army(1, *at, HERO, **moves), *more)  # type: ignore[arg-type]
    return with_item(start, IDS[name], 1)


def use(state: State, name: str, throws: tuple[int, ...] = (), **more: int) -> State:
    return after(state, UseItem(1, IDS[name], **more), throws)


def charges(state: State, name: str) -> int:
    powers = state.items[IDS[name]].powers
    assert powers
    return powers.charges


# -- worn items ------------------------------------------------------------------------------------


@pytest.mark.rule("LW-11.1")
@pytest.mark.parametrize(
    ("name", "kind", "value"),
    [
        ("Armour of Gods", "weapon", 3),
        ("Darksword", "weapon", 2),
        ("Icesword", "weapon", 1),
        ("Orb of Loriel", "command", 1),
        ("Witch's Broom", "flight", 1),
        ("Ring of Travel", "speed", 1),
        ("Horn of Plenty", "purse", 6),
        ("Silver Purse", "purse", 4),
    ],
)
def test_worn_items_have_the_effects_of_the_table(name: str, kind: ItemKind, value: int) -> None:
    item = stock()[IDS[name]]
    kinds: tuple[ItemKind, ...] = ("weapon", "command", "flight", "speed", "purse", "standard")
    assert {one: item.adds(one) for one in kinds} == {one: value * (one == kind) for one in kinds}


@pytest.mark.rule("LW-11.1")
def test_items_give_a_hero_strength_flight_and_gold() -> None:
    state = position(army(1, 3, 3, HERO))
    for name in ("Darksword", "Icesword", "Witch's Broom", "Horn of Plenty", "Orb of Loriel"):
        state = with_item(state, IDS[name], 1)
    assert item_records.weapons(state, 1) == 3
    assert item_records.command(state, 1) == 1
    assert flies(state, state.armies[1])
    assert item_records.purses(state, 0) == 6


@pytest.mark.rule("LW-11.1")
def test_each_item_of_a_stack_doubles_its_moves() -> None:
    state = with_item(bearing("Ring of Travel"), IDS["Phantom Steed"], 1)
    (hero,) = (army for army in state.armies.values() if army.hero is not None)
    assert turns.speed_of(state, settings_of(state.options), hero) == 2


@pytest.mark.rule("LW-11")
def test_the_pool_holds_all_fifty_items() -> None:
    assert [item.id for item in stock()] == list(range(50))
    used = [item for item in stock() if item.powers and item.powers.acts]
    assert [item.id for item in used] == list(range(38, 50))
    assert all(item.powers and item.powers.charges > 0 for item in used)


# -- charges ---------------------------------------------------------------------------------------


@pytest.mark.rule("LW-11.2", "LW-11.3")
def test_item_steals_gold_and_is_gone_after_its_last_charge() -> None:
    start = bearing("Scroll of Thievery")
    rich = replace(start, sides=start.sides.put(replace(start.sides[1], gold=333)))
    robbed = use(rich, "Scroll of Thievery", side=1)
    assert [robbed.sides[side].gold for side in (0, 1)] == [1166, 167]
    assert robbed.items[IDS["Scroll of Thievery"]].where == "lost"
    assert refused(start, UseItem(1, IDS["Scroll of Thievery"], side=0)) == "NO_SUCH_SIDE"


@pytest.mark.rule("LW-11.2")
def test_item_sinks_the_ships_of_a_side() -> None:
    ship = army(2, 4, 5, owner=1, aboard=True)
    start = bearing("Scroll of Great Tides", ship, army(3, 6, 1, owner=1))
    assert list(use(start, "Scroll of Great Tides", side=1).armies) == [1, 3]


@pytest.mark.rule("LW-11.2")
def test_item_brings_all_bags_to_the_hero() -> None:
    start = bearing("Scroll of Retrieve Lost Items")
    bag = item_records.laid(start.items[0], (9, 0))
    found = use(replace(start, items=start.items.put(bag)), "Scroll of Retrieve Lost Items")
    assert [item.id for item in items_of(found, 1)] == [0]


@pytest.mark.rule("LW-11.2")
def test_item_adds_moves_to_a_stack_for_a_charge() -> None:
    start = bearing("Staff of Many Steps", army(2, 3, 3, points=1), points=0)
    moved = use(start, "Staff of Many Steps")
    assert [moved.armies[one].points for one in (1, 2)] == [2, 3]
    assert charges(moved, "Staff of Many Steps") == 10


@pytest.mark.rule("LW-11.2")
def test_item_banishes_worms_of_all_sides() -> None:
    worms = (army(2, 3, 3, WORMS), army(3, 6, 1, WORMS, owner=1), army(4, 0, 6, WORMS, NOBODY))
    start = bearing("Staff of Saint Patrick", *worms, army(5, 6, 1, owner=1))
    assert list(use(start, "Staff of Saint Patrick").armies) == [1, 5]


@pytest.mark.rule("LW-11.2")
def test_item_burns_a_whole_bridge_and_armies_on_it_drift() -> None:
    start = bearing("Wand of the Bridgeburners", army(2, 6, 4), at=(5, 4))
    burnt = use(start, "Wand of the Bridgeburners")
    assert [burnt.terrain[4, x] for x in (5, 6)] == [LandCode.SHORE] * 2
    assert all(a.points == 0 and a.aboard for a in armies_of(burnt, 0))
    away = bearing("Wand of the Bridgeburners")
    assert refused(away, UseItem(1, IDS["Wand of the Bridgeburners"])) == "NOT_ALLOWED"


@pytest.mark.rule("LW-11.2")
def test_item_makes_a_keeper_join() -> None:
    start = bearing("Staff of Charm Ruin Monster", at=(4, 0))
    kept = replace(start.sites[1], guardian=GHOSTS + 1)
    joined = use(replace(start, sites=start.sites.put(kept)), "Staff of Charm Ruin Monster")
    assert joined.sites[1].guardian == 0
    (ghosts,) = (one for one in armies_of(joined, 0) if one.type == GHOSTS)
    assert (ghosts.at, ghosts.upkeep) == ((4, 0), 5)


@pytest.mark.rule("LW-11.2")
def test_item_summons_archons_at_temples_only() -> None:
    name = "Whistle of Angelic Assistance"
    joined = use(bearing(name, at=(3, 0)), name)
    assert [one.type for one in armies_at(joined, (3, 0))] == [HERO, ARCHONS]
    assert refused(bearing(name), UseItem(1, IDS[name])) == "NO_SITE"


@pytest.mark.rule("LW-11.2")
def test_item_kills_a_quarter_of_a_citys_defenders_rounded_down() -> None:
    held = tuple(army(number, 6, 1, owner=1) for number in range(2, 9))
    ill = use(bearing("Wand of Urban Pestilence", *held), "Wand of Urban Pestilence", (3,), city=1)
    assert 4 not in ill.armies
    assert len(armies_of(ill, 1)) == 6


@pytest.mark.rule("LW-11.2")
def test_item_raises_defenders_if_there_is_room() -> None:
    name = "Staff of Ghostly Defenders"
    raised = use(bearing(name), name, city=0)
    assert [one.type for one in armies_at(raised, (1, 1))] == [GHOSTS] * 3
    full = tuple(army(10 + n, 1 + n % 2, 1 + n // 2 % 2) for n in range(32))
    assert refused(bearing(name, *full), UseItem(1, IDS[name], city=0)) == "NO_ROOM"


@pytest.mark.rule("LW-11.2")
def test_item_wins_a_neutral_city_with_its_defenders() -> None:
    name = "Staff of Persuasion"
    won = use(bearing(name, army(2, 0, 6, owner=NOBODY)), name, city=2)
    assert (won.cities[2].owner, won.cities[2].defence, won.armies[2].owner) == (0, 2, 0)
    assert refused(bearing(name), UseItem(1, IDS[name], city=1)) == "NOT_ALLOWED"


@pytest.mark.rule("LW-11.2")
@pytest.mark.parametrize(("city", "at"), [(0, (1, 1)), (1, (5, 0)), (2, (1, 5))])
def test_item_moves_a_stack_into_an_own_city_or_beside_another(
    city: int, at: tuple[int, int]
) -> None:
    name = "Ring of Teleportation"
    jumped = use(bearing(name, army(2, 3, 3, points=1)), name, city=city)
    landed = {jumped.armies[one].at for one in (1, 2)}
    assert len(landed) == 1
    if city == 0:
        assert landed == {at}
    assert all(abs(x - at[0]) <= 4 and abs(y - at[1]) <= 4 for x, y in landed)
    assert jumped.armies[2].points == 1


@pytest.mark.rule("LW-11")
def test_worn_and_foreign_items_cannot_be_used() -> None:
    assert refused(bearing("Icesword"), UseItem(1, IDS["Icesword"])) == "NOT_ALLOWED"
    assert refused(bearing("Icesword"), UseItem(1, IDS["Darksword"])) == "NO_SUCH_ITEM"


# -- dropping and picking up -----------------------------------------------------------------------


@pytest.mark.rule("LW-11.4")
def test_dropped_items_can_be_picked_up_on_land_but_sink_in_water() -> None:
    start = bearing("Icesword")
    laid = after(start, Drop(1, IDS["Icesword"]))
    assert laid.items[IDS["Icesword"]].where == "ground"
    assert after(laid, PickUp(1, IDS["Icesword"])).items[IDS["Icesword"]].holder == 1
    ship = bearing("Icesword", at=(4, 5), aboard=True)
    assert after(ship, Drop(1, IDS["Icesword"])).items[IDS["Icesword"]].where == "lost"


@pytest.mark.rule("LW-13.4")
@pytest.mark.parametrize(
    ("at", "code"), [((3, 3), ""), ((1, 1), "NOT_ALLOWED"), ((3, 0), "NOT_ALLOWED")]
)
def test_a_standard_is_planted_in_the_open(at: tuple[int, int], code: str) -> None:
    start = position(army(1, *at, HERO))
    flag = replace(start.items[0], id=99, kind="standard", value=1, side=0)
    start = replace(start, items=start.items.put(item_records.carried(flag, 1)))
    if code:
        assert refused(start, PlantFlag(1)) == code
    else:
        assert after(start, PlantFlag(1)).sides[0].flag == at


# -- any use ---------------------------------------------------------------------------------------


@pytest.mark.rule("LW-22")
@given(st.lists(st.tuples(st.integers(0, 999), st.integers(1, 4)), max_size=12))
def test_world_stays_sound_after_any_use(uses: list[tuple[int, int]]) -> None:
    others = (army(2, 6, 1, owner=1), army(3, 4, 5, owner=1, aboard=True), army(4, 5, 4))
    state = position(army(1, 5, 4, HERO), *others, army(5, 0, 6, owner=NOBODY))
    for item in range(38, 50):
        state = with_item(state, item, 1)
    for choice, throw in uses:
        offered_uses = list(offered(state, 0, None))
        if not offered_uses:
            return
        order = offered_uses[choice % len(offered_uses)]
        with suppress(Refused):
            for event in RULES.decide(state, 0, order, Seeded(b"items", throw, "decide")):
                state = evolve(state, event)
    assert all(side.gold >= 0 for side in state.sides.values())
    tiles = Counter((one.at, one.owner) for one in state.armies.values())
    assert max(tiles.values(), default=0) <= 8
    assert all(one.points >= 0 for one in state.armies.values())
    for one in state.armies.values():
        if state.terrain[one.y, one.x] in WATER and "fly" not in state.types[one.type].traits:
            assert one.aboard
    for thing in state.items.values():
        assert thing.powers is UNSET or thing.powers.charges >= 0


@pytest.mark.rule("LW-11")
def test_theft_is_visible_to_its_victim_but_not_to_others() -> None:
    start = bearing("Scroll of Thievery")
    order = UseItem(1, IDS["Scroll of Thievery"], side=1)
    (event,) = RULES.decide(start, 0, order, Seeded(b"items", 1, "decide"))
    after_it = evolve(start, event)
    told = RULES.redact(event, start, after_it, Seat(1))
    assert isinstance(told, ItemUsed)
    assert (told.act, told.gold, told.army, told.item.id) == ("STEAL_GOLD", ((1, 500),), -1, -1)
    assert RULES.redact(event, start, after_it, PUBLIC) is None
    assert RULES.redact(event, start, after_it, Seat(0)) == event
