"""Events of the strategic games, with their results: one module for each part of the rules.

Records inside events are those of the world afterwards, so that booking an event needs no rule.
"""

from __future__ import annotations

from typing import TypeAlias

from engine.strategic.events.battle import *  # noqa: F403 - the package is its chapters
from engine.strategic.events.battle import BattleEvent
from engine.strategic.events.cities import *  # noqa: F403 - as above
from engine.strategic.events.cities import CityEvent
from engine.strategic.events.heroes import *  # noqa: F403 - as above
from engine.strategic.events.heroes import HeroEvent
from engine.strategic.events.movement import *  # noqa: F403 - as above
from engine.strategic.events.movement import MovementEvent
from engine.strategic.events.turns import *  # noqa: F403 - as above
from engine.strategic.events.turns import TurnEvent

AnyEvent: TypeAlias = MovementEvent | BattleEvent | CityEvent | HeroEvent | TurnEvent
"""All shared events; a ruleset adds the first event of a game, and its own."""
