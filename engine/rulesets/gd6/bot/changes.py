"""Small changes to a list, one of which may make it better."""

from __future__ import annotations

from engine.core.dice import Dice, pick
from engine.rulesets.gd6.bot.board import Board
from engine.rulesets.gd6.bot.marching import SPY
from engine.rulesets.gd6.bot.sketch import Going, Sketch

KINDS = 6
"""Ways to change a list."""


def changed(sketch: Sketch, board: Board, seat: int, dice: Dice) -> Sketch:
    """The list with one change, drawn with the dice; the same list if that cannot be done."""
    other = sketch.copy()
    if not other.moves:
        _spawn_elsewhere(other, board, seat, dice)
        return other
    place = dice.roll(len(other.moves)) - 1
    match dice.roll(KINDS):
        case 1:
            del other.moves[place]
        case 2:
            other.moves[place] = _redirected(other.moves[place], board, dice)
        case 3:
            _split(other, place, board, dice)
        case 4:
            other.moves.insert(0, other.moves.pop(place))
        case 5:
            other.moves.append(other.moves.pop(place))
        case _:
            _spawn_elsewhere(other, board, seat, dice)
    return other


def _redirected(going: Going, board: Board, dice: Dice) -> Going:
    """The same units on another way of the same length or less."""
    path, unit, count = going
    near = board.geo.near
    steps = dice.roll(2 if unit == SPY or len(path) < 3 else len(path) - 1)
    fresh = [path[0]]
    for _ in range(max(1, min(steps, len(path) - 1))):
        fresh.append(pick(dice, near[fresh[-1]]))
    return tuple(fresh), unit, count


def _split(sketch: Sketch, place: int, board: Board, dice: Dice) -> None:
    """Half of the units go another way, and come last."""
    path, unit, count = sketch.moves[place]
    half = count // 2
    if half:
        sketch.moves[place] = path, unit, count - half
        sketch.moves.append(_redirected((path, unit, half), board, dice))


def _spawn_elsewhere(sketch: Sketch, board: Board, seat: int, dice: Dice) -> None:
    """Armies of one place are raised at another."""
    places = board.spawn_places(seat) if board.has_hq(seat) else []
    if not sketch.spawns or len(places) < 2:
        return
    old = pick(dice, sorted(sketch.spawns))
    fresh = pick(dice, places)
    count = sketch.spawns.pop(old)
    sketch.spawns[fresh] = sketch.spawns.get(fresh, 0) + count
