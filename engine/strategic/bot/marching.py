"""Orders for armies: who stays, who goes, where to. Rules: W2-14."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from engine.core.dice import Dice
from engine.kit.grid import Place
from engine.strategic.bot.goals import Goal, Ways, embarkation, goals, mover_of
from engine.strategic.bot.situation import Situation, apart
from engine.strategic.bot.temper import Temper
from engine.strategic.chance import pick
from engine.strategic.commands import AnyCommand, March, Settle
from engine.strategic.fighting.capture import worth
from engine.strategic.fighting.odds import forecast
from engine.strategic.moving import ports
from engine.strategic.moving.advancing import gets_on
from engine.strategic.moving.groups import Mover
from engine.strategic.moving.routes import plan
from engine.strategic.pieces import STACK, Army, City
from engine.strategic.world import armies_at, city_at

Fate: TypeAlias = Literal["occupy", "pillage", "sack"]

_CLAIM: Final = 25
"""What a goal loses in worth when somebody goes there."""

_DESPAIR: Final = 0.6
"""What is left of the least chance for a stack that is full, or at sea."""

_FLEET: Final = 3
"""The least armies that cross a sea."""

_LOOKED_AT: Final = 6
"""How many cities on shores are thought of."""

_LOOTED: Final = 300
_SACKED: Final = 900
"""What slots must be worth to be pillaged or sacked. Rules: W2-14."""


class Marshal:
    """Gives orders for one plan; a fight ends it where the outcome matters."""

    def __init__(self, here: Situation, temper: Temper, dice: Dice) -> None:
        """For a situation."""
        self.here = here
        self.temper = temper
        self.dice = dice
        self.claims: dict[Place, int] = {}
        self.fought = False

    def orders(self) -> Iterator[AnyCommand]:
        """Marches of all armies that can do something useful."""
        for stack in self.here.stacks:
            able = tuple(army for army in stack if army.points > 0)
            free = self._free(stack, able)
            while free:
                sent, command = self._send(free)
                yield from command
                free = tuple(army for army in free if army not in sent) if sent else ()

    def _free(self, stack: tuple[Army, ...], able: tuple[Army, ...]) -> tuple[Army, ...]:
        """Who may leave a stack: in a city those that its defence does not need."""
        city = city_at(self.here.view, stack[0].at)
        if city is None:
            return able
        garrison = sum(len(armies_at(self.here.view, at)) for at in city.tiles)
        wanted = self._wanted(city)
        keep = max(0, wanted - (garrison - len(stack)))
        staying = sorted(stack, key=_stays)[:keep]
        return tuple(army for army in able if army not in staying)

    def _wanted(self, city: City) -> int:
        """The garrison that a city needs. Rules: W2-14."""
        threat = self.here.threat(city)
        if threat == 0:
            quiet = self.here.front(city) > 20 and not self.here.foes
            return 0 if quiet and self.temper.guard == 0 else 1 + self.temper.guard // 2
        capital = self.here.me.capital == (city.x, city.y)
        return min(4, 1 + threat // 6) + capital + self.temper.guard

    def _send(self, free: tuple[Army, ...]) -> tuple[tuple[Army, ...], tuple[AnyCommand, ...]]:
        """Who of the free goes, and the orders for them; nobody: they stay."""
        group = _together(self.here, free)
        who = mover_of(self.here, group)
        if who is None:
            return (), ()
        ways = Ways(self.here, group, who)
        for goal in goals(self.here, self.temper, group, ways, self._shifted):
            chosen = self._enough(group, goal)
            if chosen:
                orders = self._go(chosen, goal.at, fight=goal.fight, cost=goal.cost)
                if orders:
                    return chosen, orders
        return group, self._gather(group, who, ways)

    def _shifted(self, at: Place) -> int:
        """What else changes what a goal is worth: others who go there, and moods."""
        mood = self.dice.roll(self.temper.wander) if self.temper.wander else 0
        return mood - self.claims.get(at, 0)

    def _enough(self, group: tuple[Army, ...], goal: Goal) -> tuple[Army, ...]:
        """Those of a group that are enough for a goal; nobody if all of them are not."""
        if not goal.fight:
            heroes = tuple(army for army in group if army.hero is not None)
            return heroes[:1] if self.temper.splits else group
        if self._chance(group, goal.at) < self._nerve(group):
            return ()
        if not self.temper.splits:
            return group
        strongest = sorted(group, key=lambda army: (-army.strength, army.id))
        for count in range(1, len(group)):
            few = tuple(sorted(strongest[:count], key=lambda army: army.id))
            if self._chance(few, goal.at) >= self.temper.surety:
                return few
        return group

    def _nerve(self, group: tuple[Army, ...]) -> float:
        """The least chance to attack with: no stack can grow any more than a full one."""
        full = len(group) >= STACK - 1 or any(army.aboard for army in group)
        return self.temper.nerve * (_DESPAIR if full else 1.0)

    def _chance(self, group: tuple[Army, ...], at: Place) -> float:
        return forecast(self.here.view, self.here.book, group, at).chance

    def _go(
        self, group: tuple[Army, ...], at: Place, *, fight: bool, cost: int
    ) -> tuple[AnyCommand, ...]:
        """The march, and what becomes of a city that it takes."""
        human = self.here.me.human
        route = plan(self.here.view, self.here.book, self.here.side, group, at, human=human)
        points = min(army.points for army in group)
        who = mover_of(self.here, group)
        if route is None or who is None:
            return ()
        if not gets_on(self.here.view, self.here.book, who, group, route.path):
            return ()
        self.claims[at] = self.claims.get(at, 0) + _CLAIM
        march = March(tuple(army.id for army in group), at)
        city = city_at(self.here.view, at)
        if fight and cost <= points:
            self.fought = True
            if city is not None:
                return march, Settle(self._fate(city))
        return (march,)

    def _fate(self, city: City) -> Fate:
        """What becomes of a city that is taken. Rules: W2-14."""
        slots = city.slots[1:]
        value = worth(self.here.view, slots)
        if len(city.slots) > 1 and value >= _SACKED:
            return "sack"
        last = worth(self.here.view, city.slots[-1:])
        if last >= _LOOTED and pick(self.dice, (True, False)):
            return "pillage"
        return "occupy"

    def _gather(self, group: tuple[Army, ...], who: Mover, ways: Ways) -> tuple[AnyCommand, ...]:
        """Nothing can be won from here: aboard to a far shore, or to where armies gather."""
        if not self.here.prey:
            return ()
        water = self._crossing(group, who, ways)
        if water is not None:
            return self._go(group, water, fight=False, cost=0)
        camp = self._camp(group, ways)
        return self._go(group, camp, fight=False, cost=0) if camp is not None else ()

    def _camp(self, group: tuple[Army, ...], ways: Ways) -> Place | None:
        """The tile of one's own cities to gather on: near the front, with most already there."""
        here = group[0].at
        reached = [
            (self.here.front(city), city.id, city)
            for city in self.here.cities
            if here in city.tiles or ways.cost((city.x, city.y)) is not None
        ]
        if not reached:
            return None
        city = min(reached)[2]
        crowds = {at: len(armies_at(self.here.view, at)) for at in city.tiles}
        if here in crowds:
            crowds[here] -= len(group)
        room = [at for at in city.tiles if crowds[at] + len(group) <= STACK]
        best = max(room, key=lambda at: (crowds[at], at == here, at), default=here)
        return None if best == here else best

    def _crossing(self, group: tuple[Army, ...], who: Mover, ways: Ways) -> Place | None:
        """Where a group goes aboard that is strong enough for a city on some shore."""
        if len(group) < _FLEET or any(ways.cost(_near(c, group[0].at)) for c in self.here.prey):
            return None
        rules = self.here.book.moving
        shores = ports.coastal(self.here.view.cities, self.here.view.terrain, rules.seaside)
        prey = [city for city in shores if city in self.here.prey]
        prey.sort(key=lambda city: (apart(group[0].at, (city.x, city.y)), city.id))
        if any(self._chance(group, (c.x, c.y)) >= self.temper.nerve for c in prey[:_LOOKED_AT]):
            return embarkation(self.here, group, who)
        return None


def _near(city: City, at: Place) -> Place:
    return min(city.tiles, key=lambda tile: (apart(at, tile), tile))


def _stays(army: Army) -> tuple[bool, int, int]:
    """Who stays in a city first: no heroes, and the slow and weak."""
    return army.hero is not None, army.max_move * army.strength, army.id


def _together(here: Situation, free: tuple[Army, ...]) -> tuple[Army, ...]:
    """The largest part of some armies that can go together."""
    if mover_of(here, free) is not None:
        return free[:STACK]
    afloat = tuple(army for army in free if army.aboard)
    return afloat or free[:1]
