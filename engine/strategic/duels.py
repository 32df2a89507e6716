"""Duels with dice: front against front to the death, with exact odds.

Both fronts roll. A front that alone rolls more than its strength is hit, and two hits kill. A
ruleset that fights so names ``fight`` and ``odds_of_duels`` in its rule settings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final, Literal, TypeAlias

from engine.core.dice import Dice
from engine.core.record import Record
from engine.strategic.battle_records import BattleOdds, Lineup
from engine.strategic.events.battle import Duel, Fighter
from engine.strategic.settings import FightingRules

HITS: Final = 2
"""Number of hits that kill an army."""

SPENT: Final = (0, 100)
"""Dice of a round beyond the limit, in which the attacker's front is hit."""

Hit: TypeAlias = Literal["attacker", "defender", "shield", "none"]
"""Target of a round; ``shield`` is the attacker's front, unhurt."""


class DuelRound(Record, frozen=True):
    """Round of a duel: its dice, its target, and the hits that each front can still bear."""

    attacker: Fighter
    defender: Fighter
    defender_die: int
    attacker_die: int
    hit: Hit
    attacker_left: int
    defender_left: int


def fight(dice: Dice, rules: FightingRules, lineup: Lineup) -> tuple[Duel, ...]:
    """Return the duels of a battle until one side is gone; wounds last until the battle ends."""
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
    """Return the target of a round: the front that alone rolled more than its strength.

    Args:
        strengths: The attacker's and the defender's strength.
        dice: The defender's and the attacker's roll.
        shielded: True if the attacker cannot be hit by ordinary rolls.
    """
    defender_fails, attacker_fails = dice[0] > strengths[1], dice[1] > strengths[0]
    if dice == SPENT:
        return "attacker"
    if defender_fails == attacker_fails:
        return "none"
    if defender_fails:
        return "defender"
    return "shield" if shielded else "attacker"


def duel_rounds(lineup: Lineup, duels: Iterable[Duel]) -> Iterator[DuelRound]:
    """Yield the rounds of a battle between two lines, read from its duels."""
    lines = (*lineup.attackers.fighters, *lineup.defenders.fighters)
    fighters = {fighter.army: fighter for fighter in lines}
    bears = [HITS, HITS]
    for duel in duels:
        attacker, defender = fighters[duel.attacker], fighters[duel.defender]
        for thrown in zip(duel.dice[::2], duel.dice[1::2], strict=True):
            strengths = attacker.strength, defender.strength
            hit = struck(strengths, thrown, shielded=duel.shielded)
            _wound(bears, hit)
            yield DuelRound(attacker, defender, *thrown, hit, *bears)
        bears[1 if duel.won else 0] = HITS


def _duel(
    dice: Dice,
    rules: FightingRules,
    pair: tuple[Fighter, Fighter],
    bears: list[int],
    *,
    shielded: bool,
) -> Duel:
    """Fight a duel of two fronts; count the hits left down in ``bears`` (attacker, defender)."""
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


# -- Odds ------------------------------------------------------------------------------------------

KEPT: Final = 4096
"""Maximum number of line-ups whose odds are cached."""

Wounds: TypeAlias = list[float]
"""Chances of reaching a pair of fronts unhurt, with the attacker and with the defender hurt."""


def odds_of_duels(rules: FightingRules, lineup: Lineup) -> BattleOdds:
    """Return the exact odds of a line-up that is fought in duels."""
    lines = (lineup.attackers.fighters, lineup.defenders.fighters)
    first, second = (tuple(fighter.strength for fighter in line) for line in lines)
    return odds(first, second, lineup.shielded, rules.dice)


@lru_cache(maxsize=KEPT)
def odds(
    attackers: tuple[int, ...],
    defenders: tuple[int, ...],
    shielded: tuple[bool, ...],
    sides: int,
) -> BattleOdds:
    """Return the odds of one line of strengths against another, with dice of ``sides`` sides.

    Adds up every possible course of the hits, without sampling. Leaves out duels that could have
    hits but last to the limit of rounds; their chance is below 1 in 10**50.
    """
    won, lost = [0.0] * (len(attackers) + 1), [0.0] * (len(defenders) + 1)
    last = len(defenders) - 1
    row: list[Wounds] = [[0.0, 0.0, 0.0] for _ in defenders]
    row[0][0] = 1.0
    for front, mine in enumerate(attackers):
        below: list[Wounds] = [[0.0, 0.0, 0.0] for _ in defenders]
        left = len(attackers) - front
        for facing, theirs in enumerate(defenders):
            hit = share(mine, theirs, sides, shielded=shielded[front])
            whole, hurt, falls, falls_late = _spread(row[facing], hit)
            if facing < last:
                row[facing + 1][0] += whole
                row[facing + 1][1] += hurt
            else:
                won[left] += whole + hurt
            if left > 1:
                below[facing][0] += falls
                below[facing][2] += falls_late
            else:
                lost[last + 1 - facing] += falls + falls_late
        row = below
    won[0], lost[0] = sum(lost), sum(won)
    return BattleOdds(lost[0], tuple(won), tuple(lost), _live(won), _live(lost))


def share(attacker: int, defender: int, sides: int, *, shielded: bool = False) -> float:
    """Return the chance that a hit in a duel hits the defender; 0 if it cannot be hit."""
    mine = attacker * (sides - defender)
    theirs = 0 if shielded else max(0, defender * (sides - attacker))
    return mine / (mine + theirs) if mine > 0 else 0.0


def chance_of_duel(hit: float, attacker_bears: int, defender_bears: int) -> float:
    """Return the chance that the attacker wins a duel, given the hits each can still bear.

    ``hit`` is the share of hits on the defender.

    >>> chance_of_duel(0.5, 2, 1)
    0.75
    """
    if not attacker_bears or not defender_bears:
        return float(not defender_bears)
    good = chance_of_duel(hit, attacker_bears, defender_bears - 1)
    bad = chance_of_duel(hit, attacker_bears - 1, defender_bears)
    return hit * good + (1.0 - hit) * bad


def _spread(start: Wounds, hit: float) -> tuple[float, float, float, float]:
    """Return the chances that the defender falls, with the attacker whole or hurt, and the reverse.

    ``hit`` is the share of hits on the defender.
    """
    miss = 1.0 - hit
    fresh, attacker_hurt, defender_hurt = start
    attacker_hurt += fresh * miss
    defender_hurt += fresh * hit
    both_hurt = attacker_hurt * hit + defender_hurt * miss
    return defender_hurt * hit, both_hurt * hit, attacker_hurt * miss, both_hurt * miss


def _live(left: Sequence[float]) -> tuple[float, ...]:
    """Return each fighter's chance to live, in line, from the chances that exactly k live."""
    return tuple(accumulate(reversed(left[1:])))
