"""Tables about a position: reports, names to search for, and the tools of ``calc``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from engine.core.base_ruleset import FunctionTool
from engine.core.dice import Scripted
from engine.core.record import replace
from engine.core.refused import Refused
from engine.core.ruleset import Argument, Tool, ToolReport
from engine.kit.arguments import place_of, place_on
from engine.kit.fields import FAR, descend, distances
from engine.rulesets.weltendaemmerung.commands import MoveUnit
from engine.rulesets.weltendaemmerung.evolve import evolve
from engine.rulesets.weltendaemmerung.fighting import forecast, is_in_reach
from engine.rulesets.weltendaemmerung.lookup import (
    Decision,
    current_round,
    ground_name,
    land_of,
    side_of,
    statistics,
    type_name,
    unit_at,
    unit_row,
    unit_side,
    whose,
)
from engine.rulesets.weltendaemmerung.moving import move_unit
from engine.rulesets.weltendaemmerung.reach import ground, reach
from engine.rulesets.weltendaemmerung.state import MOVE, SIDES, Site, State, Terrain, Unit, View
from engine.rulesets.weltendaemmerung.tables import units_table
from engine.tabletop.board import Find
from engine.tabletop.report import Report, ReportRow, columns
from engine.tabletop.roles import Tone

_UNIT: Final = Argument("unit", "number", "the number of a unit")


# -- tables ------------------------------------------------------------------------------


def reports(view: View) -> tuple[Report, ...]:
    """Report on sides, types, units and gates. See: WD-UNIT-1, WD-GATE-1, WD-WIN-6."""
    return _sides(view), _types(view), _units(view), _gates(view)


def _living(view: View) -> list[Unit]:
    return [unit for unit in view.units.values() if unit.alive]


def _sides(view: View) -> Report:
    counted = statistics(view)
    rows = tuple(
        ReportRow(
            (name, *(values[side] for values in counted.values()), _fate(view, side)), seat=side
        )
        for side, name in enumerate(SIDES)
    )
    headings = columns("Side", *(f">{name.capitalize()}" for name in counted), "Now")
    rounds = f"Round {current_round(view)} of {view.rounds}."
    return Report("sides", "Sides", headings, rows, (rounds,))


def _fate(view: View, side: int) -> str:
    if view.winner < 0:
        return "to act" if view.player == side else ""
    return "winner" if view.winner == side else ""


def _types(view: View) -> Report:
    """Report the living units of each type, with their total life and attack."""
    found: dict[int, list[Unit]] = {}
    for unit in _living(view):
        found.setdefault(unit.type, []).append(unit)
    rows = tuple(
        ReportRow(
            (
                units_table()[kind].english,
                SIDES[side_of(kind)],
                len(units),
                sum(unit.v for unit in units),
                units_table()[kind].a * len(units),
            ),
            at=(units[0].x, units[0].y),
            seat=side_of(kind),
        )
        for kind, units in sorted(found.items())
    )
    headings = columns("Type", "Side", ">Units", ">Life", ">Attack")
    return Report("types", "Types", headings, rows)


def _units(view: View) -> Report:
    rows = tuple(
        ReportRow(
            (type_name(u), SIDES[unit_side(u)], f"{u.x},{u.y}", u.v, _moves(view, u)),
            at=(u.x, u.y),
            seat=unit_side(u),
        )
        for u in _living(view)
    )
    return Report("units", "Units", columns("Unit", "Side", "At", ">Life", ">Moves"), rows)


def _moves(view: View, unit: Unit) -> str:
    """Return the moves left to a unit; outside the movement phase those of the next round."""
    left = unit.b if view.phase == MOVE else unit.b_max
    return f"{left}/{unit.b_max}"


def gate_state(view: View, site: Site) -> str:
    """Return the state of a gate site in a word. See: WD-GATE-2, WD-GATE-5."""
    if site.ruined:
        return "ruined"
    return "shut" if view.terrain[site.y, site.x] == Terrain.GATE else "open"


def _gates(view: View) -> Report:
    """Report the state of the gate sites. See: WD-GATE-1, WD-GATE-2, WD-GATE-5."""
    rows = []
    for site in view.sites.values():
        side = land_of(view, site.x)
        tone = Tone.QUIET if site.ruined else Tone.NORMAL
        cells = (f"{site.x},{site.y}", SIDES[side], gate_state(view, site))
        rows.append(ReportRow(cells, tone, (site.x, site.y), side))
    return Report("gates", "Gates", columns("Gate", "Side", "Now"), tuple(rows))


# -- names to search for -----------------------------------------------------------------


def finds(view: View) -> tuple[Find, ...]:
    """Return living units, gate sites, and free End tiles. See: WD-UNIT-1, WD-GATE-2."""
    units = [_found_unit(unit) for unit in view.units.values() if unit.alive]
    sites = [_found_site(view, site) for site in view.sites.values()]
    return (*units, *sites, *_found_ends(view))


def _found_unit(unit: Unit) -> Find:
    side = unit_side(unit)
    text = f"{type_name(unit)} {unit.id} ({SIDES[side]})"
    return Find(text, "unit", (unit.x, unit.y), side)


def _found_site(view: View, site: Site) -> Find:
    owner = land_of(view, site.x)
    word = f"{gate_state(view, site)} gate".removeprefix("shut ")
    text = f"{word} {site.x},{site.y} ({SIDES[owner]})"
    return Find(text, "gate", (site.x, site.y), owner)


def _found_ends(view: View) -> list[Find]:
    rows, columns = np.nonzero(view.terrain.cells == Terrain.END)
    places = zip(columns.tolist(), rows.tolist(), strict=True)
    return [
        Find(f"{ground_name(Terrain.END)} {x},{y}", "place", (x, y))
        for x, y in places
        if unit_at(view, x, y) is None
    ]


# -- tools of the command line -----------------------------------------------------------


def _answer_reach(state: State, arguments: Mapping[str, str]) -> ToolReport:
    """Report the reachable tiles with their prices. See: WD-MOVE-7."""
    unit = _mover(state, arguments)
    found = reach(state, unit)
    rows = tuple(
        (x, y, ground_name(state.terrain[y, x]), price, found.left(x, y))
        for (x, y), price in found.prices().items()
    )
    remark = f"{_named(unit)}: moves {unit.b}, tiles {len(rows)}."
    return ToolReport(("x", "y", "terrain", "price", "left"), rows, (remark, *_full(state)))


def _answer_price(state: State, arguments: Mapping[str, str]) -> ToolReport:
    """Report the steps of a path, up to the first refused one. See: WD-MOVE-2, WD-MOVE-7."""
    unit = _mover(state, arguments)
    path = tuple(place_of(text) for text in arguments["path"].split(">"))
    path = path[1:] if path[0] == (unit.x, unit.y) else path
    units, side = state.units.put(unit), unit_side(unit)
    start = replace(state, units=units, phase=MOVE, player=side, winner=-1, reason=None)
    decision = Decision(start, evolve, Scripted())
    rows: list[tuple[int | str, ...]] = []
    remarks: list[str] = []
    for number, there in enumerate(path, 1):
        before = decision.state.units[unit.id]
        try:
            move_unit(decision, MoveUnit(unit=unit.id, path=(there,)))
        except Refused as refusal:
            where = f"Step {number} to {there[0]},{there[1]}"
            remarks.append(f"{where} is refused: {refusal.text} ({refusal.rule})")
            break
        after = decision.state.units[unit.id]
        ground = ground_name(decision.state.terrain[before.y, before.x])
        rows.append((number, after.x, after.y, ground, before.b - after.b, after.b))
        if decision.state.winner >= 0:
            remarks.append("The game is won there (WD-WIN-4).")
            break
    total = unit.b - decision.state.units[unit.id].b
    remarks.insert(0, f"{_named(unit)} paid {total} of {unit.b} moves.")
    columns = ("step", "x", "y", "left behind", "paid", "left")
    return ToolReport(columns, tuple(rows), (*remarks, *_full(state)))


def _answer_way(state: State, arguments: Mapping[str, str]) -> ToolReport:
    """Report the cheapest path over several rounds, ignoring units. See: WD-MOVE-2, WD-TERR-2."""
    unit = _unit(state, arguments)
    target = place_on(state.terrain, arguments["target"])
    lie = ground(state, unit.type)
    field = distances(lie, [(unit.x, unit.y)])
    total = int(field[target[1], target[0]])
    if total >= FAR:
        raise ValueError(f"no way leads unit {unit.id} to {target[0]},{target[1]} as the map is")
    rows = tuple(
        (number, x, y, ground_name(state.terrain[y, x]), int(field[y, x]))
        for number, (x, y) in enumerate(descend(field, lie, target), 1)
    )
    remark = f"{_named(unit)}: {total} moves, at most {unit.b_max} a round, units left aside."
    return ToolReport(("step", "x", "y", "terrain", "moves"), rows, (remark,))


def _answer_forecast(state: State, arguments: Mapping[str, str]) -> ToolReport:
    """Report the forecast of an attack. See: WD-ATT-2, WD-ATT-3, WD-RNG-1, WD-SIEGE-3."""
    unit = _unit(state, arguments)
    x, y = place_on(state.terrain, arguments["target"])
    found = forecast(state, unit, x, y)
    if found is None:
        raise ValueError(f"there is nothing that unit {unit.id} could attack at {x},{y}")
    near = is_in_reach(state.options, unit_row(unit).r, x - unit.x, y - unit.y)
    remarks = [f"{_named(unit)} at {unit.x},{unit.y} against {x},{y}."]
    if found.kind == "siege":
        target = ground_name(state.terrain[y, x])
        remarks.append("A siege always succeeds (WD-SIEGE-3).")
        numbers: tuple[int | float | None, ...] = (None, None, None, None)
    else:
        victim = state.units[found.victim]
        target = _named(victim)
        numbers = (victim.v, found.least, found.most, float(found.mean))
    if not near:
        remarks.append(f"Out of reach from where it stands: range {unit_row(unit).r} (WD-ATT-2).")
    chance = float(found.chance)
    row = (target, "yes" if near else "no", *numbers, found.kills, found.draws, chance)
    columns = ("target", "in reach", "life", "least", "most", "mean", "kills", "draws", "chance")
    return ToolReport(columns, (row,), tuple(remarks))


def _unit(state: State, arguments: Mapping[str, str]) -> Unit:
    text = arguments["unit"].strip()
    unit = state.units.get(int(text)) if text.isdecimal() and len(text) < 10 else None
    if unit is None or not unit.alive:
        raise ValueError(f"there is no living unit {text!r} here")
    return unit


def _mover(state: State, arguments: Mapping[str, str]) -> Unit:
    """Return the unit that the arguments name; outside the movement phase with full points.

    See: WD-TURN-4.
    """
    unit = _unit(state, arguments)
    return unit if state.phase == MOVE else replace(unit, b=unit.b_max)


def _full(state: State) -> tuple[str, ...]:
    text = "Outside the movement phase a unit is taken to have all its moves."
    return () if state.phase == MOVE else (text,)


def _named(unit: Unit) -> str:
    return f"unit {unit.id}, {whose(unit)}"


TOOLS: Final[tuple[Tool, ...]] = (
    FunctionTool("reach", "The tiles a unit can get to in this phase.", (_UNIT,), _answer_reach),
    FunctionTool(
        "price",
        "What the steps of a path cost a unit.",
        (
            _UNIT,
            Argument("path", "path", "tiles x,y>x,y, from the unit's own or the one beside it on"),
        ),
        _answer_price,
    ),
    FunctionTool(
        "way",
        "The cheapest way of a unit to a tile, over several rounds.",
        (_UNIT, Argument("target", "place", "the tile it wants to get to")),
        _answer_way,
    ),
    FunctionTool(
        "forecast",
        "What an attack of a unit on a tile would do.",
        (_UNIT, Argument("target", "place", "the tile that is attacked")),
        _answer_forecast,
    ),
)
"""Tools of this game for ``calc``."""
