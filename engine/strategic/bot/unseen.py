"""Estimates of what the hidden map hides: who is likely to hold cities that are out of sight.

A city out of sight is not an empty one. Forecasts, threats and campaigns count with a garrison that
the rule book and the view make likely: the usual one of a neutral city, and for cities of other
sides as many armies as sides keep at that time of the game, of the best type that the city makes.
Rules: W2-9.7, W2-11, W2-14.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeVar

from engine.core.record import replace
from engine.strategic.cities import posted
from engine.strategic.pieces import NOBODY, Army, City, Slot
from engine.strategic.settings import CityRules
from engine.strategic.settings import RuleSettings as Book
from engine.strategic.sight import has_fog, visible
from engine.strategic.world import World, armies_at

W = TypeVar("W", bound=World)

_TIER: Final = 2
"""The die for the tier of a neutral garrison, about in the middle of what it can show."""

_GROWTH: Final = ((5, 1), (12, 2))
"""Armies in cities of sides until a turn, each as (turn, armies)."""

_LATER: Final = 3
"""Armies in them after that: what sides keep there on the mean of whole games without fog."""


def supposed(view: W, book: Book, side: int) -> W:
    """The view of a side with a likely garrison in each foreign city that is out of sight."""
    if not has_fog(view, book):
        return view
    seen = visible(view, book, side)
    hidden = [
        city
        for city in view.cities.values()
        if city.owner != side and not city.razed and not all(seen[y, x] for x, y in city.tiles)
    ]
    if not hidden:
        return view
    first = 1 + max((0, *view.armies))
    guards = (army for city in hidden for army in _guards(view, book.cities, city))
    return replace(
        view,
        armies=view.armies.put(
            *(replace(army, id=first + number) for number, army in enumerate(guards))
        ),
    )


def _guards(view: World, rules: CityRules, city: City) -> Iterator[Army]:
    """Those of a likely garrison who have not been seen, on its first tile."""
    known = sum(len(armies_at(view, at)) for at in city.tiles)
    slot = _slot(view, rules, city)
    for _ in range(_count(view, city) - known):
        yield posted(rules, city, slot, 0, (city.x, city.y))


def _count(view: World, city: City) -> int:
    """How many armies a city is likely to hold."""
    if city.owner == NOBODY:
        return 1
    return next((count for turn, count in _GROWTH if view.turn <= turn), _LATER)


def _slot(view: World, rules: CityRules, city: City) -> Slot:
    """The likely type of those armies."""
    keeps_scouts = city.owner == NOBODY and rules.tier_plus is None
    if keeps_scouts or not city.slots:
        kind = view.types[rules.keeper]
        return Slot(kind.id, kind.strength, kind.turns, kind.move, kind.cost)
    if city.owner == NOBODY:
        tier = min(rules.most_tier, _TIER + (rules.tier_plus or 0))
        return city.slots[min(tier, len(city.slots) - 1)]
    land = [slot for slot in city.slots if "boat" not in view.types[slot.type].traits]
    return max(land or city.slots, key=lambda slot: slot.strength)
