"""Computed chances of battles."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.dice import Seeded
from engine.strategic.battle import odds_of
from engine.strategic.battle_records import BattleOdds
from engine.strategic.duels import fight, odds
from tests.strategic.fighting.sides import RULES, against, plain, soldier
from tests.strategic.ground import HERO, LIGHT, SCOUTS

STRENGTHS = st.lists(st.integers(1, 15), min_size=1, max_size=6)


def of(attackers: list[int], defenders: list[int], sides: int = 20) -> BattleOdds:
    return odds(tuple(attackers), tuple(defenders), (False,) * len(attackers), sides)


def by_trees(attackers: tuple[int, ...], defenders: tuple[int, ...], sides: int) -> Fraction:
    """Return the attackers' chance as a fraction by following every hit."""

    @cache
    def win(front: int, bears: int, facing: int, faces: int) -> Fraction:
        if facing == len(defenders):
            return Fraction(1)
        if front == len(attackers):
            return Fraction(0)
        mine, theirs = attackers[front], defenders[facing]
        hit = mine * (sides - theirs)
        share = Fraction(hit, hit + theirs * (sides - mine))
        good = (front, bears, facing, 1) if faces == 2 else (front, bears, facing + 1, 2)
        bad = (front, 1, facing, faces) if bears == 2 else (front + 1, 2, facing, faces)
        return share * win(*good) + (1 - share) * win(*bad)

    return win(0, 2, 0, 2)


@pytest.mark.rule("W2-8.5")
@given(STRENGTHS, STRENGTHS, st.sampled_from([20, 24]))
def test_chance_is_the_sum_over_all_courses(
    attackers: list[int], defenders: list[int], sides: int
) -> None:
    exact = by_trees(tuple(attackers), tuple(defenders), sides)
    assert of(attackers, defenders, sides).chance == pytest.approx(float(exact), abs=1e-12)


@pytest.mark.rule("W2-8.5")
@pytest.mark.parametrize("attacker", [1, 4, 9, 15])
@pytest.mark.parametrize("defender", [1, 5, 10, 15])
def test_a_single_duel_follows_the_formula(attacker: int, defender: int) -> None:
    good, bad = attacker * (20 - defender), defender * (20 - attacker)
    q = good / (good + bad)
    assert of([attacker], [defender]).chance == pytest.approx(q * q * (3 - 2 * q))


@given(STRENGTHS, STRENGTHS)
def test_chances_of_all_outcomes_add_up(attackers: list[int], defenders: list[int]) -> None:
    found = of(attackers, defenders)
    assert sum(found.attackers_left) == pytest.approx(1)
    assert sum(found.defenders_left) == pytest.approx(1)
    assert found.attackers_left[0] == pytest.approx(1 - found.chance)
    assert found.defenders_left[0] == pytest.approx(found.chance)
    for live, left in (
        (found.attackers_live, found.attackers_left),
        (found.defenders_live, found.defenders_left),
    ):
        assert list(live) == sorted(live), "who fights later lives longer"
        assert sum(live) == pytest.approx(sum(k * chance for k, chance in enumerate(left)))


@given(STRENGTHS, STRENGTHS)
def test_odds_are_symmetric_between_the_sides(attackers: list[int], defenders: list[int]) -> None:
    there, back = of(attackers, defenders), of(defenders, attackers)
    assert there.chance == pytest.approx(1 - back.chance)
    assert there.attackers_left == pytest.approx(back.defenders_left)


@pytest.mark.rule("W2-8.5")
@given(STRENGTHS, STRENGTHS, st.data())
def test_strength_added_never_lowers_the_chance(
    attackers: list[int], defenders: list[int], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(attackers) - 1))
    better = [one + (k == place and one < 15) for k, one in enumerate(attackers)]
    assert of(better, defenders).chance >= of(attackers, defenders).chance - 1e-12
    more = [*attackers, data.draw(st.integers(1, 15))]
    assert of(more, defenders).chance > of(attackers, defenders).chance


@pytest.mark.rule("W2-8.5")
@pytest.mark.parametrize(
    ("attackers", "defenders", "shielded", "sides"),
    [
        ((5, 4, 6), (3, 5, 5), (False, False, False), 20),
        ((2, 2, 9), (6, 3), (False, False, False), 24),
        ((3, 5), (8, 9), (False, True), 20),
        ((6, 2, 2, 2), (4, 4, 4, 4, 4), (True, False, False, False), 24),
    ],
)
def test_share_of_won_battles_follows_the_forecast(
    attackers: tuple[int, ...], defenders: tuple[int, ...], shielded: tuple[bool, ...], sides: int
) -> None:
    times = 600
    rules = replace(RULES, dice=sides)
    lineup = plain(attackers, defenders, shielded)
    dice = Seeded(b"forecast", sides, "decide")
    counted = [0] * (len(attackers) + 1)
    for _ in range(times):
        duels = fight(dice, rules, lineup)
        counted[len(attackers) - sum(not duel.won for duel in duels)] += 1
    found = odds_of(rules, lineup)
    for seen, chance in zip(counted, found.attackers_left, strict=True):
        deviation = (times * chance * (1 - chance)) ** 0.5
        assert abs(seen - times * chance) <= 4 * deviation + 1


@pytest.mark.rule("W2-8.5", "W2-0.1")
def test_a_shielded_hero_cannot_lose_to_neutrals() -> None:
    novice = replace(RULES, novice_shield=True)
    weak, strong = [soldier(HERO, strength=1)], [soldier(LIGHT, strength=9)] * 4
    shielded = against(weak, strong, neutral=True, novice=True, rules=novice)
    assert odds_of(novice, shielded).chance == pytest.approx(1.0)
    for unshielded in (
        against(weak, strong, neutral=True, novice=True),
        against(weak, strong, neutral=True, novice=False, rules=novice),
    ):
        assert odds_of(RULES, unshielded).chance < 0.01


@pytest.mark.rule("W2-8.5")
def test_the_shield_covers_only_heroes_in_front() -> None:
    novice = replace(RULES, novice_shield=True)
    lineup = against(
        [soldier(HERO), soldier(SCOUTS)], [soldier(LIGHT)], novice=True, neutral=True, rules=novice
    )
    assert lineup.shielded == (False, True), "scouts fight first"
    found = odds_of(novice, lineup)
    assert found.attackers_live[0] < 1
    assert found.attackers_live[1] == pytest.approx(1)


def test_side_that_cannot_hit_has_no_chance() -> None:
    assert odds((5,), (20,), (False,), 20).chance == 0.0
    assert odds((20,), (20,), (True,), 20).chance == 0.0
    assert odds((20,), (5,), (False,), 20).chance == 1.0


def test_a_battle_of_a_whole_city_is_computed_to_the_end() -> None:
    found = of([9] * 8, [4] * 32)
    assert sum(found.attackers_left) == pytest.approx(1)
    chances = [of([9] * 8, [4] * count).chance for count in range(1, 33)]
    assert all(more < less for less, more in pairwise(chances))
