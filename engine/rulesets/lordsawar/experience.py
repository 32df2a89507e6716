"""Experience after battles: shares, hit counters, medals and hero levels, as exact fractions.

Fractions have no common denominator: a share divides by the number of survivors, and a hero's value
grows by a fifth with each level. Records keep them as text in lowest terms (``10/3``), which is
exact for every split; ``stored`` and ``read`` convert between the two.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import Literal, TypeAlias

from engine.core.record import Record
from engine.rulesets.lordsawar.battle import survivors
from engine.rulesets.lordsawar.battle_records import (
    HIT_POINT,
    BattleCourse,
    BattleHit,
    BattleStrengths,
    HitCounters,
)
from engine.rulesets.lordsawar.tables import armyset

Medal: TypeAlias = Literal["attack", "defence", "veteran"]
"""Medals in the order of the original's files. See: LW-6.4."""


class LevelGain(Record, frozen=True):
    """Gains from which a hero's owner chooses one for each level. See: LW-10."""

    strength: int = 0
    moves: int = 0
    sight: int = 0
    max_hp: int = 0


def stored(value: Fraction) -> str:
    """Convert a fraction to the text that records keep.

    >>> stored(Fraction(20, 6)), stored(Fraction(4))
    ('10/3', '4')
    """
    return str(value)


def read(text: str) -> Fraction:
    """Read a fraction from the text of a record.

    Raises:
        ValueError: the text is not a fraction.

    >>> read("10/3") * 3
    Fraction(10, 1)
    """
    return Fraction(text)


# -- shares and counters ---------------------------------------------------------------------------


def share(values_of_dead: Iterable[Fraction], survivors: int) -> Fraction:
    """Return the experience of each survivor: an equal share of the values of the enemy's dead.

    Unless the share is 0, each survivor's count of battles rises by one. Rules: LW-6.2.

    >>> share([Fraction(10), Fraction(1)], 3)
    Fraction(11, 3)
    """
    return sum(values_of_dead, Fraction(0)) / survivors if survivors else Fraction(0)


def gains(
    strengths: BattleStrengths, course: BattleCourse, values: Mapping[int, Fraction]
) -> dict[int, Fraction]:
    """Return the experience of each survivor of a battle, by id. See: LW-6.2."""
    winners, hp, losers = strengths.attackers, course.attackers_hp, strengths.defenders
    if not course.attackers_won:
        winners, hp, losers = losers, course.defenders_hp, winners
    alive = survivors(winners, hp)
    each = share((values[army.id] for army in losers.line), len(alive))
    return {army.id: each for army in alive}


def hit_counters(
    hits: Iterable[BattleHit],
    values: Mapping[int, Fraction],
    before: Mapping[int, HitCounters],
    *,
    dice: bool = False,
) -> dict[int, HitCounters]:
    """Return the counters of all armies in ``values`` after these hits, by id.

    Damage is divided by the ratio of the hitter's value to the target's. With classic dice it is
    always the attacker's value to the defender's. Hits by or on an army with value 0 do not count.
    Rules: LW-6.3. See: LW-4.3.
    """
    dealt = {army: Fraction(0) for army in values}
    taken = dict(dealt)
    for hit in hits:
        if not values[hit.hitter] or not values[hit.target]:
            continue
        ratio = values[hit.hitter] / values[hit.target]
        if dice and not hit.by_attacker:
            ratio = 1 / ratio
        counted = Fraction(hit.damage, HIT_POINT) / ratio
        dealt[hit.hitter] += counted
        taken[hit.target] += counted
    old = {army: before.get(army, HitCounters()) for army in values}
    return {
        army: HitCounters(
            stored(read(old[army].dealt) + dealt[army]), stored(read(old[army].taken) + taken[army])
        )
        for army in values
    }


def kept_counters(counters: HitCounters, gained: Fraction) -> HitCounters:
    """Return the counters after a battle; a gain of experience resets them. Rules: LW-6.3."""
    return HitCounters() if gained else counters


# -- medals ----------------------------------------------------------------------------------------


def medals_due(battles: int, counters: HitCounters, held: Collection[Medal]) -> tuple[Medal, ...]:
    """Return the new medals of a survivor, before its counters are reset.

    The caller leaves out heroes, awardable types, and stacks without a hero (``may_get_medals``).
    Rules: LW-6.4.
    """
    numbers = armyset().medals
    earned: dict[Medal, bool] = {
        "attack": read(counters.dealt) > numbers.dealt_above,
        "defence": read(counters.taken) < numbers.taken_below,
        "veteran": battles > numbers.battles_above,
    }
    return tuple(medal for medal, is_due in earned.items() if is_due and medal not in held)


def may_get_medals(*, hero: bool, awardable: bool, with_hero: bool) -> bool:
    """Return whether an army is ordinary and in a stack with a hero. Rules: LW-6.4."""
    return with_hero and not hero and not awardable


def decorated(strength: int, value: Fraction, medals: int) -> tuple[int, Fraction]:
    """Return the strength and the experience value after some new medals. Rules: LW-6.4.

    >>> decorated(8, Fraction(1), 2)
    (9, Fraction(3, 1))
    """
    numbers, most = armyset().medals, armyset().combat.most_strength
    raised = max(strength, min(most, strength + numbers.strength_gain * medals))
    return raised, value + numbers.value_gain * medals


# -- levels of heroes ------------------------------------------------------------------------------


def level_reached(experience: Fraction, level: int) -> int:
    """Return the level of a hero of a present ``level`` with this experience, which is not used up.

    Rules: LW-10.5.

    >>> level_reached(Fraction(29), 1), level_reached(Fraction(30), 1)
    (3, 4)
    """
    while experience >= armyset().levels.experience_each * level:
        level += 1
    return level


def value_at(value: Fraction, levels: int) -> Fraction:
    """Return the experience value of a hero after some more levels. Rules: LW-10.5.

    >>> value_at(Fraction(10), 2)
    Fraction(72, 5)
    """
    return value * (1 + Fraction(armyset().levels.value_growth_percent, 100)) ** levels


def level_gains(strength: int) -> tuple[LevelGain, ...]:
    """Return the gains from which a hero of this strength can choose. Rules: LW-10.6."""
    numbers = armyset().levels
    gains = (
        LevelGain(strength=numbers.strength_gain),
        LevelGain(moves=numbers.moves_gain),
        LevelGain(sight=numbers.sight_gain),
        LevelGain(max_hp=numbers.hit_points_gain),
    )
    return gains if strength < armyset().combat.most_strength else gains[1:]
