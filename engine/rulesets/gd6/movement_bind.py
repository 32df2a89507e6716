"""Binding units to move orders before the first step."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from engine.core.record import replace
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.lands import Job, count_of, name
from engine.rulesets.gd6.lines import Line, Lists, of_kind, refuse
from engine.rulesets.gd6.numbers import unit_rows
from engine.rulesets.gd6.orders import Move, Unit
from engine.rulesets.gd6.refusal import Reason, Refusal
from engine.rulesets.gd6.state import Seen, Squad

SPIES: Final = 1_000_000
"""Numbers of squads from which on they are spies."""

RANKS: Final = 10_000
"""More places than a list has."""


def reasons(seen: Seen, seat: int, order: Move) -> list[Reason]:
    """Why a move is refused whatever the others of its list are. Rules: GD-MOVE-1, GD-MOVE-2."""
    found = []
    start, speed = order.path[0], unit_rows()[order.unit].speed
    if seen.territories[start].owner != seat:
        text = f"{name(seen, start)} is not yours."
        found.append(Reason(Refusal.ORIGIN_NOT_OWNED, text, "GD-MOVE-1"))
    if order.count < 1:
        text = f"{order.count} units cannot be moved."
        found.append(Reason(Refusal.MOVE_BAD_COUNT, text, "GD-MOVE-1"))
    hops = len(order.path) - 1
    if not 1 <= hops <= speed:
        text = f"A path of {hops} borders; a {order.unit} crosses 1 to {speed}."
        found.append(Reason(Refusal.PATH_BAD_LENGTH, text, "GD-MOVE-2"))
    for one, other in pairwise(order.path):
        if other not in seen.world.beside(one):
            text = f"{name(seen, other)} is not next to {name(seen, one)}."
            found.append(Reason(Refusal.PATH_NOT_CONNECTED, text, "GD-MOVE-2"))
            break
    return found


def bound(
    seen: Seen, seat: int, lines: Sequence[Line[Move]]
) -> list[tuple[Line[Move], int, list[Reason]]]:
    """For each move how many units it gets, and why it is refused. Rules: GD-BIND-1."""
    taken: dict[tuple[int, Unit], int] = {}
    found = []
    for line in lines:
        order = line.order
        why = reasons(seen, seat, order)
        if why:
            found.append((line, 0, why))
            continue
        key = order.path[0], order.unit
        there = count_of(seen.territories[order.path[0]], order.unit) - taken.get(key, 0)
        kept = min(order.count, there)
        taken[key] = taken.get(key, 0) + kept
        found.append((line, kept, [] if kept else [_nothing_left(seen, order)]))
    return found


def _nothing_left(seen: Seen, order: Move) -> Reason:
    place = name(seen, order.path[0])
    there = count_of(seen.territories[order.path[0]], order.unit)
    text = f"{there} of type {order.unit} at {place}, none left for this order of {order.count}."
    return Reason(Refusal.INSUFFICIENT_UNITS, text, "GD-BIND-1")


def bind(work: Job, lists: Lists) -> None:
    """Take the units of all squads. Rules: GD-BIND-1, GD-BIND-2.

    Squads are numbered by starting territory and priority, so that no seat comes first. The numbers
    of spies come after all others and depend on nothing but their own list: numbers that are told
    to a seat must not count spies of which it knows nothing. Rules: GD-SECRET-4.
    """
    state, squads = work.state, list[Squad]()
    for seat, lines in lists.items():
        for line, kept, why in bound(state, seat, of_kind(lines, Move)):
            order = line.order
            if why:
                refuse(work, seat, line, why)
                continue
            if kept < order.count:
                work.emit(ev.OrderReduced(seat, line.place, order, kept))
            squads.append(Squad(0, seat, line.place, order.unit, kept, order.path))
    squads.sort(key=lambda squad: (squad.unit == "spy", squad.path[0], squad.rank))
    if squads:
        work.emit(ev.SquadsBound(tuple(_numbered(squads))))


def _numbered(squads: Sequence[Squad]) -> list[Squad]:
    return [
        replace(squad, id=_of_spies(squad) if squad.unit == "spy" else number)
        for number, squad in enumerate(squads, 1)
    ]


def _of_spies(squad: Squad) -> int:
    return SPIES + squad.path[0] * RANKS + squad.rank
