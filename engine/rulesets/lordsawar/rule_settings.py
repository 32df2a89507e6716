"""The rule book under the options of one game, as settings of the strategic layer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from engine.core.record import Command
from engine.rulesets.lordsawar import commands as own
from engine.rulesets.lordsawar import (
    conditions,
    diplomacy,
    heroes,
    item_uses,
    items,
    levels,
    quests,
    sites,
)
from engine.rulesets.lordsawar.cities import city_rules
from engine.rulesets.lordsawar.fighting import fighting_rules
from engine.rulesets.lordsawar.heroes import hero_rules
from engine.rulesets.lordsawar.moving import may_park, moving_rules, park
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.state import State
from engine.rulesets.lordsawar.turns import turn_rules
from engine.strategic import commands as do
from engine.strategic.refusal import Topic
from engine.strategic.settings import OrderHandler, RuleSettings

TOPICS: Final[Mapping[Topic, str]] = {
    "map": "LW-1",
    "tile": "LW-1",
    "price": "LW-12.2",
    "step": "LW-12.4",
    "road": "LW-12.2",
    "port": "LW-12.4",
    "zone": "LW-12.5",
    "way": "LW-12.5",
    "stack": "LW-1",
    "group": "LW-12.3",
    "refill": "LW-12.1",
    "march": "LW-12.5",
    "attack": "LW-2.1",
    "goal": "LW-12.5",
    "aboard": "LW-12.4",
    "tower": "LW-3.2",
    "unit": "LW-9",
    "lines": "LW-2.2",
    "class": "LW-3.2",
    "strength": "LW-3.7",
    "order": "LW-2.2",
    "dice": "LW-5",
    "aftermath": "LW-6.1",
    "city": "LW-1",
    "capture": "LW-13.3",
    "produce": "LW-13.2",
    "buy": "LW-13.2",
    "vector": "LW-13.4",
    "economy": "LW-13.1",
    "neutral": "LW-17",
    "offer": "LW-10",
    "level": "LW-10",
    "item": "LW-11",
    "site": "LW-14",
    "search": "LW-14",
    "quest": "LW-15",
    "fog": "LW-17",
    "treaty": "LW-16",
    "stance": "LW-16",
    "betrayal": "LW-16",
    "round": "LW-17",
    "turn": "LW-17",
    "victory": "LW-17",
    "resign": "LW-17",
    "command": "LW-23",
}
"""Rules that refusals and told lines refer to, by topic."""


ORDERS: Final[Mapping[type[Command], OrderHandler]] = {
    do.Hire: heroes.hire,
    own.HireAs: heroes.hire_as,
    own.ChooseGain: levels.choose_gain,
    own.UseItem: item_uses.use,
    do.Drop: items.drop,
    do.PlantFlag: items.plant,
    do.Search: sites.search,
    do.AskSage: sites.ask_sage,
    do.TakeQuest: quests.take,
    do.Defend: conditions.defend,
    do.SetStance: diplomacy.take_stance,
    own.Propose: diplomacy.propose,
    own.Park: park,
}
"""Commands that this game adds, or carries out otherwise."""

ANSWERS: Final[Mapping[type[Command], str]] = {own.HireAs: "hero", own.ChooseGain: "level"}
"""Commands that answer a question, with its kind."""


def settings_in(state: State) -> RuleSettings:
    """The rule settings of a position. Rules: LW-0, LW-19.4."""
    return settings_of(state.options, state.ground_costs)


@cache
def settings_of(options: Options, ground_costs: tuple[int, ...] = ()) -> RuleSettings:
    """The rule settings under options, and costs of terrains that are not the book's; cached.

    Rules: LW-0, LW-19.4.
    """
    return RuleSettings(
        moving=moving_rules(options, ground_costs),
        fighting=fighting_rules(options),
        cities=city_rules(options),
        heroes=hero_rules(options),
        turns=turn_rules(options),
        rules=TOPICS,
        orders=ORDERS,
        answers=ANSWERS,
        offers=(may_park, diplomacy.offered, heroes.offered, item_uses.offered),
    )
