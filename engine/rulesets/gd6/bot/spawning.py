"""Where armies are raised."""

from __future__ import annotations

from engine.rulesets.gd6.bot.board import Board
from engine.rulesets.gd6.bot.fronts import pulls
from engine.rulesets.gd6.bot.marching import ARMY
from engine.rulesets.gd6.stages_spawn import per_territories
from engine.rulesets.gd6.state import NOBODY


def spawn(board: Board, seat: int, worth: list[int]) -> dict[int, int]:
    """Raise all armies that are allowed, on the board too. Rules: GD-SPAWN-1 to GD-SPAWN-3.

    One by one: where most neutral land is within reach of those who have none to take yet, and if
    there is none, where most is to be won or lost; never under neutral land's mines.
    """
    places = [
        at for at in board.spawn_places(seat) if board.owner[at] != NOBODY or not board.mines[at]
    ]
    left = per_territories(board.opened.get(seat, 0))
    raised: dict[int, int] = {}
    if not places:
        return raised
    if not board.has_hq(seat):
        field = pulls(board, seat, worth)
        best = max(places, key=lambda at: (field[at], -at))
        raised[best] = left
        board.units[best][ARMY] += left
        return raised
    for _ in range(left):
        at = _neutral_place(board, seat, places)
        if not at:
            break
        _raise(board, seat, at, raised)
    rest = left - sum(raised.values())
    if rest:
        field = pulls(board, seat, worth)
        own = [at for at in places if board.owner[at] == seat]
        best = max(own, key=lambda at: (field[at], -at), default=places[0])
        _raise(board, seat, best, raised, rest)
    return raised


def _raise(board: Board, seat: int, at: int, raised: dict[int, int], count: int = 1) -> None:
    board.claim(at, seat)
    board.units[at][ARMY] += count
    raised[at] = raised.get(at, 0) + count


def _neutral_place(board: Board, seat: int, places: list[int]) -> int:
    """The place where one more army takes most neutral land; 0 if it would take none."""
    best, most = 0, 0
    for at in places:
        fresh = board.owner[at] == NOBODY
        takers = 0 if fresh else board.units[at][ARMY]
        ahead = _ahead(board, seat, at) - 2 * takers
        gain = 3 * fresh + max(0, min(2, ahead))
        if gain > most:
            best, most = at, gain
    return best


def _ahead(board: Board, seat: int, at: int) -> int:
    """Neutral territories within two borders, over own or neutral land."""
    owner, near = board.owner, board.geo.near
    found: set[int] = set()
    for one in near[at]:
        if owner[one] not in (NOBODY, seat):
            continue
        found.update(other for other in (one, *near[one]) if owner[other] == NOBODY)
    found.discard(at)
    return len(found)
