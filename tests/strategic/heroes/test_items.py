"""Items of heroes (section 10.3)."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.warlords2.heroes import item_pool
from engine.strategic import item_records, sites
from engine.strategic.commands import Drop, PickUp, PlantFlag
from engine.strategic.events import FlagSet, ItemsMoved
from engine.strategic.pieces import Item
from engine.strategic.refusal import Refusal, RefusedOn
from engine.strategic.world import flies
from tests.strategic.ground import HERO, army, desk, side, world
from tests.strategic.heroes.deeds import BOOK, carried, lies, of_kind

ROWS = ["...~w=", "......"]


@pytest.mark.rule("W2-10.3")
def test_the_pool_has_the_books_kinds_and_values() -> None:
    count = Counter((item.kind, item.value) for item in item_pool())
    assert len(item_pool()) == len({item.name for item in item_pool()}) == 39
    assert count == {
        ("weapon", 1): 7,
        ("weapon", 2): 7,
        ("weapon", 3): 3,
        ("command", 1): 4,
        ("command", 2): 2,
        ("command", 3): 1,
        ("flight", 0): 5,
        ("speed", 0): 5,
        ("purse", 2): 2,
        ("purse", 4): 2,
        ("purse", 6): 1,
    }


@pytest.mark.rule("W2-10.3", "W2-8.3", "W2-9.6", "W2-6.1", "W2-6.3")
def test_items_help_only_the_hero_who_carries_them() -> None:
    things = [
        carried(0, "weapon", 1, 2),
        carried(1, "weapon", 1, 3),
        carried(2, "command", 1, 2),
        carried(3, "standard", 1, side=0),
        carried(4, "standard", 1, side=1),
        carried(5, "purse", 1, 4),
        carried(6, "purse", 2, 6),
        carried(7, "purse", 3, 2),
        carried(8, "flight", 2, 0),
        carried(9, "speed", 2, 0),
        carried(10, "speed", 2, 0),
        replace(lies(11, 0, 0), value=3),
    ]
    heroes = [army(1, 0, 0, HERO), army(2, 1, 0, HERO), army(3, 2, 0, HERO, owner=1)]
    state = world(ROWS, armies=heroes, items=things)
    assert [item_records.weapons(state, hero) for hero in (1, 2, 3)] == [5, 0, 0]
    assert [item_records.command(state, hero) for hero in (1, 2, 3)] == [2, 0, 0]
    assert [item_records.standards(state, hero) for hero in (1, 2, 3)] == [2, 0, 0]
    assert [item_records.speed(state, hero) for hero in (1, 2, 3)] == [0, 2, 0]
    assert [flies(state, state.armies[hero]) for hero in (1, 2, 3)] == [False, True, False]
    assert [item_records.purses(state, one) for one in (0, 1)] == [10, 2]


@pytest.mark.rule("W2-6.4", "W2-10.3")
def test_first_hero_of_a_group_picks_up_all_items() -> None:
    group = [army(1, 0, 0), army(2, 0, 0, HERO), army(3, 0, 0, HERO)]
    work = desk(world(ROWS, armies=group, items=[lies(0, 0, 0), lies(1, 0, 0), lies(2, 1, 0)]))
    sites.pick_up_all(work, BOOK, (1, 2, 3))
    (moved,) = of_kind(work, ItemsMoved)
    assert moved.reason == "picked"
    assert [(item.id, item.where, item.holder, item.x) for item in moved.items] == [
        (0, "carried", 2, -1),
        (1, "carried", 2, -1),
    ]
    assert work.state.items[2].where == "ground"


@pytest.mark.rule("W2-6.4")
def test_no_item_is_picked_up_without_a_hero_on_its_tile() -> None:
    state = world(ROWS, armies=[army(1, 0, 0), army(2, 1, 0, HERO)], items=[lies(0, 0, 0)])
    for group in ((1,), (2,)):
        work = desk(state)
        sites.pick_up_all(work, BOOK, group)
        assert work.events == ()


@pytest.mark.rule("W2-10.3", "W2-9.5")
def test_planted_own_standard_stays_and_a_foreign_one_is_taken() -> None:
    planted = Item(0, "standard", 1, "Flag", "planted", x=1, y=1, side=0)
    seats = (side(0, flag=(1, 1)), side(1))
    armies = [army(1, 1, 1, HERO), army(2, 0, 0, HERO, owner=1)]
    work = desk(world(ROWS, armies=armies, sides=seats, items=[planted]))
    sites.pick_up_all(work, BOOK, (1,))
    assert work.events == ()
    sites.pick_up(work, BOOK, 0, PickUp(army=1, item=0))
    assert of_kind(work, FlagSet) == [FlagSet(0, None)]
    assert work.state.sides[0].flag is None

    armies = [army(2, 1, 1, HERO, owner=1)]
    work = desk(world(ROWS, armies=armies, sides=seats, items=[planted]))
    sites.pick_up_all(work, BOOK, (2,))
    assert of_kind(work, FlagSet) == [FlagSet(0, None)]
    assert item_records.standards(work.state, 2) == 1


@pytest.mark.rule("W2-10.3")
def test_a_hero_plants_the_standard_of_its_side_only() -> None:
    heroes = [army(1, 2, 1, HERO), army(2, 2, 1, HERO)]
    flags = [carried(0, "standard", 1, side=0), carried(1, "standard", 2, side=1)]
    work = desk(world(ROWS, armies=heroes, items=flags))
    sites.plant_flag(work, BOOK, 0, PlantFlag(army=1))
    assert work.state.sides[0].flag == (2, 1)
    flag = work.state.items[0]
    assert (flag.where, flag.holder, flag.x, flag.y) == ("planted", -1, 2, 1)
    assert item_records.standards(work.state, 1) == 0
    with pytest.raises(Refused) as caught:
        sites.plant_flag(work, BOOK, 0, PlantFlag(army=2))
    assert caught.value.code == Refusal.NO_SUCH_ITEM


@pytest.mark.rule("W2-10.3", "W2-17.3")
@pytest.mark.parametrize(("x", "may"), [(0, True), (3, False), (4, False), (5, True)])
def test_items_can_be_dropped_anywhere_but_on_open_water(x: int, may: bool) -> None:
    hero = army(1, x, 0, HERO, aboard=not may)
    state = world(ROWS, armies=[hero], items=[carried(0, "standard", 1, side=0)])
    if may:
        work = desk(state)
        sites.drop(work, BOOK, 0, Drop(army=1, item=0))
        thing = work.state.items[0]
        assert (thing.where, thing.x, thing.y, thing.holder) == ("ground", x, 0, -1)
        return
    with pytest.raises(Refused) as caught:
        sites.drop(desk(state), BOOK, 0, Drop(army=1, item=0))
    assert isinstance(caught.value, RefusedOn)
    assert (caught.value.code, BOOK.rules[caught.value.topic]) == (Refusal.NOT_ALLOWED, "W2-17")
    with pytest.raises(Refused) as caught:
        sites.plant_flag(desk(state), BOOK, 0, PlantFlag(army=1))
    assert caught.value.code == Refusal.NOT_ALLOWED


@pytest.mark.rule("W2-10.3", "W2-17.3")
@pytest.mark.parametrize(
    ("hero", "item", "code"),
    [
        (9, 0, Refusal.NO_SUCH_ARMY),
        (3, 0, Refusal.NO_SUCH_ARMY),
        (2, 0, Refusal.NOT_A_HERO),
        (1, 1, Refusal.NO_SUCH_ITEM),
        (1, 9, Refusal.NO_SUCH_ITEM),
    ],
)
def test_impossible_pick_up_or_drop_is_refused(hero: int, item: int, code: Refusal) -> None:
    armies = [army(1, 0, 0, HERO), army(2, 0, 0), army(3, 1, 0, HERO, owner=1)]
    things = [carried(0, "weapon", 1), carried(1, "weapon", 3)]
    with pytest.raises(Refused) as caught:
        sites.drop(desk(world(ROWS, armies=armies, items=things)), BOOK, 0, Drop(hero, item))
    assert caught.value.code == code
    afar = [lies(0, 1, 1), carried(1, "weapon", 3)]
    with pytest.raises(Refused) as caught:
        sites.pick_up(desk(world(ROWS, armies=armies, items=afar)), BOOK, 0, PickUp(hero, item))
    assert caught.value.code == code


@pytest.mark.rule("W2-8.6")
@pytest.mark.parametrize(("x", "where"), [(0, "ground"), (3, "lost"), (4, "ground")])
def test_items_of_the_dead_drop_and_are_lost_on_the_ocean(x: int, where: str) -> None:
    dead = army(1, 1, 1, HERO)
    state = world(ROWS, armies=[army(2, 1, 1)], items=[carried(0, "weapon", 1)])
    work = desk(state)
    sites.fall(work, BOOK, (dead, army(3, 1, 1)), (x, 0))
    (moved,) = of_kind(work, ItemsMoved)
    assert moved.reason == ("lost" if where == "lost" else "fallen")
    thing = work.state.items[0]
    assert (thing.where, thing.holder) == (where, -1)
    assert (thing.x, thing.y) == ((-1, -1) if where == "lost" else (x, 0))


@pytest.mark.rule("W2-8.6")
def test_dead_hero_without_items_emits_no_event() -> None:
    work = desk(world(ROWS, armies=[]))
    sites.fall(work, BOOK, (army(1, 1, 1, HERO),), (0, 0))
    assert work.events == ()
