"""The state of a game, and what a viewer may know of it."""

from __future__ import annotations

from typing import Final

from engine.core.containers import Plane
from engine.rulesets.warlords2.options import Options
from engine.strategic.world import World

WIDTH: Final = 112
HEIGHT: Final = 156
"""Of the original's map (W2-1.1); scenarios may be smaller."""


class State(World, frozen=True, kw_only=True, weakref=True):
    """A position with the switches and options it is played under.

    ``table`` is the category of each of the 256 pictures (section 3.2), as scenario data.
    """

    options: Options = Options()
    table: bytes = b""


class View(State, frozen=True, kw_only=True, weakref=True):
    """What ``viewer`` may know: a position without what is hidden.

    Tiles that the viewer has not discovered are terrain 0 with ``discovered`` 0; ``visible`` is
    uint8 of shape (height, width), 1 where the viewer sees now who stands there. What others
    keep secret (gold, production, goals, points, items, quests, stances) is as it is by default.
    """

    viewer: int
    visible: Plane
