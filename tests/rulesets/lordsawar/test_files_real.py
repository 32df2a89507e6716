"""The original's own files, if they are installed; none of them is part of this project."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.rulesets.lordsawar.files.archive import FileKind, kind_of
from engine.rulesets.lordsawar.files.records import OriginalFile
from engine.rulesets.lordsawar.files.scenario import read_scenario
from engine.rulesets.lordsawar.files.sets import read_army_set, read_city_set, read_tile_set

FOLDERS = (Path("/usr/share/games/lordsawar"), Path("/usr/share/lordsawar"))


def installed() -> tuple[Path, ...]:
    """Return files of the original's data package in its usual folders."""
    found = (path for folder in FOLDERS if folder.is_dir() for path in folder.rglob("*.*"))
    return tuple(sorted(found))


def named(kind: FileKind) -> dict[str, Path]:
    return {path.stem: path for path in installed() if path.suffix == f".{kind}"}


pytestmark = pytest.mark.skipif(
    not named(FileKind.MAP), reason="the package lordsawar-data is not installed"
)


def read(name: str) -> OriginalFile:
    return read_scenario(named(FileKind.MAP)[name].read_bytes(), name=name)


@pytest.mark.rule("LW-19.1")
def test_first_member_identifies_each_file() -> None:
    for kind in set(FileKind) - {FileKind.SAVE}:
        assert named(kind)
        for path in named(kind).values():
            assert kind_of(path.read_bytes()) is kind


@pytest.mark.rule("LW-19.3")
def test_maps_are_read_repeatably_without_remarks() -> None:
    for name in named(FileKind.MAP):
        found = read(name)
        assert found.remarks == ()
        assert found == read(name)
        assert (found.scenario.width, found.scenario.height) == (112, 156)
        assert found.scenario.version == "0.3.2"


@pytest.mark.rule("LW-19.3")
@pytest.mark.parametrize(
    ("name", "title", "counts"),
    [
        ("dol", "Dol Campaign", (6, 60, 3, 18, 22, 254, 0, 0, 4, 38)),
        ("duel", "Duel Of The Gods", (5, 50, 4, 36, 117, 959, 332, 0, 44, 39)),
    ],
)
def test_every_row_of_a_map_is_read(name: str, title: str, counts: tuple[int, ...]) -> None:
    found = read(name).scenario
    rows = (found.players, found.cities, found.temples, found.ruins, found.signposts)
    pieces = (found.roads, found.bridges, found.stones, found.ports, found.items)
    assert found.name == title
    assert tuple(len(each) for each in (*rows, *pieces)) == counts


@pytest.mark.rule("LW-19.3")
def test_players_of_the_maps_have_a_capital_and_a_full_fight_order() -> None:
    for name in named(FileKind.MAP):
        found = read(name).scenario
        types = {each.id: {unit.id for unit in each.units} for each in found.army_sets}
        owners = {city.owner for city in found.cities if city.capital}
        for player in found.players:
            assert set(player.fight_order) == types[player.army_set]
            assert player.id in owners or player.id == found.neutral


@pytest.mark.rule("LW-19.4")
def test_each_army_set_has_its_types_with_one_hero() -> None:
    for path in named(FileKind.ARMY_SET).values():
        found = read_army_set(path.read_bytes())
        assert found.file == path.stem
        assert len(found.units) == 28
        assert sum(unit.hero for unit in found.units) == 1


@pytest.mark.rule("LW-19.4", "LW-12.2")
def test_each_tile_set_has_the_costs_of_the_rule_book() -> None:
    for path in named(FileKind.TILE_SET).values():
        assert read_tile_set(path.read_bytes()).costs == (2, 2, 3, 4, 6, 8)


@pytest.mark.rule("LW-19.3")
def test_each_city_set_has_the_sizes_of_the_rule_book() -> None:
    for path in named(FileKind.CITY_SET).values():
        found = read_city_set(path.read_bytes())
        assert (found.city_width, found.temple_width, found.ruin_width) == (2, 1, 1)
