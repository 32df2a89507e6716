"""The ruleset object, which only dispatches."""

from __future__ import annotations

from typing import Any

from engine.core.dice import Dice
from engine.core.ids import Seat
from engine.core.options import Option
from engine.rulesets.warlords2 import events as ev
from engine.rulesets.warlords2 import setup
from engine.rulesets.warlords2.evolve import evolve
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.scenario_codec import position
from engine.rulesets.warlords2.scene import Map
from engine.rulesets.warlords2.state import State, View
from engine.rulesets.warlords2.tables import PACKAGE
from engine.rulesets.warlords2.view import imagine, offers, redact, view
from engine.strategic import dispatch
from engine.strategic.commands import AnyCommand
from engine.strategic.decision import Decision
from engine.strategic.evolve import evolve as evolve_world
from engine.strategic.setup import StrategicRuleset, traits_of
from engine.strategic.world import statistics


class Warlords2(StrategicRuleset[State, AnyCommand, ev.AnyEvent, View]):
    """Warlords II as a ruleset."""

    package = PACKAGE
    importers_module = "imports.original"
    exporters_module = "exports"
    tools_modules = ("moving_tools", "battle_tools")

    name = "warlords2"
    title = "Warlords II"
    game_setup = setup.SETUP
    traits = traits_of(setup.SETUP)
    options: tuple[Option, ...] = setup.OPTIONS
    command_type: Any = AnyCommand
    event_type: Any = ev.AnyEvent
    state_type = State
    view_type = View
    scenario_type = Map

    position = staticmethod(position)
    evolve = staticmethod(evolve)
    statistics = staticmethod(statistics)
    redact = staticmethod(redact)
    offers = staticmethod(offers)
    imagine = staticmethod(imagine)
    view = staticmethod(view)

    def decide(
        self, state: State, seat: Seat, command: AnyCommand, dice: Dice
    ) -> tuple[ev.AnyEvent, ...]:
        """Return the events that a command leads to.

        Raises:
            Refused: the rules do not allow it.
        """
        decision: Decision = Decision(state, evolve_world, dice)
        dispatch.decide(decision, settings_of(state.options), seat, command)
        return decision.events


RULES = Warlords2()
