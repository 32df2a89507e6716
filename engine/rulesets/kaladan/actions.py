"""Free spawn, moves and marches. See: KA-6.3, KA-6.4, KA-6.6."""

from __future__ import annotations

from engine.core.refused import Refused
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.board import (
    Decision,
    castles,
    check_phase,
    check_room,
    controlled,
    controller,
    enemies_beside,
    has_castle,
    in_reserve,
    linked,
    neighbours,
    own_units,
    reserve_basic,
    room,
    standing,
    tile_name,
    tile_number,
)
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.rounds import end_turn
from engine.rulesets.kaladan.state import BASIC, NOBODY, BasicKind, State, StateOrView, Unit
from engine.rulesets.kaladan.tables import tables

# -- free spawn ------------------------------------------------------------------------------------


def spawn_tiles(seen: StateOrView, seat: int) -> tuple[int, ...]:
    """Return a seat's castle tiles with room and a free spawn left. Rules: KA-6.3."""
    return tuple(
        tile
        for tile in castles(seen, seat)
        if not _is_spawn_used(seen, tile) and room(seen, tile) > 0
    )


def _is_spawn_used(seen: StateOrView, tile: int) -> bool:
    return seen.spawned.count(tile) >= tables().turn.free_spawns_per_castle


def spawn_kinds(seen: StateOrView, seat: int) -> tuple[BasicKind, ...]:
    """Return the types of Basic units in a seat's reserve. See: KA-6.3."""
    return tuple(kind for kind in BASIC if in_reserve(seen, seat, kind) is not None)


def may_spawn(seen: StateOrView, seat: int) -> bool:
    """Return whether a seat has a free spawn to use. See: KA-6.3."""
    return bool(spawn_tiles(seen, seat) and spawn_kinds(seen, seat))


def spawn(decision: Decision, seat: int, command: do.Spawn) -> None:
    """Put a Basic unit on a castle tile free of charge. Rules: KA-6.3.

    Raises:
        Refused: it is another phase, the tile is no castle tile of the seat, its spawn is used,
          it is full, or the reserve has no such unit.
    """
    state = decision.state
    text = "Units come for nothing only in the Free Spawn Phase."
    check_phase(state, "spawn", text, "KA-6.3")
    tile = tile_number(state.layout, command.tile)
    name = tile_name(state.layout, tile)
    if not has_castle(state, tile) or controller(state, tile) != seat:
        raise Refused(Refusal.BAD_PLACE, f"{name} is no castle tile of yours.", "KA-6.3")
    if _is_spawn_used(state, tile):
        raise Refused(Refusal.BAD_COUNT, f"{name} has had its free unit.", "KA-6.3")
    check_room(state, tile, 1)
    unit = reserve_basic(state, seat, command.unit)
    decision.emit(ev.UnitSpawned(seat, unit.id, tile))


# -- moves -----------------------------------------------------------------------------------------


def movable(seen: StateOrView, seat: int, source: int) -> tuple[Unit, ...]:
    """Return the units of a seat on a tile that can still move. See: KA-6.4."""
    return tuple(unit for unit in standing(seen, source) if unit.owner == seat and not unit.done)


def move_targets(seen: StateOrView, seat: int, source: int) -> tuple[int, ...]:
    """Return adjacent tiles, free or own, with room for a unit. Rules: KA-1, KA-6.4, KA-7."""
    return tuple(
        tile
        for tile in neighbours(seen.layout, source)
        if controller(seen, tile) in (NOBODY, seat) and room(seen, tile) > 0
    )


def may_act(seen: StateOrView, seat: int) -> bool:
    """Return whether a seat can move or attack. See: KA-6.4."""
    fights = not seen.battle_used
    return any(
        (fights and enemies_beside(seen, seat, source))
        or (movable(seen, seat, source) and move_targets(seen, seat, source))
        for source in controlled(seen, seat)
    )


def move(decision: Decision, seat: int, command: do.MoveUnits) -> None:
    """Move units to an adjacent tile. Rules: KA-6.4.

    Raises:
        Refused: it is another phase, the tiles are not adjacent, an enemy is there, there is no
            room, or a unit is not there or is done.
    """
    state = decision.state
    check_phase(state, "action", "Units move only in the Action Phase.", "KA-6.4")
    source, target = _ends(state, command.source, command.target)
    units = own_units(state, seat, source, command.units)
    name = tile_name(state.layout, target)
    if target not in neighbours(state.layout, source):
        text = f"{name} is not adjacent to {tile_name(state.layout, source)}."
        raise Refused(Refusal.NOT_ADJACENT, text, "KA-6.4")
    if controller(state, target) not in (NOBODY, seat):
        text = f"An enemy holds {name}; only an attack can enter it."
        raise Refused(Refusal.ENEMY_THERE, text, "KA-6.4")
    if any(unit.done for unit in units):
        text = "One of these units has moved or fought this turn."
        raise Refused(Refusal.UNIT_DONE, text, "KA-6.4")
    check_room(state, target, len(units))
    decision.emit(ev.UnitsMoved(seat, source, target, command.units))


def _ends(state: State, source: str, target: str) -> tuple[int, int]:
    """Return the numbers of two tiles.

    Raises:
        Refused: there is no such tile.
    """
    return tile_number(state.layout, source), tile_number(state.layout, target)


# -- reinforcement ---------------------------------------------------------------------------------


def march_targets(seen: StateOrView, seat: int, source: int) -> tuple[int, ...]:
    """Return the tiles with room to which a seat can march from a tile. See: KA-6.6."""
    return tuple(tile for tile in joined(seen, seat, source) if room(seen, tile) > 0)


def joined(seen: StateOrView, seat: int, source: int) -> tuple[int, ...]:
    """Return a seat's other tiles that its own tiles join to ``source``. See: KA-6.6."""
    own = controlled(seen, seat)
    return linked(seen, source, own) if source in own else ()


def may_march(seen: StateOrView, seat: int) -> bool:
    """Return whether a seat can march. See: KA-6.6."""
    return any(march_targets(seen, seat, source) for source in controlled(seen, seat))


def march(decision: Decision, seat: int, command: do.March) -> None:
    """March along tiles of the seat, then end the turn.

    Units may pass full tiles; only their target needs room. A tile may be left empty, as by a move:
    the book is silent. Rules: KA-6.6.

    Raises:
        Refused: it is another phase, the target is no other tile of the seat, no own tiles
          connect the two, there is no room, or a unit is not there.
    """
    state = decision.state
    check_phase(state, "reinforcement", "Marches are for the Reinforcement Phase.", "KA-6.6")
    source, target = _ends(state, command.source, command.target)
    own_units(state, seat, source, command.units)
    name = tile_name(state.layout, target)
    if controller(state, target) != seat or target == source:
        text = f"{name} is no other tile of yours."
        raise Refused(Refusal.NOT_OWN, text, "KA-6.6")
    if target not in joined(state, seat, source):
        text = f"No path of your own tiles leads from {tile_name(state.layout, source)} to {name}."
        raise Refused(Refusal.NOT_ADJACENT, text, "KA-6.6")
    check_room(state, target, len(command.units))
    decision.emit(ev.UnitsMarched(seat, source, target, command.units))
    end_turn(decision)
