"""Battle tools for the command line."""

from __future__ import annotations

import pytest

from engine.core.ruleset import ToolReport
from engine.rulesets.warlords2.battle_tools import TOOLS
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.state import State
from tests.strategic.ground import DRAGONS, HERO, LIGHT, army, city, world

HERE = world(
    ["....", "...."],
    armies=[
        army(1, 0, 0, HERO),
        army(2, 0, 0, DRAGONS),
        army(3, 1, 1),
        army(4, 2, 0, LIGHT, owner=1),
    ],
    cities=[city(1, 2, 0, owner=1)],
)


def run(name: str, state: State = HERE, /, **arguments: str) -> ToolReport:
    return next(tool for tool in TOOLS if tool.name == name).run(state, arguments)


def remark(report: ToolReport, start: str) -> str:
    return next(text for text in report.remarks if text.startswith(start))


def test_each_tool_explains_itself() -> None:
    assert [tool.name for tool in TOOLS] == ["odds", "battle", "forecast"]
    for tool in TOOLS:
        assert tool.text.endswith(".")
        assert all(argument.text for argument in tool.arguments)
        needed = [argument.required for argument in tool.arguments]
        assert needed == sorted(needed, reverse=True), "what may be left out comes last"


@pytest.mark.rule("W2-8.5")
def test_even_odds_are_even() -> None:
    report = run("odds", attackers="light_infantry", defenders="light_infantry")
    assert report.columns == ("side", "place", "unit", "strength", "why", "lives")
    assert report.rows == (
        ("attack", 1, "light_infantry", 2, "", 0.5),
        ("defence", 1, "light_infantry", 2, "", 0.5),
    )
    assert remark(report, "The attackers") == "The attackers win with 0.5000 on open ground."
    assert remark(report, "Attackers left") == "Attackers left: 0: 0.5000, 1: 0.5000"


@pytest.mark.rule("W2-8.3", "W2-8.4")
def test_odds_list_units_in_order_with_their_reasons() -> None:
    report = run(
        "odds",
        attackers="hero:7+2^1, 2*griffins",
        defenders="3*archers,catapults",
        ground="city",
        defence="2",
    )
    assert [row[2:5] for row in report.rows] == [
        ("griffins", 12, "support +4, own +2"),
        ("griffins", 12, "support +4, own +2"),
        ("hero", 13, "support +4, weapons +2"),
        ("archers", 5, "support +2"),
        ("archers", 5, "support +2"),
        ("archers", 5, "support +2"),
        ("catapults", 4, "support +2"),
    ]
    assert remark(report, "Attackers' support") == "Attackers' support +4: leader +3, command +1"
    assert remark(report, "Defenders' support") == "Defenders' support +2: defence +2"


@pytest.mark.rule("W2-8.3")
def test_catapults_and_neutral_owners_weaken_walls() -> None:
    words = {"defenders": "archers", "ground": "city", "defence": "2"}
    besieged = run("odds", attackers="catapults", **words)
    assert remark(besieged, "Defenders' support").endswith("+0: defence +2 (cancelled)")
    neutral = run("odds", attackers="archers", owner="neutral", **words)
    assert remark(neutral, "Defenders' support").endswith("+1: defence +1")


@pytest.mark.rule("W2-8.3", "W2-6.6")
def test_land_armies_are_aboard_ships_at_sea() -> None:
    report = run("odds", attackers="giants,dragons,navy", defenders="navy", ground="sea")
    assert [row[2:4] for row in report.rows] == [
        ("giants", 4),
        ("dragons", 11),
        ("navy", 6),
        ("navy", 4),
    ]


@pytest.mark.rule("W2-8.5", "W2-0.1")
def test_tools_use_the_options_of_the_game() -> None:
    novice = world(["."], options=Options(novice_hero_shield="on", intense_combat="on"))
    report = run("odds", novice, attackers="hero", defenders="8*dragons", owner="neutral")
    assert remark(report, "The attackers").startswith("The attackers win with 1.0000")


@pytest.mark.rule("W2-8.5")
def test_battle_is_listed_round_by_round() -> None:
    report = run("battle", attackers="giants", defenders="2*scouts", dice="20,1,1,2,20,1,9,1,9,1")
    assert [row[5:] for row in report.rows] == [
        ("defender", 1, 2),
        ("none", 1, 2),
        ("defender", 0, 2),
        ("defender", 1, 2),
        ("defender", 0, 2),
    ]
    assert report.rows[0][:5] == (1, "scouts 1", 20, "giants 5", 1)
    assert report.remarks[0] == ("The attackers win; 1 of 1 attackers and 0 of 2 defenders live.")


def test_dice_of_a_seed_are_repeatable() -> None:
    first, again, other = (
        run("battle", attackers="4*giants", defenders="8*archers", dice=f"seed:{word}")
        for word in ("a", "a", "b")
    )
    assert first == again
    assert first != other


@pytest.mark.rule("W2-8.1")
def test_a_forecast_takes_armies_and_tile_from_the_position() -> None:
    report = run("forecast", armies="1,2", target="3,1")
    assert [row[:4] for row in report.rows] == [
        ("attack", 1, "dragons", 12),
        ("attack", 2, "hero", 8),
        ("defence", 1, "light_infantry", 3),
    ]


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("odds", {"attackers": "hero"}, "odds needs defenders"),
        ("odds", {"attackers": "", "defenders": "hero"}, "is no unit such as"),
        ("odds", {"attackers": "elves", "defenders": "hero"}, "there is no unit 'elves'"),
        ("odds", {"attackers": "9*hero", "defenders": "hero"}, "no more than 8 attackers"),
        ("odds", {"attackers": "hero", "defenders": "33*hero"}, "no more than 32 defenders"),
        ("odds", {"attackers": "0*hero", "defenders": "hero"}, "at least one"),
        ("odds", {"attackers": "scouts+1", "defenders": "hero"}, "only heroes carry"),
        ("odds", {"attackers": "hero:10", "defenders": "hero"}, "from 1 to 9"),
        ("odds", {"attackers": "hero", "defenders": "hero", "ground": "air"}, "is none of"),
        ("odds", {"attackers": "hero", "defenders": "hero", "defence": "x"}, "no whole number"),
        ("odds", {"attackers": "hero", "defenders": "hero", "defence": "1"}, "no other defence"),
        ("odds", {"attackers": "hero", "defenders": "hero", "owner": "me"}, "neither side"),
        ("battle", {"attackers": "hero", "defenders": "hero", "dice": "1,2"}, "after 2 throws"),
        ("battle", {"attackers": "hero", "defenders": "hero", "dice": "21"}, "after 0 throws"),
        ("battle", {"attackers": "hero", "defenders": "hero", "dice": "one"}, "no whole number"),
        ("forecast", {"armies": "1,77", "target": "2,0"}, "there is no army 77"),
        ("forecast", {"armies": "1,3", "target": "2,0"}, "do not stand together"),
        ("forecast", {"armies": "1", "target": "2"}, "is no place"),
        ("forecast", {"armies": "1", "target": "9,9"}, "not on the map"),
        ("forecast", {"armies": "1", "target": "1,0"}, "nobody stands at 1,0"),
    ],
)
def test_invalid_arguments_are_reported_in_one_line(
    name: str, arguments: dict[str, str], said: str
) -> None:
    with pytest.raises(ValueError, match=said) as fault:
        run(name, **arguments)
    assert "\n" not in str(fault.value)
