"""Odds of a battle: exact chances from the strengths that the battle itself uses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final, TypeAlias

from engine.core.record import Record
from engine.kit.grid import Place
from engine.strategic.battle import Lineup, defenders_at, line_up
from engine.strategic.pieces import Army
from engine.strategic.settings import FightingRules, RuleSettings
from engine.strategic.world import World

KEPT: Final = 4096
"""How many battles are remembered."""


class Odds(Record, frozen=True):
    """The chances of a battle.

    ``attackers_left[k]`` and ``defenders_left[k]`` are the chances that exactly k of that side
    live; as a side's dead are always the first of its line, those are also the last k of it.
    ``attackers_live`` and ``defenders_live`` are the chances of each fighter, in line.
    """

    chance: float
    attackers_left: tuple[float, ...]
    defenders_left: tuple[float, ...]
    attackers_live: tuple[float, ...]
    defenders_live: tuple[float, ...]

    @property
    def attackers_lost(self) -> float:
        """How many attackers fall on the average."""
        return len(self.attackers_live) - sum(self.attackers_live)

    @property
    def defenders_lost(self) -> float:
        """How many defenders fall on the average."""
        return len(self.defenders_live) - sum(self.defenders_live)


class Forecast(Record, frozen=True):
    """What an attack would do. Without foes there is no line-up and nothing is lost."""

    odds: Odds
    lineup: Lineup | None = None

    @property
    def chance(self) -> float:
        """That the attackers win."""
        return self.odds.chance


Wounds: TypeAlias = list[float]
"""Chances that a pair of fronts is reached unhurt, with the attacker, with the defender wounded."""


def forecast(world: World, settings: RuleSettings, group: Sequence[Army], at: Place) -> Forecast:
    """What a group's attack on a tile would do, by what the world tells (a view tells less)."""
    if not defenders_at(world, at, group[0].owner):
        sure = (1.0,) * len(group)
        return Forecast(Odds(1.0, (*(0.0,) * len(group), 1.0), (1.0,), sure, ()))
    lineup = line_up(world, settings, group, at)
    return Forecast(odds_of(settings.fighting, lineup), lineup)


def odds_of(rules: FightingRules, lineup: Lineup) -> Odds:
    """The chances of a line-up."""
    return odds(lineup.attackers.strengths, lineup.defenders.strengths, lineup.shielded, rules.dice)


@lru_cache(maxsize=KEPT)
def odds(
    attackers: tuple[int, ...],
    defenders: tuple[int, ...],
    shielded: tuple[bool, ...],
    sides: int,
) -> Odds:
    """The chances of strengths in line against others, with dice of so many sides.

    Nothing is sampled: all courses that the hits can take are added up. That a duel of possible
    hits lasts until the limit of rounds is left out, which is less likely than 1 in 10**50.
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
            whole, hurt, falls, falls_late = _duel(row[facing], hit)
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
    return Odds(lost[0], tuple(won), tuple(lost), _live(won), _live(lost))


def share(attacker: int, defender: int, sides: int, *, shielded: bool = False) -> float:
    """The chance that a hit in a duel is one on the defender."""
    mine = attacker * (sides - defender)
    theirs = 0 if shielded else max(0, defender * (sides - attacker))
    return mine / (mine + theirs) if mine > 0 else 0.0


def _duel(start: Wounds, hit: float) -> tuple[float, float, float, float]:
    """The chances that the defender falls and the attacker is whole, or hurt, and the reverse.

    ``hit`` is the share of hits on the defender.
    """
    miss = 1.0 - hit
    fresh, attacker_hurt, defender_hurt = start
    attacker_hurt += fresh * miss
    defender_hurt += fresh * hit
    both_hurt = attacker_hurt * hit + defender_hurt * miss
    return defender_hurt * hit, both_hurt * hit, attacker_hurt * miss, both_hurt * miss


def _live(left: Sequence[float]) -> tuple[float, ...]:
    """The chance of each fighter in line to live, from those that exactly k do."""
    return tuple(accumulate(reversed(left[1:])))
