"""Chance of a seat to win from a position, as the player that looks ahead estimates it.

A war is one of attrition: what falls stays dead, and the reserve is soon on the board, so what is
left of both armies tells most. A Special Unit comes back for gold, of which there is enough then.
The numbers were fitted to the outcomes of games among computer players. Rules: KA-18.2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import Final

from engine.rulesets.kaladan.bot.board import BotBoard, Roll, losses_by_count
from engine.rulesets.kaladan.bot.values import Judge, assaults
from engine.rulesets.kaladan.state import Unit

SCALE: Final = 8.3
"""Value of a war that is won; so a Basic unit is worth about 1 where both sides are equal."""

_ODDS: Final[Mapping[str, float]] = {
    "sword": 0.48,
    "archer": 0.48,
    "shield": 0.48,
    "catapult": 0.65,
    "special": 0.2,
    "general": 0.55,
    "crown": 0.0,
}
"""What a unit adds to the logarithm of the odds, on the board or waiting."""

_FALLEN: Final = 0.1
"""What a Special Unit adds that is not on the board."""

_UPGRADE: Final = 0.15
"""Part that an upgrade adds."""

_TILE: Final = 0.02
_CASTLE: Final = 0.6
_GOLD: Final = 0.005
_MOST_GOLD: Final = 8
"""Gold beyond which more buys nothing that is needed."""

_STEP: Final = 0.025
"""What a step towards an enemy Crown adds, for each worth of units."""

_ANSWER: Final = 0.24
"""What an enemy's best attack takes away, for each worth that it gains by it."""

_PRIZE: Final = 8.0
"""Worth of a Crown to whoever attacks it."""


class ChanceJudge(Judge):
    """Values of boards by the chance to win, in the worth of units.

    The Crown must outlive the enemies' next attacks, and the best of them costs units.
    """

    def value(self, board: BotBoard) -> float:
        """Value of a board when the seat's turn is over."""
        if self.seat not in board.alive:
            return 0.0
        rivals = [seat for seat in board.alive if seat != self.seat]
        if not rivals:
            return SCALE
        theirs = sum(self._strength(board, rival) for rival in rivals) / len(rivals)
        odds = self._strength(board, self.seat) - theirs - log(len(rivals))
        odds += _STEP * self.closeness(board, rivals) - _ANSWER * self._answer(board, rivals)
        return SCALE * (1 - self.danger(board, self.seat)) / (1 + exp(-odds))

    def _strength(self, board: BotBoard, seat: int) -> float:
        """What a seat has, as it adds to the logarithm of its odds."""
        held = board.held(seat)
        found = _TILE * len(held) + _GOLD * min(board.gold[seat], _MOST_GOLD)
        found += sum(map(_waiting, board.reserve[seat]))
        for tile in held:
            found += sum(map(_standing, board.stacks[tile])) + _CASTLE * (
                tile in board.land.castles
            )
        return found

    def _answer(self, board: BotBoard, rivals: Sequence[int]) -> float:
        """Cost of the enemies' best attacks to the seat; the dearest counts in full."""
        costs = [self._worst(board, rival) for rival in rivals]
        return 0.4 * sum(costs) + 0.6 * max(costs)

    def _worst(self, board: BotBoard, rival: int) -> float:
        """Cost of the attack by which a rival gains most, less what it loses; 0 for none."""
        best = 0.0, 0.0
        for target in board.held(self.seat):
            for _, stack, roll in assaults(board, rival, target):
                cost = _exchange(board, stack, target, roll)
                crown = any(unit.kind == "crown" for unit in board.stacks[target])
                best = max(best, (cost + _PRIZE * roll.clears * crown, cost))
        return best[1]


def _waiting(unit: Unit) -> float:
    return _FALLEN if unit.kind == "special" else _standing(unit)


def _standing(unit: Unit) -> float:
    return _ODDS[unit.kind] * (1 + _UPGRADE * unit.upgraded)


def _exchange(board: BotBoard, stack: Sequence[Unit], target: int, roll: Roll) -> float:
    """Worth that an attack takes from the defender, less what the attacker loses."""
    mine, theirs = (losses_by_count(units, board.worths) for units in (board.stacks[target], stack))
    return sum(chance * (mine[other] - theirs[one]) for one, other, chance in roll.rows)
