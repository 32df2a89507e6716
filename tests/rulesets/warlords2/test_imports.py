"""Scenario files of the original, built by the layout of the rule book."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.core import scenarios
from engine.core.dice import Seeded
from engine.core.ruleset import ScenarioFault
from engine.rulesets.warlords2 import setup
from engine.rulesets.warlords2.imports.original import IMPORTERS
from engine.rulesets.warlords2.imports.resources import resources
from engine.rulesets.warlords2.land import RULE
from engine.rulesets.warlords2.rules import RULES
from engine.rulesets.warlords2.scene import Map
from engine.rulesets.warlords2.tables import Terrain, translated
from engine.rulesets.warlords2.tile_codec import map_file, read_map
from engine.strategic.land_rows import hex_rows, numbers_of
from engine.strategic.pieces import NOBODY, Guardian, Sign
from tests.rulesets.warlords2 import original_files as made

(IMPORTER,) = IMPORTERS


def read(**changed: bytes | None) -> Map:
    """Return the small scenario as imported."""
    found = IMPORTER.read(made.fork(made.scenario(**changed))).scenario
    assert isinstance(found, Map)
    return found


@pytest.mark.rule("W2-16.4")
def test_imported_scenario_keeps_land_sides_and_texts() -> None:
    scene = read()
    assert (scene.name, scene.title, scene.about) == ("small-war", "Small War", "Three towns.")
    assert [(side.name, side.capital, side.gold) for side in scene.sides] == [
        ("Reds", (10, 10), 100),
        ("Blues", (90, 140), 101),
    ]
    assert [(side.human, side.level, side.enhanced) for side in scene.sides] == [
        (True, 0, False),
        (False, 3, True),
    ]
    assert [city.slots for city in scene.cities] == [("scouts", "archers")] * 3
    assert [city.about for city in scene.cities] == ["An old town.\nOn a hill.", "", "ä new one."]
    assert [(site.kind, site.about) for site in scene.sites] == [
        ("temple", ""),
        ("unknown", "Dark."),
    ]
    assert scene.signs == (Sign(12, 13, "Alpha\nover there"),)
    assert scene.ports == ((0, 5),)
    assert scene.guardians[4] == Guardian("Guard 5", 5)
    assert scene.neutral_order == tuple((k + 8) % 29 for k in range(29))
    assert [(item.name, item.side) for item in scene.items] == [
        ("Red Banner", 0),
        ("Blue Banner", 1),
        ("Ghost Banner", NOBODY),
        ("Axe", NOBODY),
    ]


@pytest.mark.rule("W2-16.3")
def test_options_of_the_file_become_the_scenarios() -> None:
    options = read().options
    assert (options["neutral_strength"], options["quests"], options["raze_allowed"]) == (
        "strong",
        "on",
        "on",
    )
    assert (options["hidden_map"], options["bonus_cap"]) == ("off", 5)
    dark = read(SCN=made.image(options={10: 1, 2: 0})).options
    assert (dark["hidden_map"], dark["raze_allowed"]) == ("on", "off")


@pytest.mark.rule("W2-16.4")
def test_roads_are_imported_on_land_only() -> None:
    scene = read()
    assert scene.roads[10] == "." * 9 + "+" + ".." + "+" * 8 + "." * 92
    assert sum(row.count("+") for row in scene.roads) == 9


@pytest.mark.rule("W2-16.1")
def test_imported_scenario_can_be_written_read_and_begun() -> None:
    scene = read()
    assert scenarios.parse(RULES, scenarios.dump(scene).encode()) == scene
    events = setup.begin(scene, {"column": "classic"}, Seeded(b"import", 0, "decide"))
    assert len(events) > 1


def test_side_without_a_city_is_dropped_with_a_remark() -> None:
    imported = IMPORTER.read(made.fork(made.scenario()))
    assert any("left out" in remark for remark in imported.remarks)


@pytest.mark.rule("W2-16.2", "W2-16.4")
@pytest.mark.parametrize("count", [114, 117, 600])
def test_a_scenario_may_have_any_number_of_signs(count: int) -> None:
    rows = [(1 + number % 100, 1 + number // 100, f"Sign {number}", "") for number in range(count)]
    scene = read(SGN=made.signs(*rows))
    assert len(scene.signs) == count
    assert scenarios.parse(RULES, scenarios.dump(scene).encode()) == scene


@pytest.mark.rule("W2-16.4")
def test_more_signs_than_tiles_are_refused() -> None:
    with pytest.raises(ScenarioFault, match="signs: 17473 are given, 17472 are possible"):
        read(SGN=made.signs(*[(1, 1, "", "")] * (112 * 156 + 1)))


@pytest.mark.rule("W2-16.2")
def test_exported_map_equals_the_imported_one() -> None:
    original = made.game_map(ports=((0, 5), (0, 155), (0, 0)))
    scene = read(MAP=original)
    assert map_file(numbers_of(scene.art, "art", (112, 156), RULE), scene.ports) == original


@pytest.mark.rule("W2-16.2")
@settings(max_examples=20)
@given(
    arts=st.lists(st.integers(0, 255), min_size=1, max_size=40),
    ports=st.sets(st.integers(0, 112 * 156 - 1), max_size=9),
)
def test_any_exported_map_equals_the_imported_one(arts: list[int], ports: set[int]) -> None:
    tiles = bytearray(2 * 112 * 156)
    tiles[: 2 * 112 * 156 : 2] = bytes((arts * (112 * 156))[: 112 * 156])
    for place in ports:
        tiles[2 * place : 2 * place + 2] = bytes([made.SHORE, made.PORT_FLAG])
    art, found = read_map(bytes(tiles), translated(made.TABLE))
    assert map_file(numbers_of(hex_rows(art), "art", (112, 156), RULE), found) == bytes(tiles)


def test_sniff_accepts_only_forks_with_a_scenario() -> None:
    assert IMPORTER.sniff(made.fork(made.scenario()))
    assert not IMPORTER.sniff(made.fork({"PICT": b"picture"}))
    for data in (b"", b"\0" * 16, b"{}", bytes(300)):
        assert not IMPORTER.sniff(data)


def broken(data: bytes, at: int, value: int) -> bytes:
    """Return bytes with one of them replaced."""
    return data[:at] + bytes([value]) + data[at + 1 :]


CITY_AT = 2 * (10 * 112 + 10)
FAULTS: list[tuple[dict[str, bytes | None], str]] = [
    ({"MAP": None}, "MAP: this resource is missing"),
    ({"RD": None}, "RD: this resource is missing"),
    ({"SCN": None}, "SCN: this resource is missing"),
    ({"SCEN": None}, "SCEN: this resource is missing"),
    ({"MAP": bytes(10)}, "MAP: 10 bytes, not 34944"),
    ({"RD": bytes(10)}, "RD: 10 bytes, not 17472"),
    ({"SCN": bytes(12000)}, "SCN: 12000 bytes, not 12001"),
    ({"SCEN": bytes(80)}, "SCEN: 80 bytes, not 84"),
    ({"SCEN": made.summary(cities=4)}, "SCEN: 4 cities, but SCN has 3"),
    ({"SCEN": made.summary(sites=1)}, "SCEN: 1 sites, but SCN has 2"),
    ({"SCEN": made.summary(sides=8)}, "SCEN: 8 sides, but SCN has 3"),
    ({"SCN": broken(made.image(), 0x157B, 101)}, "SCN: 101 cities; it can hold 100"),
    ({"SCN": broken(made.image(), 0x80F, 41)}, "SCN: 41 sites; it can hold 40"),
    ({"SCN": made.image(owner=0)}, "cities[0]: has an owner: this is a game that runs"),
    ({"SCN": made.image(unit=29)}, "cities[0].slots: there is no unit type 29"),
    ({"SCN": made.image(unit=28)}, "cities[0].slots: there is no unit type 28"),
    ({"SCN": made.image(options={5: 3})}, "SCN: there is no neutral strength 3"),
    ({"SCN": made.image(options={1: 99})}, "options: option bonus_cap: 99 is not from 0 to 15"),
    ({"SCN": broken(made.image(), 0x157D, 111)}, "cities[0]: (111, 10) is off the map"),
    ({"SCN": broken(made.image(), 0x811, 21)}, "sites[0]: no ruin or temple at (21, 20)"),
    ({"SCN": broken(made.image(), 0x812, 1)}, "sites[0]: (276, 20) is off the map"),
    ({"MAP": broken(made.game_map(), CITY_AT, 0x1F)}, "cities[0]: no pictures of a city at (10"),
    ({"MAP": broken(made.game_map(), 1, 0x40)}, "MAP: the tile (0, 0) has the flag 0x40"),
    ({"MAP": broken(made.game_map(), 5, 0x80)}, "MAP: the port (2, 0) is not on a shore"),
    ({"SGN": b""}, "SGN: 0 bytes are too few"),
    ({"SGN": b"\x05\0"}, "SGN: 2 bytes are too few for 5 signs"),
    ({"SGN": made.signs((200, 0, "", ""))}, "signs[0]: is off the map"),
]


@pytest.mark.rule("W2-16.1", "W2-16.2", "W2-16.3", "W2-16.4")
@pytest.mark.parametrize(("changed", "words"), FAULTS, ids=[words for _, words in FAULTS])
def test_a_broken_file_is_refused_in_one_line(changed: dict[str, bytes | None], words: str) -> None:
    with pytest.raises(ScenarioFault, match=re.escape(words)) as told:
        read(**changed)
    assert "\n" not in str(told.value)


@pytest.mark.rule("W2-16.1")
@settings(max_examples=40)
@given(cut=st.integers(0, 60_000), places=st.lists(st.tuples(st.integers(0), st.integers(0, 255))))
@example(cut=16, places=[])
def test_damaged_fork_is_refused_or_read_without_a_crash(
    cut: int, places: list[tuple[int, int]]
) -> None:
    whole = made.fork(made.scenario())
    data = bytearray(whole[: len(whole) - cut])
    index = int.from_bytes(whole[4:8], "big")
    for place, value in places:
        at = index + place % (len(whole) - index)
        if at < len(data):
            data[at] = value
    assert "\n" not in refusal(bytes(data))


def refusal(file: bytes) -> str:
    """Return the reason of a refusal, or "" if a game can begin from the file."""
    try:
        scene = IMPORTER.read(file).scenario
    except ScenarioFault as fault:
        return str(fault)
    assert isinstance(scene, Map)
    assert setup.begin(scene, {}, Seeded(b"import", 0, "decide"))
    return ""


@settings(max_examples=12)
@given(
    places=st.lists(st.tuples(st.integers(0, 12000), st.integers(0, 255)), min_size=1, max_size=30)
)
def test_damaged_image_is_refused_or_read_without_a_crash(
    places: list[tuple[int, int]],
) -> None:
    image = bytearray(made.image())
    for at, value in places:
        image[at] = value
    assert "\n" not in refusal(made.fork(made.scenario(SCN=bytes(image))))


def test_the_first_resource_of_a_type_counts() -> None:
    parts = {"SCN": b"image", "MAP": b"map"}
    assert resources(made.fork(parts)) == parts
    assert translated(made.TABLE)[made.RUIN] == Terrain.SITE
