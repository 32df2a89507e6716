"""Reports: the sides, their types, every unit, the gates. Nothing is hidden in this game."""

from __future__ import annotations

from engine.rulesets.weltendaemmerung import sight
from engine.rulesets.weltendaemmerung.gates import land_of
from engine.rulesets.weltendaemmerung.lookup import side_of
from engine.rulesets.weltendaemmerung.state import SIDES, Terrain, Unit, View
from engine.rulesets.weltendaemmerung.statistics import statistics
from engine.rulesets.weltendaemmerung.tables import units_table
from engine.tabletop.report import Report, ReportRow, columns
from engine.tabletop.roles import Tone


def reports(view: View) -> tuple[Report, ...]:
    """Sides, types, units, gates. Rules: WD-UNIT-1, WD-GATE-1, WD-WIN-6."""
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
    headings = columns("Side", *(f">{name.capitalize()}" for name in counted), "Is")
    rounds = f"Round {sight.round_now(view)} of {view.rounds}."
    return Report("sides", "Sides", headings, rows, (rounds,))


def _fate(view: View, side: int) -> str:
    if view.winner < 0:
        return "to act" if view.player == side else ""
    return "winner" if view.winner == side else ""


def _types(view: View) -> Report:
    """How many of each type live, with their life and blows."""
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
                sum(units_table()[kind].a for _ in units),
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
            (
                sight.type_name(unit),
                SIDES[sight.side(unit)],
                f"{unit.x},{unit.y}",
                unit.v,
                f"{unit.b}/{unit.b_max}",
            ),
            at=(unit.x, unit.y),
            seat=sight.side(unit),
        )
        for unit in _living(view)
    )
    return Report("units", "Units", columns("Unit", "Side", "At", ">Life", ">Points"), rows)


def _gates(view: View) -> Report:
    """The gate sites, and how they are. Rules: WD-GATE-1, WD-GATE-2, WD-GATE-5."""
    rows = []
    for site in view.sites.values():
        shut = view.terrain[site.y, site.x] == Terrain.GATE
        word = "ruined" if site.ruined else "shut" if shut else "open"
        side = land_of(view, site.x)
        tone = Tone.QUIET if site.ruined else Tone.NORMAL
        cells = (f"{site.x},{site.y}", SIDES[side], word)
        rows.append(ReportRow(cells, tone, (site.x, site.y), side))
    return Report("gates", "Gates", columns("At", "Side", "Is"), tuple(rows))
