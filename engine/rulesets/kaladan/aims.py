"""Aims of Magic cards: the choices for shift, levy and assassinate, and their effects.

See: KA-7.4, KA-10.2.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.board import (
    capacity,
    controlled,
    controller,
    neighbours,
    owned,
    room,
    standing,
    tile_number,
)
from engine.rulesets.kaladan.outcome import is_among, opponent_of, side_of
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.state import BASIC, BasicKind, Battle, State, StateOrView, Unit
from engine.rulesets.kaladan.tables import MagicCard


def has_aims(seen: StateOrView, battle: Battle, seat: int, card: MagicCard) -> bool:
    """Return whether an aimed card has any possible target. See: KA-7.3, KA-7.4."""
    match card.op:
        case "shift":
            return bool(shift_pairs(seen, seat))
        case "levy":
            return bool(levy_kinds(seen, seat)) and bool(levy_tiles(seen, battle, seat, card))
        case _:
            return bool(victims(seen, battle, seat, card))


def check_aim(
    state: State, battle: Battle, seat: int, card: MagicCard, command: do.AimCard
) -> ev.MagicApplied:
    """Return the effects of an aimed card; naming nothing is allowed, as cards say "up to".

    Raises:
        Refused: the card does not allow this.
    """
    match card.op:
        case "shift":
            return _shifted(state, battle, seat, card, command)
        case "levy":
            return _levied(state, battle, seat, card, command)
        case _:
            return _assassinated(state, battle, seat, card, command)


def _unless_named(named: Sequence[object], what: str) -> None:
    if named:
        raise Refused(Refusal.BAD_TARGET, f"This card names no {what}.", "KA-10.2")


# -- shift -----------------------------------------------------------------------------------------


def shift_pairs(seen: StateOrView, seat: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of adjacent tiles of a seat, in order. See: KA-10.2."""
    own = controlled(seen, seat)
    return tuple(
        (one, other)
        for one in own
        for other in neighbours(seen.layout, one)
        if one < other and other in own
    )


def shift_fault(
    seen: StateOrView, own_tile: int, pair: tuple[int, int], units: Sequence[int]
) -> str:
    """Return the reason why units cannot swap between two tiles of a seat, or an empty text.

    ``own_tile`` is the seat's tile of this battle. Rules: KA-10.2.
    """
    here, there = (standing(seen, tile) for tile in pair)
    out = sum(unit.id in units for unit in here)
    back = sum(unit.id in units for unit in there)
    after = len(here) - out + back, len(there) - back + out
    if out + back != len(units) or len({*units}) != len(units):
        return "Name units on these two tiles, each once."
    if any(count > capacity(seen.tiles[tile]) for tile, count in zip(pair, after, strict=True)):
        return "One of the tiles would hold too many units."
    if (own_tile, 0) in zip(pair, after, strict=True):
        return "At least one unit must stay in the battle."
    return ""


def _shifted(
    state: State, battle: Battle, seat: int, card: MagicCard, command: do.AimCard
) -> ev.MagicApplied:
    _unless_named(command.types, "types")
    if not command.tiles and not command.units:
        return ev.MagicApplied(seat, card.id)
    tiles = sorted(tile_number(state.layout, tile) for tile in command.tiles)
    if tuple(tiles) not in shift_pairs(state, seat):
        raise Refused(Refusal.BAD_TARGET, "Name two adjacent tiles of yours.", "KA-10.2")
    one, other = tiles
    if fault := shift_fault(state, side_of(battle, seat).tile, (one, other), command.units):
        raise Refused(Refusal.BAD_TARGET, fault, "KA-10.2")
    chosen = [state.units[unit] for unit in sorted(command.units)]
    moved = tuple(replace(unit, tile=other if unit.tile == one else one) for unit in chosen)
    return ev.MagicApplied(seat, card.id, moved=moved)


# -- levy ------------------------------------------------------------------------------------------


def levy_tiles(seen: StateOrView, battle: Battle, seat: int, card: MagicCard) -> tuple[int, ...]:
    """Return the seat's tiles with room to which a card can bring units. Rules: KA-10.2."""
    own = controlled(seen, seat) if card.where == "own" else (side_of(battle, seat).tile,)
    return tuple(tile for tile in own if controller(seen, tile) == seat and room(seen, tile) > 0)


def levy_kinds(seen: StateOrView, seat: int) -> tuple[BasicKind, ...]:
    """Return the types of the Basic units in the reserve, once per unit. See: KA-10.2."""
    return tuple(
        kind
        for unit in owned(seen, seat)
        if unit.place == "reserve"
        for kind in BASIC
        if kind == unit.kind
    )


def _levied(
    state: State, battle: Battle, seat: int, card: MagicCard, command: do.AimCard
) -> ev.MagicApplied:
    _unless_named(command.units, "units")
    if not command.tiles and not command.types:
        return ev.MagicApplied(seat, card.id)
    if len(command.tiles) != 1 or not command.types:
        raise Refused(Refusal.BAD_TARGET, "Name one tile, and types of units.", "KA-10.2")
    tile = tile_number(state.layout, command.tiles[0])
    if tile not in levy_tiles(state, battle, seat, card):
        text = "The units cannot come there; name a tile of yours that the card allows."
        raise Refused(Refusal.BAD_TARGET, text, "KA-10.2")
    most = min(card.n, room(state, tile))
    if len(command.types) > most:
        raise Refused(Refusal.BAD_COUNT, f"At most {most} can come there.", "KA-10.2")
    return ev.MagicApplied(seat, card.id, moved=_from_reserve(state, seat, tile, command.types))


def _from_reserve(
    state: State, seat: int, tile: int, kinds: Sequence[BasicKind]
) -> tuple[Unit, ...]:
    """Take units of these types from the reserve; return them placed on a tile.

    Raises:
        Refused: the reserve has fewer units.
    """
    left = [unit for unit in owned(state, seat) if unit.place == "reserve"]
    moved: list[Unit] = []
    for kind in kinds:
        unit = next((unit for unit in left if unit.kind == kind), None)
        if unit is None:
            text = f"Your reserve has no {kind.capitalize()} left for that."
            raise Refused(Refusal.NOT_IN_RESERVE, text, "KA-10.2")
        left.remove(unit)
        moved.append(replace(unit, place="board", tile=tile))
    return tuple(moved)


# -- assassination ---------------------------------------------------------------------------------


def victims(seen: StateOrView, battle: Battle, seat: int, card: MagicCard) -> tuple[Unit, ...]:
    """Return the enemy units in battle that a card can remove; never a Crown. Rules: KA-10.2."""
    enemies = standing(seen, opponent_of(battle, seat).tile)
    return tuple(unit for unit in enemies if unit.kind != "crown" and is_among(unit, card))


def _assassinated(
    state: State, battle: Battle, seat: int, card: MagicCard, command: do.AimCard
) -> ev.MagicApplied:
    _unless_named(command.types, "types")
    _unless_named(command.tiles, "tiles")
    units = command.units
    if len(units) > card.n:
        raise Refused(Refusal.BAD_COUNT, f"The card removes at most {card.n}.", "KA-10.2")
    allowed = {unit.id for unit in victims(state, battle, seat, card)}
    if len({*units}) != len(units) or not {*units} <= allowed:
        text = "The card cannot remove that; name enemy units in this battle that it allows."
        raise Refused(Refusal.BAD_TARGET, text, "KA-10.2")
    return ev.MagicApplied(seat, card.id, removed=units)
