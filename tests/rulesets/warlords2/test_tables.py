"""Tables of the rule book: unit types and pictures."""

from __future__ import annotations

import pytest

from engine.core.codec import plain
from engine.core.dice import Scripted
from engine.core.options import OptionFault
from engine.rulesets.warlords2.initial_state import varied
from engine.rulesets.warlords2.options import CLASSIC, Options
from engine.rulesets.warlords2.setup import OPTIONS, settled
from engine.rulesets.warlords2.tables import (
    HERO,
    PLAINS_ART,
    Terrain,
    book_table,
    city_art,
    native_table,
    pictures_of,
    razed_art,
    slot_of,
    translated,
    type_order,
    unit_rows,
    unit_types,
)
from engine.strategic.pieces import NOBODY, Slot, usual_order


@pytest.mark.rule("W2-7")
def test_29_unit_types_have_the_numbers_of_the_book() -> None:
    assert sorted(unit_types()) == list(range(29))
    assert sorted(kind.order for kind in unit_rows()) == list(range(29))
    dragons, archons, bats = unit_types()[25], unit_types()[19], unit_types()[15]
    assert (dragons.strength, dragons.move, dragons.price, dragons.pack) == (9, 22, -3000, (2,) * 4)
    assert archons.traits == ("anti-hero", "fly")
    assert (bats.turns, bats.cost, bats.price, bats.traits) == (1, 5, 30, ("fly",))
    assert unit_types()[18].foe == -1
    assert [kind.id for kind in unit_rows() if kind.special] == [23, 20, 24, 26, 22, 27, 19, 25]
    assert unit_types()[HERO].price < 0


@pytest.mark.rule("W2-7", "W2-9.1")
def test_types_of_the_same_price_keep_the_order_of_the_book() -> None:
    priced = sorted(unit_types().values(), key=lambda kind: (abs(kind.price), type_order(kind.id)))
    assert [kind.id for kind in priced if kind.price == 500] == [10, 4, 7]
    assert type_order(99) > type_order(28)


@pytest.mark.rule("W2-8.4")
def test_default_line_of_battle_is_by_type() -> None:
    order = usual_order(unit_rows())
    assert (order[11], order[2], order[HERO], order[5]) == (0, 1, 27, 28)


@pytest.mark.rule("W2-3.2")
@pytest.mark.parametrize(
    ("picture", "terrain"),
    [
        (0x27, Terrain.OCEAN),
        (0x2D, Terrain.OCEAN),
        (0x1F, Terrain.PLAINS),
        (0x09, Terrain.HILLS),
        (0x60, Terrain.CITY),
        (0xA0, Terrain.SITE),
        (0x84, Terrain.BRIDGE),
        (0xFF, Terrain.VOID),
    ],
)
def test_picture_table_has_the_anchors_of_the_book(picture: int, terrain: Terrain) -> None:
    assert book_table()[picture] == terrain
    assert native_table()[picture] == terrain


@pytest.mark.rule("W2-3.2", "W2-15.10")
def test_every_terrain_has_its_own_pictures_in_native_maps() -> None:
    found = pictures_of(native_table())
    assert found[Terrain.PLAINS] == (PLAINS_ART,)
    for terrain in set(Terrain) - {Terrain.CITY}:
        assert found[terrain], terrain
        assert {native_table()[picture] for picture in found[terrain]} == {terrain}


@pytest.mark.rule("W2-3.3")
def test_original_categories_are_translated_and_unknown_ones_void() -> None:
    table = translated(bytes([1, 2, 3, 8, 11, 12, 200]))
    assert table[:7] == bytes([12, 10, 11, 5, 8, 0, 0])
    assert len(table) == 256
    assert not any(table[7:])


@pytest.mark.rule("W2-3.4")
def test_cities_have_the_pictures_of_their_owners() -> None:
    assert city_art(NOBODY) == (0x60, 0x61, 0x70, 0x71)
    assert city_art(5) == (0x6C, 0x6D, 0x7C, 0x7D)
    assert city_art(7) == (0x82, 0x83, 0x92, 0x93)
    assert razed_art(3) == (0xA6, 0xA7, 0xB6, 0xB7)
    for owner in (*range(8), NOBODY):
        assert {book_table()[picture] for picture in city_art(owner)} == {Terrain.CITY}


@pytest.mark.rule("W2-0.1")
def test_column_sets_all_switches_and_single_ones_override_it() -> None:
    assert settled({}, {}) == Options()
    classic = plain(settled({"column": "classic", "zoc_penalty": 1}, {}))
    assert classic == {**plain(Options()), **CLASSIC, "zoc_penalty": 1}
    back = settled({"column": "seed"}, {"column": "classic", "quests": "on"})
    assert back == Options(quests="on")
    with pytest.raises(OptionFault, match="zoc_penalty"):
        settled({"zoc_penalty": 10}, {})


@pytest.mark.rule("W2-0.1")
def test_every_option_of_a_game_is_declared() -> None:
    assert set(plain(Options())) <= {option.name for option in OPTIONS}


@pytest.mark.rule("W2-9.1")
@pytest.mark.parametrize(
    ("throws", "after"),
    [
        ([10, 20, 10, 10], (3, 2, 8, 5)),
        ([9, 59, 20, 10, 10], (4, 2, 8, 5)),
        ([9, 60, 20, 10, 10], (2, 2, 8, 5)),
        ([10, 19, 9, 10, 10], (3, 2, 12, 5)),
        ([10, 19, 59, 10, 10], (3, 2, 10, 5)),
        ([10, 19, 94, 10, 10], (3, 2, 6, 5)),
        ([10, 19, 95, 10, 10], (3, 2, 6, 5)),
        ([10, 20, 9, 59, 10], (3, 2, 8, 4)),
        ([10, 20, 9, 60, 10], (3, 2, 8, 6)),
        ([10, 20, 10, 9, 59], (3, 1, 8, 5)),
        ([10, 20, 10, 9, 60], (3, 3, 8, 5)),
    ],
)
def test_slots_vary_with_the_dice(throws: list[int], after: tuple[int, ...]) -> None:
    heavy = slot_of(unit_types()[1])
    dice = Scripted(throws)
    strength, turns, move, cost = after
    assert varied(heavy, dice) == Slot(1, strength, turns, move, cost)
    assert dice.left() == 0
