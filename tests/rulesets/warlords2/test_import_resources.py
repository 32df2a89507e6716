"""The smaller resources of the original's files: items, sets of unit types, texts."""

from __future__ import annotations

import re

import pytest

from engine.core import scenarios
from engine.core.dice import Seeded
from engine.core.record import replace
from engine.core.ruleset import Imported, ScenarioFault
from engine.rulesets.warlords2 import setup
from engine.rulesets.warlords2.events import GameSet
from engine.rulesets.warlords2.imports.image import ARMY_SET, TERRAIN_SET, read_units, set_of
from engine.rulesets.warlords2.imports.original import IMPORTERS
from engine.rulesets.warlords2.imports.resources import blurbs, numbered, read_pool
from engine.rulesets.warlords2.rules import RULES
from engine.rulesets.warlords2.scene import Map
from engine.rulesets.warlords2.tables import unit_types
from engine.strategic.pieces import NOBODY, Item
from engine.strategic.scenario_checks import TEXT
from tests.rulesets.warlords2 import original_files as made

(IMPORTER,) = IMPORTERS
BARE = made.image(things=())
POOL = b"4\rOld_Iron_Helm  1 2\rWinged_Boots\t5 0\rBanner 8 1\rStone 3 1\r"


def imported(companion: bytes | None = None, **changed: bytes | None) -> Imported:
    return IMPORTER.read(made.fork(made.scenario(**changed)), companion)


def scene_of(found: Imported) -> Map:
    assert isinstance(found.scenario, Map)
    return found.scenario


def told(found: Imported, words: str) -> bool:
    return any(words in remark for remark in found.remarks)


# -- items -----------------------------------------------------------------------------------------


@pytest.mark.rule("W2-16.2", "W2-10.3")
def test_item_list_is_read_line_by_line() -> None:
    found = read_pool(POOL)
    assert found.items == (
        Item(0, "weapon", 2, "Old Iron Helm"),
        Item(1, "flight", 1, "Winged Boots"),
    )
    assert found.notes == (
        "ITM: Banner is left out, a standard",
        "ITM: Stone is left out, of the unknown kind 3",
    )


@pytest.mark.rule("W2-16.2")
@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n"])
def test_item_list_has_any_line_ends_and_a_note_on_extra_lines(end: bytes) -> None:
    found = read_pool(end.join([b"1", b"Axe 1 3", b"Bow 1 1", b"", b"\0"]))
    assert found.items == (Item(0, "weapon", 3, "Axe"),)
    assert found.notes == ("ITM: 1 lines after the last thing are not read",)


@pytest.mark.rule("W2-16.2")
@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "ITM: does not begin with a count"),
        (b"Axe 1 1\r", "ITM: does not begin with a count"),
        (b"-1\r", "ITM: does not begin with a count"),
        (b"2\rAxe 1 1\r", "ITM: 1 lines are too few for 2 things"),
        (b"1\rAxe 1\r", "ITM[0]: is no name, kind and value"),
        (b"2\rAxe 1 1\rOld Axe 1 1\r", "ITM[1]: is no name, kind and value"),
        (b"1\rAxe 1 -1\r", "ITM[0]: is no name, kind and value"),
        (b"1\r" + b"x" * 41 + b" 1 1\r", "pool[0].name: 41 letters; 40 are possible"),
        (b"1\rAxe 1 30001\r", "pool[0].value: is too high or too low"),
    ],
)
def test_broken_item_list_is_refused_in_one_line(data: bytes, words: str) -> None:
    with pytest.raises(ScenarioFault, match=re.escape(words)) as fault:
        imported(ITM=data, SCN=BARE)
    assert "\n" not in str(fault.value)


@pytest.mark.rule("W2-16.4", "W2-10.3")
def test_items_are_drawn_from_the_list_if_the_image_has_none() -> None:
    rows = [f"Thing_{number} 1 {1 + number % 3}" for number in range(20)]
    found = imported(ITM="\r".join(["20", *rows]).encode(), SCN=BARE)
    scene = scene_of(found)
    assert len(scene.pool) == 20
    assert not told(found, "own are drawn")
    assert scenarios.parse(RULES, scenarios.dump(scene).encode()) == scene
    first = setup.begin(scene, {}, Seeded(b"pool", 0, "decide"))[0]
    assert isinstance(first, GameSet)
    things = first.start.items.values()
    drawn = [thing.name for thing in things if thing.kind != "standard"]
    assert len(drawn) == len(set(drawn)) == 14
    assert set(drawn) <= {thing.name for thing in scene.pool}
    assert sum(thing.kind == "standard" for thing in things) == 8


@pytest.mark.rule("W2-16.4", "W2-10.3")
def test_standards_come_from_the_image_and_14_items_from_the_list() -> None:
    flags = [(f"Flag {number}", 8, 1) for number in range(8)]
    others = [(f"Thing {number}", 1, 1) for number in range(14)]
    rows = [f"Ware_{number} 1 {1 + number % 3}" for number in range(39)]
    image = made.image(things=(*others[:5], *flags, *others[5:]))
    found = imported(ITM="\r".join(["39", *rows]).encode(), SCN=image)
    scene = scene_of(found)
    assert [item.name for item in scene.items] == [name for name, _, _ in flags]
    assert told(found, "SCN: only its standards are kept")
    assert scenarios.parse(RULES, scenarios.dump(scene).encode()) == scene
    games = [setup.begin(scene, {}, Seeded(bytes([seed]), 0, "decide"))[0] for seed in range(4)]
    drawn = set()
    for first in games:
        assert isinstance(first, GameSet)
        things = first.start.items.rows()
        assert [thing.id for thing in things] == list(range(22))
        assert [thing.name for thing in things[:8]] == [name for name, _, _ in flags]
        assert len({thing.name for thing in things}) == 22
        assert {thing.name for thing in things[8:]} <= {ware.name for ware in scene.pool}
        drawn.add(tuple(thing.name for thing in things[8:]))
    assert len(drawn) == len(games)


@pytest.mark.rule("W2-16.4", "W2-10.3")
def test_items_come_from_the_image_without_a_list() -> None:
    scene = scene_of(imported())
    assert [item.name for item in scene.items] == [name for name, _, _ in made.THINGS]
    assert scene.pool == ()


@pytest.mark.parametrize(
    "item",
    [
        Item(0, "standard", 1, "Flag"),
        Item(0, "weapon", 1, "Axe", "ground", x=1, y=1),
        Item(0, "weapon", 1, "Axe", side=0),
    ],
)
def test_pool_refuses_standards_and_items_with_a_place(item: Item) -> None:
    assert item.side in (0, NOBODY)
    with pytest.raises(ScenarioFault, match=re.escape("pool[0]: is a standard, or is somewhere")):
        setup.check(replace(scene_of(imported(SCN=BARE)), pool=(item,)))


# -- unit types ------------------------------------------------------------------------------------


@pytest.mark.rule("W2-16.2", "W2-7")
def test_set_of_unit_types_is_read_by_number() -> None:
    usual_types = {kind.id: kind for kind in unit_types().values()}
    for kind in read_units(made.unit_set()):
        usual = usual_types[kind.id]
        assert (kind.name, kind.key) == (f"T {usual.name}", f"t_{usual.key}")
        assert set(kind.traits) == set(usual.traits)
        same = replace(kind, name=usual.name, key=usual.key, traits=usual.traits)
        assert same == usual


@pytest.mark.rule("W2-16.2")
def test_every_number_of_a_unit_row_is_read() -> None:
    row = made.unit_row(2, "New", 9, 3, 17, 21, -650, 1, 2, 3, 4, 5, 6, 7, 8, 2, 1, 4, 0, 1, 0, 1)
    kind = next(kind for kind in read_units(made.unit_set({2: row})) if kind.id == 2)
    assert (kind.name, kind.strength, kind.turns, kind.cost) == ("New", 9, 3, 17)
    assert (kind.move, kind.price, kind.special, kind.foe) == (21, -650, 2, -1)
    assert (kind.own, kind.pack) == ((1, 2, 3, 4), (5, 6, 7, 8))
    assert kind.traits == ("woods", "boat", "works")
    assert (kind.key, kind.order) == ("new", unit_types()[2].order)


@pytest.mark.rule("W2-16.2")
def test_types_have_the_names_of_the_file() -> None:
    names = {2: "Ogres", 3: "  Ogres ", 4: "Archers", 5: "1812!", 6: "Archers", 7: "2nd Guard!"}
    rows = {number: made.unit_row(number, name, 1, 1) for number, name in names.items()}
    keys = {kind.id: kind.key for kind in read_units(made.unit_set(rows))}
    usual = {kind.id: kind.key for kind in unit_types().values()}
    assert [keys[number] for number in (2, 3)] == ["ogres", "ogres_2"]
    assert sorted(keys[number] for number in (4, 6)) == ["archers", "archers_2"]
    assert (keys[5], keys[7]) == (usual[5], "nd_guard")
    assert len(set(keys.values())) == len(keys)


@pytest.mark.rule("W2-16.4", "W2-7")
def test_tools_use_the_names_of_imported_types() -> None:
    number = next(kind.id for kind in unit_types().values() if kind.key == "heavy_infantry")
    row = made.unit_row(number, "Ogres", 7, 2, 5, 20, 60)
    scene = scene_of(imported(made.fork({"DAT": made.unit_set({number: row})}, ARMY_SET[1])))
    first = setup.begin(scene, {}, Seeded(b"words", 0, "decide"))
    state = RULES.evolve(RULES.empty(), first[0])
    asked = {"attackers": "2*ogres", "defenders": "t_archers", "ground": "open"}
    tool = next(tool for tool in RULES.tools if tool.name == "odds")
    report = tool.run(state, asked)
    assert [line[2:4] for line in report.rows[:2]] == [("ogres", 7), ("ogres", 7)]
    with pytest.raises(ValueError, match="no unit 'heavy_infantry' here"):
        tool.run(state, asked | {"defenders": "heavy_infantry"})


@pytest.mark.rule("W2-16.2")
def test_hero_keeps_the_books_cost_turns_and_price() -> None:
    row = made.unit_row(28, "Hero", 6, 0, 99, 16, 400)
    hero = next(kind for kind in read_units(made.unit_set({28: row})) if kind.id == 28)
    assert (hero.strength, hero.move, hero.traits) == (6, 16, ("hero",))
    assert (hero.turns, hero.cost, hero.price) == (
        unit_types()[28].turns,
        0,
        unit_types()[28].price,
    )


@pytest.mark.rule("W2-16.1", "W2-16.2")
def test_army_set_takes_precedence_over_a_terrain_set() -> None:
    army_set = numbered(made.fork({"DAT": b"army"}, ARMY_SET[1]))
    terrain = numbered(made.fork({"DAT": b"terrain"}, TERRAIN_SET[1]))
    names = numbered(made.fork({"DAT": b"names"}, 30030))
    assert set_of({**names, **terrain, **army_set}) == b"army"
    assert set_of({**names, **terrain}) == b"terrain"
    assert set_of(names) == b""


@pytest.mark.rule("W2-16.4", "W2-7")
def test_second_file_provides_the_unit_types() -> None:
    row = made.unit_row(11, "Riders", 3, 2, 5, 20, 60)
    companion = made.fork({"DAT": made.unit_set({11: row}) + b"more"}, TERRAIN_SET[1])
    found = imported(companion)
    scene = scene_of(found)
    assert told(found, "DAT: 4 bytes after the types of unit are not read")
    assert scene.cities[0].slots == ("riders", "t_archers")
    assert scenarios.parse(RULES, scenarios.dump(scene).encode()) == scene
    first = setup.begin(scene, {}, Seeded(b"units", 0, "decide"))[0]
    assert isinstance(first, GameSet)
    assert first.start.types[11].name == "Riders"
    assert first.start.cities[0].slots[0].strength == 3


@pytest.mark.rule("W2-16.4")
def test_unit_types_are_the_books_without_a_second_file() -> None:
    assert scene_of(imported()).units == ()
    assert scene_of(imported()).cities[0].slots == ("scouts", "archers")


BROKEN_SETS = [
    (b"", "DAT: the second file has no set of unit types"),
    (bytes(62 * 28), "DAT: 1736 bytes are too few for 29 rows of 62"),
    (made.unit_set({3: made.unit_row(29, "X")}), "DAT[3]: there is no type 29; they go to 28"),
    (made.unit_set({3: made.unit_row(4, "X", 1)}), "DAT: no row is of the type 3"),
    (
        made.unit_set({3: made.unit_row(3, "X", *[1] * 15, 5)}),
        "DAT[3]: there is no trait 5 against foes",
    ),
    (
        made.unit_set({3: made.unit_row(3, "X", 10, 1, 1, 1, 1)}),
        "units[3].strength: 10 is not from 1 to 9",
    ),
]


@pytest.mark.rule("W2-16.2")
@pytest.mark.parametrize(("data", "words"), BROKEN_SETS, ids=[words for _, words in BROKEN_SETS])
def test_a_broken_set_of_types_is_refused_in_one_line(data: bytes, words: str) -> None:
    parts = {"DAT": data} if data else {"PICT": b"picture"}
    with pytest.raises(ScenarioFault, match=re.escape(words)) as fault:
        imported(made.fork(parts, ARMY_SET[1]))
    assert "\n" not in str(fault.value)


@pytest.mark.rule("W2-16.1", "W2-16.2")
@pytest.mark.parametrize("parts", [{}, {"SCN": made.image()}, {"SCN": made.image(), "MAP": b""}])
def test_terrain_file_alone_is_refused_with_a_hint(parts: dict[str, bytes]) -> None:
    data = made.fork({"DAT": made.unit_set(), **parts}, TERRAIN_SET[1])
    assert IMPORTER.sniff(data)
    with pytest.raises(ScenarioFault, match="file of a terrain or army set: name it after --with"):
        IMPORTER.read(data)


@pytest.mark.rule("W2-16.2")
def test_scenario_with_its_own_types_remarks_that_they_are_usable() -> None:
    data = made.fork({**made.scenario(), "DAT": made.unit_set()}, TERRAIN_SET[1])
    found = IMPORTER.read(data)
    assert scene_of(found).cities[0].slots == ("t_scouts", "t_archers")
    assert told(found, "name this file after --with")
    assert not told(imported(), "--with")


def test_second_file_must_be_a_resource_fork() -> None:
    with pytest.raises(ScenarioFault, match="no resource fork"):
        imported(b"text")


# -- texts -----------------------------------------------------------------------------------------


@pytest.mark.rule("W2-16.2")
def test_texts_are_numbered_and_may_contain_any_character() -> None:
    found = blurbs(b"#000|One #1 of two.|Second|\r#002|Third|line\rand more\r", "CTY", 3)
    assert found.told == {0: "One #1 of two.\nSecond", 2: "Third\nline\nand more"}
    assert found.notes == ()


@pytest.mark.rule("W2-16.2")
def test_skipped_and_cut_texts_are_noted() -> None:
    long = b"x" * (TEXT + 1)
    found = blurbs(b"; about\r#001|Here|\r#002|" + long + b"|\r#004|Gone|\r#009|Too|", "SPC", 3)
    assert found.told == {0: "Here", 1: "x" * TEXT}
    assert found.notes == (
        "SPC: what stands before the first text is not read",
        "SPC: texts of what is not there are left out: 4, 9",
        f"SPC: texts are cut after {TEXT} letters: 2",
    )
    assert told(imported(SPC=b"#009|Nowhere|"), "SPC: texts of what is not there")


@pytest.mark.rule("W2-16.2")
@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"#1st|Text|", "CTY[0]: is no number and text"),
        (b"#001|Text|\r#two|Text|", "CTY[1]: is no number and text"),
        (b"#001 Text", "CTY[0]: is no number and text"),
        (b"#001|Text|\r#1|Again|", "CTY[1]: there is another text 1"),
    ],
)
def test_broken_texts_are_refused_in_one_line(data: bytes, words: str) -> None:
    with pytest.raises(ScenarioFault, match=re.escape(words)) as fault:
        imported(CTY=data)
    assert "\n" not in str(fault.value)


@pytest.mark.rule("W2-16.2")
def test_unknown_resource_is_named_in_a_remark() -> None:
    assert told(imported(WXYZ=b"?"), "resources of these types are not read: WXYZ")
    assert not told(imported(PICT=b"?"), "not read")
