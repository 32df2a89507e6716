"""The battle itself: front against front, to the death."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from engine.core.dice import Dice
from engine.core.record import Record
from engine.strategic.events import BattleFought, Duel, Fighter
from engine.strategic.fighting.lineup import Lineup
from engine.strategic.fighting.rules import FightingRules

HITS: Final = 2
"""What every army can bear in a battle."""

SPENT: Final = (0, 100)
"""What the dice are read as once a duel has lasted too long: the attacker's front falls."""

Hit: TypeAlias = Literal["attacker", "defender", "shield", "none"]
"""Whom a round hits; ``shield``: the attacker, whom it does not hurt."""


class Round(Record, frozen=True):
    """A round as it can be told: what was thrown, whom it hit, what each front can still bear."""

    attacker: Fighter
    defender: Fighter
    defender_die: int
    attacker_die: int
    hit: Hit
    attacker_left: int
    defender_left: int


def fight(dice: Dice, rules: FightingRules, lineup: Lineup) -> tuple[Duel, ...]:
    """The duels of a battle, until one side is gone; who lives keeps its wounds to the end of it.

    Rules: W2-8.4, W2-8.5.
    """
    attackers, defenders = lineup.attackers.fighters, lineup.defenders.fighters
    front, facing = 0, 0
    bears = [HITS, HITS]
    duels = []
    while front < len(attackers) and facing < len(defenders):
        pair = attackers[front], defenders[facing]
        duel = _duel(dice, rules, pair, bears, shielded=lineup.shielded[front])
        duels.append(duel)
        if duel.won:
            facing, bears[1] = facing + 1, HITS
        else:
            front, bears[0] = front + 1, HITS
    return tuple(duels)


def struck(strengths: tuple[int, int], dice: tuple[int, int], *, shielded: bool) -> Hit:
    """Whom a round hits: who alone threw more than its strength.

    Args:
        strengths: the attacker's and the defender's.
        dice: the defender's and the attacker's.
        shielded: whether the attacker cannot be hit by ordinary throws.

    Rules: W2-8.5.
    """
    defender_fails, attacker_fails = dice[0] > strengths[1], dice[1] > strengths[0]
    if dice == SPENT:
        return "attacker"
    if defender_fails == attacker_fails:
        return "none"
    if defender_fails:
        return "defender"
    return "shield" if shielded else "attacker"


def told(battle: BattleFought) -> Iterator[Round]:
    """A battle that was fought, round by round. Rules: W2-8.5."""
    fighters = {fighter.army: fighter for fighter in (*battle.attackers, *battle.defenders)}
    bears = [HITS, HITS]
    for duel in battle.duels:
        attacker, defender = fighters[duel.attacker], fighters[duel.defender]
        for thrown in zip(duel.dice[::2], duel.dice[1::2], strict=True):
            strengths = attacker.strength, defender.strength
            hit = struck(strengths, thrown, shielded=duel.shielded)
            _wound(bears, hit)
            yield Round(attacker, defender, *thrown, hit, *bears)
        bears[1 if duel.won else 0] = HITS


def _duel(
    dice: Dice,
    rules: FightingRules,
    pair: tuple[Fighter, Fighter],
    bears: list[int],
    *,
    shielded: bool,
) -> Duel:
    """One duel; what both can bear goes down in ``bears`` (the attacker's, the defender's)."""
    strengths = pair[0].strength, pair[1].strength
    thrown: list[int] = []
    while min(bears) > 0:
        number = len(thrown) // 2
        both = dice.roll(rules.dice), dice.roll(rules.dice)
        if number >= rules.rounds:
            both = SPENT
        thrown.extend(both)
        _wound(bears, struck(strengths, both, shielded=shielded))
    won = bears[1] == 0
    return Duel(pair[0].army, pair[1].army, tuple(thrown), won, shielded=shielded)


def _wound(bears: list[int], hit: Hit) -> None:
    if hit == "attacker":
        bears[0] -= 1
    elif hit == "defender":
        bears[1] -= 1
