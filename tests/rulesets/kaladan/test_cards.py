"""Danger, chances and forces in the panel, compared with the forecasts of the rules."""

from __future__ import annotations

import pytest

from engine.rulesets.kaladan.board import neighbours
from engine.rulesets.kaladan.cards import attacks_on, income, threats
from engine.rulesets.kaladan.odds import battle_odds
from engine.rulesets.kaladan.picture import PRESENTER
from engine.rulesets.kaladan.state import View
from engine.rulesets.kaladan.turns import statistics
from engine.rulesets.kaladan.view import view
from engine.tabletop.english import whole_percent
from engine.tabletop.focus import Focus
from tests.rulesets.kaladan.battles import PLAIN
from tests.rulesets.kaladan.positions import position
from tests.rulesets.kaladan.test_dice_columns import FIELDS


def seen() -> View:
    return view(position(FIELDS, options=PLAIN), 0)


def panel_at(shown: View, name: str) -> list[str]:
    """Return the panel lines with the cursor on the named tile."""
    board = PRESENTER.board(shown, PRESENTER.zooms[0])
    place = next(place for place in board.places if place.label.startswith(name))
    at = Focus(place.x + place.width // 2, place.y + place.height // 2)
    return [line.text for line in PRESENTER.overlay(shown, at).panel]


@pytest.mark.rule("KA-18.1")
def test_danger_of_an_own_tile_is_the_best_attack_on_it() -> None:
    shown = seen()
    source, chance = attacks_on(shown, 1)[0]
    assert source in neighbours(shown.layout, 1)
    assert chance == battle_odds(shown, source, 1).roll.clears
    assert f"Holds {whole_percent(1 - chance)} %" in panel_at(shown, "A1")


@pytest.mark.rule("KA-18.1")
def test_enemy_tile_next_to_own_ones_shows_the_best_chance() -> None:
    shown = seen()
    best = max(battle_odds(shown, other, 2).roll.clears for other in (1, 3))
    said = panel_at(shown, "A2")
    assert any(text.startswith("You clear it ") for text in said)
    told = next(text for text in said if text.startswith("You clear it "))
    assert int(told.split()[-2]) <= whole_percent(best)


@pytest.mark.rule("KA-6.2")
def test_income_and_forces_match_the_statistics() -> None:
    shown = seen()
    numbers = statistics(shown)
    assert income(shown, 0) == numbers["tiles"][0] + numbers["castles"][0]
    said = [line.text for line in PRESENTER.forces(shown)]
    assert f"Khalisia: tiles {numbers['tiles'][0]}" in said
    assert f"The Weald: units {numbers['units'][1]}" in said


@pytest.mark.rule("KA-6.4")
def test_enemies_who_can_attack_after_a_step_are_named_as_threats() -> None:
    shown = seen()
    assert threats(shown, 1) == ("The Weald from A2, 24 %", "The Weald from C2, after a step")
    assert threats(shown, 3) == (
        "The Weald from A2, after a step",
        "The Weald from C2, after a step",
    )
