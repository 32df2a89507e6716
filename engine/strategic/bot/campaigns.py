"""Which city is to be taken next by whom: armies of a region have one goal and one camp.

Rules: W2-14.4.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.strategic.bot import quests
from engine.strategic.bot.aims import prize
from engine.strategic.bot.atlas import FAR
from engine.strategic.bot.bands import Band
from engine.strategic.bot.force import Force, chance, together
from engine.strategic.bot.situation import Situation, apart
from engine.strategic.pieces import City

_NEAREST: Final = 6
"""Cities that are thought of as goals, and as camps."""

_REGION: Final = 6
"""Turns from which armies take part."""

_FADING: Final = 0.8
"""What an army counts for if it is a turn away."""

_PACE: Final = 12
"""Points of a turn of most armies."""

_EASE: Final = 0.4

_VAIN: Final = 0.1
"""Added to the chance of all who can come: if all is vain, what is nearest to hope."""


class Soldiers(NamedTuple):
    """A band of a campaign: what it is worth there and in how many turns it can be there."""

    band: Band
    force: Force
    turns: int


class Campaign(NamedTuple):
    """Bands that are to take a city, where they gather before, and how many turns that is away."""

    goal: City
    camp: City | None
    away: int
    soldiers: tuple[Soldiers, ...]

    def within(self, turns: int) -> Force:
        """What can be there in so many turns."""
        return together(one.force for one in self.soldiers if one.turns <= turns)


def campaigns(here: Situation, free: list[Band]) -> list[Campaign]:
    """The bands of each region with their goal, the best chances first."""
    left, found = list(free), []
    while left:
        campaign = _best(here, left)
        if campaign is None:
            break
        found.append(campaign)
        gone = {one.band.ids for one in campaign.soldiers}
        left = [band for band in left if band.ids not in gone]
    return found


def _best(here: Situation, left: list[Band]) -> Campaign | None:
    """The city that the most can be done about."""
    if not here.prey:
        return None
    near = here.prey_spots.nearest_to_any({band.at for band in left}, _NEAREST)
    found = [(_promise(here, here.prey[k], left), here.prey[k].id, here.prey[k]) for k in near]
    promise, _, goal = max(found)
    soldiers = _soldiers(here, goal, left, _REGION) or _soldiers(here, goal, left, 100)
    return Campaign(goal, *_camp(here, goal), soldiers) if promise > 0 and soldiers else None


def _promise(here: Situation, city: City, left: list[Band]) -> float:
    """How much force can be brought to bear against what is there, for what it is worth.

    A siege that could not be won with all who can come is given up for another city.
    """
    soldiers, held = _soldiers(here, city, left, 100), here.held((city.x, city.y))
    able = sum(one.force.power * _FADING**one.turns for one in soldiers)
    hope = chance(together(one.force for one in soldiers), held)
    armies = [army for one in soldiers for army in one.band.armies]
    value = prize(here, city) + quests.called(here, armies, (city.x, city.y))
    return value * (_VAIN + hope) * able / (held.power + _EASE)


def _soldiers(here: Situation, city: City, left: list[Band], most: int) -> tuple[Soldiers, ...]:
    """The bands that can be at a city in so many turns."""
    found = []
    for band in left:
        cost = here.atlas(band.who).cost(band.at, city.tiles)
        turns = band.turns(cost)
        if cost < FAR and turns <= most:
            found.append(Soldiers(band, here.attackers(band.armies, (city.x, city.y)), turns))
    return tuple(found)


def _camp(here: Situation, goal: City) -> tuple[City | None, int]:
    """The city of one's own from which a goal is nearest, and in how many turns."""
    homes = sorted(
        (apart((goal.x, goal.y), (city.x, city.y)), city.id, city) for city in here.cities
    )
    ways = [
        (here.on_foot.cost((city.x, city.y), goal.tiles), city.id, city)
        for _, _, city in homes[:_NEAREST]
    ]
    if not ways or min(ways)[0] >= FAR:
        return None, 0
    cost, _, city = min(ways)
    return city, -(-cost // _PACE)
