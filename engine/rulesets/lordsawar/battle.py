"""Battles: the alternating hits, a faster count of their result, classic dice, and forecasts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

from engine.core.dice import Dice, Seeded
from engine.core.record import replace
from engine.rulesets.lordsawar.battle_records import (
    HIT_POINT,
    BattleCourse,
    BattleHit,
    BattleOutcome,
    BattleStrengths,
    Combatant,
    CombatForecast,
    CombatOptions,
    SideStrength,
)
from engine.rulesets.lordsawar.hit_points import DamageTable, damage_table, die_sides, most_strength
from engine.rulesets.lordsawar.tables import armyset

MOST_CELLS: Final = 40_000
"""Maximum number of pairs of lost points for which the chance of classic dice is exact."""


# -- hit by hit ------------------------------------------------------------------------------------


def fight(strengths: BattleStrengths, *, intense: bool = False) -> BattleCourse:
    """Return a battle without dice, hit by hit; sides alternate and the attackers strike first.

    Rules: LW-5, LW-4.1. See: LW-4.2.
    """
    table = damage_table(die_sides(intense=intense))
    return _course(strengths, table, lambda time, _own, _other: time % 2 == 0)


def _course(
    strengths: BattleStrengths, table: DamageTable, attacker_hits: Callable[[int, int, int], bool]
) -> BattleCourse:
    """Record hits until one line is empty; an army without hit points makes room for the next.

    Args:
        strengths: both lines.
        table: damage by strengths of hitter and target.
        attacker_hits: whether the attacker hits, from the time and both strengths.

    Rules: LW-5.
    """
    attackers, defenders = strengths.attackers, strengths.defenders
    left, facing = _hit_points(attackers), _hit_points(defenders)
    front = back = 0
    hits: list[BattleHit] = []
    while front < len(left) and back < len(facing):
        own, other = attackers.final[front], defenders.final[back]
        attacker, defender = attackers.line[front].id, defenders.line[back].id
        by_attacker = attacker_hits(len(hits), own, other)
        if by_attacker:
            pair, loss = (attacker, defender), table[own][other]
            rest = facing[back] = max(0, facing[back] - loss)
            back += not rest
        else:
            pair, loss = (defender, attacker), table[other][own]
            rest = left[front] = max(0, left[front] - loss)
            front += not rest
        hits.append(BattleHit(len(hits), by_attacker, *pair, loss, rest))
    return BattleCourse(tuple(hits), front < len(left), tuple(left), tuple(facing))


def trial(strengths: BattleStrengths, *, intense: bool = False) -> BattleOutcome:
    """Return the result of ``fight``, computed by duels instead of hits.

    Rules: LW-7.1. See: LW-5.
    """
    table = damage_table(die_sides(intense=intense))
    own, other = strengths.attackers.final, strengths.defenders.final
    left, facing = _hit_points(strengths.attackers), _hit_points(strengths.defenders)
    front = back = 0
    attackers_turn = True
    while front < len(left) and back < len(facing):
        dealt, taken = table[own[front]][other[back]], table[other[back]][own[front]]
        needed, needed_back = -(-facing[back] // dealt), -(-left[front] // taken)
        wins = needed <= needed_back if attackers_turn else needed < needed_back
        if wins:
            left[front] -= taken * (needed - attackers_turn)
            facing[back] = 0
            back += 1
        else:
            facing[back] -= dealt * (needed_back - (not attackers_turn))
            left[front] = 0
            front += 1
        attackers_turn = not wins
    return BattleOutcome(front < len(left), tuple(left), tuple(facing))


def _hit_points(side: SideStrength) -> list[int]:
    """Return the hit points of a line.

    Raises:
        ValueError: an army is dead already.
    """
    found = [army.hp for army in side.line]
    if found and min(found) <= 0:
        raise ValueError("an army without hit points cannot fight")
    return found


# -- classic dice ----------------------------------------------------------------------------------


def exchange_chance(attacker: int, defender: int, sides: int) -> float:
    """Return the chance that an exchange hurts the defender. Rules: LW-4.3.

    >>> exchange_chance(5, 5, 20)
    0.5
    """
    hurts, hurt = attacker * (sides - defender), defender * (sides - attacker)
    return hurts / (hurts + hurt)


def roll_battle(dice: Dice, strengths: BattleStrengths, *, intense: bool = False) -> BattleCourse:
    """Return a battle with classic dice; each exchange costs one hit point. Rules: LW-4.3."""
    sides = die_sides(intense=intense)
    return _course(
        strengths, _point_table(), lambda _, own, other: _exchange(dice, own, other, sides)
    )


@cache
def _point_table() -> DamageTable:
    """Return the damage of classic dice: one point for any strengths. See: LW-4.3."""
    return ((HIT_POINT,) * (most_strength() + 1),) * (most_strength() + 1)


def _exchange(dice: Dice, attacker: int, defender: int, sides: int) -> bool:
    """Throw until one side hits alone; return whether the defender is hurt."""
    while True:
        hits = dice.roll(sides) - 1 < attacker
        hits_back = dice.roll(sides) - 1 < defender
        if hits is not hits_back:
            return hits


class DiceEnds(NamedTuple):
    """Chances of all results of a battle with classic dice.

    ``won[k]``: the attackers win and lose k points; ``lost[k]``: the defenders win and lose k.
    """

    won: tuple[float, ...]
    lost: tuple[float, ...]


def dice_ends(strengths: BattleStrengths, *, intense: bool = False) -> DiceEnds:
    """Return the chances of all results with classic dice. Rules: LW-7.2. See: LW-4.3."""
    sides = die_sides(intense=intense)
    own, other = _points(strengths.attackers), _points(strengths.defenders)
    won: list[float] = []
    row = [1.0] + [0.0] * len(other)
    for attacker in own:
        below = [0.0] * (len(other) + 1)
        for lost, defender in enumerate(other):
            chance = exchange_chance(attacker, defender, sides)
            row[lost + 1] += row[lost] * chance
            below[lost] += row[lost] * (1 - chance)
        won.append(row[-1])
        row = below
    return DiceEnds(tuple(won), tuple(row[:-1]))


def _lives(side: SideStrength, ends: Sequence[float]) -> tuple[float, ...]:
    """Return each army's chance to live, from its side's chances to win with k points lost."""
    living, points = [], 0
    for army in side.line:
        points += -(-army.hp // HIT_POINT)
        living.append(sum(ends[:points]))
    return tuple(living)


def _points(side: SideStrength) -> list[int]:
    """Return the strength of the front army for each point that a line can lose, in order."""
    pairs = zip(side.final, _hit_points(side), strict=True)
    return [strength for strength, hp in pairs for _ in range(-(-hp // HIT_POINT))]


# -- both rules ------------------------------------------------------------------------------------


def battle(dice: Dice, strengths: BattleStrengths, options: CombatOptions) -> BattleCourse:
    """Return the course of a battle; only classic combat throws dice. Rules: LW-0. See: LW-7."""
    if options.combat_rule == "dice":
        return roll_battle(dice, strengths, intense=options.intense_combat)
    return fight(strengths, intense=options.intense_combat)


def forecast(strengths: BattleStrengths, options: CombatOptions) -> CombatForecast:
    """Forecast a battle; no state changes, and no dice of the game are thrown.

    Without dice the forecast is certain. With classic dice it is exact, or estimated by trial
    battles if there are very many hit points. Rules: LW-7.2.
    """
    intense = options.intense_combat
    if options.combat_rule == "deterministic":
        end = trial(strengths, intense=intense)
        return CombatForecast(
            chance=float(end.attackers_won),
            exact=True,
            attackers_live=tuple(float(hp > 0) for hp in end.attackers_hp),
            defenders_live=tuple(float(hp > 0) for hp in end.defenders_hp),
            attackers_hp=end.attackers_hp,
            defenders_hp=end.defenders_hp,
        )
    exact = _cells(strengths) <= MOST_CELLS
    ends = dice_ends if exact else _tried
    won, lost = ends(strengths, intense=intense)
    return CombatForecast(
        chance=min(1.0, sum(won)),
        exact=exact,
        attackers_live=_lives(strengths.attackers, won),
        defenders_live=_lives(strengths.defenders, lost),
    )


def survivors(side: SideStrength, hp: Sequence[int]) -> tuple[Combatant, ...]:
    """Return the survivors of a battle, with their remaining hit points. See: LW-5, LW-7."""
    pairs = zip(side.line, hp, strict=True)
    return tuple(replace(army, hp=left) for army, left in pairs if left)


def _cells(strengths: BattleStrengths) -> int:
    sides: Sequence[SideStrength] = (strengths.attackers, strengths.defenders)
    one, other = (sum(-(-army.hp // HIT_POINT) for army in side.line) for side in sides)
    return one * other


def _tried(strengths: BattleStrengths, *, intense: bool) -> DiceEnds:
    """Estimate the chances of all results by trial battles with fixed dice. Rules: LW-7.2."""
    dice, trials = Seeded(b"forecast", 0, "trials"), armyset().combat.trials
    won = [0] * len(_points(strengths.attackers))
    lost = [0] * len(_points(strengths.defenders))
    for _ in range(trials):
        course = roll_battle(dice, strengths, intense=intense)
        if course.attackers_won:
            won[sum(not hit.by_attacker for hit in course.hits)] += 1
        else:
            lost[sum(hit.by_attacker for hit in course.hits)] += 1
    return DiceEnds(tuple(n / trials for n in won), tuple(n / trials for n in lost))
