"""What makes a scenario playable (WD-SCEN-1, the limits of section 4, the invariants of 18)."""

from __future__ import annotations

from engine.core.containers import Plane
from engine.core.ruleset import ScenarioFault
from engine.rulesets.weltendaemmerung.lookup import COMMANDER, side_of
from engine.rulesets.weltendaemmerung.state import (
    DAILOR,
    ELDOIN,
    GATES,
    MOVE,
    Map,
    Now,
    Placed,
    Terrain,
)
from engine.rulesets.weltendaemmerung.tables import enterable, type_numbers, units_table

MOST_POINTS = 19
CYCLE = 256
RULE = "WD-SCEN-1"


def check_map(scenario: Map, terrain: Plane) -> None:
    """Refuse a scenario with a fault. Rules: WD-SCEN-1, WD-NUM-3, WD-NUM-4, WD-TERR-3.

    ``terrain`` is that of its rows. A scenario with ``now`` is a position in the middle of a game:
    gates may stand open, units may be gone, and the game may be over.

    Raises:
        ScenarioFault: with the place of the first fault.
    """
    _check_frame(scenario, terrain)
    _check_sites(scenario, terrain)
    for number, unit in enumerate(scenario.units):
        _check_unit(f"units[{number}]", unit, scenario, terrain)
    _check_places(scenario)
    _check_sides(scenario)
    if scenario.now is not None:
        _check_now(scenario.now, scenario)


def _check_frame(scenario: Map, terrain: Plane) -> None:
    if not 1 <= scenario.frontier <= terrain.width - 1:
        text = f"{scenario.frontier} is not from 1 to {terrain.width - 1}"
        raise ScenarioFault("frontier", text, RULE)
    if not 1 <= scenario.rounds <= 99:
        raise ScenarioFault("rounds", f"{scenario.rounds} is not from 1 to 99", RULE)
    if not terrain.has(*scenario.cursor):
        raise ScenarioFault("cursor", f"{scenario.cursor} is off the map", RULE)
    if any(not 0 <= index <= 7 for index in scenario.cycle):
        raise ScenarioFault("cycle", "an index is not from 0 to 7", "WD-RNG-3")
    if len(scenario.cycle) not in (0, CYCLE):
        text = f"{len(scenario.cycle)} indices, not {CYCLE}"
        raise ScenarioFault("cycle", text, "WD-RNG-3")
    if scenario.options.chance == "c64_cycle" and not scenario.cycle:
        text = "c64_cycle needs the field cycle, which an import of your own ROM fills"
        raise ScenarioFault("options.chance", text, "WD-RNG-3")


def _check_sites(scenario: Map, terrain: Plane) -> None:
    seen = set()
    for number, site in enumerate(scenario.sites):
        place = f"sites[{number}]"
        if not terrain.has(site.x, site.y):
            raise ScenarioFault(place, f"({site.x}, {site.y}) is off the map", RULE)
        if (site.x, site.y) in seen:
            raise ScenarioFault(place, f"({site.x}, {site.y}) is a site twice", RULE)
        seen.add((site.x, site.y))
        is_gate = terrain[site.y, site.x] == Terrain.GATE
        if scenario.now is None and (site.ruined or not is_gate):
            raise ScenarioFault(place, "a site needs a whole gate at the start", RULE)
        if site.ruined and is_gate:
            raise ScenarioFault(place, "a ruined site carries a gate", "WD-GATE-5")
    for y in range(terrain.height):
        for x in range(terrain.width):
            if terrain[y, x] == Terrain.GATE and (x, y) not in seen:
                raise ScenarioFault(f"rows[{y}]", f"the gate at ({x}, {y}) is on no site", RULE)


def _check_unit(place: str, unit: Placed, scenario: Map, terrain: Plane) -> None:
    if unit.type not in type_numbers():
        raise ScenarioFault(f"{place}.type", f"there is no unit type {unit.type!r}", RULE)
    kind = type_numbers()[unit.type]
    _check_unit_numbers(place, unit, scenario.now)
    if not unit.alive:
        if scenario.now is None:
            raise ScenarioFault(place, "a unit is gone at the start", RULE)
        return
    if not terrain.has(unit.x, unit.y):
        raise ScenarioFault(place, f"({unit.x}, {unit.y}) is off the map", RULE)
    here = terrain[unit.y, unit.x]
    built = scenario.now is not None and here == Terrain.GATE and unit.type != "ship"
    if not enterable()[kind][here] and not built:
        text = f"{unit.type} cannot stand on {Terrain(here).name.lower()}"
        raise ScenarioFault(place, text, "WD-TERR-4")
    if scenario.now is None and unit.x == 0 and side_of(kind) == DAILOR:
        raise ScenarioFault(place, "a Dailor unit starts at x = 0", "WD-WIN-4")


def _check_unit_numbers(place: str, unit: Placed, now: Now | None) -> None:
    row = units_table()[type_numbers()[unit.type]]
    b_max = row.b if unit.b_max is None else unit.b_max
    if not 1 <= b_max <= MOST_POINTS:
        raise ScenarioFault(f"{place}.b_max", f"{b_max} is not from 1 to {MOST_POINTS}", "WD-NUM-3")
    if unit.v is not None and not 1 <= unit.v <= row.v:
        raise ScenarioFault(f"{place}.v", f"{unit.v} is not from 1 to {row.v}", "WD-NUM-4")
    fighting = now is not None and now.phase != MOVE and now.winner < 0
    most = 1 if fighting else b_max
    if unit.b is not None and not 0 <= unit.b <= most:
        raise ScenarioFault(f"{place}.b", f"{unit.b} is not from 0 to {most}", "WD-TURN-4")
    if unit.b is None and fighting and b_max > 1:
        raise ScenarioFault(f"{place}.b", "say whether it has its attack: 1 or 0", "WD-TURN-4")


def _check_places(scenario: Map) -> None:
    taken: dict[tuple[int, int], int] = {}
    for number, unit in enumerate(scenario.units):
        if not unit.alive:
            continue
        other = taken.setdefault((unit.x, unit.y), number)
        if other != number:
            text = f"({unit.x}, {unit.y}) is the tile of units[{other}] too"
            raise ScenarioFault(f"units[{number}]", text, RULE)


def _check_sides(scenario: Map) -> None:
    kinds = [type_numbers()[unit.type] for unit in scenario.units]
    if kinds.count(COMMANDER) != 1:
        text = f"{kinds.count(COMMANDER)} commanders of Eldoin (lord_e), not one"
        raise ScenarioFault("units", text, RULE)
    if not any(side_of(kind) == DAILOR for kind in kinds):
        raise ScenarioFault("units", "there is no Dailor unit", RULE)
    if scenario.now is None or scenario.now.winner >= 0:
        return
    alive = [kind for kind, unit in zip(kinds, scenario.units, strict=True) if unit.alive]
    if COMMANDER not in alive or not any(side_of(kind) == DAILOR for kind in alive):
        text = "a side that has lost plays on; now.winner must say so"
        raise ScenarioFault("now.winner", text, "WD-WIN-1")


def _check_now(now: Now, scenario: Map) -> None:
    if not 0 <= now.completed <= scenario.rounds:
        text = f"{now.completed} is not from 0 to {scenario.rounds}"
        raise ScenarioFault("now.completed", text, "WD-TURN-3")
    if now.completed == scenario.rounds and now.winner < 0:
        raise ScenarioFault("now.completed", "all rounds are finished", "WD-WIN-3")
    if not MOVE <= now.phase <= GATES:
        raise ScenarioFault("now.phase", f"{now.phase} is not from 0 to 2", "WD-TURN-1")
    if now.player not in (ELDOIN, DAILOR):
        raise ScenarioFault("now.player", f"{now.player} is neither 0 nor 1", "WD-TURN-1")
    if now.attacks < 0:
        raise ScenarioFault("now.attacks", f"{now.attacks} is below 0", "WD-RNG-3")
    if now.winner not in (-1, ELDOIN, DAILOR) or (now.winner >= 0) != (now.reason is not None):
        raise ScenarioFault("now.winner", "winner and reason do not go together", "WD-WIN-5")
