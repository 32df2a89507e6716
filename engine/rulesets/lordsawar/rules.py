"""The ruleset object; it only dispatches."""

from __future__ import annotations

from typing import Any

from engine.core.decision import BaseDecision
from engine.core.dice import Dice
from engine.core.ids import Seat
from engine.core.options import Option
from engine.rulesets.lordsawar import events as ev
from engine.rulesets.lordsawar import levels, quests, setup
from engine.rulesets.lordsawar.commands import AnyCommand
from engine.rulesets.lordsawar.evolve import evolve
from engine.rulesets.lordsawar.rule_settings import settings_in
from engine.rulesets.lordsawar.scenario_codec import position
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import State, View
from engine.rulesets.lordsawar.tables import PACKAGE
from engine.rulesets.lordsawar.turns import statistics
from engine.rulesets.lordsawar.view import imagine, offers, redact, view
from engine.strategic import dispatch
from engine.strategic.setup import StrategicRuleset, traits_of


class LordsAWar(StrategicRuleset[State, AnyCommand, ev.AnyEvent, View]):
    """LordsAWar as a ruleset."""

    package = PACKAGE
    importers_module = "files.originals"
    tools_modules = ("moving_tools", "position_tools")
    name = "lordsawar"
    title = "LordsAWar"
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
            Refused: the rules forbid the command.
        """
        decision: BaseDecision[Any, Any] = BaseDecision(state, evolve, dice)
        settings = settings_in(state)
        dispatch.decide(decision, settings, seat, command)
        quests.follow(decision, settings, state)
        levels.ask_due(decision)
        return decision.events


RULES = LordsAWar()
