"""Danger for a unit that stops on its tile: possible strikers, and its chance to survive."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings

from engine.core.record import replace
from engine.rulesets.weltendaemmerung.fighting import forecast, possible_hits
from engine.rulesets.weltendaemmerung.lookup import unit_row, unit_side
from engine.rulesets.weltendaemmerung.picture import PRESENTER
from engine.rulesets.weltendaemmerung.reach import strikers
from engine.rulesets.weltendaemmerung.state import State
from engine.rulesets.weltendaemmerung.stopping import strikers_of, survival
from engine.tabletop.board import Gauge
from engine.tabletop.focus import Focus
from tests.rulesets.weltendaemmerung.small import DUEL, positions, texts, view


@pytest.mark.rule("WD-ATT-2")
@given(positions())
@settings(max_examples=80)
def test_strikers_equal_the_danger_layer(position: State) -> None:
    seen = view(position)
    for unit in seen.units.values():
        if unit.alive:
            counted = strikers(seen, 1 - unit_side(unit))[unit.y, unit.x]
            for carried in (False, True):
                assert len(strikers_of(seen, unit, carried=carried)) == counted


@pytest.mark.rule("WD-ATT-3")
@given(positions())
@settings(max_examples=40)
def test_survival_chance_counts_all_draws_of_all_strikers(position: State) -> None:
    seen = view(replace(position, options=replace(position.options, chance="uniform8")))
    for unit in seen.units.values():
        foes = strikers_of(seen, unit, carried=False)[:4] if unit.alive else ()
        if not foes:
            continue
        kept = whole = 0
        for hits in product(*(possible_hits(seen, unit_row(foe).a) for foe in foes)):
            weight = 1
            for _, part in hits:
                weight *= part
            whole += weight
            kept += weight * (sum(damage for damage, _ in hits) < unit.v)
        assert survival(seen, unit, foes) == Fraction(kept, whole)
        one = forecast(seen, foes[0], unit.x, unit.y)
        assert one is not None
        assert survival(seen, unit, foes[:1]) == 1 - one.chance


def test_panel_shows_strikers_of_an_own_unit_and_its_chance() -> None:
    weak = DUEL.units.put(replace(DUEL.units[0], v=5))
    seen = view(replace(DUEL, units=weak))
    panel = PRESENTER.overlay(seen, Focus(0, 0)).panel
    assert "If you stop here\n1 enemy can strike it\nby axe men\nSurvives all 12 %" in texts(panel)
    assert panel[-1].gauge == Gauge(12, 100, "chance")
    assert "If you stop here" not in texts(PRESENTER.overlay(seen, Focus(1, 1)).panel)
    assert "If you stop here" not in texts(
        PRESENTER.overlay(replace(seen, winner=0), Focus(0, 0)).panel
    )


def test_panel_says_that_no_enemy_can_strike() -> None:
    gone = DUEL.units.put(replace(DUEL.units[1], alive=False))
    panel = PRESENTER.overlay(view(replace(DUEL, units=gone)), Focus(0, 0)).panel
    assert "No enemy can strike it" in texts(panel)


def test_forces_are_sums_over_living_units() -> None:
    hurt = DUEL.units.put(replace(DUEL.units[1], v=7), replace(DUEL.units[2], alive=False))
    lines = PRESENTER.forces(view(replace(DUEL, units=hurt)))
    assert [line.text for line in lines] == [
        "Forces",
        "Eldoin: units 1",
        "Dailor: units 1",
        "Eldoin: life 16",
        "Dailor: life 7",
        "Eldoin: attack 4",
        "Dailor: attack 4",
    ]
    assert lines[4].gauge == Gauge(7, 16, "force")
    assert [line.seat for line in lines[1:3]] == [0, 1]
