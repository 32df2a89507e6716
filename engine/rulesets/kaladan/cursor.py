"""Move the cursor over tiles, hold a stack, and decide what the button does. See: KA-19."""

from __future__ import annotations

from typing import Final

from engine.core import notation
from engine.kit.box_raster import NORMAL
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.actions import march_targets, movable, move_targets, spawn_tiles
from engine.rulesets.kaladan.battle import targets
from engine.rulesets.kaladan.board import (
    capacity,
    controlled,
    controller,
    coordinates,
    crown,
    neighbours,
    room,
    standing,
)
from engine.rulesets.kaladan.boxes import size, spot, tile_at
from engine.rulesets.kaladan.founding import castle_places, tile_places
from engine.rulesets.kaladan.purchases import may_buy
from engine.rulesets.kaladan.state import NOBODY, Unit, View
from engine.rulesets.kaladan.turns import owing
from engine.rulesets.kaladan.words import on
from engine.tabletop.focus import DELTAS, NOTHING, Direction, Focus, Push

# -- position of the cursor ------------------------------------------------------------------------


def here(view: View, focus: Focus) -> int:
    """Return the tile under the cursor; 0 outside all tiles."""
    return tile_at(view.layout, focus.x, focus.y)


def is_asked(view: View) -> bool:
    """Return whether the game waits for the viewer."""
    return view.viewer in owing(view)


def start(view: View) -> Focus:
    """Return the focus on the viewer's Crown, else on its first tile, else on the world's first."""
    king = crown(view, view.viewer) if view.viewer in view.players else None
    own = controlled(view, view.viewer)
    tile = king.tile if king else (own or tuple(view.tiles) or (1,))[0]
    return Focus(*spot(view.layout, tile))


def kept(view: View, focus: Focus) -> Focus:
    """Return the focus on the nearest tile, without a held stack that can do nothing."""
    wide, high = size(view.layout)
    x, y = min(max(focus.x, 0), wide - 1), min(max(focus.y, 0), high - 1)
    held = focus.held if focus.held in view.tiles and can_hold(view, focus.held) else NOTHING
    if tile_at(view.layout, x, y):
        return Focus(x, y, held)
    return Focus(*spot(view.layout, _nearest(view, x, y)), held)


def _nearest(view: View, x: int, y: int) -> int:
    """Return the tile whose middle is nearest to a cell; one row counts as two columns."""

    def far(tile: int) -> tuple[int, int]:
        column, row = spot(view.layout, tile)
        return abs(column - x) + 2 * abs(row - y), tile

    return min(view.tiles, key=far)


_HALF: Final = NORMAL[0] // 2 - 1
"""Distance in columns from a tile's middle up to which the cursor keeps its column."""

_SLANTED: Final = {
    "up-left": (-1, -1),
    "up-right": (-1, 1),
    "down-left": (1, -1),
    "down-right": (1, 1),
}


def stepped(view: View, focus: Focus, direction: Direction) -> Focus:
    """Return the focus on the next tile in a direction; unchanged at the end of the world.

    Up and down stay as close to the cursor's column as the tiles allow; ties go left. The cursor's
    cell keeps the column inside the tile. Rules: KA-19.
    """
    tile = here(view, focus) or _nearest(view, focus.x, focus.y)
    places = {place: number for number, place in enumerate(coordinates(view.layout), 1)}
    row, x = coordinates(view.layout)[tile - 1]
    if direction in ("up", "down"):
        return _upright(view, focus, row + DELTAS[direction][1])
    dy, dx = _SLANTED.get(direction, (0, 2 * DELTAS[direction][0]))
    found = places.get((row + dy, x + dx))
    return focus if found is None else Focus(*spot(view.layout, found), focus.held)


def _upright(view: View, focus: Focus, row: int) -> Focus:
    """Move the focus one row up or down, to the tile nearest to its column."""
    ahead = [tile for tile, (other, _) in enumerate(coordinates(view.layout), 1) if other == row]
    if not ahead:
        return focus
    tile = min(ahead, key=lambda number: (abs(spot(view.layout, number)[0] - focus.x), number))
    column, line = spot(view.layout, tile)
    x = min(max(focus.x, column - _HALF), column + _HALF)
    return Focus(x, line, focus.held)


# -- held stacks -----------------------------------------------------------------------------------


def can_hold(view: View, tile: int) -> bool:
    """Return whether the viewer's units on a tile can move, fight or march now."""
    if not is_asked(view) or view.battle is not None or controller(view, tile) != view.viewer:
        return False
    if view.phase == "action":
        return bool(ways(view, tile) or attacks(view, tile))
    return view.phase == "reinforcement" and bool(march_targets(view, view.viewer, tile))


def ways(view: View, tile: int) -> tuple[int, ...]:
    """Return the tiles to which the viewer's units on a tile can go now. See: KA-6.4, KA-6.6."""
    if view.phase == "reinforcement":
        return march_targets(view, view.viewer, tile)
    if view.phase != "action" or not movable(view, view.viewer, tile):
        return ()
    return move_targets(view, view.viewer, tile)


def attacks(view: View, tile: int) -> tuple[int, ...]:
    """Return the enemy tiles that the viewer can attack from a tile now. See: KA-7.2."""
    if view.phase != "action" or view.battle_used or view.battle is not None:
        return ()
    return targets(view, view.viewer, tile)


def left_to_move(view: View) -> int:
    """Return the number of the viewer's units that can move in the Action Phase. See: KA-6.4."""
    own = controlled(view, view.viewer)
    return sum(len(movable(view, view.viewer, tile)) for tile in own if ways(view, tile))


def idle(view: View) -> tuple[int, ...]:
    """Return the tiles where the viewer can place something or move units now."""
    if not is_asked(view):
        return ()
    match view.phase:
        case "world":
            return tuple(tile_places(view))
        case "castles":
            return tuple(castle_places(view))
        case "spawn":
            return spawn_tiles(view, view.viewer)
        case "action" | "reinforcement":
            own = controlled(view, view.viewer)
            return tuple(tile for tile in own if can_hold(view, tile))
        case _:
            return ()


def jumps(view: View, kind: str) -> tuple[tuple[int, int], ...]:
    """Return the cells of ``idle`` tiles, ``enemy`` tiles, or Castles for ``site``."""
    match kind:
        case "idle":
            found = idle(view)
        case "enemy":
            found = tuple(
                tile for tile in view.tiles if controller(view, tile) not in (NOBODY, view.viewer)
            )
        case "site":
            found = tuple(tile.id for tile in view.tiles.values() if tile.castle != NOBODY)
        case _:
            found = ()
    return tuple(spot(view.layout, tile) for tile in found)


# -- the button ------------------------------------------------------------------------------------


def fired(view: View, focus: Focus) -> Push:  # noqa: PLR0911 - one answer for each case
    """Return the effect of the button: place, pick up, move, attack, or answer a question."""
    tile, free = here(view, focus), Focus(focus.x, focus.y)
    if not is_asked(view):
        return Push(free, note="Another realm acts now." if not view.reason else "The war is over.")
    if not tile:
        return Push(free, note="The world ends here.")
    if intent := asked_intent(view) or _intent_on(view, tile):
        return Push(free, intent=intent)
    if view.phase in ("action", "reinforcement"):
        return _sent(view, focus, tile)
    name = on(view, tile)
    if view.phase == "world" and tile in tile_places(view):
        return Push(free, notation.write(do.PlaceTile(name)))
    if view.phase == "castles" and tile in castle_places(view):
        return Push(free, notation.write(do.PlaceCastle(name)))
    return Push(free, note="That cannot be done on this tile.")


def _intent_on(view: View, tile: int) -> str:
    """Return the intent that the button opens on a tile, or an empty text."""
    if view.phase == "spawn":
        return "raise" if tile in spawn_tiles(view, view.viewer) else ""
    return "buy" if view.phase == "purchase" and may_buy(view, view.viewer) else ""


def asked_intent(view: View) -> str:
    """Return the intent that answers the game's question; empty if the answer is a tile."""
    if view.battle is not None:
        return view.battle.step
    return {"realms": "realm", "deployment": "deploy", "event": "event"}.get(view.phase, "")


def _sent(view: View, focus: Focus, tile: int) -> Push:
    free = Focus(focus.x, focus.y)
    if focus.held == tile:
        return Push(free)
    if focus.held == NOTHING:
        can = can_hold(view, tile)
        taken = Focus(focus.x, focus.y, tile) if can else free
        return Push(taken, note="" if can else _why_not_held(view, tile))
    ends = on(view, focus.held), on(view, tile)
    if tile in attacks(view, focus.held):
        return Push(focus, notation.write(do.Attack(*ends)), intent="attack")
    if tile not in ways(view, focus.held):
        return Push(focus, note=why_no_way(view, focus.held, tile))
    intent = "march" if view.phase == "reinforcement" else "move"
    units = tuple(unit.id for unit in sendable(view, focus.held))
    if intent == "march" or len(units) > room(view, tile):
        return Push(focus, intent=intent)
    return Push(free, notation.write(do.MoveUnits(*ends, units)), refused=focus)


def sendable(view: View, tile: int) -> tuple[Unit, ...]:
    """Return the units of a tile that can go somewhere now; a march includes done ones."""
    if view.phase == "reinforcement":
        return standing(view, tile)
    return movable(view, view.viewer, tile)


def _why_not_held(view: View, tile: int) -> str:
    owner, name = controller(view, tile), on(view, tile)
    if owner == NOBODY:
        return f"Nobody stands on {name}."
    if owner != view.viewer:
        return f"{name} is held by an enemy; take up units of yours beside it to attack."
    if view.phase == "reinforcement":
        return f"No march leads on from {name}."
    return f"The units on {name} can neither move nor fight."


def why_no_way(view: View, held: int, tile: int) -> str:
    """Return the reason why units cannot go from a held tile to another."""
    owner = controller(view, tile)
    if view.phase == "reinforcement":
        return "A march leads along your own tiles to one with room."
    if tile == held:
        return "They are there already."
    if tile not in neighbours(view.layout, held):
        return "Units go one step, to a tile beside theirs."
    if owner not in (NOBODY, view.viewer):
        fought = "You have fought your battle of this turn."
        return fought if view.battle_used else f"An enemy holds {on(view, tile)}: attack it."
    if room(view, tile) < 1:
        return f"{on(view, tile)} is full: it holds {capacity(view.tiles[tile])} units."
    return "These units have moved or fought already."


def hint(view: View, focus: Focus) -> str:
    """Describe the effect of the button in a few words; empty if it has none."""
    push = fired(view, focus)
    if not is_asked(view) or push.note:
        return ""
    if push.intent in _HINTS:
        return _HINTS[push.intent]
    if push.line:
        return {"world": "Place it here", "castles": "Build here"}.get(view.phase, "Move here")
    if push.focus.held != focus.held:
        return "Take up" if push.focus.held != NOTHING else "Put down"
    return ""


ASKED: Final = {
    "realm": "Choose a realm",
    "deploy": "Choose the first units",
    "event": "Answer the event",
    "magic": "Magic: in or out",
    "aim": "Aim your card",
    "losses": "Choose casualties",
    "after": "Magic after the battle",
    "invasion": "Choose who moves in",
}
"""Intents that answer a question of the game, with their labels."""

_HINTS: Final = {
    **ASKED,
    "aim": "Aim the card",
    "raise": "Raise a unit here",
    "buy": "Buy",
    "attack": "Attack",
    "move": "Move some",
    "march": "March here",
}
