"""Risk of a group that stops on a tile, and the forces of all sides.

The risk consists of the enemy stacks that can reach the tile and the chance to hold it against one.
Only visible enemies count, with full points, as in the layer ``danger``. An army of unknown type
counts as ``fastest_type``, so that no stack that can come is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from engine.core.record import replace
from engine.kit.fields import CostGrid, distances
from engine.kit.grid import Place
from engine.kit.identity_cache import identity_cache, keyed_identity_cache
from engine.strategic import costs, sight
from engine.strategic.battle import forecast
from engine.strategic.cities import garrison_of
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.forecast import DoubtedChance, are_strange, bearers_of
from engine.strategic.picture.moving import reach_of
from engine.strategic.picture.words import spot
from engine.strategic.pieces import NOBODY, UNKNOWN_TYPE, Army, City, UnitType
from engine.strategic.reach import shifts
from engine.strategic.settings import MovingRules
from engine.strategic.turns import speed_of
from engine.strategic.world import city_at, statistics
from engine.tabletop.board import Line
from engine.tabletop.english import joined, many, whole_percent
from engine.tabletop.panel import force_lines, gauge
from engine.tabletop.roles import Tone

Stacks: TypeAlias = Mapping[Place, tuple[Army, ...]]


# -- lines of the panel ----------------------------------------------------------------------------


def stop_lines(context: PictureContext, group: Sequence[Army], at: Place) -> Iterator[Line]:
    """Yield the threats to one of the viewer's groups on its tile or where it can stop.

    Yields nothing if no visible enemy can come.
    """
    if not group or context.is_over or not context.is_player:
        return
    if at != group[0].at and at not in reach_of(context, tuple(group)).stops:
        return
    foes = attackers_of(context, at)
    if not foes:
        return
    side = context.viewer
    yield context.note("If you stop here", "dice", at=at, tone=Tone.HEADING)
    text = f"{many(len(foes), 'enemy stack')} can come"
    yield context.note(text, "march", at=at, tone=Tone.BAD)
    strongest = context.stacks[foes[0]]
    owner = strongest[0].owner
    text = f"strongest: {many(len(strongest), 'army', 'armies')} of {context.side_name(owner)}"
    yield context.note(text, "stack", owner, at=foes[0], tone=Tone.QUIET)
    yield from _reckoning(context)
    chance = chance_to_hold(context, (tuple(army.id for army in group), at))
    if chance is not None:
        known = _doubted(context, chance, foes[:1])
        against = "" if known.is_strange else "against it "
        line = replace(context.note(f"Holds {against}{known.brief}", "dice", side, at=at), seat=-1)
        drawn = gauge("chance", chance, 100)
        yield line if known.is_strange else replace(line, gauge=drawn)


def _doubted(context: PictureContext, chance: int, foes: Iterable[Place]) -> DoubtedChance:
    """Return a chance to hold, with the doubt about what the foes on some tiles are worth."""
    armies = [army for start in foes for army in context.stacks[start]]
    is_capped = bool(bearers_of(context, armies))
    return DoubtedChance(chance, is_capped=is_capped, is_strange=are_strange(armies))


def _reckoning(context: PictureContext) -> Iterator[Line]:
    """Yield a line on the assumed speed of enemies, if their types are hidden."""
    kind = fastest_type(context)
    if kind is not None:
        text = f"unknown armies count as fast as {kind.name}"
        yield context.note(text, "march", tone=Tone.QUIET)


@keyed_identity_cache
def chance_to_hold(context: PictureContext, key: tuple[tuple[int, ...], Place]) -> int | None:
    """Return the chance in percent that a group on a tile beats the strongest stack that can come.

    None if the game gives no advice, or if no enemy can come.
    """
    ids, at = key
    foes = attackers_of(context, at)
    if not foes or not context.settings.fighting.advises:
        return None
    world = context.world
    moved = [replace(army, x=at[0], y=at[1]) for army in map(world.armies.__getitem__, ids)]
    if moved and moved[0].at != world.armies[ids[0]].at:
        world = replace(world, armies=world.armies.put(*moved))
    stack = [world.armies[army.id] for army in context.stacks[foes[0]]]
    lost = forecast(world, context.settings, stack, at).chance
    return 100 - whole_percent(lost)


@keyed_identity_cache
def attackers_of(context: PictureContext, at: Place) -> tuple[Place, ...]:
    """Return the tiles of visible enemy stacks that can reach a tile, the strongest first."""
    (x, y), found = at, list[Place]()
    for _, points, start in _dangerous(context):
        if abs(start[0] - x) <= points and abs(start[1] - y) <= points:
            reached = reached_from(context, start)
            if reached is not None and reached.holds(at):
                found.append(start)
    return tuple(found)


def threats(context: PictureContext, at: Place) -> tuple[str, ...]:
    """Name the stacks that can reach a tile, the strongest first; unknown ones are counted."""
    city = city_at(context.world, at)
    tiles = city.tiles if city is not None else (at,)
    starts = dict.fromkeys(start for tile in tiles for start in attackers_of(context, tile))
    stacks = [(context.stacks[start], start) for start in starts]
    known = [
        f"{context.company(stack)} of {context.side_name(stack[0].owner)} at {spot(start)}"
        for stack, start in stacks
        if not are_strange(stack)
    ]
    unknown = Counter(stack[0].owner for stack, _ in stacks if are_strange(stack))
    return (
        *known,
        *(
            f"{many(count, 'unknown stack')} of {context.side_name(owner)}"
            for owner, count in unknown.items()
        ),
    )


@identity_cache
def _dangerous(context: PictureContext) -> tuple[tuple[int, int, Place], ...]:
    """Return strength, points and tile of each visible enemy stack, the strongest first.

    Armies of unknown type have the strength that forecasts assume.
    """
    armies = sight.reckoned(context.world, context.settings).armies
    found = [
        (sum(armies[army.id].strength for army in stack), _span(context, at), at)
        for at, stack in enemy_stacks(context).items()
    ]
    return tuple(sorted(found, key=lambda row: (-row[0], row[2][::-1])))


def _span(context: PictureContext, at: Place) -> int:
    """Return the most tiles that a stack can go in its next turn: each costs a point at least."""
    return max((points for _, points in _movers(context, at)), default=0)


# -- forces ----------------------------------------------------------------------------------------


@identity_cache
def forces(context: PictureContext) -> tuple[Line, ...]:
    """Return the cities and armies of all sides, as far as the viewer knows and sees them."""
    world, known = context.world, statistics(context.world)
    seen = "armies" if context.sees_all else "armies seen"
    names = [context.side_name(side) for side in world.sides]
    return force_lines(names, [("cities", known["cities"]), (seen, known["armies"])])


# -- reach of other stacks -------------------------------------------------------------------------


class StackReach(NamedTuple):
    """Window of the map, with 1 on each tile in it that a stack can reach."""

    rows: slice
    columns: slice
    found: npt.NDArray[np.int16]

    def holds(self, at: Place) -> bool:
        """Return whether the stack can reach a tile."""
        x, y = at[0] - self.columns.start, at[1] - self.rows.start
        height, width = self.found.shape
        return bool(0 <= x < width and 0 <= y < height and self.found[y, x])


@identity_cache
def enemy_stacks(context: PictureContext) -> Stacks:
    """Return the visible stacks of the viewer's enemies, by tile."""
    return {
        at: stack
        for at, stack in context.stacks.items()
        if stack[0].owner != NOBODY and context.is_enemy(stack[0].owner)
    }


def full_points(context: PictureContext, army: Army) -> int:
    """Return the maximum points of an army in its next turn, as far as the viewer knows.

    The points that another side's army has left are hidden, so the most that it can keep counts.
    """
    world, settings = context.world, context.settings
    if army.owner == context.viewer:
        return max(army.max_move, army.points)
    left = army.points if context.is_open(army.owner) else _MOST_LEFT
    speed = sum(speed_of(world, settings, one) for one in context.stacks.get(army.at, ()))
    return settings.turns.refill(replace(army, points=left), speed)


@keyed_identity_cache
def _movers(context: PictureContext, at: Place) -> tuple[tuple[costs.Mover, int], ...]:
    """Return the ways to move of a stack, each with the most points of a part that moves so.

    A part may have the gifts of all: armies of the tile can go together or part.
    """
    stack = tuple(_at_most(context, army) for army in context.stacks[at])
    parts = [(army,) for army in stack]
    found = dict[costs.Mode, tuple[costs.Mover, int]]()
    for part in (*parts, stack):
        who = costs.mover(context.world, context.settings.moving, part)
        if who is None:
            continue
        points = min(full_points(context, army) for army in part)
        before, most = found.get(who.mode, (who, 0))
        joint = who._replace(
            flags=who.flags | before.flags,
            aboard=who.aboard or before.aboard,
            boats=who.boats and before.boats,
        )
        found[who.mode] = joint, max(most, points)
    return tuple(found.values())


@identity_cache
def fastest_type(context: PictureContext) -> UnitType | None:
    """Return the fastest type that can be bought, flyers first; None if all types are visible."""
    types = context.world.types
    if UNKNOWN_TYPE.id not in types:
        return None
    sold = (kind for kind in types.values() if kind.price > 0)
    return max(sold, key=lambda kind: ("fly" in kind.traits, kind.move, -kind.id), default=None)


def _at_most(context: PictureContext, army: Army) -> Army:
    """Return an army; of unknown type, as the fastest that it can be."""
    kind = fastest_type(context) if army.type == UNKNOWN_TYPE.id else None
    return army if kind is None else replace(army, type=kind.id, max_move=kind.move)


@keyed_identity_cache
def reached_from(context: PictureContext, at: Place) -> StackReach | None:
    """Return the tiles that the stack on ``at`` can reach or attack, also in parts; None if stuck.

    This is an upper bound: with full points, ignoring armies in the way and the toll of zones.
    """
    movers = _movers(context, at)
    if not movers:
        return None
    points, (x, y) = max(points for _, points in movers), at
    rows = slice(max(0, y - points), y + points + 1)
    columns = slice(max(0, x - points), x + points + 1)
    masks = [_reach_of(context, who, most, (rows, columns), at) for who, most in movers]
    return StackReach(rows, columns, np.logical_or.reduce(masks).astype(np.int16))


Window: TypeAlias = tuple[slice, slice]


def _reach_of(
    context: PictureContext, who: costs.Mover, points: int, window: Window, at: Place
) -> npt.NDArray[np.bool_]:
    """Return the mask of the tiles of a window that a mover can enter, or attack with points left.

    The last step of an attack needs only the points of the attack, whatever the tile costs.
    """
    world, settings, rules = context.world, context.settings, context.settings.moving
    steps = costs.prices(world, settings, who).steps[window].astype(np.int16)
    taken = (sight.others(world, settings, who.side).anyone | sight.foreign(world, who.side))[
        window
    ]
    lie = CostGrid(
        np.zeros_like(steps),
        np.where(taken, np.minimum(steps, _attack_needs(rules, steps)), steps),
        steps == 0,
        8,
    )
    start = at[0] - window[1].start, at[1] - window[0].start
    left = points - distances(lie, [start], limit=points).astype(np.int32)
    entry = np.maximum(steps, costs.coast_prices(world, settings, who)[window])
    return (left >= 0) | _struck(context, who, window, left, entry)


def _attack_needs(rules: MovingRules, steps: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """Return the points that an attack needs on tiles with some prices."""
    if not rules.attack_in_full:
        return np.ones_like(steps)
    return np.maximum(steps, rules.attack) if rules.attack_as_terrain else steps * 0 + rules.attack


def _struck(
    context: PictureContext,
    who: costs.Mover,
    window: Window,
    left: npt.NDArray[np.int32],
    entry: npt.NDArray[np.int16],
) -> npt.NDArray[np.bool_]:
    """Return the mask of the tiles that a stack can attack from beside them, also over the coast.

    ``left`` are its points on each tile, negative where it cannot go; ``entry`` is the price to
    enter each tile, 0 where that is impossible.
    """
    world, settings = context.world, context.settings
    coast = costs.coast_prices(world, settings, who)[window] > 0
    if who.mode is costs.Mode.GROUND and not settings.moving.fights_aboard:
        entry = np.where(coast, 0, entry).astype(np.int16)
    docks = sight.docks(world, settings.moving)[window]
    need = _attack_needs(settings.moving, entry)
    found = np.zeros(left.shape, dtype=np.bool_)
    for near, far in shifts(left.shape):
        linked = ~coast[far] | docks[near] | docks[far]
        found[far] |= (entry[far] > 0) & linked & (left[near] >= need[far])
    return found


def step_prices(context: PictureContext, group: tuple[Army, ...]) -> costs.StepPrices | None:
    """Return the prices of all steps for a group; None if it is empty or cannot move together."""
    who = costs.mover(context.world, context.settings.moving, group) if group else None
    return costs.prices(context.world, context.settings, who) if who is not None else None


# -- warnings before a turn ends -------------------------------------------------------------------


_NAMED: Final = 4
"""Maximum number of cities to name; the others are counted."""

_MOST_LEFT: Final = 99
"""More points than an army keeps for its next turn."""

_SAFE: Final = 95
"""Chance in percent to hold a city from which no warning is given."""


class CitySiege(NamedTuple):
    """Danger for a city: the stacks that can come, and the chance to hold it against the best."""

    city: City
    stacks: int
    garrison: int
    chance: DoubtedChance | None
    """None if the game gives no forecasts."""
    is_capital: bool

    @property
    def order(self) -> tuple[bool, int, int, int]:
        """Sort key: the capital, then the city most likely to fall."""
        holds = 0 if self.chance is None else self.chance.percent
        return not self.is_capital, holds, self.garrison, self.city.id


def warnings(context: PictureContext) -> Iterator[Line]:
    """Yield lines about own cities that may fall before the viewer's next turn, the worst first.

    Only enemies that the viewer sees count; a last line says what is left out.
    """
    if not context.own_cities or not any(context.is_enemy(s.id) for s in context.other_sides):
        return
    found = sorted(sieges(context), key=lambda siege: siege.order)
    for siege in found[:_NAMED]:
        yield _line(context, siege)
    if rest := len(found[_NAMED:]):
        names = joined([siege.city.name for siege in found[_NAMED:]])
        text = f"{many(rest, 'more city', 'more cities')} in danger: {names}"
        yield context.say(text, "march", context.viewer, tone=Tone.QUIET)
    if found:
        yield from _reckoning(context)
    yield _left_out(context, found)


def _left_out(context: PictureContext, found: Sequence[CitySiege]) -> Line:
    """Return a line on the enemies that the warnings cannot know."""
    hidden = ["new armies"]
    if not context.sees_all:
        hidden.append("stacks out of sight")
    foes = (army for stack in enemy_stacks(context).values() for army in stack)
    if bearers_of(context, foes):
        hidden.append("unknown items of speed")
    safe = "" if found else "No city seems in danger. "
    text = f"{safe}Not counted: {joined(hidden)}"
    return context.say(text, "march", context.viewer, tone=Tone.QUIET)


def sieges(context: PictureContext) -> Iterator[CitySiege]:
    """Yield own cities that visible enemies can reach and may well take."""
    for city in context.own_cities:
        foes = {start: at for at in city.tiles for start in attackers_of(context, at)}
        if not foes:
            continue
        chances = [chance_to_hold(context, ((), at)) for at in set(foes.values())]
        known = [chance for chance in chances if chance is not None]
        holds = None if not known else _doubted(context, min(known), foes)
        if holds is None or holds.percent < _SAFE or holds.is_doubtful:
            if holds is not None and len(foes) > 1:  # they can attack in turn
                holds = holds._replace(is_capped=True)
            is_capital = context.own_side.capital in city.tiles
            garrison = len(garrison_of(context.world, city))
            yield CitySiege(city, len(foes), garrison, holds, is_capital)


def _line(context: PictureContext, siege: CitySiege) -> Line:
    city = siege.city
    who = f"{city.name} (capital)" if siege.is_capital else city.name
    text = f"{who}: {many(siege.stacks, 'enemy stack')} can come"
    if not siege.garrison:
        text += ", nobody guards it"
    elif siege.chance is not None:
        aim = "hold against one" if siege.stacks > 1 and siege.chance.is_strange else "hold"
        text += f", {siege.chance.to(aim)}"
    else:
        text += f", {many(siege.garrison, 'army guards', 'armies guard')} it"
    return context.say(text, "march", context.viewer, at=(city.x, city.y), tone=Tone.BAD)
