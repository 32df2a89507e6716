"""The shipped maps resemble the original in every figure of section 16.2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from engine.core.record import replace
from engine.core.ruleset import ScenarioFault
from engine.rulesets.weltendaemmerung import RULES
from engine.rulesets.weltendaemmerung.scenario import check
from engine.rulesets.weltendaemmerung.state import DAILOR, ELDOIN, Map, Placed, SitePlaced, Terrain
from engine.rulesets.weltendaemmerung.tables import type_numbers
from tests.rulesets.weltendaemmerung.arena import begun
from tests.rulesets.weltendaemmerung.map_measures import (
    barriers,
    closes,
    commander,
    fleets,
    front,
    parts,
    places,
    points,
    regions,
    river_width,
    sites,
    strength,
    walled_in,
    west_edge,
)


def shipped(name: str) -> Map:
    found = RULES.scenarios()[name]
    assert isinstance(found, Map)
    return found


THAINFAL, FORD = shipped("thainfal"), shipped("ford")
BESIDE_THE_BRIDGE = (16, 17, 23, 24)

SMALL = Map(
    name="small",
    title="Small",
    about="",
    frontier=6,
    rounds=3,
    cursor=(4, 0),
    rows=("+#f.s.^.", ".G.~~.G.", "+#...~^.", "^^####^~"),
    units=(Placed("lord_e", 4, 0), Placed("axe", 7, 1), Placed("ship", 3, 1)),
    sites=(SitePlaced(1, 1), SitePlaced(6, 1)),
)
"""A map with figures that can be counted by hand."""


def ratio(pick: Callable[[int], int]) -> float:
    return pick(ELDOIN) / pick(DAILOR)


def to_commander(kind: str, *, shut: bool) -> int:
    found = points(THAINFAL, kind, [commander(THAINFAL)], sites(THAINFAL, ELDOIN) if shut else ())
    assert found is not None, "no way leads there"
    return found


def to_west(kind: str) -> int:
    found = points(THAINFAL, kind, west_edge(THAINFAL))
    assert found is not None, "no way leads there"
    return found


def falls(where: frozenset[tuple[int, int]]) -> int:
    found = barriers(THAINFAL, where)
    assert found is not None, "no way leads there"
    return found


Figure = tuple[str, Callable[[], float], float, float]

AIMS: list[Figure] = [
    ("units", lambda: ratio(lambda side: strength(THAINFAL, side).units), 0.8, 0.9),
    ("life", lambda: ratio(lambda side: strength(THAINFAL, side).life), 0.75, 0.9),
    ("attack", lambda: ratio(lambda side: strength(THAINFAL, side).attack), 0.75, 0.9),
    ("Eldoin's sites", lambda: len(sites(THAINFAL, ELDOIN)), 9, 12),
    ("Dailor's sites", lambda: len(sites(THAINFAL, DAILOR)), 2, 4),
    ("axe men to him, open", lambda: to_commander("axe", shut=False), 55, 75),
    ("axe men to him, shut", lambda: to_commander("axe", shut=True), 55, 75),
    ("wagons to him, open", lambda: to_commander("wagon", shut=False), 70, 80),
    ("wagons to him, shut", lambda: to_commander("wagon", shut=True), 90, 110),
    ("axe men to the west", lambda: to_west("axe"), 80, 100),
    ("flyers to the west", lambda: to_west("blood"), 60, 80),
    ("falls to him", lambda: falls(frozenset({commander(THAINFAL)})), 0, 1),
    ("falls to the west", lambda: falls(west_edge(THAINFAL)), 2, 3),
]


@pytest.mark.parametrize(("figure", "least", "most"), [pytest.param(*a[1:], id=a[0]) for a in AIMS])
def test_thainfal_has_the_balance_of_the_original(
    figure: Callable[[], float], least: float, most: float
) -> None:
    assert least <= figure() <= most


@pytest.mark.parametrize("row", BESIDE_THE_BRIDGE)
def test_river_of_thainfal_has_the_right_width_at_the_bridge(row: int) -> None:
    assert 4 <= river_width(THAINFAL, row) <= 9


@pytest.mark.rule("WD-SCEN-1")
@pytest.mark.parametrize("scenario", [THAINFAL, FORD], ids=["thainfal", "ford"])
def test_shipped_map_loads_and_begins(scenario: Map) -> None:
    check(scenario)
    state = begun(scenario=scenario)
    assert state.cursor == scenario.cursor
    assert len(state.units) == len(scenario.units)
    assert all(unit.x > 0 for unit in scenario.units)


@pytest.mark.rule("WD-SCEN-1")
def test_thainfal_is_as_large_as_the_original() -> None:
    assert {len(row) for row in THAINFAL.rows} == {80}
    assert (len(THAINFAL.rows), THAINFAL.rounds) == (40, 15)
    assert 1 <= THAINFAL.frontier <= 79


@pytest.mark.rule("WD-VIEW-4")
@pytest.mark.parametrize("scenario", [THAINFAL, FORD], ids=["thainfal", "ford"])
def test_the_cursor_starts_on_eldoins_commander(scenario: Map) -> None:
    assert scenario.cursor == commander(scenario)


@pytest.mark.rule("WD-GATE-1")
@pytest.mark.parametrize("scenario", [THAINFAL, FORD], ids=["thainfal", "ford"])
def test_every_site_starts_as_a_gate(scenario: Map) -> None:
    assert sites(scenario) == places(scenario, Terrain.GATE)
    assert not any(site.ruined for site in scenario.sites)


@pytest.mark.rule("WD-GATE-1")
def test_every_gate_of_thainfal_closes_a_passage() -> None:
    assert 8 <= len(THAINFAL.sites) <= 16
    assert [site for site in sorted(sites(THAINFAL)) if not closes(THAINFAL, site)] == []


@pytest.mark.rule("WD-GATE-2")
def test_dailors_shut_gates_enclose_all_his_units() -> None:
    host = {(unit.x, unit.y) for unit in THAINFAL.units if type_numbers()[unit.type] >= 7}
    land = next(region for region in regions(THAINFAL, sites(THAINFAL, DAILOR)) if host & region)
    assert host <= land
    assert min(x for x, _ in land) > THAINFAL.frontier
    assert commander(THAINFAL) not in land


def test_gates_divide_thainfal_into_regions() -> None:
    assert len(regions(THAINFAL)) == 1
    strip, ward = (0, 20), (6, 20)
    apart = regions(THAINFAL, sites(THAINFAL))
    assert [len([r for r in apart if place in r]) for place in (strip, ward)] == [1, 1]
    assert not any(strip in region and ward in region for region in apart)


def test_corners_of_thainfal_are_unreachable_end_tiles() -> None:
    corners = {(0, 0), (79, 0), (0, 39), (79, 39)}
    assert places(THAINFAL, Terrain.END) == corners
    assert all(walled_in(THAINFAL, corner) for corner in corners)


def test_ships_are_on_two_waters_of_thainfal() -> None:
    assert len([ships for ships in fleets(THAINFAL) if ships]) == 2
    assert sum(fleets(THAINFAL)) == 6


@pytest.mark.rule("WD-SCEN-1")
def test_the_ford_is_a_small_game() -> None:
    assert (len(FORD.rows[0]), len(FORD.rows)) == (20, 12)
    assert (FORD.rounds, len(FORD.sites)) == (6, 4)
    assert [strength(FORD, side).units for side in (ELDOIN, DAILOR)] == [8, 8]
    assert len(regions(FORD)) == 1


def test_no_unit_of_dailor_flies_at_the_ford() -> None:
    kinds = Counter(unit.type for unit in FORD.units)
    assert kinds["blood"] == kinds["wyrm"] == 0


def test_points_are_the_costs_of_the_tiles_left() -> None:
    # (7,1) (6,1) (5,1) (5,0): leaves three meadow or pavement tiles and only enters the swamp.
    assert points(SMALL, "axe", [(5, 0)]) == 3
    assert points(SMALL, "axe", [(4, 0)]) == 4
    assert points(SMALL, "axe", [(4, 0)], sites(SMALL, DAILOR)) is None


def test_measures_of_a_small_map_equal_counts_by_hand() -> None:
    assert front(SMALL, "axe") == (7, 1)
    assert sites(SMALL, ELDOIN) == {(1, 1)}
    assert barriers(SMALL, [commander(SMALL)]) == 0
    assert barriers(SMALL, west_edge(SMALL)) == 1
    assert [len(region) for region in regions(SMALL, sites(SMALL))] == [12, 4, 3]
    assert closes(SMALL, (1, 1))
    assert fleets(SMALL) == (1, 0, 0)
    assert river_width(SMALL, 1) == 2
    assert river_width(SMALL, 0) == 0
    assert strength(SMALL, DAILOR).units == 1


def test_gate_beside_an_open_path_closes_nothing() -> None:
    gap = replace(SMALL, rows=("+.f.s.^.", *SMALL.rows[1:]))
    assert not closes(gap, (1, 1))
    assert barriers(gap, west_edge(gap)) == 0


def test_hard_wall_has_no_path_through_it() -> None:
    hard = replace(SMALL, rows=("+H+Hs.^.", "+H.H~.G.", "+HG.H~^.", "^^HHH^~^"), sites=())
    assert barriers(hard, west_edge(hard)) is None


def test_parts_are_joined_by_their_sides_only() -> None:
    pieces = parts(frozenset({(0, 0), (1, 0), (2, 1)}))
    assert pieces == (frozenset({(0, 0), (1, 0)}), frozenset({(2, 1)}))


@pytest.mark.rule("WD-SCEN-1")
def test_a_shipped_map_with_a_unit_in_the_wall_is_refused() -> None:
    wall = min(places(FORD, Terrain.WALL))
    with pytest.raises(ScenarioFault):
        check(replace(FORD, units=(*FORD.units, Placed("axe", *wall))))
