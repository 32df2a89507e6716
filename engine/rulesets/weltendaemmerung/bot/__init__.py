"""Computer players for both sides, in three levels (section 19.2 of the rule book)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.core.dice import Dice
from engine.core.ruleset import Bot, Offers
from engine.rulesets.weltendaemmerung.bot.attacking import strikes
from engine.rulesets.weltendaemmerung.bot.board import Board
from engine.rulesets.weltendaemmerung.bot.course import marches
from engine.rulesets.weltendaemmerung.bot.gatework import gate_work
from engine.rulesets.weltendaemmerung.bot.search import best_marches
from engine.rulesets.weltendaemmerung.bot.siege import sieges
from engine.rulesets.weltendaemmerung.bot.situation import Situation
from engine.rulesets.weltendaemmerung.bot.style import SIMPLE, USUAL, Style
from engine.rulesets.weltendaemmerung.commands import (
    AnyCommand,
    Attack,
    EndPhase,
    MoveUnit,
    WorkGate,
)
from engine.rulesets.weltendaemmerung.state import ATTACK, DAILOR, MOVE, View


class Player:
    """A computer player of one style; one that searches takes the style for granted."""

    def __init__(self, style: Style, *, searches: bool = False) -> None:
        """Play in this style."""
        self._style = style
        self._searches = searches

    def plan(
        self,
        view: View,
        offers: Offers[AnyCommand],  # noqa: ARG002 - the view tells everything in this game
        dice: Dice,
    ) -> Sequence[AnyCommand]:
        """The rest of the phase, or its next attacks."""
        board = Board(view)
        if view.phase == MOVE:
            return self._moves(board, dice)
        if view.phase == ATTACK:
            return self._attacks(board)
        work = gate_work(Situation(board), view.player)
        return (*(WorkGate(board.place(tile)) for tile in work), EndPhase())

    def rest(
        self,
        view: View,  # noqa: ARG002 - every phase is ended alike
        offers: Offers[AnyCommand],  # noqa: ARG002 - as above
    ) -> Sequence[AnyCommand]:
        """The end of the phase."""
        return (EndPhase(),)

    def _moves(self, board: Board, dice: Dice) -> Sequence[AnyCommand]:
        made = (
            best_marches(board, dice) if self._searches else marches(Situation(board), self._style)
        )
        return (*(MoveUnit(board.ids[one.slot], one.path) for one in made), EndPhase())

    def _attacks(self, board: Board) -> Sequence[AnyCommand]:
        """Attacks that cannot be refused; the rest is planned when the dice have fallen."""
        sit, side = Situation(board), board.player
        made: list[AnyCommand] = []
        if side == DAILOR:
            for slot, tile in sieges(sit):
                made.append(Attack(board.ids[slot], board.place(tile)))
                board.b[slot] = 0
        for slot, victim in strikes(sit, side, self._style):
            made.append(Attack(board.ids[slot], board.place(board.at[victim])))
        return made or (EndPhase(),)


LEVELS: Final[Mapping[str, Bot[View, AnyCommand]]] = {
    "easy": Player(SIMPLE),
    "normal": Player(USUAL),
    "hard": Player(USUAL, searches=True),
}
