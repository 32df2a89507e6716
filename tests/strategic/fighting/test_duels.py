"""The dice of battles."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.dice import Dice, Scripted, Seeded
from engine.strategic.battle_records import Lineup
from engine.strategic.duels import Hit, duel_rounds, fight, share, struck
from engine.strategic.events import Duel
from tests.strategic.fighting.sides import RULES, plain

LONG = 10_000


@pytest.mark.rule("W2-8.5")
@pytest.mark.parametrize(
    ("defender_die", "attacker_die", "hit"),
    [
        (5, 3, "none"),
        (6, 4, "none"),
        (6, 3, "defender"),
        (5, 4, "attacker"),
        (20, 1, "defender"),
        (1, 20, "attacker"),
    ],
)
def test_fighter_is_hit_if_it_alone_rolls_above_its_strength(
    defender_die: int, attacker_die: int, hit: Hit
) -> None:
    assert struck((3, 5), (defender_die, attacker_die), shielded=False) == hit
    shielded = struck((3, 5), (defender_die, attacker_die), shielded=True)
    assert shielded == ("shield" if hit == "attacker" else hit)


@pytest.mark.rule("W2-8.5")
def test_defender_rolls_first_and_the_second_hit_kills() -> None:
    dice = Scripted([(20, 20), (20, 1), (20, 4), (20, 4), (20, 20), (20, 1)])
    duels = fight(dice, RULES, plain([5], [5]))
    assert duels == (Duel(1, 101, (20, 1, 4, 4, 20, 1), won=True),)


@pytest.mark.rule("W2-8.5")
def test_survivor_keeps_its_wounds_for_the_next_duel() -> None:
    hit_me, hit_you = (1, 20), (20, 1)
    dice = Scripted([*hit_me, *hit_you, *hit_you, *hit_me, *hit_you, *hit_me, *hit_me])
    duels = fight(dice, RULES, plain([5, 5], [5, 5]))
    assert [(duel.attacker, duel.defender, duel.won) for duel in duels] == [
        (1, 101, True),
        (1, 102, False),
        (2, 102, False),
    ]
    assert [len(duel.dice) // 2 for duel in duels] == [3, 1, 3]


@pytest.mark.rule("W2-8.5", "W2-0.1")
def test_intense_battles_use_dice_with_24_sides() -> None:
    dice = Scripted([(24, 24), (24, 1), (24, 24), (24, 1)])
    assert fight(dice, replace(RULES, dice=24), plain([5], [5]))[0].won


class Same:
    """Dice that always roll 1, so that no fighter is ever hit."""

    def __init__(self) -> None:
        self.count = 0

    @property
    def thrown(self) -> tuple[tuple[int, int], ...]:
        """Always empty: throws are not recorded."""
        return ()

    def roll(self, sides: int) -> int:
        """Count the throw and return 1."""
        self.count += 1
        return 1


@pytest.mark.rule("W2-8.5")
def test_attacker_loses_a_duel_of_ten_thousand_rounds() -> None:
    """The companion material says the reverse (section 18.4)."""
    dice = Same()
    duels = fight(dice, RULES, plain([5], [5]))
    assert len(duels) == 1
    assert not duels[0].won
    assert dice.count == 2 * (LONG + 2), "the dice are thrown, then read otherwise"
    assert duels[0].dice[-4:] == (0, 100, 0, 100)
    assert duels[0].dice[2 * LONG - 2 : 2 * LONG] == (1, 1)


@pytest.mark.rule("W2-8.5")
def test_shield_does_not_prevent_the_end_of_a_long_duel() -> None:
    duels = fight(Same(), RULES, plain([5], [5], [True]))
    assert not duels[0].won
    assert duels[0].shielded


@pytest.mark.rule("W2-8.5")
def test_round_count_restarts_with_each_duel() -> None:
    short = replace(RULES, rounds=3)
    quiet, hit_you = (1, 1), (20, 1)
    first = [*quiet, *quiet, *hit_you, *quiet, *quiet]
    dice = Scripted([*first, *quiet, *quiet, *hit_you])
    duels = fight(dice, short, plain([5, 5], [5]))
    assert duels[0].dice == (*first[:6], 0, 100, 0, 100)
    assert duels[1] == Duel(2, 101, (*quiet, *quiet, *hit_you), won=True)


@pytest.mark.rule("W2-8.5")
def test_a_shielded_front_is_not_hurt_by_hits() -> None:
    dice = Scripted([1, 20, 1, 20, 1, 20, 20, 1, 20, 1])
    duels = fight(dice, RULES, plain([5], [5], [True]))
    assert duels[0].won
    rounds = list(duel_rounds(plain([5], [5], [True]), duels))
    assert [round_.hit for round_ in rounds] == ["shield"] * 3 + ["defender"] * 2
    assert rounds[-1].attacker_left == 2


STRENGTHS = st.integers(1, 15)


@given(
    st.lists(STRENGTHS, min_size=1, max_size=8),
    st.lists(STRENGTHS, min_size=1, max_size=12),
    st.binary(max_size=4),
)
def test_battle_leaves_one_side_and_its_hits_add_up(
    attackers: list[int], defenders: list[int], seed: bytes
) -> None:
    lineup = plain(attackers, defenders)
    duels = fight(Seeded(seed, 1, "decide"), RULES, lineup)
    dead_attackers = [duel.attacker for duel in duels if not duel.won]
    dead_defenders = [duel.defender for duel in duels if duel.won]
    assert len(set(dead_attackers)) == len(dead_attackers)
    everybody = [fighter.army for fighter in lineup.attackers.fighters]
    facing = [fighter.army for fighter in lineup.defenders.fighters]
    assert everybody[: len(dead_attackers)] == dead_attackers, "the dead are the first of the line"
    assert facing[: len(dead_defenders)] == dead_defenders
    assert (dead_attackers == everybody) != (dead_defenders == facing)
    rounds = list(duel_rounds(lineup, duels))
    hits = [round_.hit for round_ in rounds]
    last = rounds[-1]
    wounds = 2 - (last.attacker_left if duels[-1].won else last.defender_left)
    wounded = (wounds, 0) if duels[-1].won else (0, wounds)
    assert hits.count("attacker") == 2 * len(dead_attackers) + wounded[0]
    assert hits.count("defender") == 2 * len(dead_defenders) + wounded[1]
    assert sum(len(duel.dice) for duel in duels) == 2 * len(rounds)


def wins(dice: Dice, lineup: Lineup, times: int) -> int:
    return sum(fight(dice, RULES, lineup)[-1].won for _ in range(times))


@pytest.mark.rule("W2-8.5", "W2-8.5")
@pytest.mark.parametrize(("attacker", "defender"), [(5, 5), (9, 6), (3, 6), (15, 12)])
def test_share_of_won_duels_follows_the_formula(attacker: int, defender: int) -> None:
    times = 1500
    hits, hurts = attacker * (20 - defender), defender * (20 - attacker)
    q = hits / (hits + hurts)
    assert share(attacker, defender, 20) == pytest.approx(q)
    chance = q * q * (3 - 2 * q)
    won = wins(Seeded(b"duels", attacker, "decide"), plain([attacker], [defender]), times)
    deviation = (times * chance * (1 - chance)) ** 0.5
    assert abs(won - times * chance) < 4 * deviation
