"""A naive implementation of the rule book's battles, with flag names and fractions, hit by hit."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from engine.rulesets.lordsawar.battle_records import (
    HIT_POINT,
    BattleTerms,
    Combatant,
    CombatOptions,
)
from engine.rulesets.lordsawar.kinds import flag_names

Blow = tuple[int, str, int, int, Fraction, Fraction]
"""Time, side, hitter, target, damage, and the target's hit points afterwards."""


@dataclass
class Fighter:
    """An army in a battle."""

    army: Combatant
    flags: set[str]
    strength: int
    hp: Fraction


def fighters(line: tuple[Combatant, ...]) -> list[Fighter]:
    return [
        Fighter(army, set(flag_names(army.bonus)), army.strength, Fraction(army.hp, HIT_POINT))
        for army in line
    ]


def damage(attacker: int, defender: int, sides: int) -> Fraction:
    chance = Fraction(attacker, sides) * Fraction(sides - defender, sides)
    return max(5 * chance, Fraction(1, 10))


def strengths(
    attackers: list[Fighter],
    defenders: list[Fighter],
    terms: BattleTerms,
    options: CombatOptions,
) -> None:
    """Set the strengths of both sides."""
    both = (
        (attackers, terms.attackers_on, False, defenders),
        (defenders, terms.defenders_on, True, attackers),
    )
    for side, on, defends, _ in both:
        for one in side:
            first_layers(one, on, options, defends=defends)
    for side, on, defends, enemy in both:
        bonus = stack_bonus(side, on, enemy)
        if defends and not any("SUBALLCITYBONUS" in e.flags and not e.army.aboard for e in enemy):
            bonus += ground_bonus(side, terms)
        for one in side:
            if not one.army.aboard:
                one.strength += min(5, bonus)
    for side, _, _, enemy in both:
        for one in side:
            if not one.army.aboard:
                one.strength = max(1, one.strength - debuff(enemy))


def first_layers(one: Fighter, on: str, options: CombatOptions, *, defends: bool) -> None:
    own = one.army.strength + one.army.personal
    if one.army.aboard:
        one.strength = 4 if options.ship_strength == "fixed4" else min(4, own)
        return
    towered = defends and (one.army.in_tower or "FORTIFY" in one.flags)
    words = {"open": "OPEN", "forest": "FOREST", "hills": "HILLS", "city": "CITY", "other": "NONE"}
    word = "CITY" if towered else words[on]
    for value in (1, 2):
        if f"ADD{value}STRIN{word}" in one.flags:
            own += value
    one.strength = min(9, own)


def stack_bonus(side: list[Fighter], on: str, enemy: list[Fighter]) -> int:
    cancelling = {flag for one in enemy for flag in one.flags}
    bonus = 0
    if "SUBALLNONHEROBONUS" not in cancelling:
        sums = [0]
        for one in side:
            if not one.army.hero and not one.army.aboard:
                own = ("ADD1STACK" in one.flags) + 2 * ("ADD2STACK" in one.flags)
                sums.append(own + (on == "hills" and "ADD1STACKINHILLS" in one.flags))
        bonus += max(sums)
    heroes = [one.army for one in side if one.army.hero]
    if heroes and "SUBALLHEROBONUS" not in cancelling:
        strongest = min(9, max(hero.strength + hero.personal for hero in heroes))
        bonus += {1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 1, 7: 2, 8: 2, 9: 3}[strongest]
        bonus += sum(hero.commanding for hero in heroes)
    return bonus


def ground_bonus(side: list[Fighter], terms: BattleTerms) -> int:
    if terms.defenders_on == "city":
        return terms.site_bonus
    towered = any(one.army.in_tower or "FORTIFY" in one.flags for one in side)
    return int(terms.fortified or towered)


def debuff(enemy: list[Fighter]) -> int:
    for one in enemy:
        found = ("SUB1ENEMYSTACK" in one.flags) + 2 * ("SUB2ENEMYSTACK" in one.flags)
        if found:
            return found
    return 0


def fight(attackers: list[Fighter], defenders: list[Fighter], sides: int) -> list[Blow]:
    """Fight the battle hit by hit and remove the dead from the lists."""
    blows: list[Blow] = []
    attackers_turn = True
    while attackers and defenders:
        heads = attackers[0], defenders[0]
        hitter, target = heads if attackers_turn else heads[::-1]
        loss = damage(hitter.strength, target.strength, sides)
        target.hp = max(Fraction(0), target.hp - loss)
        side = "A" if attackers_turn else "D"
        blows.append((len(blows), side, hitter.army.id, target.army.id, loss, target.hp))
        if target.hp == 0:
            (defenders if attackers_turn else attackers).remove(target)
        attackers_turn = not attackers_turn
    return blows
