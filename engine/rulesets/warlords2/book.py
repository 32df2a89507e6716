"""The rule book under the options of one game, for the strategic layer."""

from __future__ import annotations

from functools import cache

from engine.rulesets.warlords2.cities import city_rules
from engine.rulesets.warlords2.fighting import fighting_rules
from engine.rulesets.warlords2.heroes import hero_rules
from engine.rulesets.warlords2.moving import moving_rules
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.turns import turn_rules
from engine.strategic.settings import RuleSettings


@cache
def book_of(options: Options) -> RuleSettings:
    """Values, tables and policies of Warlords II (section 0.1)."""
    return RuleSettings(
        moving=moving_rules(options),
        fighting=fighting_rules(options),
        cities=city_rules(options),
        heroes=hero_rules(options),
        turns=turn_rules(options),
    )
