"""Any position can be saved as a scenario and set up again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from engine.core import scenarios
from engine.core.dice import Scripted
from engine.core.game import Game
from engine.core.log import Entry
from engine.core.replay import fold
from engine.core.ruleset import AnyRuleset, Scenario, ScenarioFault
from engine.core.scenarios import fitted
from tests.contract.walks import WALKS, begun, examples, long_walk, viewers, walk


def set_up(rules: AnyRuleset, scenario: Scenario) -> Any:
    """Return the state with which a scenario begins; a saved position needs no dice."""
    events = rules.begin(scenario, {}, Scripted())
    return fold(rules, [Entry(0, -1, -1, None, events)])


@examples(25)
@given(choices=WALKS)
def test_a_position_set_up_again_looks_the_same_to_all(
    rules: AnyRuleset, choices: list[int]
) -> None:
    game = begun(rules, choices)
    list(walk(game, choices))
    position = rules.position(game.state)
    rules.check(position)
    again = set_up(rules, position)
    for viewer in viewers(rules):
        assert rules.view(again, viewer) == game.view(viewer)
    assert rules.owes(again) == rules.owes(game.state)
    assert rules.outcome(again) == rules.outcome(game.state)


@examples(10)
@given(choices=WALKS)
def test_a_position_survives_its_way_through_a_file(rules: AnyRuleset, choices: list[int]) -> None:
    game = begun(rules, choices)
    list(walk(game, choices))
    position = rules.position(game.state)
    assert scenarios.parse(rules, scenarios.dump(position).encode()) == position


def test_the_first_event_tells_what_the_game_was_begun_from(rules: AnyRuleset) -> None:
    for scenario in rules.scenarios().values():
        game = begun(rules)
        first = game.log[0].events[0]
        told, options = rules.setup(first)
        assert (
            rules.begin(told, options, Scripted(_throws(game.log[0].throws))) == game.log[0].events
        )
        assert type(told) is type(scenario) is rules.scenario_type


def test_every_scenario_can_be_played_by_as_many_as_it_says(rules: AnyRuleset) -> None:
    fewest, most = rules.traits.seats
    for scenario in rules.scenarios().values():
        least, room = rules.seat_range(scenario)
        assert fewest <= least <= room <= most
        assert least <= rules.default_seats(scenario) <= room
        for seats in range(least, room + 1):
            found = fitted(rules, scenario, seats)
            rules.check(found)
            state = Game.begin(rules, found, {}, b"seats").state
            assert {len(column) for column in rules.statistics(state).values()} == {seats}
            assert rules.owes(state) <= set(range(seats))
        for seats in (least - 1, room + 1):
            with pytest.raises(ScenarioFault, match=f"not for {seats}"):
                fitted(rules, scenario, seats)


def _throws(runs: tuple[tuple[int, tuple[int, ...]], ...]) -> list[int | tuple[int, int]]:
    return [(sides, value) for sides, values in runs for value in values]


def test_shipped_scenarios_are_named_after_themselves_and_sound(rules: AnyRuleset) -> None:
    assert rules.scenarios()
    for name, scenario in rules.scenarios().items():
        assert scenario.name == name
        assert scenario.title
        rules.check(scenario)


def test_statistics_have_a_number_for_each_seat(rules: AnyRuleset) -> None:
    game = begun(rules)
    for _ in walk(game, long_walk(40)):
        counts = {len(column) for column in rules.statistics(game.state).values()}
        assert len(counts) == 1
        assert counts <= set(range(rules.traits.seats[0], rules.traits.seats[1] + 1))
