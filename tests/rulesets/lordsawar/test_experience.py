"""Experience, hit counters, medals and levels."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.dice import Scripted
from engine.rulesets.lordsawar.battle import fight, roll_battle
from engine.rulesets.lordsawar.battle_records import HitCounters
from engine.rulesets.lordsawar.experience import (
    Medal,
    decorated,
    gains,
    hit_counters,
    kept_counters,
    level_gains,
    level_reached,
    may_get_medals,
    medals_due,
    read,
    share,
    stored,
    value_at,
)
from tests.rulesets.lordsawar.armies import army, duel, met


@pytest.mark.rule("LW-6.2")
@pytest.mark.parametrize(
    ("values", "survivors", "each"),
    [
        ((1, 1, 1), 3, "1"),
        ((10, 1), 3, "11/3"),
        ((10,), 8, "5/4"),
        ((), 4, "0"),
        ((1,), 0, "0"),
    ],
)
def test_values_of_the_dead_are_shared(values: tuple[int, ...], survivors: int, each: str) -> None:
    assert stored(share(map(Fraction, values), survivors)) == each


@pytest.mark.rule("LW-6.2")
@given(st.lists(st.integers(0, 30), max_size=32), st.integers(1, 32))
def test_every_share_is_exact(levels: list[int], survivors: int) -> None:
    values = [value_at(Fraction(10), level) for level in levels]
    each = read(stored(share(values, survivors)))
    assert each * survivors == sum(values)


@pytest.mark.rule("LW-6.2")
def test_all_survivors_share_even_without_fighting() -> None:
    lines = [army(1, 9), army(2, 1), army(3, 1)], [army(11, 1), army(12, 1)]
    values = {1: 1, 2: 1, 3: 1, 11: 10, 12: 1}
    exact = {number: Fraction(value) for number, value in values.items()}
    won = met(*lines)
    assert gains(won, fight(won), exact) == dict.fromkeys((1, 2, 3), Fraction(11, 3))
    lost = met(*lines[::-1])
    assert gains(lost, fight(lost), exact) == dict.fromkeys((1, 2, 3), Fraction(11, 3))


@pytest.mark.rule("LW-6.3")
def test_hit_counters_use_the_ratio_of_values() -> None:
    """The attacker is worth ten times as much, so it counts little dealt and much received."""
    values = {1: Fraction(10), 2: Fraction(1)}
    found = hit_counters(fight(duel(5, 2)).hits, values, {1: HitCounters("1/3", "0")})
    assert found[1] == HitCounters(stored(Fraction(1, 3) + Fraction(9, 40)), "15/4")
    assert found[2] == HitCounters("15/4", "9/40")


@pytest.mark.rule("LW-6.3", "LW-4.3")
def test_dice_use_the_ratio_of_attacker_to_defender() -> None:
    values = {1: Fraction(10), 2: Fraction(1)}
    hits = roll_battle(Scripted([5, 6, 6, 5, 5, 6]), duel(5, 5)).hits
    found = hit_counters(hits, values, {}, dice=True)
    assert found == {1: HitCounters("1/5", "1/10"), 2: HitCounters("1/10", "1/5")}


@pytest.mark.rule("LW-6.3")
def test_counters_restart_after_experience() -> None:
    counted = HitCounters("3/2", "1")
    assert kept_counters(counted, Fraction(1, 7)) == HitCounters()
    assert kept_counters(counted, Fraction(0)) == counted


@pytest.mark.rule("LW-6.4")
@pytest.mark.parametrize(
    ("battles", "counters", "held", "due"),
    [
        (10, HitCounters(), (), ()),
        (11, HitCounters(), (), ("veteran",)),
        (11, HitCounters(), ("veteran",), ()),
        (0, HitCounters("50", "0"), (), ()),
        (0, HitCounters("501/10", "0"), (), ("attack",)),
        (0, HitCounters("0", "-100"), (), ()),
        (0, HitCounters("0", "-1001/10"), (), ("defence",)),
        (99, HitCounters("99", "-999"), ("attack",), ("defence", "veteran")),
    ],
)
def test_medal_has_a_threshold_and_is_given_once(
    battles: int, counters: HitCounters, held: tuple[Medal, ...], due: tuple[Medal, ...]
) -> None:
    assert medals_due(battles, counters, held) == due


@pytest.mark.rule("LW-6.4")
def test_medals_are_for_ordinary_armies_beside_a_hero() -> None:
    assert may_get_medals(hero=False, awardable=False, with_hero=True)
    assert not may_get_medals(hero=True, awardable=False, with_hero=True)
    assert not may_get_medals(hero=False, awardable=True, with_hero=True)
    assert not may_get_medals(hero=False, awardable=False, with_hero=False)


@pytest.mark.rule("LW-6.4")
def test_medal_raises_strength_up_to_nine_and_value() -> None:
    assert decorated(5, Fraction(1), 1) == (6, Fraction(2))
    assert decorated(8, Fraction(1), 3) == (9, Fraction(4))
    assert decorated(9, Fraction(3, 2), 1) == (9, Fraction(5, 2))


@pytest.mark.rule("LW-10.5")
@pytest.mark.parametrize(
    ("experience", "level", "reached"),
    [("0", 1, 1), ("29/3", 1, 1), ("10", 1, 2), ("20", 1, 3), ("99", 2, 10), ("10", 5, 5)],
)
def test_level_rises_every_ten_points(experience: str, level: int, reached: int) -> None:
    assert level_reached(read(experience), level) == reached


@pytest.mark.rule("LW-10.5")
def test_a_hero_is_worth_a_fifth_more_each_level() -> None:
    assert [stored(value_at(Fraction(10), levels)) for levels in range(4)] == [
        "10",
        "12",
        "72/5",
        "432/25",
    ]


@pytest.mark.rule("LW-10.6")
def test_a_level_is_a_gain_of_strength_moves_sight_or_hit_points() -> None:
    gains = [(gain.strength, gain.moves, gain.sight, gain.max_hp) for gain in level_gains(8)]
    assert gains == [(1, 0, 0, 0), (0, 4, 0, 0), (0, 0, 1, 0), (0, 0, 0, 4)]
    assert [gain.strength for gain in level_gains(9)] == [0, 0, 0]


def test_invalid_fraction_is_refused() -> None:
    with pytest.raises(ValueError, match="Invalid literal"):
        read("many")
