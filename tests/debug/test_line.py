"""Places of a game and the states there, compared with a naive fold."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.core.feed import changes
from engine.core.ids import REFEREE
from engine.core.ruleset import AnyRuleset
from engine.debug.line import NoPlace, whole_line
from tests.debug.games import branched, game, line_of


def check_places(rules: AnyRuleset, count: int) -> None:
    """Compare the states at ``count`` random places with folds from the beginning."""
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


def test_state_of_a_place_matches_a_naive_fold(rules: AnyRuleset) -> None:
    check_places(rules, 25)


@pytest.mark.slow
def test_states_of_a_thousand_places_match_naive_folds(rules: AnyRuleset) -> None:
    check_places(rules, 1000)


def test_states_of_a_seat_are_its_views_after_each_known_event(rules: AnyRuleset) -> None:
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


def test_entries_keep_their_log_numbers_on_every_branch(rules: AnyRuleset) -> None:
    made = branched(rules.name)
    line = whole_line(rules, made.log)
    assert [entry.seq for entry in line.entries] != [*range(len(line.entries))]
    for entry in line.entries:
        assert line.step(line.step_at(f"{entry.seq}.1")).entry is entry
        assert line.place(line.step_at(str(entry.seq))) == str(entry.seq)


def test_caret_means_before_an_entry_or_event(rules: AnyRuleset) -> None:
    line = line_of(rules, REFEREE)
    entry = next(entry for entry in line.entries[2:] if len(entry.events) > 1)
    first = line.step_at(f"{entry.seq}.1")
    assert line.step_at(f"{entry.seq}^") == line.step_at(f"{entry.seq}.0") == first - 1
    assert line.step_at(f"{entry.seq}.2^") == first


@pytest.mark.parametrize("text", ["", "x", "9999", "3.99", "101%", "-1", "1.2.3", "٣"])
def test_invalid_place_is_refused_in_one_line(text: str) -> None:
    made = game("weltendaemmerung")
    with pytest.raises(NoPlace) as caught:
        whole_line(made.rules, made.log).step_at(text)
    assert "\n" not in str(caught.value)


def test_interrupted_walk_can_be_repeated(rules: AnyRuleset) -> None:
    log = game(rules.name).log
    whole = whole_line(rules, log)
    line = whole_line(Interrupted(rules, after=30), log)
    with pytest.raises(KeyboardInterrupt):
        line.states()
    assert list(line.states()) == list(whole.states())


class Interrupted:
    """A ruleset that raises KeyboardInterrupt once."""

    def __init__(self, rules: AnyRuleset, after: int) -> None:
        self._rules = rules
        self._left = after

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def evolve(self, state: Any, event: Any) -> Any:
        """Return the state after the event; raise KeyboardInterrupt at call number ``after``."""
        self._left -= 1
        if self._left == 0:
            raise KeyboardInterrupt
        return self._rules.evolve(state, event)
