"""Orders for armies: who attacks what, who goes where. Rules: W2-14.2 to W2-14.4."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from engine.core.dice import Dice
from engine.kit.grid import Place
from engine.strategic.battle import forecast
from engine.strategic.bot import leading, sieges, ways
from engine.strategic.bot.aims import Aim, aims, nerve
from engine.strategic.bot.bands import Band, band, bands, garrisons
from engine.strategic.bot.campaigns import Campaign, campaigns
from engine.strategic.bot.exploring import Exploration
from engine.strategic.bot.gathering import Gathering
from engine.strategic.bot.situation import Situation
from engine.strategic.bot.temper import Temper
from engine.strategic.commands import AnyCommand, Walk

_MOOD = 20.0
"""What a die of moods is divided by."""

_LATE = 80
"""The turn from which on everybody attacks together, so that games end."""


class Marshal:
    """Gives orders for one plan. What comes of a fight is seen in the next one.

    A plan ends with the attack on a city, for everything after it hangs on who has the city then.
    """

    def __init__(self, here: Situation, temper: Temper, dice: Dice) -> None:
        """For a situation."""
        self.here = here
        self.temper = temper
        self.dice = dice
        self.claims: dict[Place, float] = {}
        self.fought = False
        """Whether there is a fight: the turn goes on, but by another plan."""
        self.scouted = False
        """Whether a scout was sent: who helps or gathers waits for what it sees."""
        self._exploration = Exploration(here)
        self._refused: set[tuple[int, Place]] = set()

    def orders(self) -> Iterator[AnyCommand]:
        """Marches of all armies that can do something useful."""
        for order in self._orders():
            yield order
            if isinstance(order, Walk):
                self._exploration.note(order)
                struck = self.here.note(order)
                if struck is not None:
                    self.fought = True
                    if self.here.city_of(struck) is not None:
                        return

    def _orders(self) -> Iterator[AnyCommand]:
        free = bands(self.here, garrisons(self.here, self.temper))
        best = {one.ids: self._best(one) for one in free}
        if self.temper.joins and (strike := leading.strike(self.here, self.temper, free, best)):
            yield from strike
            return
        while True:
            going = [(best[one.ids], one) for one in free if best[one.ids] is not None]
            if not going:
                break
            aim, one = max(going, key=_urgency)
            assert aim is not None  # noqa: S101 - tells the type checker
            order = self._carry_out(one, aim)
            if order is None:
                self._refused.add((one.armies[0].id, aim.at))
                best[one.ids] = self._best(one)
                continue
            yield order
            free.remove(one)
            free += self._rest(one, aim)
            if self._exploration.is_edge(aim.at):
                self._exploration.take(aim.at)
                self.scouted = True
            self.claims[aim.at] = 1 - (1 - self.claims.get(aim.at, 0.0)) * (1 - aim.chance)
            for other in free:
                known = best.get(other.ids)
                if other.ids not in best or (known is not None and self._is_gone(known, aim)):
                    best[other.ids] = self._best(other)
        if not self.scouted:
            yield from self._others(free)

    def _is_gone(self, known: Aim, aim: Aim) -> bool:
        """Whether an aim is worth less since somebody else goes for another."""
        if known.at == aim.at:
            return True
        return self._exploration.is_edge(known.at) and self._exploration.is_taken(known.at)

    def _others(self, free: list[Band]) -> Iterator[AnyCommand]:
        """Who can do nothing alone helps, attacks together with others, comes nearer or gathers."""
        camps = Gathering(self.here)
        yield from camps.help(free)
        regions = campaigns(self.here, free)
        if self.temper.joins or self.here.view.turn > _LATE:
            waves = (sieges.wave(self.here, campaign) for campaign in regions)
            wave = next((found for found in waves if found), ())
            if wave:
                yield from wave
                return
            for campaign in regions:
                yield from self._approach(campaign, free)
        for campaign in regions:
            yield from self._gather(campaign, free, camps)

    def _approach(self, campaign: Campaign, free: list[Band]) -> Iterator[AnyCommand]:
        """Who has nothing better to do comes near a city that may be besieged."""
        for one, command in sieges.approach(self.here, campaign):
            free.remove(one.band)
            if command is not None:
                yield command

    def _gather(
        self, campaign: Campaign, free: list[Band], camps: Gathering
    ) -> Iterator[AnyCommand]:
        """The rest of a region comes together in its camp."""
        members = [one.band for one in campaign.soldiers if one.band in free]
        if campaign.camp is None:
            return
        for one in members:
            free.remove(one)
            yield from camps.into(one, campaign.camp)
        yield from camps.regroup(campaign.camp, members)

    def _best(self, one: Band) -> Aim | None:
        """What a band wants most; None: nothing that it could do."""
        found = [
            aim._replace(score=aim.score + self._mood())
            for aim in chain(
                aims(self.here, self.temper, one, self.claims), self._exploration.aims(one)
            )
            if (one.armies[0].id, aim.at) not in self._refused
        ]
        wanted = max(found, key=lambda aim: (aim.score, aim.at), default=None)
        return wanted if wanted is not None and wanted.score > 0 else None

    def _mood(self) -> float:
        sides = self.temper.wander
        return (self.dice.roll(sides) - (sides + 1) / 2) / _MOOD * 10 if sides else 0.0

    def _rest(self, one: Band, aim: Aim) -> list[Band]:
        """Who of a band is still free when others of it go."""
        left = [army for army in one.armies if army not in aim.armies]
        made = band(self.here, left) if left else None
        return [] if made is None else [made]

    def _carry_out(self, one: Band, aim: Aim) -> Walk | None:
        """The order for an aim; None: it cannot be done, or is more daring than it looked."""
        going = one if aim.armies == one.armies else band(self.here, aim.armies)
        if going is None:
            return None
        if aim.foe:
            command = ways.march(self.here, going, aim.at)
        elif self._exploration.is_edge(aim.at) and not aim.fight:
            command = self._exploration.order(going, aim.at)
        else:
            command = ways.order(self.here, going, aim.goal)
        if command is None:
            return None
        if not aim.fight or not ways.strikes(self.here, going, command):
            return command
        exact = forecast(self.here.view, self.here.book, going.armies, aim.at).chance
        if exact < nerve(self.here, self.temper, going.armies):
            return None
        return command


def _urgency(going: tuple[Aim | None, Band]) -> tuple[float, tuple[int, ...]]:
    aim, one = going
    return (0.0 if aim is None else aim.score), one.ids
