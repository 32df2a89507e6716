"""Attrition: the exact value of several waves against one garrison.

The dead stay dead and wounds heal, so all that one wave leaves to the next is how many of the
garrison's line are left, which are always the last ones. After each wave the siege may be broken
off: a wave counts for what it gains itself and for what those after it gain then, if that is more
than nothing. Rules: W2-8.1 to W2-8.6, W2-14.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from engine.strategic.battle import in_order, meet, odds_of, order_of, soldiers
from engine.strategic.battle_records import BattleOdds as Odds
from engine.strategic.bot.force import worth
from engine.strategic.bot.situation import Situation
from engine.strategic.pieces import NOBODY, Army, City

Wave: TypeAlias = tuple[Army, ...]

_SLIGHT: Final = 0.01
"""The chance below which a course of a siege is left aside."""


class Outlook(NamedTuple):
    """The value of a siege, the chance of its first wave alone and of all of them."""

    value: float
    first: float
    hope: float


class Stakes(NamedTuple):
    """The value of a city and that of a foe who falls, as a share of the worth of that army."""

    prize: float
    toll: float


class Siege:
    """Waves in an order against the garrison of a city, as it is known."""

    def __init__(
        self, here: Situation, city: City, garrison: Sequence[Army], waves: Sequence[Wave]
    ) -> None:
        """Nothing is reckoned yet. ``garrison`` has at least one army."""
        self._rules = here.book.fighting
        self._field = here.book.fighting.battleground(here.view, (city.x, city.y))
        owner = garrison[0].owner
        self._orders = order_of(here.view, here.side), order_of(here.view, owner)
        self._neutral = owner == NOBODY
        self._foes = in_order(soldiers(here.view, garrison), self._orders[1], self._field)
        self._waves = tuple(soldiers(here.view, wave) for wave in waves)
        self._known: dict[tuple[int, int], tuple[float, float]] = {}

    def outlook(self, stakes: Stakes) -> Outlook:
        """The value of the siege if it is broken off as soon as it does not pay any more."""
        self._known.clear()
        count = len(self._foes)
        odds, change = self._wave(0, count, stakes.toll)
        value, hope = self._after(0, odds, stakes)
        return Outlook(change + value, odds.chance, hope)

    def _after(self, number: int, odds: Odds, stakes: Stakes) -> tuple[float, float]:
        """The value of the city and of later waves once a wave has fought, and the chance."""
        value, hope = odds.chance * stakes.prize, odds.chance
        for left, likely in enumerate(odds.defenders_left):
            if left and likely >= _SLIGHT:
                later, taken = self._rest(number + 1, left, stakes)
                value += likely * later
                hope += likely * taken
        return value, hope

    def _rest(self, number: int, left: int, stakes: Stakes) -> tuple[float, float]:
        """The value of the waves from one on against so many, and the chance; 0 if broken off."""
        if number >= len(self._waves):
            return 0.0, 0.0
        if (number, left) not in self._known:
            odds, change = self._wave(number, left, stakes.toll)
            value, hope = self._after(number, odds, stakes)
            value += change
            self._known[number, left] = (value, hope) if value > 0 else (0.0, 0.0)
        return self._known[number, left]

    def _wave(self, number: int, left: int, toll: float) -> tuple[Odds, float]:
        """The chances of a wave against the last so many, and the value of who falls."""
        line = meet(
            self._rules,
            self._waves[number],
            self._foes[-left:],
            self._field,
            orders=self._orders,
            neutral=self._neutral,
            novice=False,
        )
        odds = odds_of(self._rules, line)
        value = {one.army.id: worth(one.army) for one in (*self._waves[number], *self._foes)}
        lost = sum(
            (1 - live) * value[one.army]
            for one, live in zip(line.attackers.fighters, odds.attackers_live, strict=True)
        )
        killed = sum(
            (1 - live) * value[one.army]
            for one, live in zip(line.defenders.fighters, odds.defenders_live, strict=True)
        )
        return odds, toll * killed - lost
