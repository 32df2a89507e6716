"""Orders for armies: who attacks what, who goes where. Rules: W2-14.2 to W2-14.4."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.dice import Dice
from engine.kit.grid import Place
from engine.strategic.bot import leading, sieges, ways
from engine.strategic.bot.aims import Aim, aims, nerve
from engine.strategic.bot.bands import Band, band, bands, garrisons
from engine.strategic.bot.campaigns import Campaign, campaigns
from engine.strategic.bot.gathering import Gathering, explore
from engine.strategic.bot.situation import Situation
from engine.strategic.bot.temper import Temper
from engine.strategic.commands import AnyCommand
from engine.strategic.fighting.odds import forecast

_MOOD = 20.0
"""What a die of moods is divided by."""

_LATE = 80
"""The turn from which on everybody attacks together, so that games end."""


class Marshal:
    """Gives orders for one plan. What comes of a fight is seen in the next one."""

    def __init__(self, here: Situation, temper: Temper, dice: Dice) -> None:
        """For a situation."""
        self.here = here
        self.temper = temper
        self.dice = dice
        self.claims: dict[Place, float] = {}
        self.fought = False
        self._refused: set[tuple[int, Place]] = set()

    def orders(self) -> Iterator[AnyCommand]:
        """Marches of all armies that can do something useful."""
        free = bands(self.here, garrisons(self.here, self.temper))
        best = {one.ids: self._best(one) for one in free}
        if self.temper.joins and (strike := leading.strike(self.here, self.temper, free, best)):
            self.fought = True
            yield from strike
            return
        while True:
            going = [(best[one.ids], one) for one in free if best[one.ids] is not None]
            if not going:
                break
            aim, one = max(going, key=_urgency)
            assert aim is not None  # noqa: S101 - tells the type checker
            orders = self._carry_out(one, aim)
            if orders is None:
                self._refused.add((one.armies[0].id, aim.at))
                best[one.ids] = self._best(one)
                continue
            yield from orders
            if self.fought and self.here.city_of(aim.at) is not None:
                return
            free.remove(one)
            free += self._rest(one, aim)
            self.claims[aim.at] = 1 - (1 - self.claims.get(aim.at, 0.0)) * (1 - aim.chance)
            for other in free:
                known = best.get(other.ids)
                if other.ids not in best or (known is not None and known.at == aim.at):
                    best[other.ids] = self._best(other)
        yield from self._others(free)

    def _others(self, free: list[Band]) -> Iterator[AnyCommand]:
        """Who can do nothing alone helps, attacks together with others, comes nearer or gathers."""
        camps = Gathering(self.here)
        yield from camps.help(free)
        regions = campaigns(self.here, free)
        if self.temper.joins or self.here.view.turn > _LATE:
            waves = (sieges.wave(self.here, campaign) for campaign in regions)
            wave = next((found for found in waves if found), ())
            if wave:
                self.fought = True
                yield from wave
                return
            for campaign in regions:
                yield from self._approach(campaign, free)
        for campaign in regions:
            yield from self._gather(campaign, free, camps)
        if self.here.fog:
            for one in free:
                yield from explore(self.here, one)

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
            for aim in aims(self.here, self.temper, one, self.claims)
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

    def _carry_out(self, one: Band, aim: Aim) -> tuple[AnyCommand, ...] | None:
        """The orders for an aim; None: it cannot be done, or is more daring than it looked."""
        going = one if aim.armies == one.armies else band(self.here, aim.armies)
        if going is None:
            return None
        if not aim.foe:
            command = ways.order(self.here, going, aim.goal)
        else:
            command = ways.march(self.here, going, aim.at)
        if command is None:
            return None
        if not aim.fight or not self._arrives(going, aim):
            return (command,)
        exact = forecast(self.here.view, self.here.book, going.armies, aim.at).chance
        if exact < nerve(self.here, self.temper, going.armies):
            return None
        self.fought = True
        return (command,)

    def _arrives(self, going: Band, aim: Aim) -> bool:
        """Whether the fight is this turn."""
        return aim.foe or going.turns(self.here.atlas(going.who).cost(going.at, aim.goal)) == 0


def _urgency(going: tuple[Aim | None, Band]) -> tuple[float, tuple[int, ...]]:
    aim, one = going
    return (0.0 if aim is None else aim.score), one.ids
