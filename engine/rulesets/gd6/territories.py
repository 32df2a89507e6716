"""Territories: queries that many rules share, loss of ownership, statistics; type of a decision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from engine.core.decision import BaseDecision
from engine.kit.identity_cache import keyed_identity_cache
from engine.kit.places import distances_from
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import UNITS, Unit
from engine.rulesets.gd6.numbers import numbers, units_in_line
from engine.rulesets.gd6.state import (
    LETTERS,
    NOBODY,
    State,
    StateOrView,
    Territory,
    UnitCounts,
    World,
)

Decision: TypeAlias = BaseDecision[State, ev.AnyEvent]
"""Events of one decision in progress, and the state after them."""


def counts(here: Territory) -> UnitCounts:
    """Return the number of units of each type, in the order of UNITS."""
    return here.army, here.cavalry, here.heavy, here.spy


def unit_counts(units: Iterable[tuple[Unit, int]]) -> UnitCounts:
    """Return the number of units of each type, in the order of UNITS, from (type, number) pairs."""
    found = dict.fromkeys(UNITS, 0)
    for unit, count in units:
        found[unit] += count
    return found["army"], found["cavalry"], found["heavy"], found["spy"]


def count_of(here: Territory, unit: Unit) -> int:
    """Return the number of units of a type."""
    return counts(here)[UNITS.index(unit)]


def strength(here: Territory) -> int:
    """Return the number of units of all types."""
    return here.army + here.cavalry + here.heavy + here.spy


def front(here: Territory) -> Unit | None:
    """Return the type at the front of the line-up, or None without units. Rules: GD-UNIT-2."""
    return next((unit for unit in units_in_line() if count_of(here, unit)), None)


def owned(seen: StateOrView, seat: int) -> list[Territory]:
    """Return the territories of a seat, in order."""
    return [here for here in seen.territories.values() if here.owner == seat]


def is_beside(seen: StateOrView, at: int, seat: int) -> bool:
    """Return whether a territory of the seat is next to this one."""
    return any(seen.territories[other].owner == seat for other in seen.world.beside(at))


@keyed_identity_cache
def close_by(world: World, at: int) -> frozenset[int]:
    """Return territories too close for another headquarters, this one included. Rules: GD-HQ-2.

    Distance is the number of borders crossed.
    """
    return frozenset(distances_from(world, (at,), most=numbers().hq_min_distance.value - 1))


def free_sites(seen: StateOrView) -> list[int]:
    """Return the territories on which a headquarters can be built now. See: GD-HQ-1, GD-HQ-2."""
    taken: set[int] = set()
    for here in seen.territories.values():
        if here.hq != NOBODY:
            taken |= close_by(seen.world, here.id)
    return [
        here.id
        for here in seen.territories.values()
        if here.owner == NOBODY and here.id not in taken
    ]


def headquarters(seen: StateOrView, seat: int) -> list[int]:
    """Return the territories of a seat with a headquarters, its own or captured. Rules: GD-HQ-3."""
    return [here.id for here in owned(seen, seat) if here.hq != NOBODY]


def name(seen: StateOrView, at: int) -> str:
    """Return number and name of a territory, such as ``14 Eastfen``."""
    called = seen.world.land(at).name
    return f"{at} {called}" if called else str(at)


def letter(seat: int) -> str:
    """Return the letter of a seat, or its number beyond the alphabet of seats."""
    return LETTERS[seat] if 0 <= seat < len(LETTERS) else str(seat)


def neutralise(decision: Decision, at: int) -> None:
    """Make a territory neutral, unless it is so already; its bivouac is lost. Rules: GD-LAND-1."""
    here = decision.state.territories[at]
    lost = here.construct if here.construct == "bivouac" else None
    if here.owner != NOBODY:
        decision.emit(ev.Neutralised(at, lost, here.owner))


def neutralise_if_empty(decision: Decision, at: int) -> None:
    """Make a territory neutral if no unit is left there. See: GD-LAND-1."""
    if not strength(decision.state.territories[at]):
        neutralise(decision, at)


# -- statistics ------------------------------------------------------------------------------------


def statistics(seen: StateOrView) -> Mapping[str, tuple[int, ...]]:
    """Return public statistics by seat: territories, headquarters, units without spies."""
    lands = [owned(seen, seat) for seat in seen.players]
    return {
        "territories": tuple(map(len, lands)),
        "headquarters": tuple(sum(here.hq != NOBODY for here in own) for own in lands),
        "units": tuple(sum(strength(here) - here.spy for here in own) for own in lands),
    }
