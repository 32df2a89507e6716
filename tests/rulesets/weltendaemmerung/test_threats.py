"""Warnings before a phase ends."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given

from engine.core.record import replace
from engine.rulesets.weltendaemmerung.fighting import MODIFIERS
from engine.rulesets.weltendaemmerung.lookup import unit_row, unit_side
from engine.rulesets.weltendaemmerung.picture import PRESENTER
from engine.rulesets.weltendaemmerung.reach import strikers
from engine.rulesets.weltendaemmerung.state import ATTACK, GATES, Options, State
from engine.rulesets.weltendaemmerung.stopping import survival, threats, warnings
from engine.tabletop.ask import AskConfirm
from engine.tabletop.focus import Focus
from tests.rulesets.weltendaemmerung.small import DUEL, positions, state, texts, unit, view

PLAIN = ("........", "........", "........")
CHIEF = unit(0, "lord_e", 3, 1)


@pytest.mark.rule("WD-WIN-1", "WD-ATT-2")
def test_warnings_list_the_commander_first() -> None:
    weak = unit(1, "sword", 4, 1, v=2)
    board = state(PLAIN, CHIEF, weak, unit(2, "axe", 6, 1), unit(3, "axe", 6, 2))
    first, *others = texts(warnings(view(board))).splitlines()
    assert first.startswith("Your commander: 2 enemies can strike")
    assert others[-1] == "Sword bearers: 2 enemies can strike, at worst 100 % to fall"


@pytest.mark.rule("WD-WIN-4")
@pytest.mark.parametrize(("setting", "told"), [("on", True), ("off", False)])
def test_warnings_name_enemies_that_can_reach_the_west_edge(setting: str, *, told: bool) -> None:
    options = Options(west_edge_win=setting)  # type: ignore[arg-type]  # a parameter of the test
    board = state(PLAIN, CHIEF, unit(1, "axe", 5, 0, b=7), options=options, frontier=2)
    text = "Axe men can reach the west edge and win"
    assert (text in texts(warnings(view(board)))) is told
    assert text not in texts(warnings(view(replace(board, phase=ATTACK)))), "they do not move now"


def test_no_warnings_if_the_side_moves_before_enemies_strike() -> None:
    board = state(PLAIN, CHIEF, unit(1, "axe", 4, 1))
    assert warnings(view(board))
    assert warnings(view(replace(board, phase=GATES))) == ()


@given(positions())
def test_threatened_units_equal_the_danger_layer(board: State) -> None:
    side = board.player
    counts = strikers(view(board), 1 - side)
    under = {
        unit.id: int(counts[unit.y, unit.x])
        for unit in board.units.values()
        if unit.alive and unit_side(unit) == side and counts[unit.y, unit.x]
    }
    found = threats(view(board), side)
    assert {threat.unit: threat.strikers for threat in found} == under
    falls = [threat.falls for threat in found]
    assert falls == sorted(falls, reverse=True)


@pytest.mark.rule("WD-ATT-3")
@pytest.mark.parametrize("life", [1, 9, 14, 40])
def test_survival_chance_equals_counting_all_draws(life: int) -> None:
    foes = (unit(2, "axe", 6, 1), unit(3, "wolf", 6, 2))
    target = replace(CHIEF, v=life)
    draws = list(product(MODIFIERS, repeat=2))
    bases = [unit_row(foe).a for foe in foes]
    alive = sum(life > sum(bases) + sum(draw) for draw in draws)
    board = state(PLAIN, target, *foes)
    assert survival(view(board), target, foes) == Fraction(alive, len(draws))


@pytest.mark.rule("WD-ATT-1", "WD-ATT-4")
def test_attack_confirmation_shows_number_of_blows_and_time() -> None:
    seen = view(replace(DUEL, phase=ATTACK))
    asked = PRESENTER.ask(seen, Focus(0, 0), "attack", ["1,1"])
    assert isinstance(asked, AskConfirm)
    told = texts(asked.lines)
    assert "such blows" in told
    assert "One blow, at once" in told
