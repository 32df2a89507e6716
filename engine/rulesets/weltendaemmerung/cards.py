"""Cards of the panel: a unit with its gauges, its fate if it stops here, and both forces."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Final, TypeAlias

from engine.core.containers import Plane
from engine.kit.grid import disc
from engine.kit.move_graph import MoveGraph, flat
from engine.rulesets.weltendaemmerung.fighting import MODIFIERS, shares, squared_range
from engine.rulesets.weltendaemmerung.lookup import (
    COMMANDER,
    statistics,
    type_name,
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
)
from engine.rulesets.weltendaemmerung.state import (
    ATTACK,
    DAILOR,
    ELDOIN,
    MOVE,
    SIDES,
    Options,
    Unit,
    View,
)
from engine.tabletop.board import Line
from engine.tabletop.panel import force_lines, gauge, heading
from engine.tabletop.roles import Tone

_COUNTED: Final = ("units", "life", "attack")
"""Statistics that are compared beside the map."""


def unit_rule(unit: Unit) -> str:
    """Rule that explains a unit best."""
    return "WD-WIN-1" if unit.type == COMMANDER else "WD-UNIT-1"


def unit_card(view: View, unit: Unit) -> list[Line]:
    """Name, life, points, range and attack of a unit. Rules: WD-UNIT-1, WD-TURN-4."""
    row, side, at = unit_row(unit), unit_side(unit), (unit.x, unit.y)
    rule = unit_rule(unit)
    life = gauge("life", unit.v, row.v)
    lines = [
        heading(whose(unit), side, rule, at),
        Line(f"Life {unit.v}/{row.v}", rule=rule, at=at, gauge=life),
    ]
    readiness = ""
    if view.phase == ATTACK and side == view.player:
        readiness = ", ready" if unit.b else ", done"
    else:
        left = unit.b if view.phase == MOVE else unit.b_max
        moves = gauge("moves", left, unit.b_max)
        lines.append(Line(f"Moves {left}/{unit.b_max}", rule=rule, at=at, gauge=moves))
    lines.append(Line(f"Range {row.r}  Attack {row.a}{readiness}", rule=rule, at=at))
    return lines


# -- forces --------------------------------------------------------------------------------


def forces(view: View) -> tuple[Line, ...]:
    """Living units, life and attack of both sides. Rules: WD-WIN-6."""
    numbers = statistics(view)
    return force_lines(SIDES, [(name, numbers[name]) for name in _COUNTED])


# -- if you stop here --------------------------------------------------------------------


def stop_lines(view: View, unit: Unit, *, carried: bool) -> list[Line]:
    """Enemies that can strike one of the viewer's units where it stands, and its chance.

    Every one of them is taken to strike it, so that the chance is a lower bound.

    Rules: WD-ATT-1, WD-ATT-2, WD-ATT-3.
    """
    if view.winner >= 0 or unit_side(unit) != view.viewer:
        return []
    at = (unit.x, unit.y)
    lines = [heading("If you stop here", rule="WD-ATT-2", at=at)]
    foes = strikers_of(view, unit, carried=carried)
    if not foes:
        return [*lines, Line("No enemy can strike it", Tone.GOOD, rule="WD-ATT-2", at=at)]
    count = "1 enemy" if len(foes) == 1 else f"{len(foes)} enemies"
    counted = Counter(type_name(foe) for foe in foes)
    names = [f"{name} ({n})" if n > 1 else name for name, n in counted.most_common()]
    chance = survival(view, unit, foes)
    percent = whole_percent(chance)
    tone = Tone.BAD if chance < 1 else Tone.NORMAL
    return [
        *lines,
        Line(f"{count} can strike it", tone, rule="WD-ATT-2", at=at),
        Line(f"by {', '.join(names)}", Tone.QUIET, rule="WD-ATT-2", at=at),
        Line(
            f"Survives all {percent} %", rule="WD-ATT-3", at=at, gauge=gauge("chance", percent, 100)
        ),
    ]


def survival(view: View, unit: Unit, foes: tuple[Unit, ...]) -> Fraction:
    """Probability that a unit survives a hit of each of some enemies. Rules: WD-ATT-3, WD-RNG-1.

    Under ``c64_cycle`` the draws are those of the whole cycle: it is not known which come when.
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


def whole_percent(chance: Fraction) -> int:
    """Chance in whole percent; 0 and 100 only if it is certain."""
    if chance in (0, 1):
        return 100 * int(chance)
    return min(99, max(1, round(100 * chance)))


# -- strikers ---------------------------------------------------------------------------


def strikers_of(view: View, at: Unit, *, carried: bool) -> tuple[Unit, ...]:
    """Enemies that can strike a unit where it stands, in their next attack phase.

    They are those that ``strikers`` counts there, but only those near enough are looked at, and
    what they can reach is kept while a unit is ``carried``: it cannot keep them from its own tile,
    since they strike from the tile before it.

    Rules: WD-TURN-1, WD-MOVE-3, WD-ATT-1, WD-ATT-2.
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
        for unit in view.units.values()
        if unit.alive
        and unit_side(unit) == side
        and attacks_next(view, unit)
        and _strikes(ends, unit, points_first(view, unit), at)
    )


class _Ends:
    """Tiles where units of one side can stop around those of the other."""

    def __init__(self, view: View, taken: frozenset[int]) -> None:
        self.view = view
        self._taken = taken
        self._graphs, self._found = _known_ends(view.terrain, taken, view.options)

    def of(self, unit: Unit, points: int) -> frozenset[int]:
        """Tiles, by flat index, for a number of points."""
        key = unit.type, unit.x, unit.y, points
        if key not in self._found:
            kind = unit.type if unit.x else -1 - unit.type
            if kind not in self._graphs:
                self._graphs[kind] = patch(self.view, unit)._replace(taken=set(self._taken))
            start = flat(unit.x, unit.y, self.view.terrain.width + 2)
            found = arrivals(self._graphs[kind], start, points, self.view.options)
            self._found[key] = frozenset(found)
        return self._found[key]


_Graphs: TypeAlias = dict[int, MoveGraph]
_EndTiles: TypeAlias = dict[tuple[int, int, int, int], frozenset[int]]


@lru_cache(maxsize=4)
def _known_ends(
    terrain: Plane,  # noqa: ARG001 - part of the key
    taken: frozenset[int],  # noqa: ARG001 - part of the key
    options: Options,  # noqa: ARG001 - part of the key
) -> tuple[_Graphs, _EndTiles]:
    """Graphs and tiles that were computed for a terrain and the tiles that are taken."""
    return {}, {}


def _strikes(ends: _Ends, unit: Unit, points: int, at: Unit) -> bool:
    """True if a unit can strike another with so many points."""
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
    """Tiles within a range around a tile, by flat index; some may lie beyond the edge.

    No unit stops on those that wrap around the map: the rim is one tile wide on each side.
    """
    row, column = divmod(centre, stride)
    return frozenset(
        centre + dy * stride + dx
        for dx, dy in disc(limit)
        if 0 < column + dx < stride - 1 and row + dy > 0
    )
