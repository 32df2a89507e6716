"""The state of a game, a viewer's knowledge of it, and the limits of both."""

from __future__ import annotations

from typing import Final

from engine.core.containers import Plane
from engine.rulesets.warlords2.options import Options
from engine.strategic.world import World

WIDTH: Final = 112
HEIGHT: Final = 156
"""Width and height of the original's map, in tiles (W2-1.1); scenarios may be smaller."""


SIDES: Final = (2, 8)
"""Minimum and maximum number of sides. Rules: W2-1.3."""

MOST_CITIES: Final = 100
MOST_SITES: Final = 40
MOST_ITEMS: Final = 22
MOST_HEROES: Final = 40
MOST_ARMIES: Final = 1000
"""Maximum number of cities, sites, items, heroes and armies in the world. See: W2-1.8."""

MOST_SLOTS: Final = 4
"""Maximum number of types that a city can make. See: W2-9.1."""

MOST_GOLD: Final = 30000
"""Maximum gold of a side. See: W2-1.4, W2-9.6."""

MOST_STRENGTH: Final = 9
"""Maximum strength of an army. See: W2-7, W2-9.3, W2-10.2."""

MOST_POINTS: Final = 99
"""Maximum movement points of an army. See: W2-6.3."""

NAME_LENGTH: Final = 15
"""Maximum letters in the name of a city. See: W2-9.1."""


class State(World, frozen=True, kw_only=True, weakref=True):
    """A position with the switches and options under which it is played.

    ``table`` is the category of each of the 256 pictures (section 3.2), as scenario data.
    """

    options: Options = Options()
    table: bytes = b""


class View(State, frozen=True, kw_only=True, weakref=True):
    """View of ``viewer``: a position without the hidden parts.

    Tiles that the viewer has not discovered have terrain 0 and ``discovered`` 0. ``visible`` is
    uint8 of shape (height, width), 1 where the viewer sees armies now. The secrets of others (gold,
    production, goals, points, items, quests, stances) have default values.
    """

    viewer: int
    visible: Plane
