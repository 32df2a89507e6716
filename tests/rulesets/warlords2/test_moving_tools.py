"""Path tools for the command line."""

from __future__ import annotations

import pytest

from engine.core.ruleset import ToolReport
from engine.rulesets.warlords2 import RULES
from tests.strategic.ground import NAVY, army, city, world

FIELD = world(
    ["...#", "f.#.", ".f.."],
    armies=[army(1, 0, 0, points=5), army(2, 1, 1, owner=1), army(3, 0, 0, NAVY)],
)


def run(name: str, position: object = FIELD, **arguments: str) -> ToolReport:
    tool = next(tool for tool in RULES.tools if tool.name == name)
    return tool.run(position, arguments)


def test_tools_have_unique_names_and_explain_themselves() -> None:
    names = [tool.name for tool in RULES.tools]
    assert len(set(names)) == len(names)
    assert {"path", "reach", "cost-byte", "tile", "word", "odds"} <= set(names)
    for tool in RULES.tools:
        assert tool.text.endswith(".")
        assert all(argument.text for argument in tool.arguments)


@pytest.mark.rule("W2-5.7")
def test_path_lists_steps_costs_and_turns() -> None:
    """W2-5.7: the second worked example."""
    report = run("path", armies="1", target="3,1")
    assert report.columns == ("step", "x", "y", "terrain", "cost", "total", "turn")
    assert report.rows == (
        (1, 1, 0, "plains", 2, 2, 0),
        (2, 2, 1, "plains", 2, 4, 0),
        (3, 3, 1, "plains", 2, 6, 1),
    )
    assert report.remarks == ("Moves: 6; the group has 5 this turn and 12 in each turn after.",)


def test_path_mentions_a_final_attack() -> None:
    assert "attack" in run("path", armies="1", target="1,1").remarks[-1]


def test_reach_lists_stops_and_targets() -> None:
    report = run("reach", armies="1")
    assert (1, 0, "plains", 2, 3, "stop") in report.rows
    assert (1, 1, "plains", None, None, "attack from 0,0") in report.rows


@pytest.mark.rule("W2-4.3")
def test_cost_byte_is_decoded() -> None:
    """W2-4.3."""
    assert run("cost-byte", target="2,1", side="0").rows == (("0x3a", 2, 1, 1, 1, 0),)
    assert run("cost-byte", target="2,1", side="1", mode="air").rows == (("0x31", 1, 0, 1, 1, 0),)


@pytest.mark.rule("W2-2.2b")
def test_tile_shows_its_word() -> None:
    """W2-2.2b."""
    state = world(["....", "...."], cities=[city(0, 0, 0, 1)])
    report = run("tile", state, target="1,1", side="0")
    assert ("owner", 1) in report.rows
    assert report.remarks == (
        "word 0x001107c1, kept bytes 0x0011",
        "overlay byte of side 0: 0x20",
    )


@pytest.mark.rule("W2-2.2b")
def test_word_is_decoded_and_encoded() -> None:
    """W2-2.2, W2-2.2b."""
    assert ("graphic", 31) in run("word", word="0x1f0f0780").rows
    made = run("word", word="0x1f0f0780", fields="road=1,variant=5", owner="3")
    assert made.remarks == ("word 0x1f830794",)


FAULTS = {
    "no army": ("path", {"armies": "7", "target": "1,1"}),
    "no number": ("path", {"armies": "x", "target": "1,1"}),
    "apart": ("reach", {"armies": "1,2"}),
    "mixed": ("reach", {"armies": "1,3"}),
    "no place": ("path", {"armies": "1", "target": "1"}),
    "off the map": ("tile", {"target": "9,9"}),
    "no way": ("path", {"armies": "1", "target": "0,0"}),
    "no side": ("cost-byte", {"target": "0,0", "side": "5"}),
    "no mode": ("cost-byte", {"target": "0,0", "side": "0", "mode": "dive"}),
    "no field": ("word", {"fields": "colour=1"}),
    "too wide": ("word", {"fields": "variant=16"}),
    "no owner": ("word", {"owner": "9"}),
    "something missing": ("path", {"armies": "1"}),
}


@pytest.mark.parametrize("name", list(FAULTS))
def test_invalid_arguments_are_reported_in_one_line(name: str) -> None:
    tool, arguments = FAULTS[name]
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        run(tool, **arguments)
