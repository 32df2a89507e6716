"""Tools of the command line."""

from __future__ import annotations

import pytest

from engine.core.record import replace
from engine.core.ruleset import Tool, ToolReport
from engine.rulesets.weltendaemmerung import RULES
from engine.rulesets.weltendaemmerung.reach import reach
from engine.rulesets.weltendaemmerung.state import Options
from tests.rulesets.weltendaemmerung.small import state, unit

FIELD = state(
    (".f..", "s.#.", "...."),
    unit(0, "sword", 0, 0),
    unit(1, "axe", 1, 1),
    unit(2, "catapult", 3, 1),
)


def tool(name: str) -> Tool:
    return next(tool for tool in RULES.tools if tool.name == name)


def run(name: str, position: object = FIELD, **arguments: str) -> ToolReport:
    return tool(name).run(position, arguments)


def test_four_tools_explain_themselves() -> None:
    assert [found.name for found in RULES.tools] == ["reach", "price", "way", "forecast"]
    for found in RULES.tools:
        assert found.text.endswith(".")
        assert all(argument.text for argument in found.arguments)


@pytest.mark.rule("WD-MOVE-7")
def test_reach_lists_every_tile_with_its_price() -> None:
    report = run("reach", unit="0")
    found = reach(FIELD, FIELD.units[0])
    assert report.columns == ("x", "y", "terrain", "price", "left")
    assert {(row[0], row[1]): row[3] for row in report.rows} == found.prices()
    assert (2, 0, "meadow", 3, 7) in report.rows
    assert report.remarks[0].startswith("unit 0, Eldoin's sword bearers: moves 10, tiles")


@pytest.mark.rule("WD-TURN-4")
def test_reach_outside_the_movement_phase_assumes_all_moves() -> None:
    later = replace(FIELD, phase=1, units=FIELD.units.put(replace(FIELD.units[0], b=1)))
    report = run("reach", later, unit="0")
    assert report.rows == run("reach", unit="0").rows
    assert "Outside the movement phase a unit is taken to have all its moves." in report.remarks[-1]


@pytest.mark.rule("WD-MOVE-2")
def test_price_lists_steps_and_the_cost_of_tiles_left() -> None:
    report = run("price", unit="0", path="1,0>2,0>3,0")
    assert report.columns == ("step", "x", "y", "left behind", "paid", "left")
    assert report.rows == (
        (1, 1, 0, "meadow", 1, 9),
        (2, 2, 0, "forest", 2, 7),
        (3, 3, 0, "meadow", 1, 6),
    )
    assert report.remarks == ("unit 0, Eldoin's sword bearers paid 4 of 10 moves.",)


@pytest.mark.rule("WD-MOVE-6", "WD-MOVE-7")
def test_price_stops_at_the_first_refusal_and_gives_its_rule() -> None:
    report = run("price", unit="0", path="0,1>1,1")
    assert len(report.rows) == 1
    assert report.remarks[1].startswith("Step 2 to 1,1 is refused:")
    assert report.remarks[1].endswith("(WD-MOVE-6)")
    assert run("price", unit="0", path="2,2").rows == ()


@pytest.mark.rule("WD-WIN-4")
def test_price_stops_where_the_game_is_won() -> None:
    report = run("price", unit="1", path="1,2>0,2>0,1")
    assert len(report.rows) == 2
    assert "won there" in report.remarks[1]
    off = replace(FIELD, options=Options(west_edge_win="off"))
    assert len(run("price", off, unit="1", path="1,2>0,2>0,1").rows) == 3


@pytest.mark.rule("WD-TERR-2", "WD-MOVE-2")
def test_way_finds_the_cheapest_tiles_ignoring_units() -> None:
    report = run("way", unit="0", target="3,2")
    assert report.columns == ("step", "x", "y", "terrain", "moves")
    assert [row[4] for row in report.rows] == [1, 3, 4, 5, 6]
    assert report.rows[-1] == (5, 3, 2, "meadow", 6)
    assert "6 moves" in report.remarks[0]
    far = state(("." * 30,), unit(0, "sword", 0, 0))
    assert run("way", far, unit="0", target="29,0").rows[-1][4] == 29


@pytest.mark.rule("WD-ATT-3", "WD-RNG-1")
def test_forecast_gives_damage_and_chance() -> None:
    report = run("forecast", unit="0", target="1,1")
    assert report.columns[:2] == ("target", "in reach")
    assert report.rows == (("unit 1, Dailor's axe men", "yes", 16, 4, 8, 6.0, 0, 8, 0.0),)


@pytest.mark.rule("WD-SIEGE-3", "WD-ATT-2")
def test_forecast_of_a_siege_is_certain() -> None:
    report = run("forecast", unit="2", target="2,1")
    assert report.rows == (("wall", "yes", None, None, None, None, 1, 1, 1.0),)
    assert "WD-SIEGE-3" in report.remarks[1]


@pytest.mark.rule("WD-ATT-2")
def test_forecast_says_when_the_target_is_out_of_reach() -> None:
    report = run("forecast", unit="0", target="3,1")
    assert report.rows[0][1] == "no"
    assert "Out of reach" in report.remarks[-1]


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("reach", {}, "reach needs unit"),
        ("reach", {"unit": "77"}, "no living unit '77'"),
        ("reach", {"unit": "-1"}, "no living unit '-1'"),
        ("price", {"unit": "0"}, "price needs path"),
        ("price", {"unit": "0", "path": "1,0>x"}, "'x' is no place x,y"),
        ("way", {"unit": "0", "target": "2,1"}, "no way leads unit 0 to 2,1"),
        ("way", {"unit": "0", "target": "9,9"}, "9,9 is not on the map"),
        ("forecast", {"unit": "0", "target": "9,9"}, "9,9 is not on the map"),
        ("forecast", {"unit": "0", "target": "1,0"}, "nothing that unit 0 could attack"),
        ("forecast", {"unit": "0", "target": "1"}, "'1' is no place x,y"),
    ],
)
def test_invalid_arguments_are_reported_in_one_line(
    name: str, arguments: dict[str, str], text: str
) -> None:
    with pytest.raises(ValueError, match=text) as fault:
        run(name, **arguments)
    assert "\n" not in str(fault.value)
