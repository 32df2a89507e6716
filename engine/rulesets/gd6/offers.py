"""Offers: commands that are possible now."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6.commands import CONSTRUCTS, ITEMS, UNITS, AnyOrder, place_of
from engine.rulesets.gd6.construction import (
    allowance,
    building_lines,
    building_reasons,
    hq_reasons,
    promotion_reasons,
    spawn_places,
    spawn_reasons,
)
from engine.rulesets.gd6.inventory import (
    buy_reasons,
    charge_reasons,
    crop_limit,
    crop_reasons,
)
from engine.rulesets.gd6.lists import Projection, may_unseal, may_write, project
from engine.rulesets.gd6.movement import bound
from engine.rulesets.gd6.numbers import numbers, unit_rows
from engine.rulesets.gd6.refusal import OrderLine, Reasons, numbered, of_kind, unreadable
from engine.rulesets.gd6.state import NOBODY, State, View
from engine.rulesets.gd6.territories import count_of, free_sites, owned
from engine.rulesets.gd6.turns import StageName

_OFFERED_HOPS = 2
"""Maximum length of an offered path, in borders. Longer paths are legal but too many to list."""


def offers(view: View, about: int | None = None) -> Iterator[do.AnyCommand]:
    """Yield commands that will not be refused, or only the orders at the territory ``about``.

    Incomplete: offers only the smallest and the largest number of units, and conceding only to a
    seat with at most one territory.
    """
    seat = view.viewer
    if seat not in view.players or view.reason or view.players[seat].status == "eliminated":
        return
    if may_write(view, seat):
        projection = project(view)
        if about is None:
            yield from _about_list(view, projection)
        if len(view.players[seat].orders) < numbers().longest_list.value:
            for order in _orders(view, projection):
                if about is None or about == place_of(order):
                    yield order
    elif about is None and may_unseal(view, seat):
        yield do.UnsealList()
    if about is None and _is_hopeless(view, seat):
        yield do.Concede()


def _is_hopeless(view: View, seat: int) -> bool:
    player = view.players[seat]
    return player.hq_built and not player.conceding and view.turn > 2 and len(owned(view, seat)) < 2


def _about_list(view: View, projection: Projection) -> Iterator[do.AnyCommand]:
    player = view.players[view.viewer]
    if projection.refused:
        yield do.DropOrders(projection.refused)
    else:
        yield do.SealList()
    for place, order in enumerate(player.orders):
        yield do.DropOrders((place,))
        if place:
            yield do.ShiftOrder(place, 0)
        if isinstance(order, do.Move | do.Spawn) and order.count > 1 and not projection.refused:
            yield do.ChangeCount(place, order.count - 1)
    if len(player.orders) > 1:
        yield do.WriteList(())


def _orders(view: View, projection: Projection) -> Iterator[AnyOrder]:
    """Yield the orders that can be added to the list."""
    seat = view.viewer
    lines = [
        line for line in numbered(view.players[seat].orders) if not unreadable(view, line.order)
    ]
    for stage, state in projection.before.items():
        for order in _candidates(stage, state, seat, lines):
            if not unreadable(view, order) and _is_good(state, seat, lines, order):
                yield order


def _candidates(
    stage: StageName, state: State, seat: int, lines: Sequence[OrderLine[AnyOrder]]
) -> Iterator[AnyOrder]:
    match stage:
        case "hq" if state.players[seat].status == "unsettled":
            yield from (do.PlaceHq(at) for at in free_sites(state))
        case "promote" if state.options.variant == "advanced":
            armed = (here.id for here in owned(state, seat) if here.army)
            yield from (do.Promote(at, unit, 1) for at in armed for unit in UNITS)
        case "spawn":
            left = allowance(state, seat) - sum(
                line.order.count for line in of_kind(lines, do.Spawn)
            )
            for at in spawn_places(state, seat):
                yield from (do.Spawn(at, count) for count in sorted({1, left}, reverse=True))
        case "build":
            yield from _buildings(state, seat)
        case "crop" | "dynamite" | "toxic":
            yield from _uses(stage, state, seat)
        case "buy":
            yield from (do.Buy(item) for item in ITEMS)
        case "move":
            yield from _moves(state, seat, lines)
        case _:
            return


def _buildings(state: State, seat: int) -> Iterator[AnyOrder]:
    lands = [here.id for here in owned(state, seat)]
    yield from (do.Build(at, construct) for at in lands for construct in CONSTRUCTS)
    if state.options.variant == "advanced":
        near = {at for one in lands for at in state.world.beside(one)}
        free = {at for at in near if state.territories[at].owner == NOBODY}
        yield from (do.LayMines(at, 1) for at in sorted({*lands, *free}))


def _uses(stage: StageName, state: State, seat: int) -> Iterator[AnyOrder]:
    for here in owned(state, seat):
        near = state.world.beside(here.id)
        match stage:
            case "crop":
                yield do.UseCrop(((here.id, crop_limit(state, seat)),))
            case "dynamite":
                yield from (do.UseDynamite(here.id, at) for at in near)
            case _:
                yield from (do.UseToxic(here.id, at) for at in (here.id, *near))


def _moves(state: State, seat: int, lines: Sequence[OrderLine[AnyOrder]]) -> Iterator[AnyOrder]:
    moves = of_kind(lines, do.Move)
    kept = {line.place: count for line, count, why in bound(state, seat, moves) if not why}
    for here in owned(state, seat):
        for unit in UNITS:
            taken = sum(
                kept.get(line.place, 0)
                for line in moves
                if line.order.path[0] == here.id and line.order.unit == unit
            )
            left = count_of(here, unit) - taken
            if left:
                for path in _paths(state, here.id, unit_rows()[unit].speed):
                    yield from (do.Move(path, n, unit) for n in sorted({1, left}, reverse=True))


def _paths(state: State, start: int, speed: int) -> Iterator[tuple[int, ...]]:
    wave: list[tuple[int, ...]] = [(start,)]
    for _ in range(min(speed, _OFFERED_HOPS)):
        wave = [(*path, at) for path in wave for at in state.world.beside(path[-1])]
        yield from wave


_REASONS: Final[Mapping[type[AnyOrder], Callable[..., Reasons]]] = {
    do.PlaceHq: hq_reasons,
    do.Promote: promotion_reasons,
    do.Spawn: spawn_reasons,
    do.UseCrop: crop_reasons,
    do.UseDynamite: charge_reasons,
    do.UseToxic: charge_reasons,
    do.Buy: buy_reasons,
}
"""Checks of the orders that are checked together with all others of their kind."""


def _is_good(
    state: State, seat: int, lines: Sequence[OrderLine[AnyOrder]], order: AnyOrder
) -> bool:
    """Return whether the order would be accepted as the last line of the list."""
    whole = [*lines, OrderLine(len(state.players[seat].orders), order)]
    if isinstance(order, do.Move):
        return True  # candidates for moves have units left
    if isinstance(order, do.Build | do.LayMines):
        return not building_reasons(state, seat, building_lines(whole))[-1]
    return not _REASONS[type(order)](state, seat, of_kind(whole, type(order)))[-1]
