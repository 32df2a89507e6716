"""Damage, healing and texts of hit points."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rulesets.lordsawar.battle_records import HIT_POINT
from engine.rulesets.lordsawar.hit_points import (
    damage,
    damage_table,
    damage_text,
    die_sides,
    exact_text,
    healed,
    healing,
    hp_text,
    log_hp_text,
    most_strength,
    parsed_hp,
)
from tests.rulesets.lordsawar import naive

STRENGTHS = range(1, 15)


@pytest.mark.rule("LW-4.1", "LW-0")
@pytest.mark.parametrize(
    ("hitter", "target", "intense", "said"),
    [
        (5, 2, False, "1.125"),
        (2, 5, False, "0.375"),
        (5, 5, False, "0.9375"),
        (1, 9, False, "0.1375"),
        (1, 12, False, "0.1"),
        (1, 13, False, "0.1"),
        (1, 14, False, "0.1"),
        (8, 8, False, "1.2"),
        (14, 1, False, "3.325"),
        (5, 2, True, "0.95486"),
        (1, 14, True, "0.1"),
    ],
)
def test_damage_equals_the_book(hitter: int, target: int, intense: bool, said: str) -> None:
    assert exact_text(damage(hitter, target, die_sides(intense=intense))) == said


@pytest.mark.rule("LW-4.1", "LW-4.2")
@pytest.mark.parametrize("sides", [20, 24])
def test_every_damage_is_a_whole_number_of_units(sides: int) -> None:
    assert most_strength() == 14
    for hitter in STRENGTHS:
        for target in STRENGTHS:
            units = damage_table(sides)[hitter][target]
            assert Fraction(units, HIT_POINT) == naive.damage(hitter, target, sides)
            factor = {20: 36, 24: 25}[sides]
            assert units == max(288, factor * hitter * (sides - target))


@pytest.mark.rule("LW-4.1")
@pytest.mark.parametrize("sides", [20, 24])
def test_damage_rises_with_the_hitter_and_falls_with_the_target(sides: int) -> None:
    table, least = damage_table(sides), HIT_POINT // 10
    for own in STRENGTHS:
        for other in STRENGTHS:
            found = table[own][other]
            assert found >= least
            if own > 1 and found > least:
                assert found > table[own - 1][other]
            if other > 1 and table[own][other - 1] > least:
                assert found < table[own][other - 1]


@pytest.mark.rule("LW-4.1", "LW-0")
def test_minimum_damage_affects_only_weakest_against_strongest() -> None:
    for sides, factor in ((20, 36), (24, 25)):
        bound = [
            (own, other)
            for own in STRENGTHS
            for other in STRENGTHS
            if factor * own * (sides - other) < HIT_POINT // 10
        ]
        assert bound == [(1, other) for other in (13, 14)]


@pytest.mark.rule("LW-0", "LW-4.1")
def test_intense_combat_hurts_less_up_to_strength_ten_only() -> None:
    normal, intense = damage_table(20), damage_table(24)
    for own in STRENGTHS:
        for other in STRENGTHS:
            if other <= 10:
                assert normal[own][other] > intense[own][other]
            else:
                assert normal[own][other] <= intense[own][other]


@pytest.mark.rule("LW-4.2")
def test_sums_of_damages_are_exact() -> None:
    hits, hp = 0, parsed_hp("3")
    while hp > 0:
        hp -= parsed_hp("0.15")
        hits += 1
    assert hits == 20


# -- healing ---------------------------------------------------------------------------------------


@pytest.mark.rule("LW-6.5")
@pytest.mark.parametrize(
    ("max_hp", "gain"),
    [
        (2, "1"),
        (6, "1"),
        (10, "1"),
        (49, "1"),
        (50, "1"),
        (51, "10.1"),
        (52, "10.2"),
        (60, "11"),
        (100, "15"),
    ],
)
def test_healing_is_one_point_or_a_tenth_plus_five(max_hp: int, gain: str) -> None:
    assert exact_text(healing(max_hp)) == gain


@pytest.mark.rule("LW-6.5")
@given(st.integers(1, 120), st.data())
def test_healing_is_monotonic_and_stops_at_the_maximum(max_hp: int, data: st.DataObject) -> None:
    units = st.integers(1, max_hp * HIT_POINT)
    lower, higher = sorted((data.draw(units), data.draw(units)))
    assert lower < healed(lower, max_hp) or lower == max_hp * HIT_POINT
    assert healed(lower, max_hp) <= healed(higher, max_hp) <= max_hp * HIT_POINT
    assert healed(max_hp * HIT_POINT, max_hp) == max_hp * HIT_POINT
    amount = data.draw(units)
    assert healed(lower, max_hp, amount) == min(max_hp * HIT_POINT, lower + amount)


@pytest.mark.rule("LW-6.5")
def test_ordinary_army_is_healed_after_two_phases() -> None:
    assert healed(healed(1, 2), 2) == 2 * HIT_POINT


# -- texts -----------------------------------------------------------------------------------------


@pytest.mark.rule("LW-8.1")
@pytest.mark.parametrize(
    ("exact", "as_damage", "as_hp", "shown"),
    [
        ("1.125", "1.13", "1.12", "2/2"),
        ("0.375", "0.38", "0.38", "1/2"),
        ("0.875", "0.88", "0.88", "1/2"),
        ("1.625", "1.63", "1.62", "2/2"),
        ("0.9375", "0.94", "0.94", "1/2"),
        ("0.1375", "0.14", "0.14", "1/2"),
        ("0", "0.00", "0.00", "0/2"),
        ("2", "2.00", "2.00", "2/2"),
        ("1", "1.00", "1.00", "1/2"),
        ("0.95486", "0.95", "0.95", "1/2"),
    ],
)
def test_hit_points_are_rounded_as_in_the_log(
    exact: str, as_damage: str, as_hp: str, shown: str
) -> None:
    units = parsed_hp(exact)
    assert damage_text(units) == as_damage
    assert log_hp_text(units) == as_hp
    assert hp_text(units, 2) == shown


@pytest.mark.rule("LW-8.1", "LW-4.2")
@given(st.integers(0, 20 * HIT_POINT))
def test_rounded_texts_are_right_and_exact_texts_read_back(units: int) -> None:
    hundredths = Fraction(units * 100, HIT_POINT)
    assert Fraction(log_hp_text(units)) * 100 == round(hundredths)
    up = (hundredths + Fraction(1, 2)).__floor__()
    assert Fraction(damage_text(units)) * 100 == up
    assert parsed_hp(exact_text(units)) == units


@pytest.mark.parametrize("text", ["", "x", "-1", "1,5", "1.", ".5", "1e3"])
def test_invalid_hit_points_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no number of hit points"):
        parsed_hp(text)
