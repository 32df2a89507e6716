"""Levels of the computer players: a plan for the rest of a phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.core.dice import Dice
from engine.core.ruleset import Bot, Offers
from engine.rulesets.weltendaemmerung.bot.attacking import strikes
from engine.rulesets.weltendaemmerung.bot.board import BotBoard
from engine.rulesets.weltendaemmerung.bot.dailor import sieges
from engine.rulesets.weltendaemmerung.bot.eldoin import gate_work
from engine.rulesets.weltendaemmerung.bot.kinds import SIMPLE, USUAL, Posture
from engine.rulesets.weltendaemmerung.bot.search import best_marches, marches
from engine.rulesets.weltendaemmerung.bot.situation import Assessment
from engine.rulesets.weltendaemmerung.commands import (
    AnyCommand,
    Attack,
    EndPhase,
    MoveUnit,
    WorkGate,
)
from engine.rulesets.weltendaemmerung.state import ATTACK, DAILOR, MOVE, View


class PhasePlanner:
    """Computer player of one posture, or with ``searches`` of the best posture in each phase."""

    def __init__(self, style: Posture, *, searches: bool = False) -> None:
        """Set the posture, and the choice of moves by search."""
        self._style = style
        self._searches = searches

    def plan(
        self,
        view: View,
        offers: Offers[AnyCommand],  # noqa: ARG002 - everything is in the view
        dice: Dice,
    ) -> Sequence[AnyCommand]:
        """Commands for the rest of the phase, or its next attacks."""
        board = BotBoard(view)
        if view.phase == MOVE:
            return self._moves(board, dice)
        if view.phase == ATTACK:
            return self._attacks(board)
        work = gate_work(Assessment(board), view.player)
        return (*(WorkGate(board.place(tile)) for tile in work), EndPhase())

    def rest(
        self,
        view: View,  # noqa: ARG002 - every phase is ended alike
        offers: Offers[AnyCommand],  # noqa: ARG002 - as above
    ) -> Sequence[AnyCommand]:
        """End of the phase."""
        return (EndPhase(),)

    def _moves(self, board: BotBoard, dice: Dice) -> Sequence[AnyCommand]:
        made = (
            best_marches(board, dice) if self._searches else marches(Assessment(board), self._style)
        )
        return (*(MoveUnit(board.ids[one.slot], one.path) for one in made), EndPhase())

    def _attacks(self, board: BotBoard) -> Sequence[AnyCommand]:
        """Attacks that cannot be refused; the rest is planned after their dice."""
        sit, side = Assessment(board), board.player
        made: list[AnyCommand] = []
        if side == DAILOR:
            for slot, tile in sieges(sit):
                made.append(Attack(board.ids[slot], board.place(tile)))
                board.b[slot] = 0
        for slot, victim in strikes(sit, side, self._style):
            made.append(Attack(board.ids[slot], board.place(board.at[victim])))
        return made or (EndPhase(),)


LEVELS: Final[Mapping[str, Bot[View, AnyCommand]]] = {
    "easy": PhasePlanner(SIMPLE),
    "normal": PhasePlanner(USUAL),
    "hard": PhasePlanner(USUAL, searches=True),
}
