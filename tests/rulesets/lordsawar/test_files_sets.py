"""Sets of LordsAWar built by section 19: unit types, terrain costs, sizes of buildings."""

from __future__ import annotations

import pytest

from engine.rulesets.lordsawar.files import records as made
from engine.rulesets.lordsawar.files.sets import read_army_set, read_city_set, read_tile_set
from engine.rulesets.lordsawar.files.words import ARMY_BITS, MOVE_BITS, PARTS, OriginalGender
from tests.rulesets.lordsawar import original_files as build


@pytest.mark.rule("LW-19.4", "LW-19.2")
def test_army_set_keeps_order_and_numbers_of_the_file() -> None:
    found = read_army_set(build.army_set())
    assert (found.id, found.name, found.file, found.version) == (4, "Test set", "test", "0.3.0")
    assert [unit.id for unit in found.units] == [7, 3, 11, 20]
    wolves, hawks, hero = found.units[1:]
    assert wolves.move_bonus == ("FOREST", "HILLS")
    assert wolves.army_bonus == ("ADD1STRINOPEN", "ADD1STACK")
    assert hawks.move_bonus == ("WATER", "SWAMP")
    assert hero.hero
    assert not hawks.hero
    assert hero.value == 10.5 * PARTS


@pytest.mark.rule("LW-19.4")
def test_every_field_of_a_unit_type_is_read() -> None:
    guard = build.values(
        id=2,
        name="Guard",
        strength=9,
        max_moves=22,
        sight=3,
        upkeep=4,
        production=5,
        production_cost=6,
        new_production_cost=70,
        move_bonus=" Tile::MOUNTAIN",
        army_bonus=" ArmyBase::CONFER_MOVE_BONUS",
        expvalue=8,
        awardable=True,
        defends_ruins=True,
        gender=1,
        description="Stands.",
    )
    assert read_army_set(build.army_set([guard])).units[0] == made.OriginalUnitType(
        id=2,
        name="Guard",
        strength=9,
        max_moves=22,
        sight=3,
        upkeep=4,
        production=5,
        production_cost=6,
        new_production_cost=70,
        move_bonus=("MOUNTAIN",),
        army_bonus=("CONFER_MOVE_BONUS",),
        value=8 * PARTS,
        awardable=True,
        defends_ruins=True,
        gender=OriginalGender.MALE,
        description="Stands.",
    )


@pytest.mark.rule("LW-19.4")
@pytest.mark.parametrize("version", ["0.2.1", "0.3.0", "0.3.2", "0.3.3"])
def test_oldest_army_sets_number_their_types_by_position(version: str) -> None:
    units = [build.values(name=name, strength=1, max_moves=8) for name in "AB"]
    if version != "0.2.1":
        units = [unit | build.values(id=5 + place) for place, unit in enumerate(units)]
    first = 0 if version == "0.2.1" else 5
    found = read_army_set(build.army_set(units, version=version))
    assert [unit.id for unit in found.units] == [first, first + 1]


@pytest.mark.rule("LW-19.2")
@pytest.mark.parametrize("place", range(len(ARMY_BITS)))
def test_bits_and_words_of_a_unit_type_agree(place: int) -> None:
    numbers = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]
    numbers += [8192, 16384, 32768, 65536, 131072]
    unit = {"id": 0, "strength": 1, "max_moves": 1}
    by_number = read_army_set(build.army_set([unit | {"army_bonus": numbers[place]}]))
    by_word = read_army_set(
        build.army_set([unit | {"army_bonus": f"ArmyBase::{ARMY_BITS[place]}"}])
    )
    assert by_number == by_word
    assert by_word.units[0].army_bonus == (ARMY_BITS[place],)


@pytest.mark.rule("LW-19.2")
def test_bits_of_terrain_have_their_names() -> None:
    unit = {"id": 0, "strength": 1, "max_moves": 1}
    for place, name in enumerate(MOVE_BITS):
        found = read_army_set(build.army_set([unit | {"move_bonus": 1 << place}]))
        assert found.units[0].move_bonus == (name,)
    assert MOVE_BITS == ("WATER", "FOREST", "HILLS", "MOUNTAIN", "SWAMP")


@pytest.mark.rule("LW-19.2")
def test_name_without_a_language_is_used() -> None:
    names = '<d_name xml:lang="de">Probe</d_name><_d_name>Trial</_d_name>'
    data = build.tar({"a.lwa": build.document("armyset", "0.3.0", "<d_id>1</d_id>", names, UNIT)})
    assert read_army_set(data).name == "Trial"


UNIT = build.element("armyproto", build.data(id=0, strength=1, max_moves=1))


@pytest.mark.rule("LW-19.4", "LW-19.3")
def test_tile_sets_give_costs_and_city_sets_give_sizes() -> None:
    assert read_tile_set(build.tile_set()).costs == (2, 3, 4, 5, 7, 9)
    assert read_tile_set(build.tile_set((1, 1))).costs == (1, 1, 3, 4, 6, 8)
    found = read_city_set(build.city_set(3))
    assert found == made.OriginalCitySet(3, "Towns", "towns", 3, 1, 1)
