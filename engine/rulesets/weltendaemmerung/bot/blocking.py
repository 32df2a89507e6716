"""The last resort: own units in the way of an enemy who would step onto the west edge now."""

from __future__ import annotations

from engine.rulesets.weltendaemmerung.bot.board import Board, Paths

TRIES = 12
"""Most units that are put in the way of one enemy."""

Placing = tuple[int, int]
"""A unit and the tile it goes to."""


def blocks(board: Board, runners: list[int], held: int) -> list[tuple[Placing, Paths]]:
    """Placings, in order, after which as many runners as can be stopped are stopped.

    The board is changed accordingly. ``held`` is the unit that may not be used, the commander.
    Rules: WD-MOVE-6, WD-WIN-4.
    """
    made: list[tuple[Placing, Paths]] = []
    used = {held}
    for runner in runners:
        trial = board.copy()
        tried = _stop(trial, runner, set(used))
        if tried is None:
            continue
        for placing, paths in tried:
            board.move(*placing)
            board.b[placing[0]] = 0
            used.add(placing[0])
            made.append((placing, paths))
    return made


def _way(board: Board, runner: int) -> list[int]:
    """The tiles of an enemy's way to the west edge in one phase, or nothing."""
    paid, came = board.reach(runner, board.b_max[runner])
    goals = [tile for tile in paid if tile % board.stride == 1]
    if not goals:
        return []
    tile = min(goals, key=lambda goal: (paid[goal], goal))
    way = []
    while came[tile] != tile:
        way.append(tile)
        tile = came[tile]
    return way


def _stop(board: Board, runner: int, used: set[int]) -> list[tuple[Placing, Paths]] | None:
    """Placings that leave an enemy no way; None if there are none within the tries."""
    helpers = [
        (slot, board.reach(slot, board.b[slot]))
        for slot in board.living(1 - board.side(runner))
        if slot not in used and board.b[slot] > 0
    ]
    made: list[tuple[Placing, Paths]] = []
    for _ in range(TRIES):
        way = _way(board, runner)
        if not way:
            return made
        choices = [
            (paths[0][tile], slot, tile, paths)
            for slot, paths in helpers
            for tile in way
            if slot not in used and tile in paths[0] and board.at[slot] != tile
        ]
        if not choices:
            return None
        _, slot, tile, paths = min(choices, key=lambda choice: choice[:3])
        paths = board.reach(slot, board.b[slot])
        if tile not in paths[0]:
            used.add(slot)
            continue
        board.move(slot, tile)
        used.add(slot)
        made.append(((slot, tile), paths))
    return None
