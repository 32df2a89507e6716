"""Numbers of places and armies, and sums of dice."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.core.dice import Scripted
from engine.core.record import replace
from engine.core.ruleset import ScenarioFault
from engine.rulesets.warlords2 import setup
from engine.rulesets.warlords2.rules import RULES
from engine.rulesets.warlords2.state import HEIGHT, WIDTH
from engine.strategic.decision import BLOCK, new_ids, permuted, pick, roll
from engine.strategic.routes import DIRECTIONS
from tests.strategic.chances import shipped


@pytest.mark.rule("W2-1.1")
def test_largest_map_has_the_size_of_the_original() -> None:
    assert (WIDTH, HEIGHT) == (112, 156)
    scene = shipped("horseshoe")
    assert (len(scene.rows[0]), len(scene.rows)) == (WIDTH, HEIGHT)
    with pytest.raises(ScenarioFault):
        setup.check(replace(scene, rows=("." * (WIDTH + 1),) * 3))


@pytest.mark.rule("W2-1.2")
def test_directions_go_clockwise_from_north() -> None:
    assert [dx for dx, _ in DIRECTIONS] == [0, 1, 1, 1, 0, -1, -1, -1]
    assert [dy for _, dy in DIRECTIONS] == [-1, -1, 0, 1, 1, 1, 0, -1]


@pytest.mark.rule("W2-1.6")
@pytest.mark.parametrize(
    ("count", "sides", "plus", "thrown", "sum_of_all"),
    [(1, 8, 2, (1,), 3), (1, 8, 2, (8,), 10), (3, 50, 20, (50, 1, 7), 78), (2, 0, 5, (), 5)],
)
def test_several_dice_are_summed(
    count: int, sides: int, plus: int, thrown: tuple[int, ...], sum_of_all: int
) -> None:
    dice = Scripted([(sides, value) for value in thrown])
    assert roll(dice, count, sides, plus) == sum_of_all


@pytest.mark.rule("W2-1.6")
def test_single_choice_needs_no_roll() -> None:
    assert pick(Scripted([]), ("only",)) == "only"
    assert pick(Scripted([(3, 2)]), "abc") == "b"


@pytest.mark.rule("W2-2.5")
def test_ports_off_the_map_are_refused() -> None:
    scene = shipped("skirmish")
    with pytest.raises(ScenarioFault, match="off the map"):
        setup.check(replace(scene, ports=((99, 0),)))


SECRET = bytes(range(16))


@pytest.mark.rule("W2-11.4")
def test_army_numbers_are_unique_and_unordered() -> None:
    found = [permuted(number, SECRET) for number in range(5000)]
    assert len(set(found)) == len(found)
    assert all(0 < number <= BLOCK for number in found)
    rising = sum(one < other for one, other in pairwise(found))
    assert 0.45 < rising / len(found) < 0.55
    assert {permuted(BLOCK + number, SECRET) > BLOCK for number in range(50)} == {True}


@pytest.mark.rule("W2-11.4")
def test_secret_that_differs_in_one_bit_gives_other_numbers() -> None:
    """The numbers depend on the whole secret, so no part of it can be found separately."""
    for bit in range(0, 128, 9):
        other = (int.from_bytes(SECRET, "big") ^ 1 << bit).to_bytes(16, "big")
        same = [n for n in range(200) if permuted(n, SECRET) == permuted(n, other)]
        assert len(same) < 3


@pytest.mark.rule("W2-11.4")
def test_old_game_with_a_key_keeps_its_numbering() -> None:
    older = replace(RULES.empty(), key=3_000_000_000, next_id=40)
    assert new_ids(older, 3) == (367481, 260596, 149719)
    assert new_ids(replace(older, secret=SECRET.hex()), 1) == (permuted(40, SECRET),)
    assert new_ids(replace(older, key=0), 2) == (40, 41)
