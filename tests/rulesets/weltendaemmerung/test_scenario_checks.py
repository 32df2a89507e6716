"""Scenarios that cannot be played are refused, with the place of the fault."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.record import replace
from engine.core.ruleset import Scenario, ScenarioFault
from engine.rulesets.weltendaemmerung import RULES
from engine.rulesets.weltendaemmerung.state import (
    ATTACK,
    DAILOR,
    ELDOIN,
    GATES,
    MOVE,
    Map,
    Now,
    Options,
    Placed,
    SitePlaced,
)
from tests.rulesets.weltendaemmerung.arena import ARENA, CYCLE, begun

PLAIN = Map(
    name="plain",
    title="Plain",
    about="",
    frontier=3,
    rounds=2,
    cursor=(0, 0),
    rows=("..G~.", ".H#^."),
    units=(Placed("lord_e", 1, 0), Placed("axe", 4, 0)),
    sites=(SitePlaced(2, 0),),
)
OPENED = ("..+~.", ".H#^.")
LORD, AXE = PLAIN.units


def units(*placed: Placed, **other: Any) -> Map:
    return replace(PLAIN, units=placed, **other)


FRESH: list[tuple[str, Map, str, str]] = [
    ("a short row", replace(PLAIN, rows=("..G~.", "..")), "rows[1]", "WD-SCEN-1"),
    ("no rows", replace(PLAIN, rows=()), "rows", "WD-SCEN-1"),
    ("an empty row", replace(PLAIN, rows=("",)), "rows", "WD-SCEN-1"),
    ("a huge map", replace(PLAIN, rows=("....",) * 10_001), "rows", "WD-SCEN-1"),
    ("too many units", replace(PLAIN, units=(AXE,) * 1001), "units", "WD-SCEN-1"),
    ("an unknown sign", replace(PLAIN, rows=("..G~.", ".?...")), "rows[1]", "WD-SCEN-1"),
    ("an unknown terrain", replace(PLAIN, legend={".": "lava"}), "legend..", "WD-SCEN-1"),
    ("a long sign", replace(PLAIN, legend={"ab": "meadow"}), "legend.ab", "WD-SCEN-1"),
    ("no frontier", replace(PLAIN, frontier=0), "frontier", "WD-SCEN-1"),
    ("a far frontier", replace(PLAIN, frontier=5), "frontier", "WD-SCEN-1"),
    ("no rounds", replace(PLAIN, rounds=0), "rounds", "WD-SCEN-1"),
    ("too many rounds", replace(PLAIN, rounds=100), "rounds", "WD-SCEN-1"),
    ("a cursor off the map", replace(PLAIN, cursor=(5, 0)), "cursor", "WD-SCEN-1"),
    ("a site off the map", replace(PLAIN, sites=(SitePlaced(9, 0),)), "sites[0]", "WD-SCEN-1"),
    (
        "a site twice",
        replace(PLAIN, sites=(SitePlaced(2, 0), SitePlaced(2, 0))),
        "sites[1]",
        "WD-SCEN-1",
    ),
    (
        "a site without a gate",
        replace(PLAIN, sites=(SitePlaced(2, 0), SitePlaced(1, 0))),
        "sites[1]",
        "WD-SCEN-1",
    ),
    (
        "a ruined site",
        replace(PLAIN, sites=(SitePlaced(2, 0, ruined=True),)),
        "sites[0]",
        "WD-SCEN-1",
    ),
    ("a gate elsewhere", replace(PLAIN, sites=()), "rows[0]", "WD-SCEN-1"),
    ("an unknown type", units(LORD, Placed("dragon", 4, 0)), "units[1].type", "WD-SCEN-1"),
    ("a unit off the map", units(LORD, Placed("axe", 4, 2)), "units[1]", "WD-SCEN-1"),
    ("two units on a tile", units(LORD, AXE, Placed("blood", 4, 0)), "units[2]", "WD-SCEN-1"),
    ("a ship on land", units(LORD, AXE, Placed("ship", 0, 0)), "units[2]", "WD-TERR-4"),
    ("a ground unit on a wall", units(LORD, AXE, Placed("ram", 2, 1)), "units[2]", "WD-TERR-4"),
    ("a ground unit on a gate", units(LORD, AXE, Placed("ram", 2, 0)), "units[2]", "WD-TERR-4"),
    ("no commander", units(Placed("sword", 1, 0), AXE), "units", "WD-SCEN-1"),
    ("two commanders", units(LORD, Placed("lord_e", 0, 0), AXE), "units", "WD-SCEN-1"),
    ("no Dailor unit", units(LORD), "units", "WD-SCEN-1"),
    ("a Dailor unit in the west", units(LORD, Placed("axe", 0, 1)), "units[1]", "WD-WIN-4"),
    ("a destroyed unit", units(LORD, replace(AXE, alive=False)), "units[1]", "WD-SCEN-1"),
    ("too many points", units(LORD, replace(AXE, b_max=20)), "units[1].b_max", "WD-NUM-3"),
    ("no points", units(LORD, replace(AXE, b_max=0)), "units[1].b_max", "WD-NUM-3"),
    ("more points than full", units(LORD, replace(AXE, b=11)), "units[1].b", "WD-TURN-4"),
    ("fewer points than none", units(LORD, replace(AXE, b=-1)), "units[1].b", "WD-TURN-4"),
    ("no life", units(LORD, replace(AXE, v=0)), "units[1].v", "WD-NUM-4"),
    ("more life than the type's", units(LORD, replace(AXE, v=17)), "units[1].v", "WD-NUM-4"),
    ("a short circle", replace(PLAIN, cycle=(1, 2)), "cycle", "WD-RNG-3"),
    ("a wrong index", replace(PLAIN, cycle=(8,) * 256), "cycle", "WD-RNG-3"),
    (
        "a circle asked for but not given",
        replace(PLAIN, options=Options(chance="c64_cycle")),
        "options.chance",
        "WD-RNG-3",
    ),
]

FOUGHT = {"units": (replace(LORD, b=1), replace(AXE, b=1))}
GONE = replace(AXE, alive=False, b=1)
LATE: list[tuple[str, Map, str, str]] = [
    ("a phase too many", replace(PLAIN, now=Now(phase=3), **FOUGHT), "now.phase", "WD-TURN-1"),
    ("a player too many", replace(PLAIN, now=Now(player=2)), "now.player", "WD-TURN-1"),
    ("rounds below none", replace(PLAIN, now=Now(completed=-1)), "now.completed", "WD-TURN-3"),
    ("rounds beyond the last", replace(PLAIN, now=Now(completed=3)), "now.completed", "WD-TURN-3"),
    (
        "a finished game that goes on",
        replace(PLAIN, now=Now(completed=2)),
        "now.completed",
        "WD-WIN-3",
    ),
    ("attacks below none", replace(PLAIN, now=Now(attacks=-1)), "now.attacks", "WD-RNG-3"),
    (
        "a reason without winner",
        replace(PLAIN, now=Now(reason="west_edge")),
        "now.winner",
        "WD-WIN-5",
    ),
    ("a winner without reason", replace(PLAIN, now=Now(winner=1)), "now.winner", "WD-WIN-5"),
    (
        "many points in a fight",
        replace(PLAIN, now=Now(phase=ATTACK), units=(replace(LORD, b=2), replace(AXE, b=1))),
        "units[0].b",
        "WD-TURN-4",
    ),
    (
        "a dead commander and no winner",
        units(replace(LORD, alive=False), AXE, now=Now()),
        "now.reason",
        "WD-WIN-1",
    ),
    (
        "no living enemy and no winner",
        units(LORD, replace(AXE, alive=False), now=Now()),
        "now.reason",
        "WD-WIN-2",
    ),
    (
        "a living commander whose death decided",
        replace(PLAIN, now=Now(phase=1, player=1, winner=1, reason="commander"), **FOUGHT),
        "now.reason",
        "WD-WIN-1",
    ),
    (
        "a win in the wrong phase",
        units(
            replace(LORD, b=1),
            GONE,
            now=Now(phase=GATES, player=ELDOIN, winner=0, reason="annihilation"),
        ),
        "now.reason",
        "WD-WIN-5",
    ),
    (
        "the west edge won by nobody there",
        replace(PLAIN, now=Now(player=1, winner=1, reason="west_edge")),
        "now.reason",
        "WD-WIN-4",
    ),
    (
        "a win by time too early",
        replace(PLAIN, now=Now(completed=1, phase=2, player=1, winner=0, reason="time")),
        "now.completed",
        "WD-WIN-3",
    ),
    (
        "a ruined gate",
        replace(PLAIN, now=Now(), sites=(SitePlaced(2, 0, ruined=True),)),
        "sites[0]",
        "WD-GATE-5",
    ),
    (
        "a ruined site in the east",
        replace(PLAIN, now=Now(), rows=OPENED, frontier=2, sites=(SitePlaced(2, 0, ruined=True),)),
        "sites[0]",
        "WD-SIEGE-4",
    ),
    (
        "a site on the river",
        replace(PLAIN, now=Now(), sites=(SitePlaced(2, 0), SitePlaced(3, 0))),
        "sites[1]",
        "WD-GATE-3",
    ),
    (
        "a ship on a gate",
        units(LORD, AXE, Placed("ship", 2, 0), now=Now()),
        "units[2]",
        "WD-TERR-4",
    ),
    ("a gate on no site", replace(PLAIN, now=Now(), sites=()), "rows[0]", "WD-SCEN-1"),
]

PLAYABLE: list[tuple[str, Map]] = [
    ("plain", PLAIN),
    ("the arena", ARENA),
    ("a circle", replace(PLAIN, cycle=CYCLE, options=Options(chance="c64_cycle"))),
    ("a weak unit", units(replace(LORD, v=1, b=0, b_max=19), AXE)),
    ("a flyer on a hard wall", units(LORD, Placed("blood", 1, 1))),
    (
        "a legend of its own",
        replace(
            PLAIN,
            rows=("MM",),
            legend={"M": "end"},
            frontier=1,
            sites=(),
            units=(Placed("lord_e", 0, 0), Placed("axe", 1, 0)),
        ),
    ),
    ("an open site", replace(PLAIN, rows=OPENED, now=Now())),
    (
        "a ruined site",
        replace(PLAIN, rows=OPENED, now=Now(), sites=(SitePlaced(2, 0, ruined=True),)),
    ),
    ("a ground unit on a gate", units(LORD, Placed("ram", 2, 0), now=Now())),
    ("a Dailor unit in the west", units(LORD, Placed("axe", 0, 1), now=Now())),
    ("dead units on one tile", units(LORD, AXE, replace(AXE, alive=False), now=Now())),
    ("a fight", replace(PLAIN, now=Now(phase=ATTACK, player=DAILOR, attacks=4), **FOUGHT)),
    (
        "won by the commander's death",
        units(
            replace(LORD, alive=False, b=1),
            replace(AXE, b=0),
            now=Now(phase=ATTACK, player=DAILOR, winner=DAILOR, reason="commander"),
        ),
    ),
    (
        "won by annihilation",
        units(replace(LORD, b=0), GONE, now=Now(phase=ATTACK, winner=0, reason="annihilation")),
    ),
    (
        "won by time",
        replace(PLAIN, now=Now(completed=2, phase=GATES, player=1, winner=0, reason="time")),
    ),
    (
        "won at the west edge",
        units(
            LORD,
            Placed("axe", 0, 1, b=3),
            now=Now(phase=MOVE, player=DAILOR, winner=DAILOR, reason="west_edge"),
        ),
    ),
]


def _named(rows: list[tuple[str, Map, str, str]]) -> list[Any]:
    return [
        pytest.param(scenario, place, rule, id=name, marks=pytest.mark.rule(rule))
        for name, scenario, place, rule in rows
    ]


@pytest.mark.rule("WD-SCEN-1")
@pytest.mark.parametrize(("scenario", "place", "rule"), _named(FRESH))
def test_faulty_scenario_is_refused_with_the_place_of_the_fault(
    scenario: Map, place: str, rule: str
) -> None:
    with pytest.raises(ScenarioFault) as fault:
        RULES.check(scenario)
    assert (fault.value.place, fault.value.rule) == (place, rule)
    assert fault.value.text
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(("scenario", "place", "rule"), _named(LATE))
def test_unreachable_position_is_refused(scenario: Map, place: str, rule: str) -> None:
    with pytest.raises(ScenarioFault) as fault:
        RULES.check(scenario)
    assert (fault.value.place, fault.value.rule) == (place, rule)
    assert "\n" not in str(fault.value)


@pytest.mark.rule("WD-SCEN-1")
@pytest.mark.parametrize("scenario", [pytest.param(made, id=name) for name, made in PLAYABLE])
def test_playable_scenario_is_accepted_and_restored_unchanged(scenario: Map) -> None:
    RULES.check(scenario)
    state = begun(scenario=scenario)
    again = begun(scenario=RULES.position(state))
    assert RULES.view(again, ELDOIN) == RULES.view(state, ELDOIN)
    now = scenario.now or Now()
    assert (state.phase, state.player, state.winner) == (now.phase, now.player, now.winner)
    assert (RULES.outcome(state) is None) == (now.reason is None)


@pytest.mark.rule("WD-SCEN-1")
def test_a_scenario_of_another_game_is_refused() -> None:
    with pytest.raises(ScenarioFault):
        RULES.check(Scenario("other", "Other", ""))


@pytest.mark.rule("WD-SCEN-1")
def test_the_shipped_scenarios_are_playable() -> None:
    assert "ford" in RULES.scenarios()
    for scenario in RULES.scenarios().values():
        RULES.check(scenario)
