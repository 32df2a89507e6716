"""How computer players stand to others. Rules: W2-14.1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.strategic.bot.situation import Situation, apart
from engine.strategic.commands import AnyCommand, SetStance
from engine.strategic.pieces import Side
from engine.strategic.world import PEACE, WAR, cities_of, treaty

_MIGHTY: Final = 3
"""Who has more than one in so many of the standing cities is everybody's enemy."""


def stances(here: Situation) -> Iterator[AnyCommand]:
    """War with one rival, the prime enemy; peace with who is not at war with anybody's friend."""
    if not here.book.turns.diplomacy:
        return
    rivals = [s for s in here.view.sides.values() if s.alive and s.id != here.side]
    if not rivals or not here.cities:
        return
    prime = _prime(here, rivals)
    for rival in rivals:
        wanted = WAR if rival.id == prime else _answered(here, rival.id)
        if here.me.stances[rival.id] != wanted:
            yield SetStance(rival.id, wanted)


def _prime(here: Situation, rivals: list[Side]) -> int:
    """Who towers above all, or else who lives nearest."""
    standing = sum(not city.razed for city in here.view.cities.values())
    largest = max(rivals, key=lambda side: (len(cities_of(here.view, side.id)), -side.id))
    if len(cities_of(here.view, largest.id)) * _MIGHTY > standing:
        return largest.id
    return min(rivals, key=lambda side: (_distance(here, side.id), side.id)).id


def _answered(here: Situation, rival: int) -> int:
    """War is answered with war; else peace is kept."""
    return WAR if treaty(here.view, here.side, rival) == WAR else PEACE


def _distance(here: Situation, rival: int) -> int:
    """Steps between the nearest cities of both."""
    theirs = cities_of(here.view, rival)
    return min(
        (apart((a.x, a.y), (b.x, b.y)) for a in here.cities for b in theirs),
        default=1000,
    )
