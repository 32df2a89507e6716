"""Battles hit by hit, their end, classic dice and forecasts."""

from __future__ import annotations

import pytest

from engine.core.dice import Scripted, Seeded
from engine.core.record import replace
from engine.rulesets.lordsawar import battle as battles
from engine.rulesets.lordsawar.battle import (
    battle,
    dice_ends,
    exchange_chance,
    fight,
    forecast,
    roll_battle,
    survivors,
    trial,
)
from engine.rulesets.lordsawar.battle_records import HIT_POINT, BattleOutcome, CombatOptions
from engine.rulesets.lordsawar.hit_points import exact_text, parsed_hp
from tests.rulesets.lordsawar.armies import army, duel, met

DICE = CombatOptions("dice")


@pytest.mark.rule("LW-5")
def test_duel_of_the_book_is_fought_hit_by_hit() -> None:
    course = fight(duel(5, 2))
    told = [
        (hit.time, hit.by_attacker, hit.hitter, exact_text(hit.damage), exact_text(hit.hp))
        for hit in course.hits
    ]
    assert told == [
        (0, True, 1, "1.125", "0.875"),
        (1, False, 2, "0.375", "1.625"),
        (2, True, 1, "1.125", "0"),
    ]
    assert course.attackers_won
    assert course.attackers_hp == (parsed_hp("1.625"),)
    assert course.defenders_hp == (0,)


@pytest.mark.rule("LW-5")
def test_next_in_line_takes_the_turn_of_a_dead_army() -> None:
    course = fight(met([army(1, 6)], [army(2, 1, hp="0.1", max_hp=2), army(3, 1)]))
    assert [(hit.hitter, hit.target) for hit in course.hits] == [
        (1, 2), (3, 1), (1, 3), (3, 1), (1, 3),
    ]  # fmt: skip


@pytest.mark.rule("LW-5")
def test_wounds_last_from_one_opponent_to_the_next() -> None:
    course = fight(met([army(1, 5)], [army(2, 2), army(3, 2)]))
    hp = [exact_text(hit.hp) for hit in course.hits if hit.target == 1]
    assert hp == ["1.625", "1.25", "0.875"]
    assert course.attackers_won


@pytest.mark.rule("LW-5", "LW-4.2")
def test_hit_points_last_for_the_exact_number_of_hits() -> None:
    """Three hit points last for twenty hits of 0.15."""
    course = fight(met([army(1, 1, hp="9")], [army(2, 8, hp="3")]))
    assert exact_text(course.hits[0].damage) == "0.15"
    alone = replace(duel(1, 8).defenders.line[0], hp=3 * HIT_POINT, max_hp=3)
    strong = met([army(number, 1, hp="9") for number in range(10, 18)], [alone])
    assert sum(hit.by_attacker for hit in fight(strong).hits) == 20


@pytest.mark.rule("LW-5")
def test_first_striker_wins_an_even_duel() -> None:
    assert fight(duel(5, 5)).attackers_won
    assert exact_text(fight(duel(5, 5)).attackers_hp[0]) == "0.125"


@pytest.mark.rule("LW-0", "LW-5")
def test_intense_combat_takes_longer() -> None:
    assert len(fight(duel(2, 2), intense=True).hits) > len(fight(duel(2, 2)).hits)


@pytest.mark.rule("LW-7.1")
def test_trial_has_the_result_of_the_fight_and_changes_nothing() -> None:
    strengths = met([army(1, 5), army(2, 6)], [army(3, 4, hp="1.5"), army(4, 7)])
    course = fight(strengths)
    expected = BattleOutcome(course.attackers_won, course.attackers_hp, course.defenders_hp)
    assert trial(strengths) == expected
    assert fight(strengths) == course


@pytest.mark.rule("LW-7.2")
def test_forecast_without_dice_is_certain_with_hit_points_left() -> None:
    won, lost = forecast(duel(5, 2), CombatOptions()), forecast(duel(2, 5), CombatOptions())
    assert (won.percent, won.exact, won.attackers_hp) == (100, True, (parsed_hp("1.625"),))
    assert (lost.percent, lost.exact, lost.attackers_hp) == (0, True, (0,))
    assert exact_text(lost.defenders_hp[0]) == "1.25"


@pytest.mark.rule("LW-7")
@pytest.mark.parametrize("options", [CombatOptions(), DICE])
def test_an_empty_city_falls_for_certain(options: CombatOptions) -> None:
    assert forecast(met([army(1)], []), options).percent == 100
    assert battle(Scripted(), met([army(1)], []), options).hits == ()


@pytest.mark.parametrize("hp", [0, -1])
def test_the_dead_cannot_fight(hp: int) -> None:
    dead = replace(army(2), hp=hp)
    with pytest.raises(ValueError, match="without hit points"):
        fight(met([army(1)], [dead]))


@pytest.mark.rule("LW-7")
def test_lost_attack_weakens_the_defenders_for_the_next() -> None:
    """Survivors of the first battle are forecast again as a separate line."""
    walls, plain = [army(11, 5), army(12, 5)], CombatOptions()
    first = met([army(1, 5), army(2, 3)], walls)
    found = forecast(first, plain)
    assert found.percent == 0
    left = survivors(first.defenders, found.defenders_hp)
    assert [one.id for one in left] == [12]
    assert left[0].hp == found.defenders_hp[1] < left[0].max_hp * HIT_POINT
    assert forecast(met([army(3, 5)], list(left)), plain).percent == 100
    assert forecast(met([army(3, 5)], walls), plain).percent == 0


# -- classic dice ----------------------------------------------------------------------------------


@pytest.mark.rule("LW-4.3")
@pytest.mark.parametrize(
    ("throws", "hits"),
    [
        ((5, 6, 5, 6), [True, True]),
        ((6, 5, 6, 5), [False, False]),
        ((1, 1, 20, 20, 5, 6, 6, 5, 1, 20), [True, False, True]),
    ],
)
def test_fighter_hits_if_it_alone_rolls_below_its_strength(
    throws: tuple[int, ...], hits: list[bool]
) -> None:
    """Throws 1 to 5 mean 0 to 4, which is below a strength of five."""
    dice = Scripted(throws)
    course = roll_battle(dice, duel(5, 5))
    assert [hit.by_attacker for hit in course.hits] == hits
    assert {hit.damage for hit in course.hits} == {HIT_POINT}
    assert dice.left() == 0


@pytest.mark.rule("LW-4.3")
@pytest.mark.parametrize("sides", [20, 24])
def test_exchange_hurts_exactly_one_fighter(sides: int) -> None:
    for own in range(1, 15):
        for other in range(1, 15):
            there, back = exchange_chance(own, other, sides), exchange_chance(other, own, sides)
            assert there + back == pytest.approx(1)
            assert there == own * (sides - other) / (own * (sides - other) + other * (sides - own))


@pytest.mark.rule("LW-4.3", "LW-7.2")
def test_the_chance_of_a_duel_with_dice_is_exact() -> None:
    p = exchange_chance(6, 4, 20)
    found = forecast(duel(6, 4), DICE)
    assert found.exact
    assert found.chance == pytest.approx(p * p * (1 + 2 * (1 - p)))
    assert found.percent == round(100 * found.chance)
    assert forecast(duel(5, 5), DICE).chance == 0.5


@pytest.mark.rule("LW-4.3", "LW-7.2")
def test_exact_chance_agrees_with_many_battles() -> None:
    strengths = met([army(1, 5), army(2, 6)], [army(3, 4), army(4, 7, hp="1")])
    dice = Seeded(b"many", 0, "battles")
    won = sum(roll_battle(dice, strengths).attackers_won for _ in range(3000))
    assert won / 3000 == pytest.approx(sum(dice_ends(strengths).won), abs=0.03)


@pytest.mark.rule("LW-7.2")
def test_forecast_samples_battles_with_very_many_hit_points(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    strengths = met([army(1, 6, hp="4")], [army(2, 5, hp="4")])
    exact = forecast(strengths, DICE)
    monkeypatch.setattr(battles, "MOST_CELLS", 15)
    tried = forecast(strengths, DICE)
    assert not tried.exact
    assert tried == forecast(strengths, DICE), "always with the same dice"
    assert tried.chance == pytest.approx(exact.chance, abs=0.15)
    assert tried.chance * 100 == pytest.approx(tried.percent)


@pytest.mark.rule("LW-4.3")
def test_battle_with_recorded_dice_is_repeatable() -> None:
    strengths = met([army(1, 5), army(2, 3)], [army(3, 4), army(4, 4)])
    dice = Seeded(b"seed", 7, "battle")
    course = battle(dice, strengths, DICE)
    assert battle(Scripted(dice.thrown), strengths, DICE) == course
    assert battle(Scripted(), strengths, CombatOptions()).hits, (
        "no dice are needed without the option"
    )


@pytest.mark.rule("LW-7.2")
def test_only_certain_results_show_0_or_100_percent() -> None:
    weak = met([army(1, 1)], [army(number, 9) for number in range(2, 10)])
    assert forecast(weak, DICE).chance > 0
    assert forecast(weak, DICE).percent == 1
