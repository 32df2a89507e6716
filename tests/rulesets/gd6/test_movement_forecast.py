"""Invasions by armies match the two tables of forecasts, with up to 40 armies on each side."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any, Final

import pytest

from tests.rulesets.gd6 import engine_movement, naive
from tests.rulesets.gd6.movement_cases import FOLDER, Outcome, Problem, empty, outcome

MOST: Final = 40
SIZES: Final = (*range(13), 19, 20, 30, 31, MOST - 1, MOST)
"""Sizes of forces: all small ones, some large ones."""
AIMS: Final = tomllib.loads((FOLDER / "forecast.toml").read_text(encoding="utf-8"))["aim"]


def _naively(problem: Problem) -> Outcome:
    return outcome(naive.resolve(**problem))


def _in_the_engine(problem: Problem) -> Outcome:
    return engine_movement.outcome(problem, engine_movement.moved(problem))


both = pytest.mark.parametrize("carry_out", [_naively, _in_the_engine])
CarryOut = Callable[[Problem], Outcome]


def invasion(attackers: int, defenders: int, tower: int) -> Problem:
    start, target = empty(), empty()
    start |= {"owner": 0, "units": {"army": attackers}}
    target |= {"owner": 1, "units": {"army": defenders} if defenders else {}, "loyalty": 3}
    target["construct"] = "watchtower" if tower else None
    return {
        "borders": {1: [2], 2: [1]},
        "lands": {1: start, 2: target},
        "orders": {0: [{"path": [1, 2], "unit": "army", "count": attackers}]},
        "advanced": False,
    }


def foretold(attackers: int, defenders: int, tower: int) -> Outcome:
    """Return the outcome that the second table predicts."""
    start, target = empty(), empty()
    start |= {"owner": 0}
    left = attackers - 2 - 2 * tower
    fallen = min(left, defenders) if left > 0 else 0
    landed = max(0, left - defenders)
    if left <= 0 or left < defenders:
        target |= {"owner": 1, "loyalty": 3}
        target["construct"] = "watchtower" if tower and attackers < 4 else None
    elif landed:
        target["owner"] = 0
    standing = landed or defenders - fallen
    target["units"] = {"army": standing} if standing else {}
    lost = {0: {"army": attackers - landed}} | ({1: {"army": fallen}} if fallen else {})
    return {"lands": {1: start, 2: target}, "lost": lost, "refused": {}, "reduced": {}}


@pytest.mark.rule("GD-INVADE-5", "GD-INVADE-1", "GD-INVADE-2", "GD-TOWER-1")
@pytest.mark.parametrize("tower", [0, 1])
@pytest.mark.parametrize("attackers", SIZES[1:])
@both
def test_invasion_matches_the_forecast_table(
    carry_out: CarryOut, attackers: int, tower: int
) -> None:
    for defenders in SIZES:
        came = carry_out(invasion(attackers, defenders, tower))
        assert came == foretold(attackers, defenders, tower), f"against {defenders}"


def reached(aim: str, came: Outcome) -> bool:
    target = came["lands"][2]
    match aim:
        case "break the tower":
            return target["construct"] is None
        case "neutralise":
            return target["owner"] is None
        case _:
            return target["owner"] == 0


@pytest.mark.rule("GD-INVADE-5")
@pytest.mark.parametrize("row", AIMS, ids=[row["name"] for row in AIMS])
@both
def test_aim_needs_exactly_the_number_of_the_table(
    carry_out: CarryOut, row: dict[str, Any]
) -> None:
    for tower in row["tower"]:
        for defenders in range(row["least"], MOST - 5):
            needed = row["base"] + row["with_tower"] * tower + row["per_defender"] * defenders
            for sent, wanted in ((needed, True), (needed - 1, False)):
                came = carry_out(invasion(sent, defenders, tower))
                assert reached(row["name"], came) is wanted, f"{sent} against {defenders}"
