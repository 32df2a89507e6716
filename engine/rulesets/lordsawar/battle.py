"""Battles: the alternating loop hit by hit, its end without the hits, classic dice, forecasts."""

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
    BattleTerms,
    Combatant,
    CombatForecast,
    CombatOptions,
    SideStrength,
)
from engine.rulesets.lordsawar.hit_points import DamageTable, damage_table, die_sides, most_strength
from engine.rulesets.lordsawar.strength import battle_strengths
from engine.rulesets.lordsawar.tables import armyset

MOST_CELLS: Final = 40_000
"""Pairs of points lost by both sides up to which the chance of classic dice is exact."""


# -- hit by hit ------------------------------------------------------------------------------------


def fight(strengths: BattleStrengths, *, intense: bool = False) -> BattleCourse:
    """A battle without chance, hit by hit; the attackers strike first, then in turns.

    Rules: LW-5, LW-4.1, LW-4.2.
    """
    table = damage_table(die_sides(intense=intense))
    return _course(strengths, table, lambda time, _own, _other: time % 2 == 0)


def _course(
    strengths: BattleStrengths, table: DamageTable, attacker_hits: Callable[[int, int, int], bool]
) -> BattleCourse:
    """Hits until one line is empty; who has no hit points left makes room for the next.

    Args:
        strengths: both lines.
        table: damage by strengths of hitter and target.
        attacker_hits: whose hit it is, by time and strengths of the attacker and the defender.

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
    """The end of the battle that ``fight`` tells, counted duel by duel instead of hit by hit.

    Rules: LW-5, LW-7.
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
    """Hit points of a line.

    Raises:
        ValueError: an army is dead already.
    """
    found = [army.hp for army in side.line]
    if found and min(found) <= 0:
        raise ValueError("an army without hit points cannot fight")
    return found


# -- classic dice ----------------------------------------------------------------------------------


def exchange_chance(attacker: int, defender: int, sides: int) -> float:
    """Chance that an exchange hurts the defender. Rules: LW-4.3.

    >>> exchange_chance(5, 5, 20)
    0.5
    """
    hurts, hurt = attacker * (sides - defender), defender * (sides - attacker)
    return hurts / (hurts + hurt)


def roll_battle(dice: Dice, strengths: BattleStrengths, *, intense: bool = False) -> BattleCourse:
    """A battle with classic dice, one point for each exchange. Rules: LW-4.3."""
    sides = die_sides(intense=intense)
    return _course(
        strengths, _point_table(), lambda _, own, other: _exchange(dice, own, other, sides)
    )


@cache
def _point_table() -> DamageTable:
    """Damage of classic dice: a point, whatever the strengths. Rules: LW-4.3."""
    return ((HIT_POINT,) * (most_strength() + 1),) * (most_strength() + 1)


def _exchange(dice: Dice, attacker: int, defender: int, sides: int) -> bool:
    """True if the defender is hurt: the attacker alone throws less than its strength."""
    while True:
        hits = dice.roll(sides) - 1 < attacker
        hits_back = dice.roll(sides) - 1 < defender
        if hits is not hits_back:
            return hits


class DiceEnds(NamedTuple):
    """Chances of the ends of a battle with classic dice.

    ``won[k]``: the attackers win and have lost k points; ``lost[k]``: the defenders do.
    """

    won: tuple[float, ...]
    lost: tuple[float, ...]


def dice_ends(strengths: BattleStrengths, *, intense: bool = False) -> DiceEnds:
    """Chances of all ends with classic dice, over all ways the points can be lost.

    Rules: LW-4.3, LW-7.
    """
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


def dice_chance(strengths: BattleStrengths, *, intense: bool = False) -> float:
    """Chance of the attackers with classic dice. Rules: LW-4.3, LW-7."""
    return sum(dice_ends(strengths, intense=intense).won)


def _lives(side: SideStrength, ends: Sequence[float]) -> tuple[float, ...]:
    """Chance of each army to live, from those that its side wins and loses so many points."""
    living, points = [], 0
    for army in side.line:
        points += -(-army.hp // HIT_POINT)
        living.append(sum(ends[:points]))
    return tuple(living)


def _points(side: SideStrength) -> list[int]:
    """Strength of the front for each point that a line can lose, in order."""
    pairs = zip(side.final, _hit_points(side), strict=True)
    return [strength for strength, hp in pairs for _ in range(-(-hp // HIT_POINT))]


# -- either rule -----------------------------------------------------------------------------------


def battle(dice: Dice, strengths: BattleStrengths, options: CombatOptions) -> BattleCourse:
    """A real battle as the options have it; only classic dice are thrown. Rules: LW-7, LW-0."""
    if options.combat_rule == "dice":
        return roll_battle(dice, strengths, intense=options.intense_combat)
    return fight(strengths, intense=options.intense_combat)


def forecast(strengths: BattleStrengths, options: CombatOptions) -> CombatForecast:
    """Forecast of a battle; nothing is changed and no die of the game is thrown.

    Without dice it is certain. With classic dice the chance is exact, or for very many hit points
    that of trial battles. Rules: LW-7.
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


def forecast_of(
    attackers: tuple[Combatant, ...],
    defenders: tuple[Combatant, ...],
    terms: BattleTerms,
    options: CombatOptions,
) -> CombatForecast:
    """Forecast of an attack, from two lines on. Rules: LW-7, LW-3.7."""
    return forecast(battle_strengths(attackers, defenders, terms, options), options)


def survivors(side: SideStrength, hp: Sequence[int]) -> tuple[Combatant, ...]:
    """The line as a battle leaves it, for another one after it. Rules: LW-5, LW-7."""
    pairs = zip(side.line, hp, strict=True)
    return tuple(replace(army, hp=left) for army, left in pairs if left)


def _cells(strengths: BattleStrengths) -> int:
    sides: Sequence[SideStrength] = (strengths.attackers, strengths.defenders)
    one, other = (sum(-(-army.hp // HIT_POINT) for army in side.line) for side in sides)
    return one * other


def _tried(strengths: BattleStrengths, *, intense: bool) -> DiceEnds:
    """Shares of the ends of trial battles, always with the same dice. Rules: LW-7."""
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
