"""Events: the set-up of a game, and those of the strategic layer."""

from __future__ import annotations

from typing import TypeAlias

from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.scene import Map
from engine.rulesets.warlords2.state import State
from engine.strategic import events as strategic
from engine.strategic.events.base import FirstEvent


class GameSet(FirstEvent, frozen=True, tag="game-set"):
    """The game is set up: the whole scenario, the options, and the resulting state.

    ``start`` contains everything that was drawn for the set-up. See: W2-0.1, W2-17.
    """

    scenario: Map
    options: Options
    start: State


AnyEvent: TypeAlias = GameSet | strategic.AnyEvent
