"""Journeys of several rounds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.containers import Roster
from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.weltendaemmerung import RULES
from engine.rulesets.weltendaemmerung.picture import PRESENTER
from engine.rulesets.weltendaemmerung.reach import reach
from engine.rulesets.weltendaemmerung.state import GATES, MOVE, Options, State
from engine.tabletop.board import Mark
from engine.tabletop.focus import DELTAS, Focus
from tests.rulesets.weltendaemmerung.small import DUEL, played, positions, state, unit, view


def told(marks: tuple[Mark, ...]) -> list[tuple[int, int, str, int]]:
    return [(mark.x, mark.y, mark.text, mark.turn) for mark in marks]


def walked(position: State, number: int) -> dict[tuple[int, int], int]:
    """Turn of arrival at each tile, by trying all steps, turn by turn."""
    found: dict[tuple[int, int], int] = {}
    mover = position.units[number]
    resting = {(mover.x, mover.y)}
    for turn in range(12):
        first = replace(mover, b=mover.b if turn == 0 else mover.b_max)
        here = {replace(first, x=x, y=y) for x, y in resting}
        seen = set(here)
        while here:
            reached = set()
            for each in here:
                now = replace(position, units=position.units.put(each))
                for direction in DELTAS:
                    try:
                        after = played(now, f"step unit={number} direction={direction}")
                    except Refused:
                        continue
                    there = after.units[number]
                    found.setdefault((there.x, there.y), turn)
                    if after.winner < 0 and there not in seen:
                        reached.add(there)
            seen |= reached
            here = reached
        resting |= {(each.x, each.y) for each in seen}
    return found


@pytest.mark.rule("WD-MOVE-2", "WD-MOVE-3", "WD-MOVE-4", "WD-MOVE-6", "WD-MOVE-8")
@settings(max_examples=25)
@given(positions(4), st.integers(0, 3))
def test_a_way_takes_as_many_turns_as_the_rules_allow_at_best(position: State, pick: int) -> None:
    living = [each for each in position.units.values() if each.alive]
    if not living:
        return
    mover = living[pick % len(living)]
    side = 0 if mover.type < 7 else 1
    position = replace(position, phase=MOVE, player=side)
    mover = replace(mover, b=min(mover.b, mover.b_max))
    position = replace(position, units=position.units.put(mover))
    turns = walked(position, mover.id)
    seen, here = RULES.view(position, side), Focus(mover.x, mover.y)
    near = reach(position, mover).prices()
    for y in range(position.terrain.height):
        for x in range(position.terrain.width):
            marks = PRESENTER.route(seen, here, x, y)
            if (x, y) == (mover.x, mover.y) or (x, y) not in turns:
                assert marks == ()
            else:
                assert marks[-1].turn == turns[x, y]
                if turns[x, y] == 0:
                    assert marks[-1].text == str(near[x, y])


@pytest.mark.rule("WD-MOVE-3", "WD-MOVE-4")
def test_bad_ground_entered_with_the_last_point_is_paid_for_in_the_next_round() -> None:
    position = state((".sss..",), unit(0, "sword", 0, 0, b=1))
    marks = PRESENTER.route(view(position), Focus(0, 0), 5, 0)
    assert told(marks) == [
        (1, 0, "1", 0),
        (2, 0, "4", 1),
        (3, 0, "7", 1),
        (4, 0, "10", 1),
        (5, 0, "11", 1),
    ]


@pytest.mark.rule("WD-MOVE-3")
def test_what_is_missing_for_the_last_step_is_not_owed() -> None:
    position = state((".~...",), unit(0, "sword", 0, 0, b=2))
    marks = PRESENTER.route(view(position), Focus(0, 0), 3, 0)
    assert told(marks) == [(1, 0, "1", 0), (2, 0, "5", 0), (3, 0, "6", 1)]


@pytest.mark.rule("WD-MOVE-8")
def test_who_must_afford_each_step_waits_for_the_next_round() -> None:
    rows = (".~...",)
    options = Options(last_step="must_afford")
    position = state(rows, unit(0, "sword", 0, 0, b=2), options=options)
    marks = PRESENTER.route(view(position), Focus(0, 0), 2, 0)
    assert told(marks) == [(1, 0, "1", 0), (2, 0, "5", 1)]


@pytest.mark.rule("WD-TURN-1")
def test_a_side_that_has_moved_goes_on_in_the_next_round() -> None:
    spent = replace(DUEL, phase=GATES, units=Roster([unit(0, "sword", 0, 0, b=0)]))
    assert told(PRESENTER.route(view(spent), Focus(0, 0), 1, 0)) == [(1, 0, "1", 1)]
    waiting = replace(DUEL, player=1)
    assert told(PRESENTER.route(view(waiting), Focus(0, 0), 1, 0)) == [(1, 0, "1", 1)]
    coming = PRESENTER.route(view(DUEL), Focus(1, 1), 0, 1)
    assert told(coming) == [(0, 1, "1", 0)]


def test_the_held_unit_goes_before_the_one_at_the_cursor() -> None:
    marks = PRESENTER.route(view(DUEL), Focus(1, 1, 0), 1, 0)
    assert [(mark.x, mark.y) for mark in marks] == [(1, 0)]
    assert PRESENTER.route(view(DUEL), Focus(3, 0), 1, 0) == ()
    assert PRESENTER.route(view(DUEL), Focus(0, 0), 99, 0) == ()


def test_a_price_of_three_figures_is_told_without_its_number() -> None:
    position = state(("." + "~" * 40 + ".",), unit(0, "sword", 0, 0))
    marks = PRESENTER.route(view(position), Focus(0, 0), 41, 0)
    assert (marks[20].text, marks[-1].text) == ("81", "++")
