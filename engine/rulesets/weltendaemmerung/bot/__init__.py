"""Computer players for both sides, in three levels (section 19.2 of the rule book)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.core.dice import Dice
from engine.core.ruleset import Bot, Offers
from engine.rulesets.weltendaemmerung.bot.attacking import strikes
from engine.rulesets.weltendaemmerung.bot.gatework import dailor_gates, eldoin_gates
from engine.rulesets.weltendaemmerung.bot.moving_dailor import dailor_marches
from engine.rulesets.weltendaemmerung.bot.moving_eldoin import eldoin_marches
from engine.rulesets.weltendaemmerung.bot.siege import sieges
from engine.rulesets.weltendaemmerung.bot.situation import Situation
from engine.rulesets.weltendaemmerung.bot.style import Style
from engine.rulesets.weltendaemmerung.commands import (
    AnyCommand,
    Attack,
    EndPhase,
    MoveUnit,
    WorkGate,
)
from engine.rulesets.weltendaemmerung.state import ATTACK, DAILOR, ELDOIN, MOVE, View


class Player:
    """A computer player of one style."""

    def __init__(self, style: Style) -> None:
        """Play in this style."""
        self._style = style

    def plan(self, view: View, offers: Offers[AnyCommand], dice: Dice) -> Sequence[AnyCommand]:
        """The rest of the phase, or its next attacks."""
        sit = Situation(view)
        if view.phase == MOVE:
            return self._moves(sit)
        if view.phase == ATTACK:
            return self._attacks(sit)
        work = eldoin_gates(sit) if view.player == ELDOIN else dailor_gates(sit)
        return (*(WorkGate(place) for place in work), EndPhase())

    def _moves(self, sit: Situation) -> Sequence[AnyCommand]:
        side = sit.view.player
        march = dailor_marches if side == DAILOR else eldoin_marches
        marches = march(sit, self._style)
        ids = sit.board.ids
        return (*(MoveUnit(ids[one.slot], one.path) for one in marches), EndPhase())

    def _attacks(self, sit: Situation) -> Sequence[AnyCommand]:
        board, side = sit.board, sit.view.player
        made: list[AnyCommand] = []
        if side == DAILOR:
            for slot, tile in sieges(sit):
                made.append(Attack(board.ids[slot], board.place(tile)))
                board.b[slot] = 0
        for slot, victim in strikes(sit, side, self._style):
            made.append(Attack(board.ids[slot], board.place(board.at[victim])))
        return made or (EndPhase(),)


LEVELS: Final[Mapping[str, Bot[View, AnyCommand]]] = {
    "easy": Player(Style(foresight=False, focus=False, courage=0.0, caution=0.0)),
    "normal": Player(Style()),
    "hard": Player(Style()),
}
