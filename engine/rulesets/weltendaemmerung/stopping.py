"""Risk of a unit that stops: the enemies that can strike it, and its chance to survive them all."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Final, TypeAlias

from engine.core.containers import Plane
from engine.core.record import Record, replace
from engine.kit.grid import disc
from engine.kit.move_graph import MoveGraph, flat, place
from engine.rulesets.weltendaemmerung.fighting import MODIFIERS, shares, squared_range
from engine.rulesets.weltendaemmerung.lookup import (
    COMMANDER,
    type_name,
    unit_at,
    unit_row,
    unit_side,
    whose,
)
from engine.rulesets.weltendaemmerung.reach import (
    arrivals,
    attacks_next,
    patch,
    places_of,
    points_first,
    shown_side,
    units_of,
)
from engine.rulesets.weltendaemmerung.state import DAILOR, ELDOIN, GATES, Options, Unit, View
from engine.tabletop.board import Line
from engine.tabletop.english import many, whole_percent
from engine.tabletop.roles import Tone


def survival(view: View, unit: Unit, foes: tuple[Unit, ...]) -> Fraction:
    """Return the probability that a unit survives one hit of each enemy. See: WD-ATT-3, WD-RNG-1.

    Under ``c64_cycle`` the draws are those of the whole cycle, because their order of use is
    unknown.
    """
    drawn = shares(view)
    if view.options.chance == "c64_cycle":
        modifiers = [MODIFIERS[index] for index in view.cycle]
        drawn = {m: (modifiers.count(m), len(modifiers)) for m in set(modifiers)}
    left = {unit.v: 1}
    for foe in foes:
        base, after = unit_row(foe).a, dict[int, int]()
        for life, ways in left.items():
            for modifier, (part, _) in drawn.items():
                rest = life - base - modifier
                if part and rest > 0:
                    after[rest] = after.get(rest, 0) + ways * part
        left = after
    whole = next(whole for _, whole in drawn.values())
    return Fraction(sum(left.values()), whole ** len(foes))


# -- strikers ---------------------------------------------------------------------------


def strikers_of(view: View, at: Unit, *, carried: bool) -> tuple[Unit, ...]:
    """Return the enemies that can strike a unit in their next attack phase.

    The result is that of ``strikers`` at the unit's tile, but only nearby enemies are checked.
    While a unit is ``carried``, its own tile counts as free, so that the enemies' cached reach
    remains valid. The result is the same: an enemy that could cross that tile can strike the unit
    from the tile in front of it.

    See: WD-TURN-1, WD-MOVE-3, WD-ATT-1, WD-ATT-2.
    """
    if view.winner >= 0:
        return ()
    side, stride = ELDOIN + DAILOR - unit_side(at), view.terrain.width + 2
    taken = places_of(view, unit_side(at), stride)
    if carried and (view.options.reach, view.options.steps) != ("exact", "eight"):
        taken.discard(flat(at.x, at.y, stride))
    ends = _Ends(view, frozenset(taken))
    return tuple(
        unit
        for unit in units_of(view, side)
        if attacks_next(view, unit) and _strikes(ends, unit, points_first(view, unit), at)
    )


def named_strikers(view: View, x: int, y: int) -> tuple[str, ...]:
    """Name the enemies that can strike a tile next if a unit is or would be there.

    See: WD-TURN-1, WD-ATT-1, WD-ATT-2.
    """
    side = shown_side(view)
    target = unit_at(view, x, y) or next(iter(units_of(view, side)), None)
    if target is None or unit_side(target) != side:
        return ()
    found = strikers_of(view, replace(target, x=x, y=y), carried=False)
    worst = sorted(found, key=lambda unit: (-unit_row(unit).a, unit.id))
    return tuple(f"{whose(unit)} at {unit.x},{unit.y}" for unit in worst)


class _Ends:
    """Tiles where units of one side can stop around those of the other."""

    def __init__(self, view: View, taken: frozenset[int]) -> None:
        self.view = view
        self._taken = taken
        self._graphs, self._found = _known_ends(view.terrain, taken, view.options)

    def of(self, unit: Unit, points: int) -> frozenset[int]:
        """Return the tiles where a unit can stop with ``points``, by flat index."""
        key = unit.type, unit.x, unit.y, points
        if key not in self._found:
            # Only the unit that already is on the west edge can move on from it.
            kind = unit.type, -1 if unit.x else unit.y
            if kind not in self._graphs:
                self._graphs[kind] = patch(self.view, unit)._replace(taken=set(self._taken))
            start = flat(unit.x, unit.y, self.view.terrain.width + 2)
            found = arrivals(self._graphs[kind], start, points, self.view.options)
            self._found[key] = frozenset(found)
        return self._found[key]


_Graphs: TypeAlias = dict[tuple[int, int], MoveGraph]
_EndTiles: TypeAlias = dict[tuple[int, int, int, int], frozenset[int]]


@lru_cache(maxsize=4)
def _known_ends(
    terrain: Plane,  # noqa: ARG001 - part of the key
    taken: frozenset[int],  # noqa: ARG001 - part of the key
    options: Options,  # noqa: ARG001 - part of the key
) -> tuple[_Graphs, _EndTiles]:
    """Return the cached graphs and tiles for a terrain and a set of occupied tiles."""
    return {}, {}


def _strikes(ends: _Ends, unit: Unit, points: int, at: Unit) -> bool:
    """Return whether a unit can strike another with ``points``."""
    limit = squared_range(unit.type, ends.view.options)
    dx, dy = unit.x - at.x, unit.y - at.y
    if dx * dx + dy * dy < limit:
        return True
    if points <= 0 or max(abs(dx), abs(dy)) > points + isqrt(limit):
        return False
    stride = ends.view.terrain.width + 2
    centre = flat(at.x, at.y, stride)
    return not ends.of(unit, points).isdisjoint(_flat_disc(centre, limit, stride))


@lru_cache(maxsize=64)
def _flat_disc(centre: int, limit: int, stride: int) -> frozenset[int]:
    """Return the tiles within a range around a tile, by flat index; some may be beyond the edge.

    No unit stops on those that wrap around the map: the rim is one tile wide on each side.
    """
    row, column = divmod(centre, stride)
    return frozenset(
        centre + dy * stride + dx
        for dx, dy in disc(limit)
        if 0 < column + dx < stride - 1 and row + dy > 0
    )


# -- warnings before a phase ends ------------------------------------------------------------------


_MOST_NAMED: Final = 4
"""Maximum number of endangered units to name; the others are counted."""


class UnitThreat(Record, frozen=True):
    """Danger for a unit at its tile: enemies that can strike it, and the chance that it falls.

    The chance is an upper bound, because it assumes that all of them strike.
    """

    unit: int
    strikers: int
    falls: Fraction


def warnings(view: View) -> tuple[Line, ...]:
    """Return lines about the enemy's options before the viewer's side moves again, the worst first.

    Empty in the gate phase, after which a side moves before it can be struck.

    See: WD-WIN-1, WD-WIN-4, WD-ATT-2, WD-ATT-3.
    """
    if view.winner >= 0 or view.phase == GATES:
        return ()
    side = view.player
    found = threats(view, side)
    first = [threat for threat in found if view.units[threat.unit].type == COMMANDER]
    others = [threat for threat in found if threat not in first]
    lines = [*(_line(view, threat) for threat in first), *_west_edge(view, side)]
    lines += [_line(view, threat) for threat in others[:_MOST_NAMED]]
    if rest := len(others[_MOST_NAMED:]):
        text = f"{many(rest, 'more unit')} can be struck"
        lines.append(Line(text, Tone.QUIET, side, "WD-ATT-2"))
    return tuple(lines)


def threats(view: View, side: int) -> tuple[UnitThreat, ...]:
    """Return units of a side that the other can strike in its next attack phase, the worst first.

    See: WD-ATT-2.
    """
    found = [
        UnitThreat(unit.id, len(foes), 1 - survival(view, unit, foes))
        for unit in units_of(view, side)
        if (foes := strikers_of(view, unit, carried=False))
    ]
    return tuple(sorted(found, key=lambda one: (-one.falls, -one.strikers, one.unit)))


def _line(view: View, threat: UnitThreat) -> Line:
    unit = view.units[threat.unit]
    chief = unit.type == COMMANDER
    who = "Your commander" if chief else type_name(unit).capitalize()
    worst = "cannot fall yet"
    if threat.falls:
        worst = f"at worst {whole_percent(threat.falls)} % to fall"
    tone = Tone.BAD if threat.falls else Tone.NORMAL
    rule = "WD-WIN-1" if chief else "WD-ATT-2"
    text = f"{who}: {many(threat.strikers, 'enemy', 'enemies')} can strike, {worst}"
    return Line(text, tone, unit_side(unit), rule, (unit.x, unit.y))


def _west_edge(view: View, side: int) -> Iterator[Line]:
    """Yield enemies that can step onto the west edge before Eldoin moves again. See: WD-WIN-4."""
    if side != ELDOIN or view.options.west_edge_win != "on":
        return
    stride = view.terrain.width + 2
    for unit in units_of(view, DAILOR):
        points = points_first(view, unit)
        if not 0 < unit.x <= points:
            continue
        ends = arrivals(patch(view, unit), flat(unit.x, unit.y, stride), points, view.options)
        if any(place(at, stride)[0] == 0 for at in ends):
            text = f"{type_name(unit).capitalize()} can reach the west edge and win"
            yield Line(text, Tone.BAD, DAILOR, "WD-WIN-4", (unit.x, unit.y))
