"""A whole list by plain rules: what level 1 plays, and what the others begin with."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.dice import Dice
from engine.core.record import replace
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
    """What a seat has to decide on: the position after the Natural Phase, and what is still due.

    ``home`` is where it settles in this turn; 0 if it does not.
    """

    def __init__(self, view: View, dice: Dice) -> None:
        before = project(with_list(view, ())).before
        self.seat = view.viewer
        self.due: frozenset[StageName] = frozenset(before)
        state = before.get("hq") or before.get("move") or imagine(view)
        self.state: State = _after_nature(state) if "hq" in before else state
        self.board = Board(self.state)
        unsettled = state.players[self.seat].status == "unsettled" and "hq" in before
        self.home = site(self.state, self.seat, dice) if unsettled else 0

    def player(self, seat: int) -> Player:
        """A seat as far as it is known."""
        return self.state.players[seat]


def _after_nature(state: State) -> State:
    """The state in which wastelands have taken their toll of this turn. Rules: GD-TURN-1."""
    return replace(state, phase="construction") if state.phase == "natural" else state


def list_of(situation: Situation, seat: int, style: Style, dice: Dice | None = None) -> Sketch:
    """The list of a seat; without dice nothing is left to chance."""
    roll = _roll(dice)
    board, sketch = situation.board.copy(), Sketch()
    if seat == situation.seat and situation.home:
        sketch.works.append(PlaceHq(situation.home))
        board.claim(situation.home, seat)
        board.hq[situation.home] = True
    worth = worths(board, seat, style, roll)
    _prepare(situation, board, sketch, seat, style, worth)
    return _march(board, seat, style, roll, worth, sketch)


def _prepare(
    situation: Situation, board: Board, sketch: Sketch, seat: int, style: Style, worth: list[int]
) -> None:
    """Everything before the moves, on the board and on the list."""
    due, player = situation.due, situation.player(seat)
    if "spawn" in due:
        sketch.spawns = spawn(board, seat, worth)
    if "build" in due and player.ip:
        sketch.works += spend(situation.state, board, player, style)
    if "crop" in due and player.crop:
        _supply(board, sketch, player, worth)


def worths(board: Board, seat: int, style: Style, roll: Roll) -> list[int]:
    """The worth of each territory that is not the seat's."""
    worth = [0] * (board.geo.size + 1)
    for at in range(1, board.geo.size + 1):
        if board.owner[at] != seat:
            worth[at] = value(board, at, seat, style) + roll(style.noise)
    return worth


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


def _march(
    board: Board, seat: int, style: Style, roll: Roll, worth: list[int], sketch: Sketch
) -> Sketch:
    """The moves of a seat whose other orders are on the list and on the board."""
    moves = March(board, seat, style, roll, worth)
    moves.spread()
    attack(moves)
    rally(moves)
    return moves.finish(sketch)


def _roll(dice: Dice | None) -> Roll:
    if dice is None:
        return lambda most: 0  # noqa: ARG005 - a roll is called with the most it may give
    return lambda most: dice.roll(most + 1) - 1 if most else 0
