"""Dice of a battle in columns, in animated moments, and next to the choice of casualties."""

from __future__ import annotations

import pytest

from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.dialogues import ask
from engine.rulesets.kaladan.dice_columns import MOMENTS, dice_columns, dice_lines
from engine.rulesets.kaladan.evolve import evolve
from engine.rulesets.kaladan.panels import panel
from engine.rulesets.kaladan.picture import PRESENTER
from engine.rulesets.kaladan.state import Battle, BattleSide, Die, View
from engine.rulesets.kaladan.view import view
from engine.tabletop.ask import AskConfirm, AskSome
from engine.tabletop.roles import Tone
from tests.rulesets.kaladan.battles import PLAIN, Fight, fight
from tests.rulesets.kaladan.positions import position

FIELDS = """
WF FFF FF
A1 0 sword catapult
A2 1 sword shield
B1 0 # crown
C2 1 # crown
"""
"""A Sword and a Catapult in a forest against a Sword and a Shield in a field."""

THROWS = (8, 3, 10, 2, 8, 9)
"""Throws for: Sword, both dice of the Catapult, the forest; Sword, Shield."""


def rolled() -> Fight:
    """Return an attack after the roll, with one pair lost by the defender and one tie."""
    return fight(position(FIELDS, options=PLAIN), 0, do.Attack("A1", "A2"), THROWS)


def seen(done: Fight, viewer: int = 0) -> View:
    """Return the view of a seat."""
    return view(done.state, viewer)


def battle_of(shown: View) -> Battle:
    """Return the battle in progress."""
    assert shown.battle is not None
    return shown.battle


def texts(shown: View) -> list[str]:
    """Return the columns as text."""
    return [line.text for line in dice_lines(shown, battle_of(shown))]


@pytest.mark.rule("KA-7", "KA-7.6")
def test_dice_are_shown_in_pairs_with_ignored_ones_in_brackets() -> None:
    assert texts(seen(rolled())) == [
        "Khalisia|Weald",
        "T D10 10>9  D10 H",
        "S D8   8=8  D8  S",
        "T D10[3]",
        "W D10[2]",
        "Khalisia loses 0 units.",
        "The Weald loses 1 unit.",
    ]


@pytest.mark.rule("KA-7.6")
def test_dice_rows_fit_the_narrowest_panel() -> None:
    dice = tuple(Die(side, 0, "card", 12, 12) for side in (0, 1) for _ in range(9))
    shown = seen(rolled())
    sides = BattleSide(0, 1), BattleSide(1, 2)
    battle = Battle(sides, dice=(*dice, Die(0, 0, "card", 12, 12)), asked=0)
    rows = [line.text for line in dice_lines(shown, battle)][1:11]
    assert max(map(len, rows)) <= 18
    assert rows[-1] == "* D12[12]"


@pytest.mark.rule("KA-7.6")
def test_tone_of_pairs_depends_on_the_viewer() -> None:
    done = rolled()
    for viewer, tone in ((0, Tone.GOOD), (1, Tone.BAD), (-1, Tone.NORMAL)):
        shown = seen(done, viewer)
        lines = list(dice_lines(shown, battle_of(shown)))
        won = next(line for line in lines if ">" in line.text)
        assert won.tone is tone


@pytest.mark.rule("KA-10", "KA-10.2")
def test_cards_set_the_highest_dice_aside_and_win_ties() -> None:
    dice = (Die(0, 0, "card", 8, 7), Die(0, 0, "card", 8, 5), Die(1, 0, "card", 8, 5))
    found = dice_columns(dice, ("", "rockfall"))
    assert [die.value for die in found.set_aside[0]] == [7]
    assert [(one.value, other.value) for one, other in found.pairs] == [(5, 5)]
    assert found.ignored == ((), ())


@pytest.mark.rule("KA-7.6")
def test_moments_throw_sort_and_compare_pair_by_pair() -> None:
    state = position(FIELDS, options=PLAIN)
    done = fight(state, 0, do.Attack("A1", "A2"), THROWS)
    titles, before = [], state
    for event in done.events:
        titles += [m.lines[0].text for m in PRESENTER.moments(event, view(before, 0))]
        before = evolve(before, event)
    assert titles == [
        "The dice roll",
        "The dice roll",
        "The dice are thrown",
        "The dice are sorted",
        "Sorted high to low",
        "Pair 1 of 2",
        "Pair 2 of 2",
        "The losses",
    ]
    assert MOMENTS.get(ev.DiceRerolled) is not None


@pytest.mark.rule("KA-7.6")
def test_dice_roll_over_other_faces_before_sorting() -> None:
    state = position(FIELDS, options=PLAIN)
    done = fight(state, 0, do.Attack("A1", "A2"), (3, 8, 10, 2, 8, 9))
    shown, before = [], state
    for event in done.events:
        shown += [
            [line.text for line in m.lines[2:]] for m in PRESENTER.moments(event, view(before, 0))
        ]
        before = evolve(before, event)
    assert shown[2] == ["S D8   3|8  D8  S", "T D10  8|9  D10 H", "T D10 10|", "W D10  2|"]
    assert shown[3] == ["T D10 10|9  D10 H", "S D8   3|8  D8  S", "T D10  8|", "W D10  2|"]
    for rolling in shown[:2]:
        assert rolling != shown[2]
        assert [row[:5] for row in rolling] == [row[:5] for row in shown[2]]


@pytest.mark.rule("KA-7.7")
def test_casualties_are_chosen_with_the_pairs_in_view() -> None:
    shown = seen(rolled(), 1)
    (intent,) = (one for one in PRESENTER.intents(shown, PRESENTER.start(shown)) if one.key == "c")
    question = ask(shown, PRESENTER.start(shown), intent.name, ())
    assert isinstance(question, AskSome)
    assert (question.least, question.most, question.range) == (1, 1, "Exactly 1")
    assert [line.text for line in question.lines] == texts(shown)
    assert [line.text for line in panel(shown, PRESENTER.start(shown))].count("Battle of A2") == 1


@pytest.mark.rule("KA-8", "KA-8.1")
def test_giving_up_the_crown_needs_a_confirmation() -> None:
    land = FIELDS.replace("A2 1 sword shield", "A2 1 # crown shield").replace("C2 1 # crown", "")
    state = position(land, options=PLAIN)
    shown = seen(fight(state, 0, do.Attack("A1", "A2"), (8, 3, 10, 2, 9, 8)), 1)
    crown = next(u.id for u in shown.units.values() if u.owner == 1 and u.kind == "crown")
    again = ask(shown, PRESENTER.start(shown), "losses", (str(crown),))
    assert isinstance(again, AskConfirm)
    assert "out of the war" in again.lines[0].text
