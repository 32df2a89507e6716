"""Places of a game and the states there, beside a fold that keeps nothing."""

from __future__ import annotations

import random

import pytest

from engine.core.feed import changes
from engine.core.ids import REFEREE
from engine.core.ruleset import AnyRuleset
from engine.debug.line import NoPlace, whole_line
from tests.debug.games import branched, game, line_of


def check_places(rules: AnyRuleset, count: int) -> None:
    """States at random places, asked for in any order, against a fold from the beginning."""
    log = game(rules.name).log
    line, chance = whole_line(rules, log), random.Random(7)  # noqa: S311 - which places
    for _ in range(count):
        step = chance.randint(0, len(line))
        state, left = rules.empty(), step
        for event in [event for entry in log.line() for event in entry.events][:left]:
            state = rules.evolve(state, event)
        place = line.place(step)
        assert line.step_at(place) == step
        assert line.state(step) == state


def test_a_place_has_the_state_of_a_naive_fold(rules: AnyRuleset) -> None:
    check_places(rules, 25)


@pytest.mark.slow
def test_a_thousand_places_have_the_states_of_naive_folds(rules: AnyRuleset) -> None:
    check_places(rules, 1000)


def test_a_seats_states_are_its_views_after_each_event_it_was_told_of(rules: AnyRuleset) -> None:
    log, seat = game(rules.name).log, 1
    told = [known.after for change in changes(rules, log.line()) for known in change.events(seat)]
    line = line_of(rules, seat)
    expected = len(told) if rules.traits.hidden else sum(len(e.events) for e in log.line())
    assert len(line) == expected
    if rules.traits.hidden:
        assert list(line.states())[1:] == told


def test_every_step_has_a_place_that_leads_back_to_it(rules: AnyRuleset) -> None:
    for viewer in (REFEREE, 0):
        line = line_of(rules, viewer)
        assert [line.step_at(line.place(step)) for step in range(len(line) + 1)] == [
            *range(len(line) + 1)
        ]


def test_entries_have_the_numbers_of_the_log_on_every_branch(rules: AnyRuleset) -> None:
    made = branched(rules.name)
    line = whole_line(rules, made.log)
    assert [entry.seq for entry in line.entries] != [*range(len(line.entries))]
    for entry in line.entries:
        assert line.step(line.step_at(f"{entry.seq}.1")).entry is entry
        assert line.place(line.step_at(str(entry.seq))) == str(entry.seq)


def test_before_an_entry_and_before_an_event(rules: AnyRuleset) -> None:
    line = line_of(rules, REFEREE)
    entry = next(entry for entry in line.entries[2:] if len(entry.events) > 1)
    first = line.step_at(f"{entry.seq}.1")
    assert line.step_at(f"{entry.seq}^") == line.step_at(f"{entry.seq}.0") == first - 1
    assert line.step_at(f"{entry.seq}.2^") == first


@pytest.mark.parametrize("text", ["", "x", "9999", "3.99", "101%", "-1", "1.2.3", "٣"])
def test_what_is_no_place_is_said_in_one_line(text: str) -> None:
    made = game("weltendaemmerung")
    with pytest.raises(NoPlace) as caught:
        whole_line(made.rules, made.log).step_at(text)
    assert "\n" not in str(caught.value)
