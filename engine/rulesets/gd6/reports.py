"""Reports: the seats, the viewer's land, its purse, units on their way."""

from __future__ import annotations

from typing import Final

from engine.rulesets.gd6.lands import counts, letter, name, owned
from engine.rulesets.gd6.orders import UNITS
from engine.rulesets.gd6.state import NOBODY, Player, Squad, Territory, View
from engine.rulesets.gd6.statistics import statistics
from engine.rulesets.gd6.view import knows
from engine.rulesets.gd6.words import called, many, spot, units
from engine.tabletop.report import UNKNOWN, Cell, Report, ReportRow, columns
from engine.tabletop.roles import Tone

_OPEN: Final = "IP and items of others are their secret."


def reports(view: View) -> tuple[Report, ...]:
    """Seats, land, purse, squads. Rules: GD-SECRET-1, GD-SECRET-2, GD-SECRET-4."""
    return _seats(view), _lands(view), _purse(view), _squads(view)


def _is_open(view: View, seat: int) -> bool:
    """Whether the viewer may know a seat's purse."""
    return bool(view.reason) or knows(view.viewer, seat)


def _seats(view: View) -> Report:
    counted = statistics(view)
    order = sorted(view.players, key=lambda seat: (-counted["territories"][_row(view, seat)], seat))
    rows = tuple(
        ReportRow(
            (
                called(view, seat),
                *(values[_row(view, seat)] for values in counted.values()),
                view.players[seat].ip if _is_open(view, seat) else UNKNOWN,
                _fate(view, view.players[seat]),
            ),
            seat=seat,
        )
        for seat in order
    )
    headings = columns("Seat", ">Land", ">HQs", ">Units", ">IP", "Is")
    notes = () if all(_is_open(view, seat) for seat in view.players) else (_OPEN,)
    return Report("seats", "Seats", headings, rows, notes)


def _row(view: View, seat: int) -> int:
    return list(view.players).index(seat)


def _fate(view: View, player: Player) -> str:
    if player.id in view.winners:
        return "winner"
    if player.status == "eliminated":
        return "out"
    if player.status == "unsettled" and not owned(view, player.id):
        return "not settled yet"
    return "sealed" if player.sealed and not view.reason else ""


def _mine(view: View) -> list[int]:
    """The seats that the viewer's reports are of: its own, or all if it has none or all is over."""
    own = view.viewer in view.players and not view.reason
    return [view.viewer] if own else list(view.players)


def _lands(view: View) -> Report:
    rows = tuple(_land(view, here) for seat in _mine(view) for here in owned(view, seat))
    headings = columns(
        "Territory",
        "Seat",
        *(f">{unit.capitalize()}" for unit in UNITS),
        ">Loyalty",
        "Stands there",
    )
    return Report("land", "Land", headings, rows)


def _land(view: View, here: Territory) -> ReportRow:
    built = ["headquarters"] if here.hq != NOBODY else []
    built += [here.construct] if here.construct else []
    built += ["wasteland"] if here.wasteland else []
    built += [many(here.mines, "mine")] if here.mines else []
    cells: tuple[Cell, ...] = (
        name(view, here.id),
        letter(here.owner),
        *counts(here),
        here.loyalty,
        ", ".join(built),
    )
    tone = Tone.BAD if here.wasteland else Tone.NORMAL
    return ReportRow(cells, tone, spot(view, here.id), here.owner)


def _purse(view: View) -> Report:
    """IP and items of those whose purse may be known. Rules: GD-SECRET-2."""
    rows = tuple(
        ReportRow(
            (called(view, seat), player.ip, player.crop, player.dynamite, player.toxic), seat=seat
        )
        for seat in _mine(view)
        if _is_open(view, seat)
        for player in [view.players[seat]]
    )
    headings = columns("Seat", ">IP", ">Crop", ">Dynamite", ">Toxic")
    return Report("purse", "Purse", headings, rows)


def _squads(view: View) -> Report:
    """Units that are on their way just now. Rules: GD-SECRET-4."""
    rows = tuple(_squad(view, squad) for squad in view.squads.values())
    return Report("squads", "Squads", columns("Seat", "Units", "From", "To"), rows)


def _squad(view: View, squad: Squad) -> ReportRow:
    here, there = squad.path[min(squad.hop, len(squad.path) - 1)], squad.path[-1]
    cells = (called(view, squad.seat), units(squad.count, squad.unit))
    return ReportRow(
        (*cells, name(view, here), name(view, there)), at=spot(view, here), seat=squad.seat
    )
