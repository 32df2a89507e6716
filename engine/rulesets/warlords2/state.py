"""The state of a game, what a viewer may know of it, and the limits of both."""

from __future__ import annotations

from typing import Final

from engine.core.containers import Plane
from engine.rulesets.warlords2.options import Options
from engine.strategic.world import World

WIDTH: Final = 112
HEIGHT: Final = 156
"""Of the original's map (W2-1.1); scenarios may be smaller."""


SIDES: Final = (2, 8)
"""Fewest and most sides. Rules: W2-1.3."""

MOST_CITIES: Final = 100
MOST_SITES: Final = 40
MOST_ITEMS: Final = 22
MOST_HEROES: Final = 40
MOST_ARMIES: Final = 1000
"""Most of each in the world. Rules: W2-1.8."""

MOST_SLOTS: Final = 4
"""Types that a city can make. Rules: W2-9.1."""

MOST_GOLD: Final = 30000
"""Most gold of a side. Rules: W2-1.4, W2-9.6."""

MOST_STRENGTH: Final = 9
"""Most strength of an army. Rules: W2-7, W2-9.3, W2-10.2."""

MOST_POINTS: Final = 99
"""Most movement points of an army. Rules: W2-6.3."""

NAME_LENGTH: Final = 15
"""Letters in the name of a city. Rules: W2-9.1."""


class State(World, frozen=True, kw_only=True, weakref=True):
    """A position with the switches and options it is played under.

    ``table`` is the category of each of the 256 pictures (section 3.2), as scenario data.
    """

    options: Options = Options()
    table: bytes = b""


class View(State, frozen=True, kw_only=True, weakref=True):
    """View of ``viewer``: a position without the parts that are hidden.

    Tiles that the viewer has not discovered are terrain 0 with ``discovered`` 0; ``visible`` is
    uint8 of shape (height, width), 1 where the viewer sees now who stands there. What others
    keep secret (gold, production, goals, points, items, quests, stances) is as it is by default.
    """

    viewer: int
    visible: Plane
