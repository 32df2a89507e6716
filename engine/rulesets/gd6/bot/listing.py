"""A whole list by plain rules: what level 1 plays, and what the others begin with."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.dice import Dice
from engine.rulesets.gd6.bot.attacking import attack
from engine.rulesets.gd6.bot.board import Board
from engine.rulesets.gd6.bot.fronts import pulls, rally
from engine.rulesets.gd6.bot.marching import ARMY, March
from engine.rulesets.gd6.bot.money import spend
from engine.rulesets.gd6.bot.settling import site
from engine.rulesets.gd6.bot.sketch import Sketch
from engine.rulesets.gd6.bot.spawning import spawn
from engine.rulesets.gd6.bot.style import Style
from engine.rulesets.gd6.bot.worth import value
from engine.rulesets.gd6.drafting import project, with_list
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.orders import PlaceHq, UseCrop
from engine.rulesets.gd6.stages import StageName
from engine.rulesets.gd6.stages_spawn import per_territories
from engine.rulesets.gd6.state import Player, State, View
from engine.rulesets.gd6.view import imagine

Roll = Callable[[int], int]


class Situation:
    """What a seat has to decide on: the position after the Natural Phase, and what is still due."""

    def __init__(self, view: View) -> None:
        before = project(with_list(view, ())).before
        self.view = view
        self.seat = view.viewer
        self.due: frozenset[StageName] = frozenset(before)
        self.state: State = before.get("hq") or before.get("move") or imagine(view)
        self.board = Board(self.state)

    def player(self, seat: int) -> Player:
        """A seat as far as it is known."""
        return self.state.players[seat]


def list_of(situation: Situation, seat: int, style: Style, dice: Dice | None) -> Sketch:
    """The list of a seat; without dice nothing is left to chance, and nobody settles."""
    roll = _roll(dice)
    board, sketch = situation.board.copy(), Sketch()
    player, due = situation.player(seat), situation.due
    if player.status == "unsettled" and "hq" in due and dice is not None:
        at = site(situation.state, seat, dice)
        if not at:
            return sketch
        sketch.works.append(PlaceHq(at))
        board.claim(at, seat)
        board.hq[at] = True
    prepare(situation, board, sketch, player, style)
    return march(board, seat, style, roll, sketch)


def prepare(
    situation: Situation, board: Board, sketch: Sketch, player: Player, style: Style
) -> None:
    """Everything before the moves, on the board and on the list."""
    due = situation.due
    worth = worths(board, player.id, style)
    if "spawn" in due:
        sketch.spawns = spawn(board, player.id, worth)
    if "build" in due and player.ip:
        sketch.works += spend(situation.state, board, player, style)
    if "crop" in due and player.crop:
        _supply(board, sketch, player, worth)


def worths(board: Board, seat: int, style: Style) -> list[int]:
    """The worth of each territory that is not the seat's."""
    every = range(1, board.geo.size + 1)
    return [0, *(0 if board.owner[at] == seat else value(board, at, seat, style) for at in every)]


def _supply(board: Board, sketch: Sketch, player: Player, worth: list[int]) -> None:
    """Use all crop supplies where most is to be won or lost. Rules: GD-CROP-1, GD-CROP-2."""
    lands = board.lands(player.id)
    if not lands:
        return
    field = pulls(board, player.id, worth)
    best = max(lands, key=lambda at: (field[at], -at))
    count = max(numbers().crop_minimum.value, per_territories(len(lands)))
    for _ in range(player.crop):
        sketch.works.append(UseCrop(((best, count),)))
        board.units[best][ARMY] += count


def march(board: Board, seat: int, style: Style, roll: Roll, sketch: Sketch) -> Sketch:
    """The moves of a seat whose other orders are on the list and on the board."""
    moves = March(board, seat, style, roll)
    moves.spread()
    attack(moves)
    rally(moves)
    return moves.finish(sketch)


def _roll(dice: Dice | None) -> Roll:
    if dice is None:
        return lambda most: 0  # noqa: ARG005 - a roll is called with the most it may give
    return lambda most: dice.roll(most + 1) - 1 if most else 0
