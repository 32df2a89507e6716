"""Battles (sections 4, 5 and 7) as settings of the strategic layer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from engine.core.dice import Dice
from engine.rulesets.lordsawar import battle, conditions
from engine.rulesets.lordsawar.battle_records import BattleHit, CombatOptions
from engine.rulesets.lordsawar.land import LandCode
from engine.rulesets.lordsawar.lineup import (
    battleground,
    combat_options,
    hits_of,
    lined_up,
    strengths_of,
)
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.tables import armyset
from engine.strategic.battle_records import BattleOdds, Lineup
from engine.strategic.events.battle import Duel
from engine.strategic.settings import Experience, FightingRules, Medals, Spoils

# -- the battle ------------------------------------------------------------------------------------


def fought(
    options: CombatOptions, dice: Dice, rules: FightingRules, lineup: Lineup
) -> tuple[Duel, ...]:
    """Duels of a battle; a hit of the attacker is a positive number of units. Rules: LW-5."""
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
    """Hit points that survivors who were hit lack now: (army, units). Rules: LW-5, LW-7."""
    fighters = (*lineup.attackers.fighters, *lineup.defenders.fighters)
    left = {one.army: one.hp for one in fighters if one.hp}
    hits = hits_of(lineup.attackers.fighters, lineup.defenders.fighters, duels)
    rest = {hit.target: hit.hp for hit in hits}
    return tuple((army, left[army].most - hp) for army, hp in sorted(rest.items()) if hp)


def odds(options: CombatOptions, rules: FightingRules, lineup: Lineup) -> BattleOdds:
    """Odds of a line-up: certain without dice, with the hit points that are left. Rules: LW-7."""
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
    """Chances that exactly so many live, of a line whose dead are always its first.

    >>> _counted((0.25, 0.5, 1.0))
    (0.0, 0.5, 0.25, 0.25)
    """
    at_least = (1.0, *reversed(live), 0.0)
    return tuple(more - most for more, most in pairwise(at_least))


def fighting_rules(options: Options) -> FightingRules:
    """Settings of battles under the options of a game. Rules: LW-2.1, LW-5, LW-6.1, LW-7."""
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
