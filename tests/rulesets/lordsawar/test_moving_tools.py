"""Path tools for the command line."""

from __future__ import annotations

from typing import Final

import pytest

from engine.core.ruleset import ToolReport
from engine.rulesets.lordsawar import RULES
from engine.rulesets.lordsawar.state import State
from tests.rulesets.lordsawar.fields import army, bearing, field

LAND: Final = field(
    (".hh.p~", ".ss.ww", "......"),
    army(1, 0, 0, "dwarves", points=7),
    army(2, 0, 0, "scouts"),
    army(3, 1, 2, owner=1),
    army(4, 4, 1, "hero", aboard=True, points=3),
    items=[bearing(1, 4, "speed"), bearing(2, 4, "speed")],
)


def run(name: str, state: State = LAND, **arguments: str) -> ToolReport:
    tool = next(tool for tool in RULES.tools if tool.name == name)
    return tool.run(state, arguments)


@pytest.mark.rule("LW-12.2", "LW-12.5")
def test_path_lists_steps_costs_and_turns() -> None:
    report = run("path", armies="1", target="4,0")
    assert report.columns == ("step", "x", "y", "terrain", "cost", "total", "turn")
    assert report.rows == (
        (1, 1, 0, "Hills", 2, 2, 0),
        (2, 2, 0, "Hills", 2, 4, 0),
        (3, 3, 0, "Grass", 2, 6, 0),
        (4, 4, 0, "Port", 2, 8, 1),
    )
    assert report.remarks == ("Moves: 8; the group has 7 this turn and 8 in each turn after.",)
    assert "LW-2.1" in run("path", armies="2", target="1,2").remarks[-1]


@pytest.mark.rule("LW-12.5")
def test_reach_lists_stops_and_targets() -> None:
    rows = run("reach", armies="1,2").rows
    assert (1, 0, "Hills", 2, 5, "stop") in rows
    assert (1, 2, "Grass", None, None, "attack from 0,1") in rows


@pytest.mark.rule("LW-12.1", "LW-12.3")
def test_moves_list_points_and_the_bonus_of_the_stack() -> None:
    report = run("moves", armies="1,2")
    assert report.rows == (
        (1, "Dwarves", 7, 8, 10, "hills"),
        (2, "Scouts", 16, 16, 18, "forest, hills, for all"),
    )
    assert report.remarks == (
        "The stack goes on foot; moves: 7.",
        "Terrain that is cheap for it: forest, hills.",
    )
    ship = run("moves", armies="4")
    assert ship.rows == ((4, "Hero", 3, 14, 18, ""),)
    assert ship.remarks[0] == "The stack goes by ship; moves: 3."


def test_armies_on_different_tiles_are_refused() -> None:
    with pytest.raises(ValueError, match="do not stand together"):
        run("moves", armies="1,4")
