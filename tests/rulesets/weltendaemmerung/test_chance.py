"""The one draw of the game in its three modes."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import pytest

from engine.core.dice import Scripted, Seeded
from engine.rulesets.weltendaemmerung.fighting import C64_TOTALS, MODIFIERS, draw, shares
from engine.rulesets.weltendaemmerung.state import Options, State
from tests.rulesets.weltendaemmerung.small import state, unit


def at_war(chance: Literal["uniform8", "c64_weights", "c64_cycle"], **other: object) -> State:
    options = Options(chance=chance)
    return state(("..",), unit(0, "sword", 0, 0), options=options, phase=1, **other)


@pytest.mark.rule("WD-RNG-1")
def test_the_eight_draws_give_the_eight_modifiers() -> None:
    drawn = [draw(at_war("uniform8"), Scripted([(8, value)])) for value in range(1, 9)]
    assert drawn == list(enumerate([0, 1, 1, 2, 2, 3, 3, 4]))


@pytest.mark.rule("WD-RNG-1")
def test_the_even_draw_has_the_shares_of_the_table() -> None:
    assert shares(at_war("uniform8")) == {0: (1, 8), 1: (2, 8), 2: (2, 8), 3: (2, 8), 4: (1, 8)}


@pytest.mark.rule("WD-RNG-2", "WD-RNG-3")
def test_the_weights_of_the_original_are_81_68_44_47_16() -> None:
    position = at_war("c64_weights")
    drawn = Counter(draw(position, Scripted([(256, value)])) for value in range(1, 257))
    assert drawn == {(None, 0): 81, (None, 1): 68, (None, 2): 44, (None, 3): 47, (None, 4): 16}
    assert {m: part for m, (part, _) in shares(position).items()} == {
        m: count for (_, m), count in drawn.items()
    }


@pytest.mark.rule("WD-RNG-2")
def test_the_means_are_those_of_the_rule_book() -> None:
    weights = [low - high for low, high in zip(C64_TOTALS, (0, *C64_TOTALS), strict=False)]
    mean = sum(modifier * weight for modifier, weight in enumerate(weights)) / 256
    assert round(mean, 2) == 1.41
    assert sum(MODIFIERS) / len(MODIFIERS) == 2.0


@pytest.mark.rule("WD-RNG-3")
def test_the_circle_goes_on_with_every_attack_and_throws_no_dice() -> None:
    cycle = tuple((7 * place) % 8 for place in range(256))
    for attacks in (0, 1, 255, 256, 300):
        dice = Scripted()
        index = cycle[attacks % 256]
        position = at_war("c64_cycle", attacks=attacks, cycle=cycle)
        assert draw(position, dice) == (index, MODIFIERS[index])
        assert dice.thrown == ()
        assert shares(position) == {MODIFIERS[index]: (1, 1)}


@pytest.mark.rule("WD-RNG-3")
def test_seeded_draws_are_the_same_every_time_and_reach_every_modifier() -> None:
    position = at_war("uniform8")
    drawn = [draw(position, Seeded(b"x", seq, "decide")) for seq in range(200)]
    assert drawn == [draw(position, Seeded(b"x", seq, "decide")) for seq in range(200)]
    assert {modifier for _, modifier in drawn} == {0, 1, 2, 3, 4}
