"""Combat log: the lines that the original writes about a battle, number for number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from engine.rulesets.lordsawar.battle_records import (
    BattleCourse,
    BattleHit,
    BattleStrengths,
    Combatant,
)
from engine.rulesets.lordsawar.hit_points import damage_text, log_hp_text

_TURN: Final = "fight.cpp: 302: [COMBAT] === Turn {hit.time} ({side}'s turn) ==="
_HIT: Final = (
    "fight.cpp: 671: [COMBAT] Round {hit.time}: {hitter} ({hit.hitter}) hits {target} "
    "({hit.target}) for {damage} damage. Defender HP: {hp}/{max_hp}"
)
_DEATH: Final = "fight.cpp: 325: [COMBAT] {target} ({hit.target}) DIED!"


def log_lines(
    course: BattleCourse, strengths: BattleStrengths, name_of: Callable[[Combatant], str]
) -> Iterator[str]:
    """Lines of a whole battle. Rules: LW-8."""
    armies = {army.id: army for army in (*strengths.attackers.line, *strengths.defenders.line)}
    for hit in course.hits:
        target = armies[hit.target]
        yield from hit_lines(hit, name_of(armies[hit.hitter]), name_of(target), target.max_hp)


def hit_lines(hit: BattleHit, hitter: str, target: str, max_hp: int) -> Iterator[str]:
    """Lines of one hit: whose turn it is, the hit, and the death that follows from it.

    Rules: LW-8.
    """
    side = "Attacker" if hit.by_attacker else "Defender"
    yield _TURN.format(hit=hit, side=side)
    yield _HIT.format(
        hit=hit,
        hitter=hitter,
        target=target,
        damage=damage_text(hit.damage),
        hp=log_hp_text(hit.hp),
        max_hp=max_hp,
    )
    if not hit.hp:
        yield _DEATH.format(hit=hit, target=target)
