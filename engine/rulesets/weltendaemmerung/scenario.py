"""Scenarios in and positions out (sections 16 and 0.2)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import numpy as np

from engine.core.codec import convert
from engine.core.containers import Plane
from engine.core.options import Value
from engine.core.record import replace
from engine.core.ruleset import Scenario, ScenarioFault
from engine.rulesets.weltendaemmerung.checks import check_map, counts_attacks
from engine.rulesets.weltendaemmerung.events import GameSet
from engine.rulesets.weltendaemmerung.state import (
    Map,
    Now,
    Options,
    Placed,
    Site,
    SitePlaced,
    State,
    Unit,
)
from engine.rulesets.weltendaemmerung.tables import (
    PACKAGE,
    limits,
    terrain_table,
    type_numbers,
    units_table,
)

FIRST = ("thainfal", "ford")
"""The shipped scenarios that are listed first, in this order."""


def check(scenario: Scenario) -> None:
    """Refuse a scenario that cannot be played. Rules: WD-SCEN-1.

    Raises:
        ScenarioFault: with the place of the first fault.
    """
    if not isinstance(scenario, Map):
        raise ScenarioFault("", "that is a scenario of another game", "WD-SCEN-1")
    check_map(scenario, grid(scenario))


def grid(scenario: Map) -> Plane:
    """The terrain of a scenario's rows, uint8 of shape (height, width).

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
    """What each sign stands for: the usual signs, or the scenario's own.

    Raises:
        ScenarioFault: the legend names an unknown terrain or a sign of several characters.
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
    """Terrain values, row by row, as rows of the usual signs."""
    signs = "".join(terrain_table()[value].sign for value in terrain)
    return tuple(signs[at : at + width] for at in range(0, len(signs), width))


def set_up(scenario: Map, options: Mapping[str, Value]) -> GameSet:
    """The first event of a game: the scenario and what the tables make of it.

    ``options`` are checked values; they overrule the scenario's. Rules: WD-IMP-4.

    Raises:
        ScenarioFault: the scenario cannot be played.
    """
    given = {name: value for name, value in options.items() if name != "rounds"}
    chosen = convert({**_as_mapping(scenario.options), **given}, Options)
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
        sites=tuple(
            Site(number, site.x, site.y, site.ruined) for number, site in enumerate(scenario.sites)
        ),
    )


def _unit(number: int, placed: Placed, now: Now | None) -> Unit:
    """A unit of the list; what is left out is as new, an attack where attacks are counted."""
    row = units_table()[type_numbers()[placed.type]]
    b_max = row.b if placed.b_max is None else placed.b_max
    full = 1 if counts_attacks(now) else b_max
    return Unit(
        id=number,
        type=type_numbers()[placed.type],
        x=placed.x,
        y=placed.y,
        v=row.v if placed.v is None else placed.v,
        b=full if placed.b is None else placed.b,
        b_max=b_max,
        alive=placed.alive,
    )


def _as_mapping(options: Options) -> dict[str, Value]:
    return {name: getattr(options, name) for name in Options.__struct_fields__}


def settled_options(event: GameSet) -> dict[str, Value]:
    """Every option of a game, as it was settled."""
    return {**_as_mapping(event.options), "rounds": event.rounds}


def position(state: State) -> Map:
    """Any state as a scenario that begins there."""
    keys = [row.key for row in units_table()]
    return Map(
        name=state.name,
        title=state.title,
        about=state.about,
        frontier=state.frontier,
        rounds=state.rounds,
        cursor=state.cursor,
        rows=sign_rows(_values(state.terrain), state.terrain.width),
        units=tuple(
            Placed(keys[u.type], u.x, u.y, u.v, u.b, u.b_max, u.alive) for u in state.units.values()
        ),
        sites=tuple(SitePlaced(s.x, s.y, s.ruined) for s in state.sites.values()),
        options=state.options,
        now=Now(
            completed=state.completed,
            phase=state.phase,
            player=state.player,
            attacks=state.attacks,
            winner=state.winner,
            reason=state.reason,
        ),
        cycle=state.cycle,
    )


def _values(plane: Plane) -> list[int]:
    return [int(value) for value in plane.cells.ravel()]


@cache
def shipped() -> dict[str, Map]:
    """The scenarios that come with the game, by name; the large one first."""
    found: dict[str, Map] = {}
    for item in _ordered(files(PACKAGE).joinpath("scenarios").iterdir()):
        made = convert(tomllib.loads(item.read_text(encoding="utf-8")), Map)
        assert isinstance(made, Map)  # noqa: S101 - tells the type checker
        found[made.name] = made
    return found


def _ordered(items: Iterable[Traversable]) -> list[Traversable]:
    tables = [item for item in items if item.name.endswith(".toml")]

    def rank(item: Traversable) -> tuple[int, str]:
        name = item.name.removesuffix(".toml")
        return (FIRST.index(name) if name in FIRST else len(FIRST), name)

    return sorted(tables, key=rank)
