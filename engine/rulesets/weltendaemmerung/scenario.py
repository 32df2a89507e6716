"""Scenarios: set-up, positions as scenarios, checks (sections 16 and 0.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from msgspec.structs import asdict

from engine.core.codec import convert
from engine.core.containers import Plane
from engine.core.options import Value
from engine.core.record import replace
from engine.core.ruleset import Scenario, ScenarioFault
from engine.kit.records import alike
from engine.rulesets.weltendaemmerung.events import GameSet
from engine.rulesets.weltendaemmerung.lookup import COMMANDER, side_of
from engine.rulesets.weltendaemmerung.state import (
    ATTACK,
    DAILOR,
    ELDOIN,
    GATES,
    MOVE,
    EndReason,
    Map,
    Now,
    Options,
    Placed,
    Site,
    SitePlaced,
    State,
    Terrain,
    Unit,
)
from engine.rulesets.weltendaemmerung.tables import (
    enterable,
    limits,
    terrain_table,
    type_numbers,
    units_table,
)

RULE = "WD-SCEN-1"

ENDS: Final[dict[EndReason, tuple[int, int, int]]] = {
    "commander": (DAILOR, ATTACK, DAILOR),
    "annihilation": (ELDOIN, ATTACK, ELDOIN),
    "time": (ELDOIN, GATES, DAILOR),
    "west_edge": (DAILOR, MOVE, DAILOR),
}
"""Winner, phase and player to move at each end of a game. See: WD-WIN-1 to WD-WIN-4."""

OPEN_SITE = (Terrain.MEADOW, Terrain.MEADOW_2, Terrain.PAVEMENT)
"""Terrains of a site without a gate. See: WD-GATE-3, WD-SIEGE-3."""


def set_up(scenario: Map, options: Mapping[str, Value]) -> GameSet:
    """Return the first event of a game, with the default numbers from the tables.

    ``options`` are checked values that take precedence over the scenario's. See: WD-IMP-4.

    Raises:
        ScenarioFault: the scenario is invalid.
    """
    given = {name: value for name, value in options.items() if name != "rounds"}
    chosen = convert({**asdict(scenario.options), **given}, Options)
    rounds = int(options.get("rounds", scenario.rounds))
    settled = replace(scenario, options=chosen, rounds=rounds)
    check(settled)
    return GameSet(
        scenario=scenario,
        rounds=rounds,
        options=chosen,
        terrain=grid(scenario),
        units=tuple(
            _unit(number, placed, scenario.now) for number, placed in enumerate(scenario.units)
        ),
        sites=tuple(alike(Site, site, id=number) for number, site in enumerate(scenario.sites)),
    )


def _unit(number: int, placed: Placed, now: Now | None) -> Unit:
    """Build a unit of a scenario's list; omitted numbers are those of a new unit, or one attack."""
    row = units_table()[type_numbers()[placed.type]]
    b_max = row.b if placed.b_max is None else placed.b_max
    full = 1 if _counts_attacks(now) else b_max
    return alike(
        Unit,
        placed,
        id=number,
        type=type_numbers()[placed.type],
        v=row.v if placed.v is None else placed.v,
        b=full if placed.b is None else placed.b,
        b_max=b_max,
    )


def settled_options(event: GameSet) -> dict[str, Value]:
    """Return the final options of a game, ``rounds`` included."""
    return {**asdict(event.options), "rounds": event.rounds}


def position(state: State) -> Map:
    """Return a scenario that begins with a state."""
    keys = [row.key for row in units_table()]
    return alike(
        Map,
        state,
        rows=sign_rows(state.terrain.cells.ravel().tolist(), state.terrain.width),
        units=tuple(alike(Placed, unit, type=keys[unit.type]) for unit in state.units.values()),
        sites=tuple(alike(SitePlaced, site) for site in state.sites.values()),
        now=alike(Now, state),
    )


# -- maps --------------------------------------------------------------------------------


def grid(scenario: Map) -> Plane:
    """Convert a scenario's rows to terrain, uint8 of shape (height, width).

    Raises:
        ScenarioFault: the rows differ in width, or a sign is not in the legend.
    """
    known = legend(scenario)
    if not scenario.rows or not scenario.rows[0]:
        raise ScenarioFault("rows", "there are no rows", "WD-SCEN-1")
    width = len(scenario.rows[0])
    if width * len(scenario.rows) > limits().tiles:
        text = f"{width} x {len(scenario.rows)} tiles; {limits().tiles} are possible"
        raise ScenarioFault("rows", text, "WD-SCEN-1")
    for number, row in enumerate(scenario.rows):
        if len(row) != width:
            raise ScenarioFault(
                f"rows[{number}]", f"{len(row)} tiles wide, the first {width}", "WD-SCEN-1"
            )
        strange = next((sign for sign in row if sign not in known), None)
        if strange is not None:
            raise ScenarioFault(
                f"rows[{number}]", f"the sign {strange!r} is not in the legend", "WD-SCEN-1"
            )
    values = [[known[sign] for sign in row] for row in scenario.rows]
    return Plane(np.array(values, dtype=np.uint8))


def legend(scenario: Map) -> dict[str, int]:
    """Return the terrain of each sign: the default signs, or the scenario's own legend.

    Raises:
        ScenarioFault: the legend has an unknown terrain or a sign of several characters.
    """
    numbers = {row.key: number for number, row in enumerate(terrain_table())}
    if scenario.legend is None:
        return {row.sign: numbers[row.key] for row in terrain_table()}
    for sign, key in scenario.legend.items():
        if len(sign) != 1 or key not in numbers:
            raise ScenarioFault(
                f"legend.{sign}", f"{key!r} for {sign!r} is no terrain and sign", "WD-SCEN-1"
            )
    return {sign: numbers[key] for sign, key in scenario.legend.items()}


def sign_rows(terrain: Sequence[int], width: int) -> tuple[str, ...]:
    """Convert terrain values to rows of the default signs."""
    signs = "".join(terrain_table()[value].sign for value in terrain)
    return tuple(signs[at : at + width] for at in range(0, len(signs), width))


# -- checks ------------------------------------------------------------------------------


def check(scenario: Scenario) -> None:
    """Refuse an invalid scenario. Rules: WD-SCEN-1, WD-TERR-3. See: WD-NUM-3, WD-NUM-4.

    A scenario with ``now`` is a position in the middle of a game: gates may be open, units may be
    gone, and the game may be over.

    Raises:
        ScenarioFault: with the field of the first fault.
    """
    if not isinstance(scenario, Map):
        raise ScenarioFault("", "that is a scenario of another game", RULE)
    terrain = grid(scenario)
    _check_frame(scenario, terrain)
    _check_sites(scenario, terrain)
    for number, unit in enumerate(scenario.units):
        _check_unit(f"units[{number}]", unit, scenario, terrain)
    _check_places(scenario)
    _check_sides(scenario)
    if scenario.now is not None:
        _check_now(scenario.now, scenario)


def _counts_attacks(now: Now | None) -> bool:
    """Return whether ``b`` counts attacks left at that moment, not points. See: WD-TURN-4."""
    return now is not None and now.phase != MOVE and now.reason != "time"


def _check_range(place: str, value: int, low: int, high: int, rule: str = RULE) -> None:
    if not low <= value <= high:
        raise ScenarioFault(place, f"{value} is not from {low} to {high}", rule)


def _check_on_map(place: str, x: int, y: int, terrain: Plane) -> None:
    if not terrain.has(x, y):
        raise ScenarioFault(place, f"({x}, {y}) is off the map", RULE)


def _check_frame(scenario: Map, terrain: Plane) -> None:
    if len(scenario.units) > limits().units:
        text = f"{len(scenario.units)} are given, {limits().units} are possible"
        raise ScenarioFault("units", text, RULE)
    _check_range("frontier", scenario.frontier, 1, terrain.width - 1)
    _check_range("rounds", scenario.rounds, 1, limits().rounds)
    _check_on_map("cursor", *scenario.cursor, terrain)
    if any(not 0 <= index <= 7 for index in scenario.cycle):
        raise ScenarioFault("cycle", "an index is not from 0 to 7", "WD-RNG-3")
    if len(scenario.cycle) not in (0, limits().cycle):
        text = f"{len(scenario.cycle)} indices, not {limits().cycle}"
        raise ScenarioFault("cycle", text, "WD-RNG-3")
    if scenario.options.chance == "c64_cycle" and not scenario.cycle:
        text = "c64_cycle needs the field cycle, which an import of your own ROM fills"
        raise ScenarioFault("options.chance", text, "WD-RNG-3")


def _check_sites(scenario: Map, terrain: Plane) -> None:
    seen = set()
    for number, site in enumerate(scenario.sites):
        place = f"sites[{number}]"
        _check_on_map(place, site.x, site.y, terrain)
        if (site.x, site.y) in seen:
            raise ScenarioFault(place, f"({site.x}, {site.y}) is a site twice", RULE)
        seen.add((site.x, site.y))
        _check_site(place, site, scenario, Terrain(terrain[site.y, site.x]))
    for y in range(terrain.height):
        for x in range(terrain.width):
            if terrain[y, x] == Terrain.GATE and (x, y) not in seen:
                raise ScenarioFault(f"rows[{y}]", f"the gate at ({x}, {y}) is on no site", RULE)


def _check_site(place: str, site: SitePlaced, scenario: Map, here: Terrain) -> None:
    if scenario.now is None and (site.ruined or here != Terrain.GATE):
        raise ScenarioFault(place, "a site needs a whole gate at the start", RULE)
    if site.ruined and here == Terrain.GATE:
        raise ScenarioFault(place, "a ruined site carries a gate", "WD-GATE-5")
    if site.ruined and site.x >= scenario.frontier:
        raise ScenarioFault(place, "no gate east of the frontier is broken", "WD-SIEGE-4")
    if here not in (Terrain.GATE, *OPEN_SITE):
        raise ScenarioFault(place, f"an open site cannot be {here.name.lower()}", "WD-GATE-3")


def _check_unit(place: str, unit: Placed, scenario: Map, terrain: Plane) -> None:
    """Check a unit's type, numbers and ground. Rules: WD-TERR-3, WD-TERR-4."""
    if unit.type not in type_numbers():
        raise ScenarioFault(f"{place}.type", f"there is no unit type {unit.type!r}", RULE)
    kind = type_numbers()[unit.type]
    _check_unit_numbers(place, unit, scenario.now)
    if not unit.alive:
        if scenario.now is None:
            raise ScenarioFault(place, "a unit is gone at the start", RULE)
        return
    _check_on_map(place, unit.x, unit.y, terrain)
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
    _check_range(f"{place}.b_max", b_max, 1, limits().points, "WD-NUM-3")
    if unit.v is not None:
        _check_range(f"{place}.v", unit.v, 1, row.v, "WD-NUM-4")
    if unit.b is not None:
        most = 1 if _counts_attacks(now) else b_max
        _check_range(f"{place}.b", unit.b, 0, most, "WD-TURN-4")


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
    reason = None if scenario.now is None else scenario.now.reason
    alive = [kind for kind, unit in zip(kinds, scenario.units, strict=True) if unit.alive]
    if (COMMANDER in alive) == (reason == "commander"):
        text = "goes with the death of Eldoin's commander (lord_e): commander"
        raise ScenarioFault("now.reason", text, "WD-WIN-1")
    if any(side_of(kind) == DAILOR for kind in alive) == (reason == "annihilation"):
        text = "goes with the loss of all Dailor units: annihilation"
        raise ScenarioFault("now.reason", text, "WD-WIN-2")


def _check_now(now: Now, scenario: Map) -> None:
    _check_range("now.completed", now.completed, 0, scenario.rounds, "WD-TURN-3")
    if (now.completed == scenario.rounds) != (now.reason == "time"):
        text = f"{now.completed} of {scenario.rounds} rounds, and now.reason is {now.reason}"
        raise ScenarioFault("now.completed", text, "WD-WIN-3")
    _check_range("now.phase", now.phase, MOVE, GATES, "WD-TURN-1")
    if now.player not in (ELDOIN, DAILOR):
        raise ScenarioFault("now.player", f"{now.player} is neither 0 nor 1", "WD-TURN-1")
    if now.attacks < 0:
        raise ScenarioFault("now.attacks", f"{now.attacks} is below 0", "WD-RNG-3")
    if now.winner not in (-1, ELDOIN, DAILOR) or (now.winner >= 0) != (now.reason is not None):
        raise ScenarioFault("now.winner", "winner and reason do not go together", "WD-WIN-5")
    if now.reason is not None:
        _check_end(now, now.reason, scenario)


def _check_end(now: Now, reason: EndReason, scenario: Map) -> None:
    winner, phase, player = ENDS[reason]
    if (now.winner, now.phase, now.player) != (winner, phase, player):
        text = f"{reason} is won by {winner} in phase {phase} of player {player}"
        raise ScenarioFault("now.reason", text, "WD-WIN-5")
    at_edge = (
        unit.alive and unit.x == 0 and side_of(type_numbers()[unit.type]) == DAILOR
        for unit in scenario.units
    )
    if reason == "west_edge" and not any(at_edge):
        raise ScenarioFault("now.reason", "no Dailor unit stands at x = 0", "WD-WIN-4")
