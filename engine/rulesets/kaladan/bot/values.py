"""Worth of positions to a seat: units, land, gold, and the danger of its Crown.

Rules: KA-18.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from engine.rulesets.kaladan.board import distance
from engine.rulesets.kaladan.bot.board import WORTH, BotBoard, Roll, board_of, total_worth
from engine.rulesets.kaladan.pools import ATTACK
from engine.rulesets.kaladan.state import NOBODY, Unit, View

# -- characters ------------------------------------------------------------------------------------


class Mood(NamedTuple):
    """Character of a player in a round.

    ``margin`` is what an attack must gain, ``crown`` the price of the own Crown, ``limit`` the
    danger above which it counts double, ``foes`` the weight of what rivals have, ``tries`` the
    attacks that are looked at closely, ``leaves`` the outcomes of each kind, and ``worths`` what
    units are worth, the cheapest of which are given up first.
    """

    margin: float
    crown: float = 40.0
    limit: float = 0.12
    foes: float = 1.0
    tries: int = 4
    leaves: int = 1
    worths: Mapping[str, float] = WORTH


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
