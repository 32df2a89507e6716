"""Forces: costs of conquest and threats in a position, for screens and computer players."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final, TypeAlias

from engine.kit.identity_cache import identity_cache, keyed_identity_cache
from engine.rulesets.gd6.commands import UNITS, Construct, Unit
from engine.rulesets.gd6.fights import Needed, entry_cost, needed
from engine.rulesets.gd6.lists import project
from engine.rulesets.gd6.numbers import unit_rows
from engine.rulesets.gd6.state import NOBODY, Options, StateOrView, Territory, View, World
from engine.rulesets.gd6.territories import counts
from engine.rulesets.gd6.world import distances

SPY: Final = UNITS.index("spy")

Surroundings: TypeAlias = tuple[tuple[int, int], ...]
"""Pairs (territory, distance in borders) of one territory's surroundings."""


@cache
def healths() -> tuple[int, ...]:
    """Return the health of each type, in the order of UNITS."""
    rows = unit_rows()
    return tuple(rows[unit].health for unit in UNITS)


@cache
def speeds() -> tuple[int, ...]:
    """Return the speed of each type, in the order of UNITS."""
    rows = unit_rows()
    return tuple(rows[unit].speed for unit in UNITS)


@cache
def _by_distance() -> tuple[tuple[int, ...], ...]:
    """Return the health of each type by distance in borders; 0 beyond its speed."""
    pairs = list(zip(healths(), speeds(), strict=True))
    longest = max(speeds())
    return tuple(
        tuple(health if speed >= steps else 0 for health, speed in pairs)
        for steps in range(longest + 1)
    )


def longest_way(options: Options) -> int:
    """Return the borders that the variant's fastest type crosses in a turn. See: GD-UNIT-1."""
    return max(speeds()) if options.variant == "advanced" else unit_rows()["army"].speed


@keyed_identity_cache
def surroundings(world: World, most: int) -> tuple[Surroundings, ...]:
    """Return the territories within ``most`` borders of each territory.

    Indexed by territory number; index 0 is empty.
    """
    rows = distances(world).cells.tolist()
    return (
        (),
        *(
            tuple((at, steps) for at, steps in enumerate(row) if at and 0 < steps <= most)
            for row in rows[1:]
        ),
    )


def health(units: Sequence[int]) -> int:
    """Return the total health of units, counted in the order of UNITS. See: GD-UNIT-3."""
    army, cavalry, heavy, _ = units
    if not cavalry and not heavy:
        return army * healths()[0]
    return sum(count * each for count, each in zip(units, healths(), strict=True))


def force(units: Sequence[int], steps: int) -> int:
    """Return the damage that units can do at a distance: the health of all types fast enough.

    See: GD-UNIT-1, GD-MOVE-2, GD-INVADE-2.
    """
    worth = _by_distance()
    if steps >= len(worth):
        return 0
    army, cavalry, heavy, spy = worth[steps]
    return units[0] * army + units[1] * cavalry + units[2] * heavy + units[3] * spy


class Forces:
    """Owners and garrisons as flat lists by territory number; index 0 is unused.

    ``units`` are counts in the order of UNITS.
    """

    __slots__ = ("around", "construct", "mines", "owner", "units")

    def __init__(self, seen: StateOrView) -> None:
        rows = (Territory(0), *seen.territories.rows())
        self.owner = [here.owner for here in rows]
        self.units = [[*counts(here)] for here in rows]
        self.construct: list[Construct | None] = [here.construct for here in rows]
        self.mines = [here.mines for here in rows]
        self.around = surroundings(seen.world, longest_way(seen.options))

    def health(self, at: int) -> int:
        """Return the total health of the units at a territory."""
        return health(self.units[at])

    def entry_cost(self, at: int, *, guided: bool = False) -> int:
        """Return the damage that invaders take before they reach a defender. See: GD-INVADE-1."""
        tower = self.construct[at] == "watchtower"
        return entry_cost(tower=tower, mines=self.mines[at], guided=guided)

    def price(self, at: int, *, guided: bool = False) -> int:
        """Return the damage until no defender is left; one more unit takes the land."""
        return self.entry_cost(at, guided=guided) + self.health(at)

    def losses(self, seat: int, at: int, *, guided: bool = False) -> int:
        """Return the damage to units of a seat that enter a territory, if no other seat moves.

        See: GD-INVADE-2, GD-MINE-2, GD-STEP-3, GD-STEP-4.
        """
        if self.owner[at] == seat:
            return 0
        return self.mines[at] if self.owner[at] == NOBODY else self.price(at, guided=guided)

    def is_guided(self, seat: int, start: int, near: Sequence[int]) -> bool:
        """Return whether the seat has a spy at or next to ``start``. See: GD-INTEL-1."""
        return any(self.units[at][SPY] and self.owner[at] == seat for at in (start, *near))

    def reach(self, seat: int, at: int) -> int:
        """Return the damage that a seat's units could do to a territory this turn, if unopposed.

        Each type counts within its speed. Owners along the way are ignored. See: GD-MOVE-2.
        """
        owner, units = self.owner, self.units
        return sum(
            force(units[other], steps) for other, steps in self.around[at] if owner[other] == seat
        )

    def threat(self, seat: int, at: int) -> int:
        """Return the maximum damage that a seat other than this one and the owner could do there.

        ``at`` is the territory. Each type counts within its speed.
        """
        owner, units = self.owner, self.units
        friends = (NOBODY, seat, owner[at])
        found: dict[int, int] = {}
        for other, steps in self.around[at]:
            rival = owner[other]
            if rival not in friends:
                found[rival] = found.get(rival, 0) + force(units[other], steps)
        return max(found.values(), default=0)

    def is_contested(self, seat: int, at: int) -> bool:
        """Return whether some rival has units that could reach a territory this turn."""
        owner, units = self.owner, self.units
        return any(
            owner[other] not in (NOBODY, seat) and force(units[other], steps)
            for other, steps in self.around[at]
        )


# -- forecasts for a viewer ------------------------------------------------------------------------


@identity_cache
def foreseen(view: View) -> Forces:
    """Return the position at the start of movement, as far as the viewer can predict it.

    The Natural Phase and the viewer's own earlier stages are over, its spies have made their first
    hop, and all other seats are idle. Spectators get the present position. See: GD-CHECK-1.
    """
    if view.viewer not in view.players or view.reason:
        return Forces(view)
    projection = project(view)
    forces = Forces(projection.before.get("move", view))
    for squad in projection.after.squads.values():
        if squad.seat == view.viewer and squad.unit == "spy":
            forces.units[squad.path[0]][SPY] -= squad.count
            if forces.owner[squad.path[1]] == view.viewer:
                forces.units[squad.path[1]][SPY] += squad.count
    return forces


def price(view: View, at: int, start: int = 0) -> Needed | None:
    """Return the armies that the viewer needs to take a territory, if no other seat moves.

    Counts the health of visible defenders, and known mines. ``start`` is the origin of the armies;
    0 means the best of the viewer's neighbouring territories, since a spy may save the penalty.
    None for the viewer's own land and for spectators.
    See: GD-INVADE-5, GD-INTEL-1, GD-MINE-2, GD-MINE-3.
    """
    forces, seat = foreseen(view), view.viewer
    if seat not in view.players or forces.owner[at] == seat:
        return None
    mines = forces.mines[at]
    if forces.owner[at] == NOBODY:
        return Needed(None, 0, mines + 1)
    beside = view.world.beside
    own = [one for one in beside(at) if forces.owner[one] == seat]
    starts = [start] if start else own
    guided = any(forces.is_guided(seat, one, beside(one)) for one in starts)
    tower = forces.construct[at] == "watchtower"
    return needed(forces.health(at), tower=tower, mines=mines, guided=guided)


def units_for(view: View, path: Sequence[int], unit: Unit) -> int | None:
    """Return how many units must set out so that one reaches the end of a path.

    None if no number suffices. Assumes that no other seat moves. Wounds heal after each hop.
    See: GD-INVADE-5, GD-STEP-6, GD-SPY-1.
    """
    forces, seat, each = foreseen(view), view.viewer, unit_rows()[unit].health
    count, taken = 1, set[int]()
    for start, at in pairwise(path):
        if at in taken or forces.owner[at] == seat:
            continue
        taken.add(at)
        if not each:
            if forces.owner[at] != NOBODY:
                return None
            continue
        guided = forces.is_guided(seat, start, view.world.beside(start))
        count += forces.losses(seat, at, guided=guided) // each
    return count


def threat(view: View, at: int) -> int:
    """Return the maximum force that one other seat could bring to a territory this turn, in armies.

    A heavy counts as two, spies do not count. See: GD-UNIT-1, GD-UNIT-3.
    """
    return foreseen(view).threat(view.viewer, at)
