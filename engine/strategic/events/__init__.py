"""Events of the layer, with results: one module for each chapter of the rules.

Records inside events are those that stand in the world afterwards, so booking them needs no rule.
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
"""All events of the layer; rulesets add the first event of a game, and their own."""
