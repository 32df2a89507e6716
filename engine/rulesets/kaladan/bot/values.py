"""Worth of positions to a seat: units, land, gold, and the danger of its Crown.

The best player reckons its chance to win instead. Rules: KA-18.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp, log
from typing import Final, NamedTuple

from engine.rulesets.kaladan.board import distance
from engine.rulesets.kaladan.bot.board import (
    WORTH,
    BotBoard,
    Roll,
    board_of,
    losses_by_count,
    total_worth,
)
from engine.rulesets.kaladan.pools import ATTACK
from engine.rulesets.kaladan.state import NOBODY, Unit, View

# -- characters ------------------------------------------------------------------------------------


class Mood(NamedTuple):
    """Character of a player in a round.

    ``margin`` is what an attack must gain, ``crown`` the price of the own Crown, ``limit`` the
    danger above which it counts double, ``foes`` the weight of what rivals have, ``tries`` the
    attacks that are looked at closely, ``leaves`` the outcomes of each kind, ``worths`` what units
    are worth, the cheapest of which are given up first, and ``haste`` the wish to end a long war.
    """

    margin: float
    crown: float = 40.0
    limit: float = 0.12
    foes: float = 1.0
    tries: int = 4
    leaves: int = 1
    worths: Mapping[str, float] = WORTH
    haste: float = 0.0


_WON: Final = 120.0
_RIVAL: Final = 5.0
"""Worth of one rival less."""
TILE: Final = 0.8
_CASTLE: Final = 1.4
_GOLD: Final = 0.35
_RESERVE: Final = 0.3
_STEP: Final = 0.05
"""Worth of a step closer to an enemy Crown, for each worth of units."""


# -- value -----------------------------------------------------------------------------------------


class Judge:
    """Values of boards for one seat, with what has been found out about its Crown's danger."""

    def __init__(self, view: View, seat: int, mood: Mood) -> None:
        self.view = view
        self.seat = seat
        self.mood = mood
        self.layout = view.layout
        self._dangers: dict[tuple[object, ...], float] = {}

    def board(self) -> BotBoard:
        """The board of the view."""
        return board_of(self.view, self.mood.worths)

    def value(self, board: BotBoard) -> float:
        """Value of a board when the seat's turn is over."""
        if self.seat not in board.alive:
            return -self.mood.crown - _WON / 2
        if len(board.alive) == 1:
            return _WON
        rivals = [seat for seat in board.alive if seat != self.seat]
        share = self.mood.foes * (0.7 + 0.3 / len(rivals))
        found = self._wealth(board, self.seat)
        found -= sum(share * self._wealth(board, rival) + _RIVAL for rival in rivals)
        found += _STEP * self.closeness(board, rivals)
        danger = self.danger(board, self.seat)
        found -= self.mood.crown * (danger + max(0.0, danger - self.mood.limit))
        return found

    def _wealth(self, board: BotBoard, seat: int) -> float:
        """Units, land and gold of a seat."""
        held = board.held(seat)
        found = TILE * len(held) + _GOLD * board.gold[seat]
        found += _RESERVE * total_worth(board.reserve[seat], board.worths)
        for tile in held:
            found += total_worth(board.stacks[tile], board.worths)
            found += _CASTLE * (tile in board.land.castles)
        return found

    def closeness(self, board: BotBoard, rivals: Sequence[int]) -> float:
        """Nearness of the units to enemy Crowns, those that guard the own one left out.

        It is their worth times the steps, below 0.
        """
        crowns = [tile for rival in rivals if (tile := board.crown_tile(rival))]
        own = board.crown_tile(self.seat)
        if not crowns:
            return 0.0
        return -sum(
            total_worth(board.stacks[tile], board.worths)
            * min(distance(self.layout, tile, crown) for crown in crowns)
            for tile in board.held(self.seat)
            if tile != own
        )

    def danger(self, board: BotBoard, seat: int) -> float:
        """Chance that the Crown of a seat must fall before its next turn. Rules: KA-18.2."""
        target = board.crown_tile(seat)
        if not target:
            return 0.0
        near = [
            tile for tile in board.land.tiles if 0 < distance(self.layout, tile, target) < _REACH
        ]
        key = (
            seat,
            target,
            tuple((unit.id, unit.upgraded) for unit in board.stacks[target]),
            tuple(
                seat if board.owner(tile) == seat else tuple(u.id for u in board.stacks[tile])
                for tile in near
                if tile in board.stacks
            ),
            tuple(tile for tile in near if tile in board.stacks),
        )
        found = self._dangers.get(key)
        if found is None:
            safe = 1.0
            for rival in board.alive:
                if rival != seat:
                    chances = [roll.clears for _, _, roll in assaults(board, rival, target)]
                    cards = len(self.view.players[rival].hand)
                    safe *= 1 - min(1.0, max(chances, default=0.0) * (1 + _MAGIC * cards))
            found = self._dangers[key] = 1 - safe
        return found


_MAGIC: Final = 0.1
"""Part by which each Magic card in an enemy's hand makes its attacks more dangerous."""

_REACH: Final = 3
"""Distance from which no unit joins an attack in one turn."""


def assaults(
    board: BotBoard, by: int, target: int, *, fresh: bool = True
) -> Iterator[tuple[int, list[Unit], Roll]]:
    """Attacks of a seat on a tile: source, units that gather there, and what the roll comes to.

    With ``fresh`` it is the seat's next turn: all its units may move, and a free one comes.
    """
    for source in board.land.beside[target]:
        if board.owner(source) in (by, NOBODY):
            stack = gathered(board, by, source, target, fresh=fresh)
            if stack:
                yield (
                    source,
                    stack,
                    board.land.roll(stack, source, board.stacks[target], target),
                )


def gathered(board: BotBoard, by: int, source: int, target: int, *, fresh: bool) -> list[Unit]:
    """Units of a seat that fight from a tile: those that stand there, and the best from beside."""
    land = board.land
    here = list(board.stacks.get(source, ()))
    left = land.places[source] - len(here)
    if left <= 0:
        return here
    others: list[Unit] = []
    for tile in (source, *land.beside[source]):
        if tile != source and board.owner(tile) == by:
            others += (
                unit
                for unit in board.stacks[tile]
                if unit.kind != "crown" and (fresh or unit.id not in board.done)
            )
        if fresh and tile in land.castles and board.owner(tile) == by and board.room(tile) > 0:
            free = next((u for u in board.reserve[by] if u.kind in ("archer", "sword")), None)
            others += [free] if free is not None else []
    others.sort(
        key=lambda unit: (-sum(land.dice(unit, ATTACK, source, target, court=False)), unit.id)
    )
    return here + others[:left]


# -- chance to win ---------------------------------------------------------------------------------

# A war is one of attrition: what falls stays dead, and the reserve is soon on the board, so what is
# left of both armies tells most. A Special Unit comes back for gold, of which there is enough then.
# The numbers were fitted to the outcomes of games among computer players.

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
"""Gain of a unit in the logarithm of the odds, on the board or waiting."""

_FALLEN: Final = 0.1
"""Gain of a Special Unit that is not on the board."""

_UPGRADE: Final = 0.15
"""Part that an upgrade adds to a unit."""

_LAND: Final = 0.02
_HOME: Final = 0.6
_MONEY: Final = 0.005
"""Gains of a tile, of a Castle besides, and of gold."""

_MOST_GOLD: Final = 8
"""Gold beyond which more buys nothing that is needed."""

_NEARER: Final = 0.025
"""Gain of a step towards an enemy Crown, for each worth of units."""

_ANSWER: Final = 0.24
"""Loss by an enemy's best attack, for each worth that it gains by it."""

_URGE: Final = 0.05
"""Cost of a step to an enemy Crown in a long war, for each worth of units and each haste."""

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
        calm = 1 / (1 + self.mood.haste)
        odds += _NEARER * self.closeness(board, rivals)
        odds -= _ANSWER * calm * self._answer(board, rivals)
        found = SCALE * (1 - calm * self.danger(board, self.seat)) / (1 + exp(-odds))
        return found + self._urge(board, rivals) if self.mood.haste else found

    def _urge(self, board: BotBoard, rivals: Sequence[int]) -> float:
        """Wish that all units go to enemy Crowns, guards too, for a chance near 1 rises no more."""
        crowns = [board.crown_tile(rival) for rival in rivals]
        steps = sum(
            total_worth(board.stacks[tile], board.worths)
            * min(distance(self.layout, tile, crown) for crown in crowns)
            for tile in board.held(self.seat)
        )
        return -_URGE * self.mood.haste * steps

    def _strength(self, board: BotBoard, seat: int) -> float:
        """Gain of all that a seat has, in the logarithm of its odds."""
        held = board.held(seat)
        found = _LAND * len(held) + _MONEY * min(board.gold[seat], _MOST_GOLD)
        found += sum(map(_waiting, board.reserve[seat]))
        for tile in held:
            found += sum(map(_standing, board.stacks[tile])) + _HOME * (tile in board.land.castles)
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
