"""Worth of positions to a seat: units, land, gold, and the danger of its Crown.

The best player uses its chance to win instead. See: KA-18.2.
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

    ``margin`` is the minimum gain of an attack, ``crown`` the price of its Crown, and ``limit``
    the danger above which it counts double. ``foes`` is the weight of the rivals' wealth. ``tries``
    is the number of attacks examined closely, ``leaves`` that of outcomes of each kind. ``worths``
    are the worths of units; the cheapest are given up first. ``haste`` is the wish to end a long
    war.
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
"""Gain from each eliminated rival."""
TILE: Final = 0.8
_CASTLE: Final = 1.4
_GOLD: Final = 0.35
_RESERVE: Final = 0.3
_STEP: Final = 0.05
"""Worth of one step closer to an enemy Crown, per worth of units."""


# -- value -----------------------------------------------------------------------------------------


class Judge:
    """Evaluation of boards for one seat, with a cache of the danger of its Crown."""

    def __init__(self, view: View, seat: int, mood: Mood) -> None:
        self.view = view
        self.seat = seat
        self.mood = mood
        self.layout = view.layout
        self._dangers: dict[tuple[object, ...], float] = {}

    def board(self) -> BotBoard:
        """Return the board of the view."""
        return board_of(self.view, self.mood.worths)

    def value(self, board: BotBoard) -> float:
        """Return how good a board at the end of the seat's turn is for it; higher is better."""
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
        """Return the worth of a seat's units, land and gold."""
        held = board.held(seat)
        found = TILE * len(held) + _GOLD * board.gold[seat]
        found += _RESERVE * total_worth(board.reserve[seat], board.worths)
        for tile in held:
            found += total_worth(board.stacks[tile], board.worths)
            found += _CASTLE * (tile in board.land.castles)
        return found

    def closeness(self, board: BotBoard, rivals: Sequence[int]) -> float:
        """Return how near the units are to enemy Crowns; guards of the seat's Crown do not count.

        It is minus the sum of worth times steps, so never above 0.
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
        """Return the chance that a seat's Crown must fall before its next turn. Rules: KA-18.2."""
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
"""Share by which each Magic card in an enemy's hand raises the danger of its attacks."""

_REACH: Final = 3
"""Distance from which no unit can join an attack within one turn."""


def assaults(
    board: BotBoard, by: int, target: int, *, fresh: bool = True
) -> Iterator[tuple[int, list[Unit], Roll]]:
    """Yield a seat's attacks on a tile: source, units that gather there, and forecast.

    With ``fresh`` it is the seat's next turn: all its units can move, and a free one appears.
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
    """Return the units that fight from a tile: those on it, and the best of its neighbours."""
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

# A war is one of attrition: fallen units stay dead, and the reserve is soon on the board, so the
# rest of both armies matters most. A Special Unit comes back for gold, and there is enough of it by
# then. The numbers were fitted to the results of games among computer players.

SCALE: Final = 8.3
"""Value of a won war; a Basic unit is worth about 1 if both sides are equal."""

_ODDS: Final[Mapping[str, float]] = {
    "sword": 0.48,
    "archer": 0.48,
    "shield": 0.48,
    "catapult": 0.65,
    "special": 0.2,
    "general": 0.55,
    "crown": 0.0,
}
"""Contribution of a unit to the log odds, on the board or waiting."""

_FALLEN: Final = 0.1
"""Contribution of a Special Unit that is not on the board."""

_UPGRADE: Final = 0.15
"""Share that an upgrade adds to a unit."""

_LAND: Final = 0.02
_HOME: Final = 0.6
_MONEY: Final = 0.005
"""Contributions of a tile, of a Castle on it, and of gold."""

_MOST_GOLD: Final = 8
"""Gold beyond which more buys nothing useful."""

_NEARER: Final = 0.025
"""Gain of one step towards an enemy Crown, per worth of units."""

_ANSWER: Final = 0.24
"""Loss through an enemy's best attack, per worth that it gains."""

_URGE: Final = 0.05
"""Cost of one step to an enemy Crown in a long war, per worth of units and haste."""

_PRIZE: Final = 8.0
"""Worth of a Crown to its attacker."""


class ChanceJudge(Judge):
    """Evaluation of boards by the chance to win, on the scale of the worth of units.

    The Crown must survive the enemies' next attacks, and the best of those cost units.
    """

    def value(self, board: BotBoard) -> float:
        """Return how good a board at the end of the seat's turn is for it: 0 lost, SCALE won."""
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
        """Return the urge to send all units, guards too, to enemy Crowns in a long war.

        It is needed because a chance to win near 1 hardly rises any further.
        """
        crowns = [board.crown_tile(rival) for rival in rivals]
        steps = sum(
            total_worth(board.stacks[tile], board.worths)
            * min(distance(self.layout, tile, crown) for crown in crowns)
            for tile in board.held(self.seat)
        )
        return -_URGE * self.mood.haste * steps

    def _strength(self, board: BotBoard, seat: int) -> float:
        """Return the contribution of all that a seat has to its log odds."""
        held = board.held(seat)
        found = _LAND * len(held) + _MONEY * min(board.gold[seat], _MOST_GOLD)
        found += sum(map(_waiting, board.reserve[seat]))
        for tile in held:
            found += sum(map(_standing, board.stacks[tile])) + _HOME * (tile in board.land.castles)
        return found

    def _answer(self, board: BotBoard, rivals: Sequence[int]) -> float:
        """Return the cost of the enemies' best attacks to the seat; the worst counts fully."""
        costs = [self._worst(board, rival) for rival in rivals]
        return 0.4 * sum(costs) + 0.6 * max(costs)

    def _worst(self, board: BotBoard, rival: int) -> float:
        """Return the cost of the attack by which a rival gains most; 0 if there is none."""
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
    """Return the worth that an attack takes from the defender, less the attacker's loss."""
    mine, theirs = (losses_by_count(units, board.worths) for units in (board.stacks[target], stack))
    return sum(chance * (mine[other] - theirs[one]) for one, other, chance in roll.rows)
