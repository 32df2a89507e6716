"""Tables of the rule book: flags, unit types, items and numbers."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import pytest

from engine.rulesets.lordsawar.kinds import Terrain, UnitFlag, UnitFlagName, flag_bits, flag_names
from engine.rulesets.lordsawar.tables import (
    armyset,
    command_items,
    default_fight_order,
    personal_strength,
    unit_types,
    units_by_key,
)

UNITS = """
0  | Scouts     | 1 | 16 | 1 | 2  | 10   | 2  | forest hills | CONFER_MOVE_BONUS
1  | Light Inf. | 2 | 12 | 1 | 3  | 50   | 3  |              |
2  | Orcish Mob | 2 | 12 | 2 | 4  | 100  | 4  | forest hills |
3  | Heavy Inf. | 3 | 8  | 2 | 5  | 300  | 5  |              |
4  | Pikemen    | 4 | 8  | 3 | 5  | 400  | 5  |              | ADD1STRINOPEN
5  | Archers    | 3 | 12 | 2 | 7  | 400  | 7  | forest       | ADD1STRINFOREST
6  | Dwarves    | 3 | 8  | 2 | 7  | 400  | 7  | hills        | ADD1STRINHILLS
7  | Minotaurs  | 5 | 12 | 2 | 10 | 800  | 10 |              | ADD1STRINCITY
8  | Giants     | 5 | 16 | 2 | 10 | 800  | 10 | hills        |
9  | Spiders    | 5 | 12 | 2 | 12 | 1000 | 12 |              | ADD2STRINCITY
10 | Light Cav. | 2 | 20 | 2 | 6  | 300  | 6  |              | ADD1STRINOPEN
11 | Wolfriders | 4 | 16 | 2 | 8  | 500  | 8  |              | ADD1STACKINHILLS
12 | Heavy Cav. | 4 | 16 | 3 | 8  | 500  | 8  |              | ADD2STRINOPEN
13 | Catapults  | 2 | 16 | 4 | 16 | 500  | 16 |              | SUBALLCITYBONUS
14 | Elephants  | 8 | 16 | 4 | 15 | 1500 | 15 |              | SUB1ENEMYSTACK
15 | Giant Bats | 1 | 16 | 1 | 5  | 30   | 5  | F            |
16 | Pegasi     | 5 | 20 | 3 | 12 | 1000 | 12 | F            | ADD1STACK
17 | Griffins   | 6 | 20 | 3 | 15 | 1500 | 15 | F            | ADD2STRINCITY
18 | Giant Worms| 7 | 12 | 4 | 12 | 0    | 5  |              | ADD1STACK award
19 | Ghosts     | 7 | 16 | 4 | 12 | 0    | 5  |              | ADD1STACK award
20 | Wizards    | 6 | 50 | 4 | 12 | 0    | 5  |              | ADD1STACK award
21 | Unicorns   | 7 | 16 | 4 | 15 | 1500 | 15 |              | ADD1STACK
22 | Elementals | 8 | 12 | 4 | 15 | 0    | 5  |              | ADD1STACK award
23 | Devils     | 8 | 16 | 4 | 15 | 0    | 5  |              | ADD1STACK SUBALLNONHEROBONUS award
24 | Demons     | 7 | 20 | 4 | 15 | 0    | 5  |              | ADD1STACK award
25 | Archons    | 8 | 16 | 4 | 20 | 0    | 5  | F            | ADD1STACK SUBALLHEROBONUS award
26 | Dragons    | 9 | 22 | 4 | 20 | 0    | 5  | F            | ADD2STACK award
27 | Hero       | 5 | 14 | 0 | 0  | 0    | 0  |              |
"""
ROWS = [[cell.strip() for cell in line.split("|")] for line in UNITS.strip().splitlines()]


@pytest.mark.rule("LW-9.2")
@pytest.mark.parametrize("row", ROWS, ids=[row[1] for row in ROWS])
def test_each_unit_has_the_numbers_of_the_book(row: list[str]) -> None:
    unit = unit_types()[int(row[0])]
    numbers = (unit.strength, unit.moves, unit.turns, unit.cost, unit.price, unit.upkeep)
    assert unit.name == row[1]
    assert numbers == tuple(map(int, row[2:8]))
    crossed = "water forest hills mountain swamp" if row[8] == "F" else row[8]
    assert unit.move_bonus == tuple(crossed.split())
    assert unit.flies == (row[8] == "F")
    flags = row[9].split()
    assert unit.bonus == tuple(flag for flag in flags if flag != "award")
    assert unit.awardable == unit.guards_ruins == ("award" in flags)
    assert unit.hero == (unit.name == "Hero")
    assert unit.value == (10 if unit.awardable or unit.hero else 1)
    assert (unit.max_hp, unit.sight) == (2, 1)


@pytest.mark.rule("LW-9.1", "LW-2.2")
def test_28_units_are_listed_in_fight_order() -> None:
    assert len(ROWS) == len(unit_types()) == len(units_by_key()) == 28
    assert default_fight_order() == tuple(range(28))


@pytest.mark.rule("LW-1.1")
def test_abilities_are_eighteen_named_bits() -> None:
    names = tuple(flag.name or "" for flag in UnitFlag)
    assert names == get_args(UnitFlagName)
    assert flag_bits(names) == (1 << 18) - 1
    assert flag_names((1 << 18) - 1) == names
    assert [flag_bits((name,)) for name in ("ADD1STRINOPEN", "CONFER_MOVE_BONUS")] == [1, 131072]
    assert len(Terrain) == 6


ITEM_POWERS = {
    "ADD1STR": 8,
    "ADD2STR": 6,
    "ADD3STR": 3,
    "ADD1STACK": 3,
    "ADD2STACK": 2,
    "ADD3STACK": 1,
    "FLYSTACK": 5,
    "DOUBLEMOVESTACK": 5,
    "ADD2GOLDPERCITY": 3,
    "ADD4GOLDPERCITY": 3,
}
"""Number of worn items in the data file by power."""


@pytest.mark.rule("LW-11.1")
def test_fifty_items_are_worn_or_charged() -> None:
    items = armyset().items
    assert [item.id for item in items] == list(range(50))
    worn = [item for item in items if not item.charges]
    assert Counter(power for item in worn for power in item.bonus) == ITEM_POWERS
    charged = {item.name: item.charges for item in items if item.charges}
    assert list(charged.values()) == [1, 1, 1, 11, 3, 3, 3, 3, 3, 2, 3, 3]
    by_name = {item.name: item for item in items}
    assert by_name["Scroll of Thievery"].percent == 50
    assert by_name["Staff of Many Steps"].amount == 2
    assert by_name["Staff of Saint Patrick"].unit == units_by_key()["giant_worms"].id
    angels = by_name["Whistle of Angelic Assistance"]
    assert (angels.unit, angels.site) == (units_by_key()["archons"].id, "temple")
    assert by_name["Wand of Urban Pestilence"].percent == 25
    ghosts = by_name["Staff of Ghostly Defenders"]
    assert (ghosts.unit, ghosts.amount) == (units_by_key()["ghosts"].id, 3)


@pytest.mark.rule("LW-11.1", "LW-3.1", "LW-3.3")
@pytest.mark.parametrize(
    ("flags", "personal", "commanding"),
    [
        ((), 0, 0),
        (("ADD1STR",), 1, 0),
        (("ADD2STR", "ADD3STR", "ADD1STR"), 6, 0),
        (("ADD1STACK",), 0, 1),
        (("ADD2STACK", "ADD3STACK"), 0, 5),
        (("FLYSTACK", "ADD2GOLDPERCITY", "SINK_SHIPS"), 0, 0),
    ],
)
def test_effects_of_items_add_up(flags: tuple[str, ...], personal: int, commanding: int) -> None:
    assert personal_strength(flags) == personal
    assert command_items(flags) == commanding


def test_numbers_of_later_chapters_equal_the_book() -> None:
    found = armyset()
    assert (found.offers.price, found.offers.allies_above) == ((1000, 1499), (800, 1000, 1300))
    assert (found.rewards.gold, found.rewards.sage_gold) == ((310, 1309), (600, 2099))
    assert (found.ruins.fail_hundredths, found.ruins.halves) == (28, (1, 2, 4))
    assert [quest.kind for quest in found.quests][::6] == ["kill-hero", "pillage-gold"]
    assert {quest.kind: quest.range for quest in found.quests if quest.range[1]} == {
        "kill-armies": (14, 20),
        "pillage-gold": (850, 1479),
    }
    assert found.new_maps.normal == (112, 156)
    costs = found.movement
    assert (costs.swamp, costs.mountain, costs.hills, costs.open_sea) == (8, 6, 4, 1)
