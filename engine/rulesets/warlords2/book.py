"""The rule book under the options of one game, for the strategic layer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from engine.rulesets.warlords2.cities import city_rules
from engine.rulesets.warlords2.fighting import fighting_rules
from engine.rulesets.warlords2.heroes import hero_rules
from engine.rulesets.warlords2.moving import moving_rules
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.turns import turn_rules
from engine.strategic.refusal import RefusalTopic
from engine.strategic.settings import RuleSettings

REFUSAL_RULES: Final[Mapping[RefusalTopic, str]] = {
    "map": "W2-1.1",
    "step": "W2-5.2",
    "way": "W2-5.3",
    "group": "W2-6.1",
    "march": "W2-6.4",
    "goal": "W2-6.5",
    "tower": "W2-6.7",
    "order": "W2-8.4",
    "city": "W2-9.1",
    "capture": "W2-9.2",
    "produce": "W2-9.3",
    "buy": "W2-9.4",
    "vector": "W2-9.5",
    "offer": "W2-10.1",
    "item": "W2-10.3",
    "search": "W2-10.5",
    "quest": "W2-10.6",
    "treaty": "W2-12.1",
    "stance": "W2-12.2",
    "betrayal": "W2-12.3",
    "round": "W2-13.1",
    "turn": "W2-13.2",
    "victory": "W2-13.3",
    "command": "W2-17",
}
"""The rules that refusals of the layer refer to."""


@cache
def book_of(options: Options) -> RuleSettings:
    """Values, tables and policies of Warlords II (section 0.1)."""
    return RuleSettings(
        moving=moving_rules(options),
        fighting=fighting_rules(options),
        cities=city_rules(options),
        heroes=hero_rules(options),
        turns=turn_rules(options),
        rules=REFUSAL_RULES,
    )
