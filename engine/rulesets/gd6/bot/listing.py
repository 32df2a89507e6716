"""A whole list by plain rules: what level 1 plays, and what the others begin with."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, get_args

from engine.core.record import replace
from engine.rulesets.gd6.bot.attacking import attack
from engine.rulesets.gd6.bot.board import Board
from engine.rulesets.gd6.bot.fronts import pulls, rally
from engine.rulesets.gd6.bot.marching import ARMY, March
from engine.rulesets.gd6.bot.money import spend
from engine.rulesets.gd6.bot.sketch import Sketch
from engine.rulesets.gd6.bot.spawning import spawn
from engine.rulesets.gd6.bot.style import Style
from engine.rulesets.gd6.bot.worth import value
from engine.rulesets.gd6.drafting import project, with_list
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.orders import PlaceHq, UseCrop
from engine.rulesets.gd6.stages import StageName
from engine.rulesets.gd6.stages_spawn import per_territories
from engine.rulesets.gd6.state import NOBODY, Player, State, View
from engine.rulesets.gd6.view import imagine

EVERY_STAGE: Final = frozenset(get_args(StageName))

NO_HOMES: Final[Mapping[int, int]] = MappingProxyType({})


class Scene:
    """A position in which lists are to be written.

    ``homes`` are the sites of the seats that settle in this turn.
    """

    def __init__(
        self,
        state: State,
        due: frozenset[StageName] = EVERY_STAGE,
        seat: int = NOBODY,
        homes: Mapping[int, int] = NO_HOMES,
    ) -> None:
        self.state = state
        self.board = Board(state)
        self.due = due
        self.seat = seat
        self.homes = homes

    def player(self, seat: int) -> Player:
        """A seat as far as it is known."""
        return self.state.players[seat]

    def settles(self, seat: int) -> bool:
        """Whether a seat is to choose a site now."""
        return "hq" in self.due and self.player(seat).status == "unsettled"

    def with_homes(self, homes: Mapping[int, int]) -> Scene:
        """The scene in which seats settle there."""
        return Scene(self.state, self.due, self.seat, homes)


def scene_of(view: View) -> Scene:
    """What the viewer has to decide on: the position after the Natural Phase."""
    before = project(with_list(view, ())).before
    state = before.get("hq") or before.get("move") or imagine(view)
    return Scene(_after_nature(state), frozenset(before), view.viewer)


def _after_nature(state: State) -> State:
    """The state in which wastelands have taken their toll of this turn. Rules: GD-TURN-1."""
    return replace(state, phase="construction") if state.phase == "natural" else state


def list_of(scene: Scene, seat: int, style: Style) -> Sketch:
    """The list of a seat, in which nothing is left to chance."""
    board, sketch = scene.board.copy(), Sketch()
    home = scene.homes.get(seat, 0)
    if home:
        sketch.works.append(PlaceHq(home))
        board.claim(home, seat)
        board.hq[home] = True
    worth = worths(board, seat, style)
    _prepare(scene, board, sketch, seat, style, worth)
    return _march(board, seat, style, worth, sketch)


def _prepare(
    scene: Scene, board: Board, sketch: Sketch, seat: int, style: Style, worth: list[int]
) -> None:
    """Everything before the moves, on the board and on the list."""
    due, player = scene.due, scene.player(seat)
    if "spawn" in due:
        sketch.spawns = spawn(board, seat, worth)
    if "build" in due and player.ip:
        sketch.works += spend(scene.state, board, player, style)
    if "crop" in due and player.crop:
        _supply(board, sketch, player, worth)


def worths(board: Board, seat: int, style: Style) -> list[int]:
    """The worth of each territory that is not the seat's."""
    worth = [0] * (board.geo.size + 1)
    for at in range(1, board.geo.size + 1):
        if board.owner[at] != seat:
            worth[at] = value(board, at, seat, style)
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


def _march(board: Board, seat: int, style: Style, worth: list[int], sketch: Sketch) -> Sketch:
    """The moves of a seat whose other orders are on the list and on the board."""
    moves = March(board, seat, style, worth)
    moves.spread()
    attack(moves)
    rally(moves)
    return moves.finish(sketch)
