"""Overlay: marks for the cursor and the selected group, and layers over the whole map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.kit.fields import FAR, CostGrid, distances
from engine.kit.grid import Place
from engine.kit.identity_cache import identity_cache, keyed_identity_cache
from engine.strategic import costs
from engine.strategic.picture.cities import vector_line
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.forecast import (
    battle_forecast,
    chance_to_win,
    forecast_lines,
    percent_mark,
    tens_mark,
)
from engine.strategic.picture.moving import has_room, prepare_ways, reach_of, way_to
from engine.strategic.picture.selection import (
    button_hint,
    group_at,
    selected,
)
from engine.strategic.picture.stopping import (
    Stacks,
    enemy_stacks,
    reached_from,
    step_prices,
    stop_lines,
)
from engine.strategic.picture.tile_text import panel_lines, purse_lines, terrain_lines
from engine.strategic.pieces import NOBODY, Army
from engine.strategic.world import city_at
from engine.tabletop.board import BoardMark, Layer, Line, Overlay
from engine.tabletop.english import many
from engine.tabletop.focus import Focus
from engine.tabletop.roles import MarkSign, Tone
from engine.tabletop.spoken import SpokenMark

# -- marks for the cursor and the selected group ---------------------------------------------------

_DEAREST: Final = 99
"""Highest price that fits into a mark."""


def overlay(context: PictureContext, focus: Focus) -> Overlay:
    """Return the marks, the panel and the button hint for a focus."""
    at, group = (focus.x, focus.y), selected(context, focus)
    if group:
        prepare_ways(context, group)
        chance = None
        if context.has_forecast(at):
            chance = chance_to_win(battle_forecast(context, group, at))
        lines = (*terrain_lines(context, at), *_group_lines(context, group, at))
        lines = (*lines, *stop_lines(context, group, at))
        rest = (line for line in panel_lines(context, at) if line not in lines)
        marks = (
            *_reach_marks(context, tuple(army.id for army in group)),
            *_way_to_cursor(context, group, at),
        )
        panel = (*lines, *rest, *purse_lines(context))
        return Overlay(
            marks, panel, button_hint(context, focus, "" if chance is None else chance.hint)
        )
    stack = context.stacks.get(at, ())
    own = stack if stack and stack[0].owner == context.viewer else ()
    panel = (*panel_lines(context, at), *stop_lines(context, own, at), *purse_lines(context))
    return Overlay(_marks_without_group(context, at), panel, button_hint(context, focus))


def _marks_without_group(context: PictureContext, at: Place) -> tuple[BoardMark, ...]:
    """Mark idle stacks; on an own city also the lines of armies sent from it and to it."""
    city = city_at(context.world, at)
    if city is None or city.owner != context.viewer:
        return idle_marks(context)
    lines = _city_vectors(context, city.id)
    return (*idle_marks(context), *lines) if lines else idle_marks(context)


@identity_cache
def idle_marks(context: PictureContext) -> tuple[BoardMark, ...]:
    """Return the marks of idle stacks; the same tuple for the same view."""
    return tuple(BoardMark(x, y, MarkSign.IDLE) for x, y in context.idle_stacks)


@keyed_identity_cache
def _city_vectors(context: PictureContext, number: int) -> tuple[BoardMark, ...]:
    """Return the lines to a city's destination and from the cities that send to it."""
    city = context.world.cities[number]
    return (
        *vector_line(context, city),
        *(
            mark
            for other in context.own_cities
            if other.vector == number
            for mark in vector_line(context, other)
        ),
    )


@keyed_identity_cache
def _reach_marks(context: PictureContext, ids: tuple[int, ...]) -> tuple[BoardMark, ...]:
    """Mark the tiles in reach of a group this turn, and the targets with their chances."""
    group = tuple(context.world.armies[army] for army in ids)
    found = reach_of(context, group)
    marks = [BoardMark(*at, MarkSign.REACH, price_mark(cost)) for at, cost in found.stops.items()]
    told = _labelled(context, found.targets)
    for at in found.targets:
        forecast = battle_forecast(context, group, at) if at in told else None
        odds, chance = percent_mark(forecast), chance_to_win(forecast)
        words = chance.to("win") if chance else "chance unknown" if odds else ""
        short = tens_mark(forecast)
        marks.append(SpokenMark(*at, MarkSign.TARGET, odds, short=short, words=words))
    marks.append(BoardMark(*group[0].at, MarkSign.HELD))
    return tuple(marks)


def _labelled(context: PictureContext, targets: Iterable[Place]) -> frozenset[Place]:
    """Return the targets that show a chance: one tile of each city, and every other target."""
    found: dict[int | Place, Place] = {}
    for at in sorted(targets, key=lambda at: at[::-1]):
        city = city_at(context.world, at)
        found[at if city is None else city.id] = at
    return frozenset(found.values())


def price_mark(cost: int) -> str:
    """Return a price in at most two characters; ``++`` above the maximum."""
    return str(cost) if cost <= _DEAREST else "++"


def _way_to_cursor(
    context: PictureContext, group: tuple[Army, ...], at: Place
) -> tuple[BoardMark, ...]:
    """Mark the route to the cursor tile by tile; tiles reached later show the turn's number."""
    if at == group[0].at:
        return ()
    stops = way_to(context, group, at)
    return tuple(
        SpokenMark(*stop.at, MarkSign.PATH, turn, stop.turn, words=turn and f"in turn {turn}")
        for stop in stops
        for turn in [str(stop.turn + 1) if stop.turn else ""]
        if stop is not stops[-1] or not context.is_attack(stop.at)
    )


def way_marks(context: PictureContext, group: tuple[Army, ...], at: Place) -> tuple[BoardMark, ...]:
    """Mark the route to a tile, with the total cost up to each tile; none if it has no room."""
    stops = way_to(context, group, at)
    if stops and not (context.is_attack(at) or has_room(context, group, stops[-1].at)):
        return ()
    return tuple(
        SpokenMark(
            *stop.at, MarkSign.PATH, price_mark(stop.cost), stop.turn, words=many(stop.cost, "move")
        )
        for stop in stops
    )


def _group_lines(context: PictureContext, group: tuple[Army, ...], at: Place) -> Iterator[Line]:
    """Yield panel lines about the selected group and its route to the cursor."""
    side, start = context.viewer, group[0].at
    points = min(army.points for army in group)
    text = f"Held: {many(len(group), 'army', 'armies')}, {many(points, 'move')}"
    yield context.note(text, "group", side, at=start, tone=Tone.STRONG)
    if at == start:
        return
    if context.has_forecast(at):
        if context.is_betrayal(at):
            text = f"Treaty with {context.side_name(context.enemy_of(at))}"
            yield context.note(text, "betrayal", side, at=at, tone=Tone.BAD)
        yield from forecast_lines(context, group, at)
    stops = way_to(context, group, at)
    if not stops:
        yield context.note("No way leads there", "way", side, at=at, tone=Tone.BAD)
        return
    last = stops[-1]
    when = f", {many(last.turn + 1, 'turn')}" if last.turn else ""
    yield context.note(f"Way: {many(last.cost, 'move')}{when}", "way", side, at=at)


# -- layers ----------------------------------------------------------------------------------------

LAYERS: Final = (
    Layer("danger", "enemies in sight that can come next turn, without new armies"),
    Layer("mine", "own stacks that can come here with all their moves"),
    Layer("sight", "what is in sight now"),
    Layer("owners", "whose cities"),
    Layer("vectors", "where cities send their armies"),
    Layer("turns", "turns until the stack is there", of_piece=True),
    Layer("prices", "what a step costs the stack", of_piece=True),
)
"""Layers of the map. The last two show the selected group or the stack under the cursor."""

_MOST: Final = 9


def layer_marks(context: PictureContext, focus: Focus, name: str) -> tuple[BoardMark, ...]:
    """Return the marks of one of ``LAYERS`` or of the ruleset's own layers.

    Raises:
        ValueError: ``name`` is not a layer.
    """
    if name in context.style.layer_marks:
        return context.style.layer_marks[name](context)
    if name not in _MAKERS:
        raise ValueError(f"there is no layer {name!r}")
    return _MAKERS[name](context, focus)


@identity_cache
def danger(context: PictureContext) -> npt.NDArray[Any]:
    """Return, per tile, the number of visible enemy stacks that could reach or attack it next turn.

    The result has the shape (height, width). It assumes full points, and that nothing is in their
    way.
    """
    return _reach_counts(context, enemy_stacks(context))


@identity_cache
def _own_reach(context: PictureContext) -> npt.NDArray[Any]:
    return _reach_counts(context, _own_stacks(context))


def _own_stacks(context: PictureContext) -> Stacks:
    return {at: stack for at, stack in context.stacks.items() if stack[0].owner == context.viewer}


def _reach_counts(context: PictureContext, listed: Stacks) -> npt.NDArray[Any]:
    total = np.zeros(context.world.terrain.cells.shape, dtype=np.int16)
    for at in listed:
        reached = reached_from(context, at)
        if reached is not None:
            rows, columns, found = reached
            total[rows, columns] += found
    return total


def group_meant(context: PictureContext, focus: Focus) -> tuple[Army, ...]:
    """Return the selected group, or if there is none the stack of any side under the cursor."""
    at = focus.x, focus.y
    return selected(context, focus) or group_at(context, at) or context.stacks.get(at, ())


def _turn_marks(context: PictureContext, focus: Focus) -> tuple[BoardMark, ...]:
    """Mark the turn in which a stack could reach each tile, by points alone."""
    group = group_meant(context, focus)
    known = step_prices(context, group)
    if known is None:
        return ()
    steps = known.steps.astype(np.int16)
    zone_price = context.settings.moving.zone_toll
    lie = CostGrid(
        np.zeros_like(steps), steps, known.shut | (steps == 0), 8, None, known.zone, zone_price
    )
    spent = distances(lie, [group[0].at]).astype(np.int64)
    first, full = costs.points(group), max(1, min(army.max_move for army in group))
    turns = np.where(spent <= first, 1, 1 + -(-(spent - first) // full))
    return tuple(
        BoardMark(x, y, MarkSign.REACH, price_mark(turn), turn - 1)
        for x, y, turn in _cells(turns, (spent < FAR) & (spent > 0))
    )


def _price_marks(context: PictureContext, focus: Focus) -> tuple[BoardMark, ...]:
    """Mark the cost of entering each tile for a stack."""
    known = step_prices(context, group_meant(context, focus))
    if known is None:
        return ()
    cells = _cells(known.steps, known.steps)
    return tuple(BoardMark(x, y, MarkSign.REACH, str(cost)) for x, y, cost in cells)


def _cells(values: npt.NDArray[Any], where: npt.NDArray[Any]) -> Iterator[tuple[int, int, Any]]:
    """Yield column, row and value of the tiles where a mask is not 0."""
    rows, columns = np.nonzero(where)
    return zip(columns.tolist(), rows.tolist(), values[rows, columns].tolist(), strict=True)


def _count_marks(
    counts: npt.NDArray[Any], sign: MarkSign, counted: Iterable[Place]
) -> tuple[BoardMark, ...]:
    """Mark tiles with their counts; the tiles of the counted stacks show no number."""
    numbers = np.array(["", *map(str, range(1, _MOST + 1)), "+"])[counts.clip(0, _MOST + 1)]
    for x, y in counted:
        numbers[y, x] = ""
    return tuple(BoardMark(x, y, sign, text) for x, y, text in _cells(numbers, counts))


def _mask_marks(mask: npt.NDArray[np.bool_], sign: MarkSign) -> tuple[BoardMark, ...]:
    return tuple(BoardMark(x, y, sign) for x, y, _ in _cells(mask, mask))


def _owner_marks(context: PictureContext) -> Iterator[BoardMark]:
    """Yield marks around cities: own ones, those of enemies, and those at peace."""
    world = context.world
    for city in world.cities.values():
        if city.razed or city.owner == NOBODY:
            continue
        sign = MarkSign.REACH
        if city.owner != context.viewer:
            sign = MarkSign.DANGER if context.is_enemy(city.owner) else MarkSign.STRIKE
        for x in range(city.x - 1, city.x + 3):
            for y in range(city.y - 1, city.y + 3):
                if world.terrain.has(x, y) and city_at(world, (x, y)) is not city:
                    owner = context.side_name(city.owner)
                    yield SpokenMark(x, y, sign, str(city.owner + 1), words=owner)


_MAKERS: Final[Mapping[str, Callable[[PictureContext, Focus], tuple[BoardMark, ...]]]] = {
    "danger": lambda context, _: _count_marks(
        danger(context), MarkSign.DANGER, enemy_stacks(context)
    ),
    "mine": lambda context, _: _count_marks(
        _own_reach(context), MarkSign.STRIKE, _own_stacks(context)
    ),
    "sight": lambda context, _: _mask_marks(context.visible.cells != 0, MarkSign.REACH),
    "owners": lambda context, _: tuple(_owner_marks(context)),
    "vectors": lambda context, _: tuple(
        mark for city in context.own_cities for mark in vector_line(context, city)
    ),
    "turns": _turn_marks,
    "prices": _price_marks,
}
