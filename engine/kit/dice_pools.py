"""Dice pools: battles of one roll, in which sorted dice are paired and the lower die loses.

A pool is a tuple of numbers of sides, in any order. Arguments and results that concern both sides
are pairs (attack, defence).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, prod
from operator import mul
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from engine.core.dice import Dice
from engine.core.record import Record

DicePool: TypeAlias = tuple[int, ...]
"""Number of sides of each die."""

LossCounts: TypeAlias = Mapping[tuple[int, int], int]
"""Number of equally likely rolls by (pairs lost by the attack, by the defence); read-only."""

NEITHER: Final = (False, False)
NONE: Final = (0, 0)

_MOST_KEPT: Final = 4096
"""Maximum number of distributions in the cache."""
_MOST_SIDES: Final = 512
"""Maximum number of pools whose transitions are in the cache."""


# -- given dice ------------------------------------------------------------------------------------


class Comparison(Record, frozen=True):
    """Result of two rolls: values of the pairs from high to low, and of the dice without a pair."""

    pairs: tuple[tuple[int, int], ...]
    lost: tuple[int, int]
    """Pairs lost by the attack and by the defence."""
    tied: int
    """Number of pairs that no side lost."""
    ignored: tuple[tuple[int, ...], tuple[int, ...]]
    """Dice of the longer side that have no partner, from high to low."""
    set_aside: tuple[tuple[int, ...], tuple[int, ...]]
    """Highest dice that were dropped before pairing, from high to low."""

    @property
    def losers(self) -> tuple[int | None, ...]:
        """Loser of each pair: 0 the attack, 1 the defence, None if no side lost it."""
        behind = sum(one < other for one, other in self.pairs)
        of_ties = None if self.tied else int(self.lost[0] == behind)
        return tuple(of_ties if one == other else int(one > other) for one, other in self.pairs)


def compare(
    attack: Sequence[int],
    defence: Sequence[int],
    *,
    ties_win: tuple[bool, bool] = NEITHER,
    drop: tuple[int, int] = NONE,
) -> Comparison:
    """Pair two rolls from high to low, compare each pair, and return the result.

    Args:
        attack: values of the attack's dice, in any order.
        defence: values of the defence's dice.
        ties_win: sides whose opponent loses tied pairs; if both, no side loses them.
        drop: number of highest dice of each side that are set aside before pairing.

    >>> compare((3, 8, 5), (5, 6)).lost
    (0, 1)
    """
    highest, high = (sorted(values, reverse=True) for values in (attack, defence))
    aside = tuple(highest[: drop[0]]), tuple(high[: drop[1]])
    highest, high = highest[drop[0] :], high[drop[1] :]
    pairs = tuple(zip(highest, high, strict=False))
    tied = sum(one == other for one, other in pairs)
    lost_attack = sum(one < other for one, other in pairs)
    lost_defence = len(pairs) - tied - lost_attack
    match ties_win:
        case (True, False):
            lost_defence, tied = lost_defence + tied, 0
        case (False, True):
            lost_attack, tied = lost_attack + tied, 0
        case _:
            pass
    rest = tuple(highest[len(pairs) :]), tuple(high[len(pairs) :])
    return Comparison(pairs, (lost_attack, lost_defence), tied, rest, aside)


def ranked(values: Sequence[int]) -> tuple[int, ...]:
    """Return the indices of dice from the highest value to the lowest, ties in the given order.

    Pair k of a comparison consists of the dice at ``ranked(values)[k + dropped]`` of each side.
    """
    return tuple(sorted(range(len(values)), key=lambda place: -values[place]))


def roll(dice: Dice, pool: DicePool) -> tuple[int, ...]:
    """Roll a pool in order; return the value of each die."""
    return tuple(dice.roll(sides) for sides in pool)


def reroll(dice: Dice, pool: DicePool, values: Sequence[int], at_most: int) -> tuple[int, ...]:
    """Roll each die that shows ``at_most`` or less once more, in order; return all values."""
    return tuple(
        dice.roll(sides) if value <= at_most else value
        for sides, value in zip(pool, values, strict=True)
    )


# -- distributions ---------------------------------------------------------------------------------


def pair_losses(
    attack: DicePool,
    defence: DicePool,
    *,
    ties_win: tuple[bool, bool] = NEITHER,
    drop: tuple[int, int] = NONE,
    reroll: tuple[int, int] = NONE,
) -> LossCounts:
    """Return the exact distribution of the pairs that each side loses, cached by sorted pools.

    The counts add up to the product of all sizes; the sizes of a side that rerolls count twice.

    Args:
        attack: pool of the attack, in any order, with the dice of all sources.
        defence: pool of the defence.
        ties_win: sides whose opponent loses tied pairs; if both, no side loses them.
        drop: number of highest dice of each side that are set aside before pairing.
        reroll: dice of each side that show at most this are rolled once more; 0 for none.

    Raises:
        ValueError: a die has no sides.

    >>> dict(pair_losses((8,), (8,)))
    {(0, 0): 8, (0, 1): 28, (1, 0): 28}
    """
    return _losses(
        _PoolSide(tuple(sorted(attack)), ties_win[0] and not ties_win[1], drop[0], reroll[0]),
        _PoolSide(tuple(sorted(defence)), ties_win[1] and not ties_win[0], drop[1], reroll[1]),
    )


def total(losses: LossCounts) -> int:
    """Return the number of equally likely rolls."""
    return sum(losses.values())


def capped(losses: LossCounts, attack: int, defence: int) -> LossCounts:
    """Return a distribution of casualties, none above ``attack`` and ``defence`` units.

    >>> dict(capped({(0, 2): 3, (0, 1): 4, (2, 0): 1}, 1, 1))
    {(0, 1): 7, (1, 0): 1}
    """
    found: dict[tuple[int, int], int] = {}
    for (one, other), count in losses.items():
        lost = min(one, attack), min(other, defence)
        found[lost] = found.get(lost, 0) + count
    return MappingProxyType(dict(sorted(found.items())))


def mean_losses(losses: LossCounts) -> tuple[Fraction, Fraction]:
    """Return the expected losses of the attack and of the defence."""
    rolls = total(losses)
    return (
        Fraction(sum(lost[0] * count for lost, count in losses.items()), rolls),
        Fraction(sum(lost[1] * count for lost, count in losses.items()), rolls),
    )


def chance_of_losses(losses: LossCounts, attack: int = 0, defence: int = 0) -> Fraction:
    """Return the chance that the sides lose at least ``attack`` and ``defence``."""
    found = sum(count for lost, count in losses.items() if lost[0] >= attack and lost[1] >= defence)
    return Fraction(found, total(losses))


# -- counting --------------------------------------------------------------------------------------


class _PoolSide(NamedTuple):
    """Pool of one side, sorted, with its advantages."""

    pool: DicePool
    ties_win: bool
    drop: int
    reroll: int

    @property
    def rolls(self) -> int:
        """Number of equally likely rolls."""
        return prod(self.pool) ** (2 if self.reroll else 1)


class _FaceLevel(NamedTuple):
    """Transitions of one side when the dice that show a certain face are added.

    States are numbered by the number of dice that show this face or a higher one, which ``shown``
    gives for each new state. For each new state, ``ways`` holds the number of ways from each old
    state. Unused old states at the end of a row are omitted.
    """

    shown: tuple[int, ...]
    ways: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=_MOST_KEPT)
def _losses(attack: _PoolSide, defence: _PoolSide) -> LossCounts:
    if attack > defence:
        mirrored = _losses(defence, attack)
        turned = sorted(((lost[1], lost[0]), count) for lost, count in mirrored.items())
        return MappingProxyType(dict(turned))
    if min(attack.pool + defence.pool, default=1) < 1:
        raise ValueError("a die has at least one side")
    return MappingProxyType(_counted(attack, defence))


def _counted(attack: _PoolSide, defence: _PoolSide) -> dict[tuple[int, int], int]:
    """Compute the counts of ``pair_losses`` by a walk over the faces from the highest to 1.

    A state is the number of dice of each side that show the face or more, so the pairs that are
    settled so far are known. All counts of a state are packed into one integer, a field of ``wide``
    bits for each (pairs lost by the attack, by the defence). Adding and multiplying long integers
    is much faster in Python than working through a dict.
    """
    pairs = min(len(attack.pool) - attack.drop, len(defence.pool) - defence.drop)
    if pairs <= 0:
        return {(0, 0): attack.rolls * defence.rolls}
    wide = (attack.rolls * defence.rolls).bit_length()
    walk = _PackedWalk(wide, wide * (pairs + 1))
    top = max(attack.pool + defence.pool)
    for one, other in zip(
        _levels(attack.pool, top, attack.reroll),
        _levels(defence.pool, top, defence.reroll),
        strict=True,
    ):
        ranks = _ranks(one.shown, attack.drop, pairs), _ranks(other.shown, defence.drop, pairs)
        if attack.ties_win:
            walk.step(ranks[0], one.ways, walk.defence, _stay(walk.defence))
            walk.step(walk.attack, _stay(walk.attack), ranks[1], other.ways)
        elif defence.ties_win:
            walk.step(walk.attack, _stay(walk.attack), ranks[1], other.ways)
            walk.step(ranks[0], one.ways, walk.defence, _stay(walk.defence))
        else:
            walk.step(ranks[0], one.ways, ranks[1], other.ways)
    return walk.unpacked(pairs)


class _PackedWalk:
    """Packed counts by state of both sides, while walking down the faces.

    For each state, ``attack`` and ``defence`` hold the number of pairs that this side's dice have
    reached, in ascending order. A pair that only one side has reached counts as lost by the other
    side at once.
    """

    def __init__(self, wide: int, row: int) -> None:
        self.attack: tuple[int, ...] = (0,)
        self.defence: tuple[int, ...] = (0,)
        self._packed = [[1]]
        self._wide = wide
        self._row = row

    def step(
        self,
        attack: tuple[int, ...],
        attack_ways: tuple[tuple[int, ...], ...],
        defence: tuple[int, ...],
        defence_ways: tuple[tuple[int, ...], ...],
    ) -> None:
        """Add the dice of a face; both sides reach a pair at the same face if it is tied.

        If the attack is ahead or level, its new dice reach no pair that the defence reached at a
        higher face, so the defence moves first. If it is behind, the attack moves first. Losses of
        pairs that the slower side has not reached are removed before the other side moves.
        """
        wide, row = self._wide, self._row
        ahead = [
            (line[: bisect_right(self.defence, reached)], reached)
            for line, reached in zip(self._packed, self.attack, strict=True)
        ]
        defence_moved = [
            [
                sum(map(mul, ways, line)) >> (wide * max(0, reached - there))
                for line, reached in ahead
            ]
            for ways, there in zip(defence_ways, defence, strict=True)
        ]
        behind = [
            (line[: bisect_left(self.attack, reached)], reached)
            for line, reached in zip(zip(*self._packed, strict=True), self.defence, strict=True)
        ]
        attack_moved = [
            [
                sum(map(mul, ways, line)) >> (row * max(0, reached - there))
                for line, reached in behind
            ]
            for ways, there in zip(attack_ways, attack, strict=True)
        ]
        self._packed = [
            [
                (sum(map(mul, ways, first)) + sum(map(mul, other_ways, second)))
                << (wide * (here - there) if here >= there else row * (there - here))
                for first, other_ways, there in zip(
                    defence_moved, defence_ways, defence, strict=True
                )
            ]
            for second, ways, here in zip(attack_moved, attack_ways, attack, strict=True)
        ]
        self.attack, self.defence = attack, defence

    def unpacked(self, pairs: int) -> dict[tuple[int, int], int]:
        """Return the counts of the only state after the last face, without zeros."""
        ((packed,),) = self._packed
        mask = (1 << self._wide) - 1
        fields = {
            (lost, other): packed >> (lost * self._row + other * self._wide) & mask
            for lost in range(pairs + 1)
            for other in range(pairs + 1 - lost)
        }
        return {lost: count for lost, count in fields.items() if count}


def _ranks(shown: tuple[int, ...], drop: int, pairs: int) -> tuple[int, ...]:
    """Return the number of pairs reached by each number of dice."""
    return tuple(min(max(count - drop, 0), pairs) for count in shown)


def _stay(states: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the ways of a side that adds no dice."""
    return tuple((0,) * state + (1,) for state in range(len(states)))


@lru_cache(maxsize=_MOST_SIDES)
def _levels(pool: DicePool, top: int, reroll: int) -> tuple[_FaceLevel, ...]:
    """Return the transitions of a pool for each face from ``top`` down to 1.

    A die that has not shown more than a face shows it in exactly one way if it has that many sides.
    So all such dice are alike. With a reroll, each face above the limit has ``sides + reroll`` ways
    and each other one ``reroll``, or ``sides`` if that is less. Dice larger than the limit are
    divided into high and low ones as soon as their size is reached, so that those of a kind are
    alike again. A state then also has the number of high dice.
    """
    sizes = Counter(pool)
    states = [(0, 0)]
    levels = []
    for face in range(top, reroll, -1):
        found: dict[tuple[int, int], dict[int, int]] = {}
        for source, (shown, high) in enumerate(states):
            for low in range(sizes[face] + 1 if reroll else 1):
                more = sizes[face] - low
                ways = (
                    comb(sizes[face], low) * reroll**low * (face + reroll if reroll else 1) ** more
                )
                every = high + more
                for now in range(every if face == reroll + 1 else shown, every + 1):
                    found.setdefault((now, every), {})[source] = ways * comb(
                        every - shown, now - shown
                    )
        states = sorted(found)
        levels.append(_level(found))
    present = sum(sides > reroll for sides in pool)
    for face in range(min(reroll, top), 0, -1):
        present += sizes[face]
        found = {}
        for source, (shown, _) in enumerate(states):
            for now in range(present if face == 1 else shown, present + 1):
                ways = face ** sizes[face] * comb(present - shown, now - shown)
                found.setdefault((now, 0), {})[source] = ways
        states = sorted(found)
        levels.append(_level(found))
    return tuple(levels)


def _level(found: Mapping[tuple[int, int], Mapping[int, int]]) -> _FaceLevel:
    """Build a level from the ways by new state and number of the old state."""
    states = sorted(found)
    return _FaceLevel(
        tuple(shown for shown, _ in states),
        tuple(
            tuple(found[state].get(source, 0) for source in range(max(found[state]) + 1))
            for state in states
        ),
    )
