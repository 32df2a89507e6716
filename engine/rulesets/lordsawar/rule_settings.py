"""Combine the rule book and the options of one game into settings of the strategic layer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import Final

from engine.core.dice import Dice
from engine.core.record import Command
from engine.rulesets.lordsawar import (
    battle,
    conditions,
    diplomacy,
    heroes,
    item_uses,
    items,
    levels,
    quests,
    sites,
)
from engine.rulesets.lordsawar import commands as own
from engine.rulesets.lordsawar.battle_records import BattleHit, CombatOptions
from engine.rulesets.lordsawar.cities import city_rules
from engine.rulesets.lordsawar.heroes import hero_rules
from engine.rulesets.lordsawar.land import LandCode
from engine.rulesets.lordsawar.lineup import (
    battleground,
    combat_options,
    hits_of,
    lined_up,
    strengths_of,
)
from engine.rulesets.lordsawar.moving import may_park, moving_rules, park
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.state import State
from engine.rulesets.lordsawar.tables import armyset
from engine.rulesets.lordsawar.turns import turn_rules
from engine.strategic import commands as do
from engine.strategic.battle_records import BattleOdds, Lineup
from engine.strategic.events.battle import Duel
from engine.strategic.refusal import Topic
from engine.strategic.settings import (
    Experience,
    FightingRules,
    Medals,
    OrderHandler,
    RuleSettings,
    Spoils,
)

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
"""Rules cited by refusals and reported lines, by topic."""


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
"""Commands that this game adds, or runs differently."""

ANSWERS: Final[Mapping[type[Command], str]] = {own.HireAs: "hero", own.ChooseGain: "level"}
"""Commands that answer a question, with the kind of question."""


def settings_in(state: State) -> RuleSettings:
    """Return the rule settings of a position. See: LW-0, LW-19.4."""
    return settings_of(state.options, state.ground_costs)


@cache
def settings_of(options: Options, ground_costs: tuple[int, ...] = ()) -> RuleSettings:
    """Return the settings for options and custom terrain costs; cached. See: LW-0, LW-19.4."""
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


# -- battles (sections 4, 5 and 7) -----------------------------------------------------------------


def fought(
    options: CombatOptions, dice: Dice, rules: FightingRules, lineup: Lineup
) -> tuple[Duel, ...]:
    """Return the duels of a battle; hits of the attacker are positive. Rules: LW-5."""
    del rules
    return tuple(_duels(battle.battle(dice, strengths_of(lineup), options).hits))


def _duels(hits: Sequence[BattleHit]) -> Iterator[Duel]:
    damage: list[int] = []
    for hit in hits:
        damage.append(hit.damage if hit.by_attacker else -hit.damage)
        if hit.hp == 0:
            pair = (hit.hitter, hit.target) if hit.by_attacker else (hit.target, hit.hitter)
            yield Duel(*pair, tuple(damage), won=hit.by_attacker)
            damage = []


def wounds(lineup: Lineup, duels: tuple[Duel, ...]) -> tuple[tuple[int, int], ...]:
    """Return the units that survivors lack after being hit: (army, units). See: LW-5, LW-7."""
    fighters = (*lineup.attackers.fighters, *lineup.defenders.fighters)
    left = {one.army: one.hp for one in fighters if one.hp}
    hits = hits_of(lineup.attackers.fighters, lineup.defenders.fighters, duels)
    rest = {hit.target: hit.hp for hit in hits}
    return tuple((army, left[army].most - hp) for army, hp in sorted(rest.items()) if hp)


def odds(options: CombatOptions, rules: FightingRules, lineup: Lineup) -> BattleOdds:
    """Return the odds of a line-up; without dice also the final hit points. See: LW-7."""
    del rules
    end = battle.forecast(strengths_of(lineup), options)
    return BattleOdds(
        chance=end.chance,
        attackers_left=_counted(end.attackers_live),
        defenders_left=_counted(end.defenders_live),
        attackers_live=end.attackers_live,
        defenders_live=end.defenders_live,
        attackers_hp=end.attackers_hp,
        defenders_hp=end.defenders_hp,
    )


def _counted(live: Sequence[float]) -> tuple[float, ...]:
    """Turn each army's chance to live into the chances that exactly 0, 1, 2, … live.

    The dead of a line are always its first armies.

    >>> _counted((0.25, 0.5, 1.0))
    (0.0, 0.5, 0.25, 0.25)
    """
    at_least = (1.0, *reversed(live), 0.0)
    return tuple(more - most for more, most in pairwise(at_least))


def fighting_rules(options: Options) -> FightingRules:
    """Return the settings of battles in a game. Rules: LW-7.3. See: LW-2.1, LW-5, LW-6.1."""
    combat, numbers = combat_options(options), armyset().combat
    return FightingRules(
        line_up=partial(lined_up, combat),
        fight=partial(fought, combat),
        odds=partial(odds, combat),
        after_battle=(conditions.after_battle,),
        battleground=battleground,
        leadership=(0,) * (numbers.most_strength + 1),
        cap=numbers.most_bonus,
        most=numbers.most_strength + numbers.most_bonus,
        aboard=numbers.ship_strength,
        dice=numbers.sides_intense if combat.intense_combat else numbers.sides,
        rounds=0,
        novice_shield=False,
        experience=Experience(won=0, won_city=0, held=0, most=0),
        medals=Medals(chance=0, less=0, least=0, most=0, strength=9, early=0, worthy=0),
        spoils=Spoils(
            may_raze=options.razing_cities == "always",
            penalties={},
            ruin=LandCode.CITY,
            ruin_art=dict.fromkeys(range(8), (LandCode.CITY,) * 4),
        ),
        wounds=wounds,
        stands=True,
        advises=options.military_advisor == "on",
    )
