"""The properties of section 22 of the rule book that concern battles.

``PROPERTIES`` is the table of numbers and tests; tests without a module are in this one.
"""

from __future__ import annotations

import hashlib
import random
from fractions import Fraction
from importlib import import_module

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.core.dice import Scripted, Seeded
from engine.core.record import replace
from engine.rulesets.lordsawar.battle import (
    battle,
    dice_ends,
    fight,
    forecast,
    roll_battle,
    trial,
)
from engine.rulesets.lordsawar.battle_records import (
    HIT_POINT,
    NO_ARMY,
    BattleCourse,
    BattleStrengths,
    BattleTerms,
    Combatant,
    CombatOptions,
    SideStrength,
)
from engine.rulesets.lordsawar.kinds import UnitFlag
from engine.rulesets.lordsawar.strength import battle_strengths, line_up, reasons
from tests.contract.walks import examples
from tests.rulesets.lordsawar import naive

HERE = "tests.rulesets.lordsawar"
PROPERTIES: dict[int, tuple[str, ...]] = {
    1: (f"{HERE}.test_hit_points:test_damage_rises_with_the_hitter_and_falls_with_the_target",),
    2: (f"{HERE}.test_hit_points:test_damage_rises_with_the_hitter_and_falls_with_the_target",),
    3: (f"{HERE}.test_hit_points:test_intense_combat_hurts_less_up_to_strength_ten_only",),
    4: (f"{HERE}.test_hit_points:test_every_damage_is_a_whole_number_of_units",),
    5: ("test_strengths_stay_in_bounds",),
    6: ("test_neither_the_order_of_armies_nor_their_numbers_matter",),
    7: ("test_helpful_flags_never_lower_and_harmful_never_raise",),
    8: ("test_strengths_stay_in_bounds",),
    9: ("test_strengths_stay_in_bounds",),
    10: ("test_strengths_stay_in_bounds",),
    11: ("test_a_battle_is_the_same_on_every_machine",),
    12: ("test_battle_has_alternating_hits_and_one_winner",),
    13: ("test_hit_points_fall_by_the_damage_and_nothing_else",),
    14: ("test_battle_has_alternating_hits_and_one_winner",),
    15: ("test_battle_has_alternating_hits_and_one_winner",),
    16: ("test_more_strength_or_hit_points_never_lose_a_battle",),
    17: ("test_trial_has_the_result_of_the_battle",),
    18: ("test_battle_has_alternating_hits_and_one_winner",),
    19: (f"{HERE}.test_hit_points:test_healing_is_monotonic_and_stops_at_the_maximum",),
    20: (f"{HERE}.test_hit_points:test_ordinary_army_is_healed_after_two_phases",),
    21: (f"{HERE}.test_battle:test_exchange_hurts_exactly_one_fighter",),
    22: ("test_dice_battles_replay_and_their_chance_is_exact",),
}

CLASSES = ("city", "open", "forest", "hills", "other")
HELPFUL = tuple(flag for flag in UnitFlag if (flag.name or "").startswith("ADD"))
CANCELLING = (UnitFlag.SUBALLCITYBONUS, UnitFlag.SUBALLHEROBONUS, UnitFlag.SUBALLNONHEROBONUS)
DEBUFFING = UnitFlag.SUB1ENEMYSTACK | UnitFlag.SUB2ENEMYSTACK


@pytest.mark.parametrize("number", range(1, 23))
def test_every_property_has_its_tests(number: int) -> None:
    assert PROPERTIES[number]
    for test in PROPERTIES[number]:
        module, _, name = test.rpartition(":")
        assert callable(getattr(import_module(module or __name__), name))


# -- random battles --------------------------------------------------------------------------------


masks = st.one_of(
    st.just(0),
    st.sampled_from(UnitFlag).map(int),
    st.integers(0, (1 << 18) - 1),
)


@st.composite
def combatants(draw: st.DrawFn, number: int) -> Combatant:
    is_hero = draw(st.integers(0, 4)) == 0
    max_hp = draw(st.sampled_from((2, 2, 2, 6, 10)))
    return Combatant(
        number,
        27 if is_hero else draw(st.integers(0, 26)),
        draw(st.integers(1, 9)),
        draw(st.one_of(st.just(max_hp * HIT_POINT), st.integers(1, max_hp * HIT_POINT))),
        max_hp,
        draw(masks),
        hero=is_hero,
        aboard=draw(st.integers(0, 5)) == 0,
        in_tower=draw(st.integers(0, 5)) == 0,
        personal=draw(st.integers(0, 4)) if is_hero else 0,
        commanding=draw(st.integers(0, 3)) if is_hero else 0,
    )


@st.composite
def sides(draw: st.DrawFn, first: int, most: int = 8) -> tuple[Combatant, ...]:
    count = draw(st.integers(1, most))
    chance = random.Random(draw(st.integers(0, 9999)))  # noqa: S311 - an order by lot
    order = chance.sample(range(28), draw(st.integers(0, 28)))
    return line_up([draw(combatants(first + number)) for number in range(count)], order)


grounds = st.builds(
    BattleTerms,
    st.sampled_from(CLASSES),
    st.sampled_from(CLASSES),
    st.integers(0, 2),
    st.booleans(),
)
choices = st.builds(
    CombatOptions,
    st.just("deterministic"),
    st.booleans(),
    st.sampled_from(("fixed4", "capped4")),
    st.just("grass"),
)
attackers, defenders = sides(1), sides(101, 12)


def hit_points_of(side: SideStrength) -> list[int]:
    return [army.hp for army in side.line]


# -- strength --------------------------------------------------------------------------------------


@pytest.mark.rule("LW-3.1", "LW-3.2", "LW-3.3", "LW-3.4", "LW-3.5", "LW-3.6", "LW-3.7", "LW-5")
@examples(120)
@given(attackers, defenders, grounds, choices)
def test_strengths_and_hits_equal_the_naive_implementation(
    own: tuple[Combatant, ...],
    other: tuple[Combatant, ...],
    terms: BattleTerms,
    options: CombatOptions,
) -> None:
    found = battle_strengths(own, other, terms, options)
    left, facing = naive.fighters(own), naive.fighters(other)
    naive.strengths(left, facing, terms, options)
    assert found.attackers.final == tuple(one.strength for one in left)
    assert found.defenders.final == tuple(one.strength for one in facing)
    blows = naive.fight(left, facing, 24 if options.intense_combat else 20)
    course = battle(Scripted(), found, options)
    assert blows == [
        (
            hit.time,
            "A" if hit.by_attacker else "D",
            hit.hitter,
            hit.target,
            Fraction(hit.damage, HIT_POINT),
            Fraction(hit.hp, HIT_POINT),
        )
        for hit in course.hits
    ]
    assert course.attackers_won == bool(left)


@pytest.mark.rule("LW-3.2", "LW-3.4", "LW-3.5", "LW-3.6")
@examples(100)
@given(attackers, defenders, grounds, choices)
def test_strengths_stay_in_bounds(
    own: tuple[Combatant, ...],
    other: tuple[Combatant, ...],
    terms: BattleTerms,
    options: CombatOptions,
) -> None:
    found = battle_strengths(own, other, terms, options)
    for side in (found.attackers, found.defenders):
        assert 0 <= side.bonus <= 5
        for place, (army, told) in enumerate(zip(side.line, side.armies, strict=True)):
            counted = [one.value for one in reasons(side, place) if one.cancelled_by == NO_ARMY]
            assert sum(counted) == told.final
            assert 1 <= told.final <= 14
            before = told.base + told.personal + told.terrain + told.cap
            assert before + told.stack + told.debuff + told.floor == told.final
            assert before <= 9
            if army.aboard:
                assert told.final == 4 or options.ship_strength == "capped4"
                assert told.final <= 4
    assert {part.source for part in found.attackers.parts} <= {"stack", "items", "command"}


@pytest.mark.rule("LW-2.2")
@given(attackers, defenders, grounds, st.randoms())
def test_neither_the_order_of_armies_nor_their_numbers_matter(
    own: tuple[Combatant, ...],
    other: tuple[Combatant, ...],
    terms: BattleTerms,
    chance: object,
) -> None:
    shuffled = list(own)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]  # Hypothesis' own random numbers
    order = tuple(dict.fromkeys(army.type for army in own))
    line = line_up(shuffled, order)
    assert line == line_up(own, order)
    renamed = tuple(replace(army, id=5 * army.id + 1) for army in shuffled)
    found = battle_strengths(line, other, terms)
    again = battle_strengths(line_up(renamed, order), other, terms)
    assert found.attackers.final == again.attackers.final
    assert found.defenders.final == again.defenders.final
    assert trial(found) == trial(again)


@pytest.mark.rule("LW-3.2", "LW-3.3", "LW-3.6")
@examples(100)
@given(attackers, defenders, grounds, st.data())
def test_helpful_flags_never_lower_and_harmful_never_raise(
    own: tuple[Combatant, ...],
    other: tuple[Combatant, ...],
    terms: BattleTerms,
    data: st.DataObject,
) -> None:
    """Only the first debuffer in line counts, so one before a stronger debuffer harms less."""
    place = data.draw(st.integers(0, len(own) - 1))
    before = battle_strengths(own, other, terms)
    back = battle_strengths(other, own, terms)

    def gifted(flag: int) -> tuple[Combatant, ...]:
        better = replace(own[place], bonus=own[place].bonus | flag)
        return (*own[:place], better, *own[place + 1 :])

    helped = gifted(data.draw(st.sampled_from(HELPFUL)))
    pairs = (
        (before.attackers, battle_strengths(helped, other, terms).attackers),
        (back.defenders, battle_strengths(other, helped, terms).defenders),
    )
    for old, new in pairs:
        assert all(one <= two for one, two in zip(old.final, new.final, strict=True))

    later = (army.bonus & DEBUFFING for army in own[place + 1 :])
    flags = CANCELLING if any(later) else (*CANCELLING, UnitFlag.SUB1ENEMYSTACK)
    harmful = gifted(data.draw(st.sampled_from(flags)))
    pairs = (
        (before.defenders, battle_strengths(harmful, other, terms).defenders),
        (back.attackers, battle_strengths(other, harmful, terms).attackers),
    )
    for old, new in pairs:
        assert all(one >= two for one, two in zip(old.final, new.final, strict=True))


# -- battles ---------------------------------------------------------------------------------------


def lost(side: SideStrength, hp: tuple[int, ...]) -> int:
    return sum(hit_points_of(side)) - sum(hp)


@pytest.mark.rule("LW-5")
@examples(100)
@given(attackers, defenders, grounds, choices)
def test_battle_has_alternating_hits_and_one_winner(
    own: tuple[Combatant, ...],
    other: tuple[Combatant, ...],
    terms: BattleTerms,
    options: CombatOptions,
) -> None:
    strengths = battle_strengths(own, other, terms, options)
    course = fight(strengths, intense=options.intense_combat)
    assert [hit.by_attacker for hit in course.hits] == [
        not time % 2 for time in range(len(course.hits))
    ]
    assert [hit.time for hit in course.hits] == list(range(len(course.hits)))
    assert any(course.attackers_hp) is course.attackers_won
    assert any(course.defenders_hp) is not course.attackers_won
    for hp in (course.attackers_hp, course.defenders_hp):
        dead = sum(not left for left in hp)
        assert not any(hp[:dead]), "the dead are the first of their line"
    gone: set[int] = set()
    for hit in course.hits:
        assert hit.hitter not in gone
        assert hit.target not in gone
        if not hit.hp:
            gone.add(hit.target)
    least = HIT_POINT // 10
    assert len(course.hits) <= sum(-(-army.hp // least) for army in (*own, *other))


@pytest.mark.rule("LW-5")
@examples(100)
@given(attackers, defenders, grounds)
def test_hit_points_fall_by_the_damage_and_nothing_else(
    own: tuple[Combatant, ...], other: tuple[Combatant, ...], terms: BattleTerms
) -> None:
    strengths = battle_strengths(own, other, terms)
    course = fight(strengths)
    hp = {army.id: army.hp for army in (*own, *other)}
    overkill = 0
    for hit in course.hits:
        assert hit.hp < hp[hit.target]
        assert hit.hp == max(0, hp[hit.target] - hit.damage)
        overkill += hit.damage - (hp[hit.target] - hit.hp)
        hp[hit.target] = hit.hp
    fallen = lost(strengths.attackers, course.attackers_hp)
    fallen += lost(strengths.defenders, course.defenders_hp)
    assert fallen == sum(hit.damage for hit in course.hits) - overkill
    assert tuple(hp[army.id] for army in own) == course.attackers_hp
    assert tuple(hp[army.id] for army in other) == course.defenders_hp


@pytest.mark.rule("LW-7.1", "LW-5")
@examples(80)
@given(attackers, defenders, grounds, choices)
def test_trial_has_the_result_of_the_battle(
    own: tuple[Combatant, ...],
    other: tuple[Combatant, ...],
    terms: BattleTerms,
    options: CombatOptions,
) -> None:
    strengths = battle_strengths(own, other, terms, options)
    before = msgspec.json.encode(strengths)
    found = forecast(strengths, options)
    assert msgspec.json.encode(strengths) == before
    course = battle(Scripted(), strengths, options)
    assert found.chance == float(course.attackers_won)
    assert (found.attackers_hp, found.defenders_hp) == (course.attackers_hp, course.defenders_hp)


def plain(pairs: list[tuple[int, int]], first: int) -> SideStrength:
    """Return a side with these strengths and hit points in units."""
    line = tuple(
        Combatant(number, 0, min(9, strength), hp, 10)
        for number, (strength, hp) in enumerate(pairs, first)
    )
    return SideStrength(line, (), 0, 0, NO_ARMY, (), tuple(strength for strength, _ in pairs))


battle_lines = st.lists(
    st.tuples(st.integers(1, 14), st.integers(1, 10 * HIT_POINT)), min_size=1, max_size=8
)


@pytest.mark.rule("LW-5")
@examples(150)
@given(battle_lines, battle_lines, st.data())
def test_more_strength_or_hit_points_never_lose_a_battle(
    own: list[tuple[int, int]], other: list[tuple[int, int]], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(own) - 1))
    strength, hp = own[place]
    raised = data.draw(st.integers(strength, 14)), data.draw(st.integers(hp, 10 * HIT_POINT))
    better = [*own[:place], raised, *own[place + 1 :]]
    assume(better != own)
    facing, old, new = plain(other, 101), plain(own, 1), plain(better, 1)
    assert trial(BattleStrengths(old, facing)).attackers_won <= (
        trial(BattleStrengths(new, facing)).attackers_won
    )
    assert trial(BattleStrengths(facing, old)).attackers_won >= (
        trial(BattleStrengths(facing, new)).attackers_won
    )


def some_course(number: int) -> BattleCourse:
    """Return a battle from a stream of dice."""
    dice = Seeded(b"the same everywhere", number, "battle")

    def line(first: int) -> tuple[Combatant, ...]:
        return tuple(
            Combatant(first + at, 0, dice.roll(9), dice.roll(2 * HIT_POINT), 2, 1 << dice.roll(17))
            for at in range(dice.roll(8))
        )

    return fight(battle_strengths(line(1), line(101), BattleTerms("open", "hills")))


@pytest.mark.rule("LW-5", "LW-4.2")
def test_a_battle_is_the_same_on_every_machine() -> None:
    digest = hashlib.sha256()
    for number in range(100):
        digest.update(msgspec.json.encode(some_course(number)))
    assert digest.hexdigest()[:16] == "bd663ff61bf7f397"


# -- dice ------------------------------------------------------------------------------------------


def slow_chance(own: list[tuple[int, int]], other: list[tuple[int, int]]) -> Fraction:
    """Return the attackers' chance as a fraction, exchange by exchange."""
    if not own or not other:
        return Fraction(bool(own))
    (strength, hp), (facing, left) = own[0], other[0]
    there, back = strength * (20 - facing), facing * (20 - strength)
    hurt_other = [(facing, left - 1), *other[1:]] if left > 1 else other[1:]
    hurt_own = [(strength, hp - 1), *own[1:]] if hp > 1 else own[1:]
    won = there * slow_chance(own, hurt_other) + back * slow_chance(hurt_own, other)
    return won / (there + back)


points = st.lists(st.tuples(st.integers(1, 14), st.integers(1, 3)), min_size=1, max_size=3)


@pytest.mark.rule("LW-4.3", "LW-7.2")
@given(points, points, st.integers(0, 1000))
def test_dice_battles_replay_and_their_chance_is_exact(
    own: list[tuple[int, int]], other: list[tuple[int, int]], seed: int
) -> None:
    both = [
        plain([(strength, hp * HIT_POINT) for strength, hp in line], first)
        for line, first in ((own, 1), (other, 101))
    ]
    strengths = BattleStrengths(*both)
    assert sum(dice_ends(strengths).won) == pytest.approx(float(slow_chance(own, other)), abs=1e-12)
    dice = Seeded(b"dice", seed, "battle")
    course = roll_battle(dice, strengths)
    assert roll_battle(Scripted(dice.thrown), strengths) == course
    assert len(course.hits) == sum(
        (hit_points - left) // HIT_POINT
        for side, hp in zip(both, (course.attackers_hp, course.defenders_hp), strict=True)
        for hit_points, left in zip(hit_points_of(side), hp, strict=True)
    )
