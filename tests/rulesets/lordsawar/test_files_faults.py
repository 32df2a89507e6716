"""Broken files of LordsAWar are refused in one line with file, line, path and reason."""

from __future__ import annotations

import gzip

import pytest

from engine.core.ruleset import ScenarioFault
from engine.rulesets.lordsawar.files import archive
from engine.rulesets.lordsawar.files.scenario import read_scenario
from engine.rulesets.lordsawar.files.sets import read_army_set, read_city_set, read_tile_set
from tests.rulesets.lordsawar import original_files as build


def refusal(data: bytes, name: str = "x.map") -> str:
    with pytest.raises(ScenarioFault) as told:
        read_scenario(data, name=name)
    assert "\n" not in str(told.value)
    assert told.value.rule.startswith("LW-19")
    return str(told.value)


def without_line(text: str) -> str:
    """Return a refusal without its line number."""
    head, _, rest = text.partition(", line ")
    return f"{head},{rest.partition(',')[2]}" if rest else text


# -- archives --------------------------------------------------------------------------------------

WHOLE = build.scenario()

ARCHIVES = {
    "empty": (b"", "x.map: no tar archive"),
    "text": (b"hello" * 300, "x.map: no tar archive"),
    "packed": (b"PK\3\4" + WHOLE, "x.map: no tar archive, but zip; unpack it first"),
    "torn gzip": (b"\x1f\x8b" + b"x" * 600, "x.map: the gzip data are damaged"),
    "gzip bomb": (
        gzip.compress(bytes(archive.LARGEST + 1)),
        f"x.map: larger than {archive.LARGEST} bytes",
    ),
    "other XML": (
        build.document("html", "5") + b" " * 600,
        "x.map: no tar archive, but XML of another kind",
    ),
    "pictures": (
        build.tar({"a.png": b"1", "b.png": b"2"}),
        "x.map: no XML member: none of 2 members is a .map or .sav",
    ),
    "army set": (
        build.army_set(),
        "x.map: no XML member: none of 2 members is a .map or .sav",
    ),
    "torn": (WHOLE[:9000], "x.map: the archive ends inside of small.map"),
    "broken header": (
        build.scenario(others={})[:512].ljust(512)
        + build.scenario(others={})[512:-10240].rstrip(b"\0")
        + b"\1" * 2048,
        "x.map: the header at byte",
    ),
    "too large": (bytes(archive.LARGEST + 1), f"x.map: larger than {archive.LARGEST} bytes"),
    "too many members": (
        build.tar({f"{number}.png": b"" for number in range(archive.MOST_MEMBERS + 1)}),
        f"x.map: more than {archive.MOST_MEMBERS} members",
    ),
    "too many sets": (
        build.scenario(others={f"{number}.lwt": b"" for number in range(17)}),
        "x.map: more than 16 sets in it",
    ),
    "broken set": (
        build.scenario(others={"a.lwa": b"none"}),
        "a.lwa: no tar archive",
    ),
}


@pytest.mark.rule("LW-19.1", "LW-19.5")
@pytest.mark.parametrize("name", ARCHIVES)
def test_broken_archive_is_refused(name: str) -> None:
    data, words = ARCHIVES[name]
    assert refusal(data).startswith(words)


@pytest.mark.rule("LW-19.1")
def test_long_and_hostile_names_of_members_are_cut_and_cleaned() -> None:
    long = "../" * 50 + "a\n" * 90 + ".map"
    words = refusal(build.tar({long: b"<"}))
    assert words.startswith("...")
    assert "a?a?" in words
    assert len(words) < 200


# -- XML -------------------------------------------------------------------------------------------

HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n'
LAUGHS = b'<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><lordsawar>&c;</lordsawar>'
OUTSIDE = b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><lordsawar/>'

DOCUMENTS = {
    "no XML": (b"hello", "small.map, line 1: no well-formed XML: syntax error"),
    "nothing": (b"", "small.map, line 1: no well-formed XML: no element found"),
    "unclosed": (b"<lordsawar>\n<map>", "small.map, line 2: no well-formed XML: no element found"),
    "crossed": (b"<a>\n\n</b>", "small.map, line 3: no well-formed XML: mismatched tag"),
    "entities": (HEAD + LAUGHS, "small.map, line 2: a document type; the original writes none"),
    "outside": (HEAD + OUTSIDE, "small.map, line 2: a document type; the original writes none"),
    "unknown entity": (b"<a>&b;</a>", "small.map, line 1: no well-formed XML: undefined entity"),
    "encoding": (
        b'<?xml version="1.0" encoding="utf-7"?><a/>',
        "small.map, line 1: the encoding 'utf-7'; the original writes UTF-8",
    ),
    "no UTF-8": (b"<a>\xff</a>", "small.map, line 1: no well-formed XML: not well-formed"),
    "skipped root": (b"<path/>", "small.map, line 1: the root is of no file of the original"),
    "another root": (
        b'<armyset version="0.3.2"/>',
        "small.map, line 1, armyset: the root of such a file is lordsawar",
    ),
    "no version": (
        b"<lordsawar/>",
        "small.map, line 1, lordsawar: unknown version ''; known: 0.2.1, 0.3.2, 0.3.3",
    ),
    "another version": (
        HEAD + b'<lordsawar version="0.4"/>',
        "small.map, line 2, lordsawar: unknown version '0.4'; known: 0.2.1, 0.3.2, 0.3.3",
    ),
    "deep": (b"<a>" * 25, "small.map, line 1: more than 24 elements inside of each other"),
    "attributes": (
        b"<a %s/>" % b" ".join(b'a%d=""' % n for n in range(9)),
        "small.map, line 1: more than 8 attributes of an element",
    ),
    "long text": (
        b"<a><d_b>" + b"0" * 200_001 + b"</d_b></a>",
        "small.map, line 1: a text of more than 200000 characters",
    ),
    "long tag": (
        b'<a b="' + b"0" * 200_000 + b'"/>',
        "small.map, line 1: a tag of more than 65536 bytes",
    ),
    "long comment": (
        b"<a>\n<!--" + b"0" * 200_000 + b"--></a>",
        "small.map, line 2: a tag of more than 65536 bytes",
    ),
    "many elements": (
        b"<path>" + b"<b/>" * 500_000 + b"</path>",
        "small.map, line 1: more than 500000 elements",
    ),
    "many elements to keep": (
        b"<a>" + b"<b/>" * 100_000 + b"</a>",
        "small.map, line 1: more than 100000 elements to keep",
    ),
    "many texts": (
        b"<a>" + (b"<d_b>" + b"0" * 190_000 + b"</d_b>") * 22 + b"</a>",
        "small.map, line 1: texts of more than 4000000 characters",
    ),
}


@pytest.mark.rule("LW-19.2", "LW-19.3", "LW-19.5")
@pytest.mark.parametrize("name", DOCUMENTS)
def test_invalid_document_is_refused(name: str) -> None:
    data, words = DOCUMENTS[name]
    assert refusal(build.tar({"small.map": data})).startswith(words)


# -- sections --------------------------------------------------------------------------------------


def listing(*rows: str, **head: build.Value) -> str:
    return build.element("playerlist", build.data(**({"active": 0, "neutral": 8} | head)), *rows)


def players(*inner: str, **values: build.Value) -> str:
    return listing(build.player(0, *inner, stacks=(), **values), build.player(5), build.player(8))


def stacked(*stacks: str) -> str:
    return listing(build.player(0, stacks=stacks), build.player(5), build.player(8))


def cities(*slots: str, **values: build.Value) -> str:
    row = build.city(10, 0, 1, 0, *slots, **values)
    return build.element("citylist", row, build.city(11, 8, 7, 5))


def ruin(*inner: str, **values: build.Value) -> str:
    return build.element("ruinlist", build.site("ruin", 40, 2, 8, *inner, **values))


def vectored_unit(**values: build.Value) -> str:
    head = build.data(**(build.values(x=0, y=1, dest_x=8, dest_y=7, duration=2) | values))
    unit = build.element("armyprodbase", build.data(type=3, armyset=4))
    return build.element("vectoredunitlist", build.element("vectoredunit", head, unit))


EIGHT = tuple(build.army(number) for number in range(100, 108))

SECTIONS: dict[str, tuple[dict[str, str], str]] = {
    "no map": ({"map": ""}, "lordsawar: the section map is missing"),
    "no players": ({"playerlist": ""}, "lordsawar: the section playerlist is missing"),
    "no scenario": ({"scenario": ""}, "lordsawar: the section scenario is missing"),
    "two maps": ({"map": build.plan() * 2}, "map[1]: this section stands there twice"),
    "width": ({"map": build.plan(width="wide")}, "map/d_width: 'wide' is no whole number"),
    "height": ({"map": build.plan(height=0)}, "map/d_height: 0 is not from 1 to 1000"),
    "many tiles": (
        {"map": build.plan(width=1000, height=1000)},
        "map: 1000 x 1000 are more than 65536 tiles",
    ),
    "few digits": (
        {"map": build.plan("012")},
        "map/d_types: 3 digits, not 120 (12 x 10)",
    ),
    "odd digit": (
        {"map": build.plan("0" * 13 + "6" + "0" * 106)},
        "map/d_types: '6' at (1, 1) is none of 012345",
    ),
    "no types": (
        {"map": build.element("map", build.data(width=2, height=2))},
        "map: d_types is missing",
    ),
    "same player": (
        {"playerlist": listing(build.player(0), build.player(0), build.player(8))},
        "playerlist/player[1]/d_id: the player 0 stands there twice",
    ),
    "player number": (
        {"playerlist": listing(build.player(9), build.player(8))},
        "playerlist/player[0]/d_id: 9 is not from 0 to 8",
    ),
    "no neutral": (
        {"playerlist": listing(build.player(0))},
        "playerlist/d_neutral: there is no player 8",
    ),
    "army set": (
        {"playerlist": players(armyset=9)},
        "playerlist/player[0]/d_armyset: there is no army set 9, in the file or beside it; there",
    ),
    "kind of player": (
        {"playerlist": players(type="Player::GOD")},
        "playerlist/player[0]/d_type: 'Player::GOD' is unknown; known: HUMAN, AI_FAST",
    ),
    "colour": (
        {"playerlist": players(color="12 13")},
        "playerlist/player[0]/d_color: '12 13' is no colour",
    ),
    "truth": (
        {"playerlist": players(dead="perhaps")},
        "playerlist/player[0]/d_dead: 'perhaps' is neither true nor false",
    ),
    "order": (
        {"playerlist": players(fight_order="3 4")},
        "playerlist/player[0]/d_fight_order: army set 4 has no unit type 4",
    ),
    "order twice": (
        {"playerlist": players(fight_order="3 3")},
        "playerlist/player[0]/d_fight_order: a unit type stands there twice",
    ),
    "opponents": (
        {"playerlist": players(diplomatic_scores="8 8")},
        "playerlist/player[0]/d_diplomatic_scores: 2 numbers, not 8",
    ),
    "fog size": (
        {"playerlist": players(build.fog(width=3))},
        "playerlist/player[0]/fogmap: 3 x 10, but the map has 12 x 10",
    ),
    "fog digit": (
        {"playerlist": players(build.fog("2"))},
        "playerlist/player[0]/fogmap/d_map: '2' at (0, 0) is none of 01",
    ),
    "stack off the map": (
        {"playerlist": stacked(build.stack(1, 12, 0, 0, build.army(2)))},
        "playerlist/player[0]/stacklist/stack: (12, 0) is off the map of 12 x 10",
    ),
    "owner of a stack": (
        {"playerlist": stacked(build.stack(1, 1, 1, 7, build.army(2)))},
        "playerlist/player[0]/stacklist/stack/d_owner: there is no player 7",
    ),
    "another's stack": (
        {"playerlist": stacked(build.stack(1, 1, 1, 5, build.army(2)))},
        "playerlist/player[0]/stacklist/stack: the owner is 5, but this is the list of player 0",
    ),
    "nine in a stack": (
        {"playerlist": stacked(build.stack(1, 1, 1, 0, *EIGHT, build.army(2)))},
        "playerlist/player[0]/stacklist/stack: 9 armies in a stack, not 8 at most",
    ),
    "nine on a tile": (
        {"playerlist": stacked(build.stack(1, 1, 1, 0, *EIGHT), build.stack(2, 1, 1, 0, EIGHT[0]))},
        "playerlist/player[0]/stacklist/stack[1]: more than 8 armies of player 0 at (1, 1)",
    ),
    "unit type": (
        {"playerlist": stacked(build.stack(1, 1, 1, 0, build.army(2, 99)))},
        "playerlist/player[0]/stacklist/stack/army/d_type: army set 4 has no unit type 99",
    ),
    "hit points": (
        {"playerlist": stacked(build.stack(1, 1, 1, 0, build.army(2, hp="nan")))},
        "playerlist/player[0]/stacklist/stack/army/d_hp: 'nan' is no number",
    ),
    "medals": (
        {"playerlist": stacked(build.stack(1, 1, 1, 0, build.army(2, medals="1 0")))},
        "playerlist/player[0]/stacklist/stack/army/d_medals: 2 numbers, not 3",
    ),
    "flag of an army": (
        {"playerlist": stacked(build.stack(1, 1, 1, 0, build.army(2, army_bonus="A::B")))},
        "playerlist/player[0]/stacklist/stack/army/d_army_bonus: 'A::B' is no flag; known: ADD1",
    ),
    "bits of an army": (
        {"playerlist": stacked(build.stack(1, 1, 1, 0, build.army(2, army_bonus=1 << 18)))},
        "playerlist/player[0]/stacklist/stack/army/d_army_bonus: '262144' is no flag",
    ),
    "same stack": (
        {"playerlist": stacked(build.stack(1, 1, 1, 0), build.stack(1, 2, 2, 0))},
        "playerlist/player[0]/stacklist/stack[1]: the d_id 1 stands there twice",
    ),
    "city off the map": (
        {"citylist": cities(x=11)},
        "citylist/city[0]: (11, 1) is off the map of 12 x 10",
    ),
    "city before the map": (
        {"citylist": cities(y=-1)},
        "citylist/city[0]: (0, -1) is off the map of 12 x 10",
    ),
    "owner of a city": (
        {"citylist": cities(owner=3)},
        "citylist/city[0]/d_owner: there is no player 3",
    ),
    "same city": ({"citylist": cities(id=11)}, "citylist/city[1]: the d_id 11 stands there twice"),
    "five slots": (
        {"citylist": cities(*[build.slot()] * 5)},
        "citylist/city[0]: 5 slots, not 4",
    ),
    "slot": (
        {"citylist": cities(build.slot(8))},
        "citylist/city[0]/slot/armyprodbase/d_type: army set 4 has no unit type 8",
    ),
    "active slot": (
        {"citylist": cities(active_production_slot=4)},
        "citylist/city[0]/d_active_production_slot: 4 is not from -1000000000 to 3",
    ),
    "vectoring": (
        {"citylist": cities(vectoring="3")},
        "citylist/city[0]/d_vectoring: 1 numbers, not 2",
    ),
    "vectoring off the map": (
        {"citylist": cities(vectoring="3 10")},
        "citylist/city[0]/d_vectoring: (3, 10) is off the map",
    ),
    "temple": (
        {"templelist": build.element("templelist", build.site("temple", 1, 3, 10))},
        "templelist/temple: (3, 10) is off the map of 12 x 10",
    ),
    "kind of ruin": (
        {"ruinlist": ruin(type="Ruin::INN")},
        "ruinlist/ruin/d_type: 'Ruin::INN' is unknown; known: RUIN, STRONGHOLD, SAGE",
    ),
    "owner of a ruin": (
        {"ruinlist": ruin(owner=4)},
        "ruinlist/ruin/d_owner: there is no player 4",
    ),
    "keeper": (
        {"ruinlist": ruin(build.element("keeper", build.stack(1, 2, 8, 8, build.army(2, 6))))},
        "ruinlist/ruin/keeper/stack/army/d_type: army set 4 has no unit type 6",
    ),
    "kind of reward": (
        {"ruinlist": ruin(build.reward("Reward::LUCK"))},
        "ruinlist/ruin/reward/d_type: 'Reward::LUCK' is unknown; known: GOLD, ALLIES",
    ),
    "no kind of reward": (
        {"ruinlist": ruin("<reward/>")},
        "ruinlist/ruin/reward: d_type is missing",
    ),
    "empty kind of reward": (
        {"ruinlist": ruin(build.reward(""))},
        "ruinlist/ruin/reward/d_type: this is no kind of reward",
    ),
    "reward without item": (
        {"ruinlist": ruin(build.reward("Reward::ITEM"))},
        "ruinlist/ruin/reward: the item is missing",
    ),
    "reward off the map": (
        {"ruinlist": ruin(build.reward("Reward::RUIN", x=1, y=99))},
        "ruinlist/ruin/reward: (1, 99) is off the map of 12 x 10",
    ),
    "flag of an item": (
        {"itemlist": build.element("itemlist", build.element("itemproto", build.data(bonus="X")))},
        "itemlist/itemproto/d_bonus: 'X' is no flag; known: ADD1STR",
    ),
    "percent": (
        {
            "itemlist": build.element(
                "itemlist", build.element("itemproto", build.data(steal_gold_percent="101"))
            )
        },
        "itemlist/itemproto/d_steal_gold_percent: '101' is not from 0 to 100",
    ),
    "road": (
        {"roadlist": build.element("roadlist", build.site("road", 1, 0, -3))},
        "roadlist/road: (0, -3) is off the map of 12 x 10",
    ),
    "signpost": (
        {"signpostlist": build.element("signpostlist", build.element("signpost"))},
        "signpostlist/signpost: d_x is missing",
    ),
    "option": (
        {"scenario": build.element("scenario", build.data(quests="GameParameters::MANY"))},
        "scenario/d_quests: 'GameParameters::MANY' is unknown; known: NO_QUESTING",
    ),
    "many flags": (
        {
            "itemlist": build.element(
                "itemlist", build.element("itemproto", build.data(bonus="1 " * 65))
            )
        },
        "itemlist/itemproto/d_bonus: more than 64 flags",
    ),
    "many numbers": (
        {"citylist": cities(vectoring="1 " * 1025)},
        "citylist/city[0]/d_vectoring: more than 1024 numbers",
    ),
    "nobody's army on the way": (
        {"vectoredunitlist": vectored_unit(owner="8.5")},
        "vectoredunitlist/vectoredunit/d_owner: '8.5' is no whole number",
    ),
    "army on the way without owner": (
        {"vectoredunitlist": vectored_unit(owner=-1)},
        "vectoredunitlist/vectoredunit: the owner is missing",
    ),
    "army on the way off the map": (
        {"vectoredunitlist": vectored_unit(owner=0, dest_x=12)},
        "vectoredunitlist/vectoredunit/d_dest_x: 12 is not from 0 to 11",
    ),
    "owner of a hero": (
        {
            "herotemplates": build.element(
                "herotemplates", build.element("heroproto", build.data(owner=6))
            )
        },
        "herotemplates/heroproto/d_owner: there is no player 6",
    ),
}


@pytest.mark.rule("LW-19.3", "LW-19.5")
@pytest.mark.parametrize("name", SECTIONS)
def test_a_broken_section_is_named_with_file_line_and_path(name: str) -> None:
    changed, words = SECTIONS[name]
    told = refusal(build.scenario(build.sections(**changed)))
    assert told.startswith("small.map")
    assert (
        without_line(told).removeprefix("small.map, ").removeprefix("small.map: ").startswith(words)
    )


@pytest.mark.rule("LW-19.5")
def test_fault_names_the_line_of_the_element() -> None:
    xml = build.sections(citylist=cities(gold="much"))
    lines = build.document("lordsawar", "0.3.2", xml).decode().split("\n")
    line = 1 + next(at for at, text in enumerate(lines) if "much" in text)
    told = refusal(build.scenario(xml))
    assert told == f"small.map, line {line}, citylist/city[0]/d_gold: 'much' is no whole number"


# -- sets ------------------------------------------------------------------------------------------

UNIT: dict[str, build.Value] = {"id": 1, "strength": 1, "max_moves": 1}


@pytest.mark.rule("LW-19.4", "LW-19.5")
@pytest.mark.parametrize(
    ("units", "words"),
    [
        ([], "armyset: 0 unit types, not 1 to 256"),
        ([UNIT, UNIT], "armyproto[1]: the number 1 stands there twice"),
        ([{"strength": 1}], "armyproto: d_id is missing"),
        ([UNIT | {"strength": ""}], "armyproto/d_strength: '' is no whole number"),
        ([UNIT | {"move_bonus": 32}], "armyproto/d_move_bonus: '32' is no flag; known: WATER"),
        ([UNIT | {"gender": "Hero::IT"}], "armyproto/d_gender: 'Hero::IT' is unknown"),
        ([UNIT | {"expvalue": "1e99"}], "armyproto/d_expvalue: '1e99' is not from 0 to"),
        ([UNIT | {"name": "x" * 20_001}], "armyproto/d_name: a text of more than 20000"),
    ],
)
def test_a_broken_army_set_is_refused(units: list[dict[str, build.Value]], words: str) -> None:
    with pytest.raises(ScenarioFault) as told:
        read_army_set(build.army_set(units))
    assert without_line(str(told.value)).removeprefix("test.lwa, ").startswith(words)


@pytest.mark.rule("LW-19.4", "LW-19.5")
def test_broken_tile_and_city_sets_are_refused() -> None:
    with pytest.raises(ScenarioFault, match=r"land.lwt, line 7, tile/d_moves: 0 is not from 1"):
        read_tile_set(build.tile_set((0,)))
    with pytest.raises(ScenarioFault, match=r"towns.lwc, .*d_city_tile_width: 5 is not from 1"):
        read_city_set(build.city_set(5))
    with pytest.raises(ScenarioFault, match="the city set: no XML member: none of 2 members"):
        read_city_set(build.army_set())
    with pytest.raises(ScenarioFault, match=r"unknown version '0.1'; known: 0.2.1, 0.3.0"):
        read_army_set(build.army_set(version="0.1"))
