"""Battle tools for the command line."""

from __future__ import annotations

import json

import msgspec
import pytest

from engine.core.ruleset import ToolReport
from engine.rulesets.lordsawar.battle_records import BattleTerms, CombatOptions
from engine.rulesets.lordsawar.battle_tools import battle_tools, combat_options, named_battle

TOOLS = battle_tools(lambda state: state)


def run(name: str, /, **arguments: str) -> ToolReport:
    words = {key.rstrip("_"): value for key, value in arguments.items()}
    return next(tool for tool in TOOLS if tool.name == name).run(CombatOptions(), words)


def test_each_tool_explains_itself() -> None:
    assert [tool.name for tool in TOOLS] == ["strength", "battle", "odds", "healing"]
    for tool in TOOLS:
        assert tool.text.endswith(".")
        assert all(argument.text for argument in tool.arguments)
        needed = [argument.required for argument in tool.arguments]
        assert needed == sorted(needed, reverse=True), "what may be left out comes last"


@pytest.mark.rule("LW-3.7")
def test_worked_example_is_explained_layer_by_layer() -> None:
    report = run(
        "strength",
        attackers="hero^2",
        defenders="dwarves:6",
        ground="hills",
        from_="grass",
        fortified="yes",
    )
    assert report.columns[3:] == (
        *("base", "items", "terrain", "cap", "stack", "enemy", "least"),
        "strength",
    )
    assert report.rows == (
        ("attack", 1, "hero", 5, 0, 0, 0, 3, 0, 0, 8),
        ("defence", 1, "dwarves", 6, 0, 1, 0, 1, 0, 0, 8),
    )
    assert report.remarks == (
        "Bonus of the attackers +3: items +2, command +1",
        "Bonus of the defenders +1: fortify +1",
    )


@pytest.mark.rule("LW-2.2", "LW-3.6")
def test_strength_lists_units_in_order_with_cancelled_parts() -> None:
    report = run(
        "strength",
        attackers="hero:7+2^1,elephants,catapults",
        defenders="3*archers,scouts@ship",
        site="city",
        slots="3",
    )
    assert [row[2] for row in report.rows] == [
        *("catapults", "elephants", "hero", "scouts", "archers", "archers", "archers"),
    ]
    assert [row[-1] for row in report.rows] == [6, 12, 13, 4, 2, 2, 2]
    assert report.remarks[1] == (
        "Bonus of the defenders +0: site +2 (cancelled); the enemy takes 1 away"
    )


@pytest.mark.rule("LW-5")
def test_battle_is_listed_hit_by_hit() -> None:
    report = run("battle", attackers="giants", defenders="light_infantry")
    assert report.rows == (
        (0, "attack", "1 giants 5", "1 light_infantry 2", "1.125", "0.875", "1/2"),
        (1, "defence", "1 light_infantry 2", "1 giants 5", "0.375", "1.625", "2/2"),
        (2, "attack", "1 giants 5", "1 light_infantry 2", "1.125", "0", "0/2"),
    )
    assert report.remarks[0] == "The attackers win; 1 of 1 live, with 1.625 hit points."


@pytest.mark.rule("LW-4.3")
def test_a_battle_with_dice_needs_them() -> None:
    words = {"attackers": "giants", "defenders": "giants", "rule": "dice"}
    report = run("battle", dice="5,6,5,6", **words)
    assert [row[4:] for row in report.rows] == [("1", "1", "1/2"), ("1", "0", "0/2")]
    assert run("battle", dice="seed:a", **words) == run("battle", dice="seed:a", **words)
    with pytest.raises(ValueError, match="do not fit after 0 throws"):
        run("battle", **words)


@pytest.mark.rule("LW-7")
def test_odds_are_certain_or_a_chance() -> None:
    report = run("odds", attackers="giants", defenders="light_infantry/1")
    assert report.rows == (
        ("attack", 1, "giants", 5, "2", "2"),
        ("defence", 1, "light_infantry", 2, "1", "0"),
    )
    assert report.remarks[0] == "The attackers win for certain."
    dice = run("odds", attackers="giants", defenders="giants", rule="dice")
    assert dice.remarks[0] == "The attackers win with 0.5000."
    assert dice.rows[0][-1] is None


@pytest.mark.rule("LW-6.5")
def test_healing_is_listed_phase_by_phase() -> None:
    report = run("healing", armies="giants/0.875,scouts,hero/4.5/6")
    assert report.rows == (
        (2, "giants", 1, "1.875", "2/2"),
        (2, "giants", 2, "2", "2/2"),
        (3, "hero", 1, "5.5", "6/6"),
        (3, "hero", 2, "6", "6/6"),
    )
    assert report.remarks == ("2 of 3 armies are wounded.",)


@pytest.mark.rule("LW-0")
def test_arguments_override_the_options_of_the_position() -> None:
    usual = CombatOptions("dice", intense_combat=True, ship_strength="capped4", open_ground="wide")
    assert combat_options({}, usual) == usual
    words = {"rule": "deterministic", "intense": "off", "ships": "fixed4", "open": "grass"}
    assert combat_options(words, usual) == CombatOptions()


@pytest.mark.rule("LW-2.1", "LW-3.4")
@pytest.mark.parametrize(
    ("words", "terms"),
    [
        ({}, BattleTerms("open", "open")),
        ({"ground": "mountain"}, BattleTerms("hills", "hills")),
        ({"ground": "swamp", "from": "forest"}, BattleTerms("forest", "other")),
        ({"site": "temple"}, BattleTerms("open", "city", 2)),
        ({"site": "city"}, BattleTerms("city", "city", 1)),
        ({"site": "city", "owner": "neutral", "slots": "2"}, BattleTerms("city", "city", 0)),
        ({"site": "city", "slots": "4"}, BattleTerms("city", "city", 2)),
        ({"site": "razed", "slots": "4", "from": "hills"}, BattleTerms("hills", "city", 0)),
        ({"from": "city"}, BattleTerms("city", "open")),
    ],
)
def test_arguments_name_the_ground(words: dict[str, str], terms: BattleTerms) -> None:
    sides = {"attackers": "giants", "defenders": "giants"}
    assert named_battle(sides | words, CombatOptions()).terms == terms


def test_named_battle_and_report_can_be_encoded_as_json() -> None:
    found = named_battle({"attackers": "hero^1", "defenders": "giants@tower"}, CombatOptions())
    written = json.loads(msgspec.json.encode(found))
    assert written["strengths"]["attackers"]["final"] == [7]
    assert written["strengths"]["defenders"]["parts"][0]["source"] == "fortify"
    assert msgspec.json.encode(run("odds", attackers="hero", defenders="hero"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"attackers": "hero"}, "odds needs defenders"),
        ({"attackers": "", "defenders": "hero"}, "is no unit such as"),
        ({"attackers": "elves", "defenders": "hero"}, "there is no unit 'elves'"),
        ({"attackers": "9*hero", "defenders": "hero"}, "no more than 8 attackers"),
        ({"attackers": "hero", "defenders": "33*hero"}, "no more than 32 defenders"),
        ({"attackers": "0*hero", "defenders": "hero"}, "at least one"),
        ({"attackers": "scouts+1", "defenders": "hero"}, "only heroes carry"),
        ({"attackers": "hero:10", "defenders": "hero"}, "from 1 to 9"),
        ({"attackers": "hero/3", "defenders": "hero"}, "3 of 2 hit points"),
        ({"attackers": "hero/0", "defenders": "hero"}, "0 of 2 hit points"),
        ({"attackers": "hero/1..2", "defenders": "hero"}, "no number of hit points"),
        ({"attackers": "hero", "defenders": "hero", "ground": "air"}, "is none of"),
        ({"attackers": "hero", "defenders": "hero", "slots": "5"}, "from 0 to 4"),
        ({"attackers": "hero", "defenders": "hero", "slots": "1"}, "only cities"),
        ({"attackers": "hero", "defenders": "hero", "site": "port"}, "is none of"),
        (
            {"attackers": "hero", "defenders": "hero", "site": "ruin", "fortified": "yes"},
            "cannot be fortified",
        ),
    ],
)
def test_invalid_arguments_are_reported_in_one_line(arguments: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said) as fault:
        run("odds", **arguments)
    assert "\n" not in str(fault.value)
