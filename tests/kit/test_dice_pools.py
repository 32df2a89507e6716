"""Dice pools: comparison of given dice, and exact counts against all rolls one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.dice import Scripted
from engine.kit.dice_pools import (
    DicePool,
    capped,
    chance_of_losses,
    compare,
    mean_losses,
    pair_losses,
    ranked,
    reroll,
    roll,
    total,
)

SWORDS = (8, 8, 8, 8)
FOREST = (12, 10, 10, 10, 6)
CASTLE = (12, 10, 10, 8)

pools = st.lists(st.sampled_from([1, 2, 3, 4, 6]), max_size=3).map(tuple)
flags = st.tuples(st.booleans(), st.booleans())
few = st.tuples(st.integers(0, 2), st.integers(0, 2))
faces = st.lists(st.integers(1, 12), max_size=6)


def faces_of(sides: int, at_most: int) -> Iterator[int]:
    """Yield the values of a die. With a reroll, yield one value for each pair of throws."""
    for value in range(1, sides + 1):
        if at_most:
            yield from (range(1, sides + 1) if value <= at_most else [value] * sides)
        else:
            yield value


def counted(
    attack: DicePool,
    defence: DicePool,
    ties_win: tuple[bool, bool],
    drop: tuple[int, int],
    reroll: tuple[int, int],
) -> Counter[tuple[int, int]]:
    """Count losses by comparing every roll."""
    thrown = [list(faces_of(sides, reroll[0])) for sides in attack]
    against = [list(faces_of(sides, reroll[1])) for sides in defence]
    rolls = Counter(tuple(sorted(values)) for values in product(*thrown))
    others = Counter(tuple(sorted(values)) for values in product(*against))
    found: Counter[tuple[int, int]] = Counter()
    for (one, count), (other, times) in product(rolls.items(), others.items()):
        found[compare(one, other, ties_win=ties_win, drop=drop).lost] += count * times
    return found


@settings(deadline=None)
@given(pools, pools, flags, few, st.tuples(st.integers(0, 4), st.integers(0, 4)))
def test_counts_equal_those_of_all_rolls(
    attack: DicePool,
    defence: DicePool,
    ties_win: tuple[bool, bool],
    drop: tuple[int, int],
    reroll: tuple[int, int],
) -> None:
    losses = pair_losses(attack, defence, ties_win=ties_win, drop=drop, reroll=reroll)
    assert dict(losses) == counted(attack, defence, ties_win, drop, reroll)
    assert list(losses) == sorted(losses)


@settings(deadline=None, max_examples=25)
@given(
    st.lists(st.sampled_from([6, 8, 10, 12]), min_size=1, max_size=6).map(tuple),
    st.lists(st.sampled_from([6, 8, 10, 12]), min_size=1, max_size=6).map(tuple),
    flags,
    few,
    st.sampled_from([(0, 0), (2, 0), (0, 3)]),
)
def test_large_pools_mirror_each_other_and_add_up(
    attack: DicePool,
    defence: DicePool,
    ties_win: tuple[bool, bool],
    drop: tuple[int, int],
    again: tuple[int, int],
) -> None:
    losses = pair_losses(attack, defence, ties_win=ties_win, drop=drop, reroll=again)
    turned = pair_losses(
        defence, attack, ties_win=ties_win[::-1], drop=drop[::-1], reroll=again[::-1]
    )
    assert dict(losses) == {lost[::-1]: count for lost, count in turned.items()}
    twice = (attack if again[0] else ()) + (defence if again[1] else ())
    assert total(losses) == prod(attack + defence + twice)


@pytest.mark.parametrize(
    ("attack", "defence", "counts"),
    [
        ((8,), (8,), {(0, 0): 8, (0, 1): 28, (1, 0): 28}),
        ((6, 6), (8,), {(0, 0): 36, (0, 1): 125, (1, 0): 127}),
        (
            SWORDS,
            (12, 6),
            {
                (0, 0): 3924,
                (0, 1): 29566,
                (0, 2): 121163,
                (1, 0): 21378,
                (1, 1): 92460,
                (2, 0): 26421,
            },
        ),
    ],
)
def test_counts_equal_the_published_ones(
    attack: DicePool, defence: DicePool, counts: dict[tuple[int, int], int]
) -> None:
    assert dict(pair_losses(attack, defence)) == counts
    assert total(pair_losses(attack, defence)) == prod(attack + defence)


def test_counts_of_a_large_battle_equal_the_published_ones() -> None:
    losses = pair_losses(FOREST, CASTLE)
    assert total(losses) == 691_200_000
    assert [losses[lost] for lost in ((0, 4), (4, 0), (2, 2), (0, 0))] == [
        150_809_964,
        54_520_307,
        53_751_404,
        846_245,
    ]


def test_counts_are_cached_for_pools_in_any_order() -> None:
    assert pair_losses(FOREST, CASTLE) is pair_losses(FOREST[::-1], CASTLE[::-1])
    both = pair_losses(FOREST, CASTLE, ties_win=(True, True))
    assert both is pair_losses(FOREST, CASTLE)


def test_pool_without_dice_causes_no_losses() -> None:
    assert dict(pair_losses((), (6, 6))) == {(0, 0): 36}
    assert dict(pair_losses((8,), (6,), drop=(0, 1))) == {(0, 0): 48}


def test_a_die_without_sides_is_an_error() -> None:
    with pytest.raises(ValueError, match="side"):
        pair_losses((6, 0), (6,))


# -- given dice ------------------------------------------------------------------------------------


def test_given_dice_are_paired_from_high_to_low() -> None:
    found = compare((3, 8, 5, 1), (5, 6))
    assert found.pairs == ((8, 6), (5, 5))
    assert (found.lost, found.tied) == ((0, 1), 1)
    assert found.ignored == ((3, 1), ())
    assert ranked((3, 8, 5, 8)) == (1, 3, 2, 0)


@pytest.mark.parametrize(
    ("ties_win", "lost", "tied"),
    [
        ((False, False), (0, 1), 1),
        ((True, False), (0, 2), 0),
        ((False, True), (1, 1), 0),
        ((True, True), (0, 1), 1),
    ],
)
def test_ties_win_for_the_favoured_side(
    ties_win: tuple[bool, bool], lost: tuple[int, int], tied: int
) -> None:
    found = compare((8, 5), (6, 5), ties_win=ties_win)
    assert (found.lost, found.tied) == (lost, tied)


def test_dice_set_aside_are_neither_paired_nor_ignored() -> None:
    found = compare((12, 4, 3), (5,), drop=(1, 0))
    assert (found.set_aside, found.pairs, found.ignored) == (((12,), ()), ((4, 5),), ((3,), ()))
    none_left = compare((12, 4), (5,), drop=(0, 1))
    assert (none_left.pairs, none_left.ignored, none_left.lost) == ((), ((12, 4), ()), (0, 0))


@given(faces, faces, flags, few)
def test_swapped_sides_swap_the_result(
    attack: list[int], defence: list[int], ties_win: tuple[bool, bool], drop: tuple[int, int]
) -> None:
    found = compare(attack, defence, ties_win=ties_win, drop=drop)
    turned = compare(defence, attack, ties_win=ties_win[::-1], drop=drop[::-1])
    assert found.lost == turned.lost[::-1]
    assert sum(found.lost) + found.tied == len(found.pairs)


@given(faces, faces, st.data())
def test_higher_die_never_harms_and_an_extra_1_changes_nothing(
    attack: list[int], defence: list[int], data: st.DataObject
) -> None:
    lost = compare(attack, defence).lost
    if len(attack) >= len(defence):
        assert compare([*attack, 1], defence).lost == lost
    if attack:
        place = data.draw(st.integers(0, len(attack) - 1))
        raised = compare([*attack[:place], attack[place] + 1, *attack[place + 1 :]], defence).lost
        assert raised[0] <= lost[0]
        assert raised[1] >= lost[1]


def test_only_low_dice_are_rerolled() -> None:
    dice = Scripted([(8, 2), (10, 5), (6, 1), (8, 1), (6, 4)])
    pool = (8, 10, 6)
    values = roll(dice, pool)
    assert values == (2, 5, 1)
    assert reroll(dice, pool, values, 2) == (1, 5, 4)
    assert dice.left() == 0


# -- helpers ---------------------------------------------------------------------------------------


def test_means_and_chances_are_exact() -> None:
    losses = pair_losses((6, 6), (8,))
    assert mean_losses(losses) == (Fraction(127, 288), Fraction(125, 288))
    assert chance_of_losses(losses, defence=1) == Fraction(125, 288)
    assert chance_of_losses(losses, attack=1, defence=1) == 0
    assert chance_of_losses(losses) == 1


def test_casualties_are_capped_by_units() -> None:
    losses = capped(pair_losses(SWORDS, (12, 6)), 4, 1)
    assert losses[0, 1] == 29566 + 121163
    assert total(losses) == 294912
