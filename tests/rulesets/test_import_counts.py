"""Importers keep count: what goes in comes out, or a remark says what was left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from struct import pack_into
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.registry import find
from engine.core.ruleset import Imported
from engine.rulesets.weltendaemmerung.tables import units_table
from tests.rulesets.warlords2 import original_files as fork
from tests.rulesets.weltendaemmerung import original_files as disk


class Given(NamedTuple):
    """File to import, what must come out of it, and what remarks must say."""

    data: bytes
    kept: Mapping[str, Any]
    """Values by name, as ``Case.counted`` gives them."""
    lost: Mapping[str, bool] = {}
    """Words that are in a remark, or in none."""
    companion: bytes | None = None


class Case(NamedTuple):
    """Kind of file: its game, a builder from drawn numbers, and the counts of what was imported."""

    ruleset: str
    build: Callable[[list[int]], Given]
    counted: Callable[[Imported], Mapping[str, Any]]


# -- Warlords II -----------------------------------------------------------------------------------


def _fork(numbers: list[int]) -> Given:
    signs, axes, strange, texts, spare = (number % 4 for number in numbers[:5])
    things = [*fork.THINGS[:3]]
    things += [(f"Axe {number}", 1, 1) for number in range(axes)]
    things += [(f"Riddle {number}", 77, 1) for number in range(strange)]
    image = bytearray(fork.image(things=things))
    long = numbers[5] % 2 == 1
    if long:
        pack_into("<16s", image, 0x157D + 4, b"Sixteen letters!")
    unnamed = numbers[6] % 2 == 1
    if unnamed:
        pack_into("<16s", image, 0xF67 + 16 * 3, b"")
    rows = [(1 + number, 1, f"Sign {number}", "") for number in range(signs)]
    told = "".join(f"#{number:03}|Text.|\r" for number in range(1, 4 + texts))
    parts = fork.scenario(
        SCN=bytes(image),
        SGN=fork.signs(*rows),
        CTY=told.encode(),
        **{f"X{number}": b"x" for number in range(spare)},
    )
    return Given(
        fork.fork(parts),
        {
            "cities": len(fork.CITIES),
            "sites": len(fork.SITES),
            "sides": 2,
            "signs": signs,
            "things": 3 + axes,
            "texts": len(fork.CITIES),
            "guardians": 0 if unnamed else 9,
        },
        {
            "sides without a city": True,
            "things of unknown kinds are left out: Riddle 0": bool(strange),
            "texts": bool(texts),
            "resources of these types are not read: X0": bool(spare),
            "'Sixteen letters!' is called 'Sixteen letters'": long,
            "guardians are left out": unnamed,
        },
    )


def _of_fork(found: Imported) -> Mapping[str, Any]:
    scene: Any = found.scenario
    return {
        "cities": len(scene.cities),
        "sites": len(scene.sites),
        "sides": len(scene.sides),
        "signs": len(scene.signs),
        "things": len(scene.items),
        "texts": sum(bool(city.about) for city in scene.cities),
        "guardians": len(scene.guardians),
    }


# -- Weltendaemmerung ------------------------------------------------------------------------------


def _program(numbers: list[int]) -> Given:
    codes = disk.made_up_map()
    wet = numbers[0] % 9
    for number in range(wet):
        codes[disk.WIDTH * (30 + number % 5) + 45 + number] = disk.RIVER
    kept = {"units": disk.made_up_units(), "sites": 13, "river": disk.HEIGHT + wet}
    return Given(bytes(disk.program(codes)), kept, {"SHA-256": True})


def _save(numbers: list[int]) -> Given:
    dead = tuple(sorted({40 + number % 200 for number in numbers[:5]}))
    ruined = tuple(sorted({number % 13 for number in numbers[5:]}))
    data = bytes(disk.saved(dead, rounds=1 + numbers[0] % 9, ruined=ruined))
    return Given(
        data,
        {"living": 292 - len(dead), "ruined": len(ruined), "round": 1 + numbers[0] % 9},
        {"circle of chance": True},
        bytes(disk.program()),
    )


def _of_program(found: Imported) -> Mapping[str, Any]:
    scene: Any = found.scenario
    kinds = {row.key: number for number, row in enumerate(units_table())}
    units = [(kinds[unit.type], unit.x, unit.y) for unit in scene.units]
    river = scene.rows[0][40]
    wet = sum(row.count(river) for row in scene.rows)
    return {"units": units, "sites": len(scene.sites), "river": wet}


def _of_save(found: Imported) -> Mapping[str, Any]:
    scene: Any = found.scenario
    living = sum(unit.alive for unit in scene.units)
    ruined = sum(site.ruined for site in scene.sites)
    return {"living": living, "ruined": ruined, "round": scene.now.completed}


# -- Global Domination -----------------------------------------------------------------------------


def _language(numbers: list[int]) -> Given:
    count = 4 + numbers[0] % 4
    borders = [(number, number + 1) for number in range(1, count)]
    named = numbers[1] % 3
    lines = ["InitStart", f"SetNumTerritories {count}"]
    lines += [f"SetBoundaries {a},{b}" for a, b in (*borders, *borders[: numbers[2] % 2])]
    lines += [f"SetIdentifier {number} Land {number}" for number in range(1, 1 + named)]
    lines += ["AddPlayer Red #f00", "AddPlayer Blue #00f", "InitEnd"]
    wrong = numbers[3] % 3
    lines += ["Set Red", "Con 1 Hq", *["Con 1 9A"] * wrong, "Set Blue", f"Con {count} Hq", "End"]
    after = numbers[4] % 2
    lines += ["Set Red", *["Con 1 1A"] * after, "End"]
    return Given(
        "\n".join(lines).encode(),
        {"lands": count, "borders": len(borders), "names": named, "players": ["Red", "Blue"]},
        {"left out": bool(wrong)},
    )


def _of_language(found: Imported) -> Mapping[str, Any]:
    setting: Any = found.scenario
    lands = setting.world.lands
    return {
        "lands": len(lands),
        "borders": sum(len(land.neighbours) for land in lands) // 2,
        "names": sum(bool(land.name) for land in lands),
        "players": [player.name for player in setting.players],
    }


CASES = {
    "Warlords II": Case("warlords2", _fork, _of_fork),
    "the C64 program": Case("weltendaemmerung", _program, _of_program),
    "a C64 save": Case("weltendaemmerung", _save, _of_save),
    "the order language": Case("gd6", _language, _of_language),
}


@pytest.mark.parametrize("kind", CASES)
@settings(max_examples=6, deadline=None, derandomize=True)
@given(numbers=st.lists(st.integers(0, 255), min_size=8, max_size=8))
def test_what_goes_in_comes_out_or_has_a_remark(kind: str, numbers: list[int]) -> None:
    case = CASES[kind]
    file = case.build(numbers)
    (importer,) = (one for one in find(case.ruleset).importers if one.sniff(file.data))
    found = importer.read(file.data, file.companion)
    assert case.counted(found) == file.kept
    told = "\n".join(found.remarks)
    assert {words: words in told for words in file.lost} == file.lost
    assert not re.search(r"[\n\x00-\x1f]", "".join(found.remarks))
