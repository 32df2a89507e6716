"""Random games: scenarios, sizes, sides and options, and what the seats do in them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import cast

from engine.core.dice import Seeded
from engine.core.ids import Seat
from engine.core.options import Value
from engine.core.record import Record
from engine.rulesets.warlords2.options import NEW_MAP
from engine.rulesets.warlords2.rules import RULES
from engine.rulesets.warlords2.scene import Map
from engine.rulesets.warlords2.setup import OPTIONS
from engine.rulesets.warlords2.state import State
from engine.strategic.commands import AnyCommand, Disband, EndTurn, March, Raze, Resign, Walk
from engine.strategic.offers import candidates
from tests.contract.walks import nudged
from tests.coverings import covering, values_of
from tests.strategic.fleets import FLEETS

GROUNDS = (FLEETS.name, "skirmish", "mist", "last_stand", "new")
SHIPPED = ("narrows", "mist", "skirmish", "last_stand", "horseshoe")
SIZES = ((28, 28), (28, 40), (40, 28), (48, 48), (64, 80), (112, 156))
LIKELY = (6, 4, 4, 3, 2, 1)
"""Weights with which the sizes of new maps are drawn."""

RARE = {Resign: 0.002, Raze: 0.1, Disband: 0.2}
"""Probability of keeping such an order. Without it games would soon run out of pieces."""


class Drawn(Record, frozen=True):
    """A random game; computers begin on the seats in ``computers``."""

    scenario: str
    options: Mapping[str, Value]
    sides: int
    computers: tuple[Seat, ...]

    def scene(self) -> Map:
        """Return the scenario for ``sides`` sides."""
        whole = FLEETS if self.scenario == FLEETS.name else shipped(self.scenario)
        found = RULES.with_seats(whole, self.sides, frozenset(self.computers))
        assert isinstance(found, Map)
        return found

    def __str__(self) -> str:
        said = " ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.scenario} for {self.sides}, computers {self.computers}, {said}"


def shipped(name: str) -> Map:
    """Return a scenario that comes with the game."""
    scene = RULES.scenarios()[name]
    assert isinstance(scene, Map)
    return scene


def game(seed: int, *, small: bool = False) -> Drawn:
    """Return the game of a seed. ``small`` limits it to the smallest boards."""
    chance = random.Random(f"game {seed}")  # noqa: S311 - what is played
    fresh = chance.random() < (0.3 if small else 0.5)
    name = "new" if fresh else chance.choice(SHIPPED[1:4] if small else SHIPPED)
    options: dict[str, Value] = {}
    if chance.random() < 0.3:
        options["column"] = chance.choice(("seed", "classic"))
    for option in OPTIONS:
        if option.name == "column" or option.name in NEW_MAP or chance.random() < 0.3:
            continue
        if option.choices:
            options[option.name] = chance.choice(option.choices)
        else:
            options[option.name] = chance.randint(option.low, option.high)
    scene = shipped(name)
    if fresh:
        wide, high = SIZES[0] if small else chance.choices(SIZES, LIKELY)[0]
        options |= {"map_seed": chance.randrange(1000), "map_width": wide, "map_height": high}
        options |= {dial: chance.randrange(7) for dial in NEW_MAP[3:]}
        least, most = 2, max(2, min(8, wide * high // 400))
    else:
        least, most = RULES.seat_range(scene)
    sides = chance.randint(least, most)
    computers = tuple(seat for seat in range(sides) if chance.random() < 0.3)
    return Drawn(name, options, sides, computers)


@cache
def covered() -> tuple[Drawn, ...]:
    """Return games on small boards that contain each pair of values of two switches.

    Scenarios are one of the switches. A column comes without other switches, because they overrule
    it.
    """
    switches = [one for one in OPTIONS if one.name != "column" and one.name not in NEW_MAP]
    values: dict[str, Sequence[Value]] = {one.name: values_of(one) for one in switches}
    rows = [dict(row) for row in covering({"scenario": GROUNDS} | values)]
    for scenario in (FLEETS.name, "skirmish"):
        rows += [
            {"scenario": scenario, "column": column, "diplomacy": "on", "classic_navy": "on"}
            for column in ("seed", "classic")
        ]
    for fresh, row in enumerate(row for row in rows if row["scenario"] == "new"):
        row.update(_new_map(fresh))
    return tuple(_covered(number, row) for number, row in enumerate(rows))


def _new_map(number: int) -> dict[str, Value]:
    """Return options of a small new map. Four in a row have each dial at both ends."""
    wide, high = SIZES[number % 3]
    ends = number % 2, number // 2 % 2, 1 - number % 2, 1 - number // 2 % 2
    dials = dict(zip(NEW_MAP[3:], (6 * end for end in ends), strict=True))
    return {"map_seed": number, "map_width": wide, "map_height": high, **dials}


def _covered(number: int, row: dict[str, Value]) -> Drawn:
    name = str(row.pop("scenario"))
    sides = 3 if name in {FLEETS.name, "mist"} else 2
    return Drawn(name, row, sides, (number % sides,) if number % 3 else ())


class Hand:
    """Source of orders for a game: possible ones, offers, plans of computers, and nonsense."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(f"hand {seed}")  # noqa: S311 - what is tried
        self._plan: list[AnyCommand] = []
        self._stale: list[AnyCommand] = []
        self._left = 0

    def begin_turn(self) -> None:
        """Draw how many orders this turn tries, and drop the current plan."""
        self._plan = []
        self._left = self._chance.choice((0, 1, 2, 4, 8, 16))

    def wants(self, state: State, seat: Seat) -> tuple[Seat, AnyCommand]:
        """Return a seat, usually the one that must act, and an order."""
        chance, kind = self._chance, self._chance.random()
        if self._left <= 0 and state.question is None:
            return seat, EndTurn()
        self._left -= 1
        if kind < 0.04 and self._stale:
            return chance.randrange(9), chance.choice(self._stale)
        order = self._plan.pop(0) if self._plan else self._found(state, seat)
        self._stale = [*self._stale[-40:], order]
        if kind < 0.15 and (wrong := list(islice(nudged(RULES, order), 40))):
            return seat, cast("AnyCommand", chance.choice(wrong))
        return seat, order

    def _found(self, state: State, seat: Seat) -> AnyCommand:
        chance, kind = self._chance, self._chance.random()
        view = RULES.view(state, seat)
        if kind < 0.15:
            self._plan = list(self._planned(state, seat))
            return self._plan.pop(0)
        if kind < 0.3:
            listed = list(islice(RULES.offers(view), chance.randrange(1, 12)))
        else:
            listed = list(candidates(view, seat, None))
        listed = [order for order in listed if chance.random() < RARE.get(type(order), 1)]
        if kind > 0.8 and (armies := [army for army in view.armies.values() if army.owner == seat]):
            return self.far(view, chance.choice(armies).id)
        return chance.choice(listed) if listed else EndTurn()

    def _planned(self, state: State, seat: Seat) -> Iterator[AnyCommand]:
        """Yield the plan of a computer player of a random level."""
        level = self._chance.choice(sorted(RULES.bots))
        view = RULES.view(state, seat)
        dice = Seeded(b"plan", self._chance.randrange(1 << 30), "bot")
        self._left += 12
        yield from RULES.bots[level].plan(view, lambda about=None: RULES.offers(view, about), dice)

    def far(self, view: State, army: int) -> AnyCommand:
        """Return an order to go anywhere, for the whole stack or this army alone."""
        one = view.armies[army]
        group: Sequence[int] = [army]
        if self._chance.random() < 0.5:
            group = [other.id for other in view.armies.values() if other.at == one.at]
        to = (self._chance.randrange(view.width), self._chance.randrange(view.height))
        if self._chance.random() < 0.2:
            return Walk(tuple(group), (to,))
        return March(tuple(group), to, betray=self._chance.random() < 0.3)
