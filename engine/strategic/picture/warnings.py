"""Warnings before a turn ends: own cities that enemies can come to, the capital first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.strategic.cities import garrison_of
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.stopping import attackers_of, chance_to_hold
from engine.strategic.picture.words import many, say
from engine.strategic.pieces import City
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone

_NAMED: Final = 4
"""Number of cities that are named; the others are counted."""

_SAFE: Final = 95
"""Chance in percent to hold a city from which on nobody is warned."""


class CitySiege(NamedTuple):
    """Danger for a city: the stacks that can come, and the chance to hold it against the best."""

    city: City
    stacks: int
    garrison: int
    holds: int | None
    """Chance in percent; None where people get no forecasts."""
    is_capital: bool

    @property
    def order(self) -> tuple[bool, int, int, int]:
        """Sort key: the capital, then the likeliest to fall."""
        holds = 0 if self.holds is None else self.holds
        return not self.is_capital, holds, self.garrison, self.city.id


def warnings(context: PictureContext) -> Iterator[Line]:
    """Lines about cities of the viewer that may fall before its next turn, the worst first.

    Only enemies that the viewer sees count.
    """
    found = sorted(sieges(context), key=lambda siege: siege.order)
    for siege in found[:_NAMED]:
        yield _line(context, siege)
    if rest := len(found[_NAMED:]):
        text = f"{many(rest, 'more city', 'more cities')} in danger"
        yield say(context, text, "march", context.viewer, tone=Tone.QUIET)


def sieges(context: PictureContext) -> Iterator[CitySiege]:
    """Cities of the viewer that enemies in sight can come to and are likely enough to take."""
    for city in context.own_cities:
        foes = {start: at for at in city.tiles for start in attackers_of(context, at)}
        if not foes:
            continue
        chances = [chance_to_hold(context, ((), at)) for at in set(foes.values())]
        known = [chance for chance in chances if chance is not None]
        holds = min(known, default=None)
        if holds is None or holds < _SAFE:
            is_capital = context.own_side.capital in city.tiles
            garrison = len(garrison_of(context.world, city))
            yield CitySiege(city, len(foes), garrison, holds, is_capital)


def _line(context: PictureContext, siege: CitySiege) -> Line:
    """A city in danger in one line."""
    city = siege.city
    who = f"{city.name} (capital)" if siege.is_capital else city.name
    text = f"{who}: {many(siege.stacks, 'enemy stack')} can come"
    if not siege.garrison:
        text += ", nobody guards it"
    elif siege.holds is not None:
        text += f", {siege.holds} % to hold"
    else:
        text += f", {many(siege.garrison, 'army guards', 'armies guard')} it"
    return say(context, text, "march", context.viewer, at=(city.x, city.y), tone=Tone.BAD)
