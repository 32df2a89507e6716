"""One walk through a log: moments, markers, numbers; and the bar that shows them."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from engine.core.archive import Header, SeatPlayer
from engine.core.ids import PUBLIC, REFEREE
from engine.core.log import EventLog
from engine.core.notation import write
from engine.core.record import replace
from engine.core.registry import find
from engine.core.replay import Keyframes, fold
from tests.contract.walks import SEED, grounds
from tests.saves.games import played
from tui.play.players import think
from tui.play.table import Table
from tui.replay.timeline import Marker, Story, bar, cell_of, near, place_of

RULES = find("weltendaemmerung")


def told(story: Story) -> Story:
    for _ in story.walk():
        pass
    return story


@cache
def whole() -> Story:
    return told(Story(RULES, played()))


def test_every_entry_is_walked_and_every_battle_is_a_marker() -> None:
    story = whole()
    assert story.is_whole
    assert not story.fault
    attacks = [m for m in story.moments if m.fact.kind == "attack"]
    battles = [marker for marker in story.markers if marker.kind == "battle"]
    names = [type(event).__name__ for entry in played() for event in entry.events]
    assert attacks
    assert len(attacks) == len(battles) == names.count("AttackMade")


def test_moments_are_in_order_with_their_rounds() -> None:
    story = whole()
    places = [(m.index, m.event) for m in story.moments]
    assert places == sorted(places)
    for moment in story.moments:
        if moment.fact.kind == "attack":
            assert moment.round == story.round_at(moment.index - 1)


def test_rounds_begin_where_the_state_says_so() -> None:
    story = whole()
    presenter = RULES.presenter  # type: ignore[attr-defined]  # the core's protocol has no pictures
    assert story.rounds[0] == (0, 1)
    for place, number in story.rounds:
        state = fold(RULES, played()[: place + 1])
        assert presenter.status(RULES.view(state, REFEREE)).round == number
        assert story.start_of_round(number) == place


def test_numbers_match_the_states() -> None:
    story = whole()
    for place in (0, len(story.line) // 2, len(story.line) - 1):
        assert story.numbers[place] == RULES.statistics(fold(RULES, played()[: place + 1]))
    units = story.history("units")
    assert len(units) == 2
    assert units[0][-1] == story.numbers[-1]["units"][0]
    assert len(units[0]) == len(story.rounds)


def test_interrupted_walk_leaves_usable_results() -> None:
    story = Story(RULES, played())
    for done in story.walk():
        if done == 7:
            break
    assert story.done == 7
    assert not story.is_whole
    assert len(story.numbers) == 7
    assert all(moment.index < 7 for moment in story.moments)


def test_walking_leaves_states_for_seeking() -> None:
    frames: Keyframes[Any] = Keyframes(every=16)
    told(Story(RULES, played(), keyframes=frames))
    assert len(frames.states) > 3
    for seq, state in list(frames.states.items())[:4]:
        assert state == fold(RULES, played()[: seq + 1])


def test_broken_event_ends_the_walk_with_a_line() -> None:
    entries = list(played()[:6])
    entries[4] = replace(entries[4], events=(object(),))
    story = told(Story(RULES, entries))
    assert story.done == 4
    assert "entry 4" in story.fault


def secret_game() -> EventLog[Any, Any]:
    rules = find("toy")
    players = tuple(SeatPlayer(seat, f"p{seat}", "easy") for seat in range(2))
    table = Table.begin(rules, grounds(rules)[0], {}, Header("toy", rules.schema, SEED, players))
    while (seat := table.to_act()) is not None:
        view = table.game.view(seat)
        for command in think(rules, "easy", view, seat, SEED, len(table.game.log)):
            if not table.submit(seat, write(command)).ok:
                break
    return table.game.log


def test_viewer_of_a_secret_game_gets_less_and_no_numbers() -> None:
    rules, log = find("toy"), secret_game()
    everything = told(Story(rules, log.line()))
    public = told(Story(rules, log.line(), PUBLIC))
    assert everything.numbers
    assert not public.numbers
    assert public.history("bands") == []
    assert len(public.moments) <= len(everything.moments)
    orders = [m for m in public.moments if m.fact.kind == "order" and m.fact.at is not None]
    assert not orders


# -- the bar ------------------------------------------------------------------------------------


@pytest.mark.parametrize("total", [1, 2, 10, 78, 79, 2696])
@pytest.mark.parametrize("width", [1, 2, 40, 78])
def test_ends_of_the_line_are_the_ends_of_the_bar(total: int, width: int) -> None:
    assert cell_of(0, total, width) == 0
    assert cell_of(total - 1, total, width) == (width - 1 if total > 1 and width > 1 else 0)
    cells = [cell_of(index, total, width) for index in range(total)]
    assert cells == sorted(cells)
    assert 0 <= place_of(width // 2, total, width) < total


def test_click_on_a_cell_leads_back_to_it() -> None:
    for cell in range(78):
        assert cell_of(place_of(cell, 2696, 78), 2696, 78) == cell


def test_rarest_marker_on_a_cell_is_shown() -> None:
    markers = [Marker(50, "round"), Marker(50, "battle"), Marker(50, "lead"), Marker(99, "end")]
    cells = bar(markers, 100, 10)
    kinds = [cell.kind if cell else "" for cell in cells]
    assert kinds.count("lead") == 1
    assert kinds[9] == "end"
    assert "battle" not in kinds


def test_nearest_marker_is_found_both_ways() -> None:
    markers = [Marker(5, "loss"), Marker(2, "round"), Marker(9, "end")]
    assert near(markers, 5, 1) == Marker(9, "end")
    assert near(markers, 5, -1) == Marker(2, "round")
    assert near(markers, 9, 1) is None
    assert near([], 0, -1) is None


def test_change_of_the_lead_is_marked_with_the_new_leader() -> None:
    story = whole()
    leads = [marker for marker in story.markers if marker.kind == "lead"]
    name = RULES.presenter.lead  # type: ignore[attr-defined]  # as above
    for marker in leads:
        values = story.numbers[marker.index][name]
        assert values[marker.seat] == max(values)
        before = story.numbers[marker.index - 1][name]
        assert before[marker.seat] <= max(before)
