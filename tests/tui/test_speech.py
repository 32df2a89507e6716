"""The map in words: directions, distances, surroundings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.game import Game
from engine.core.registry import find
from engine.tabletop.board import Line
from engine.tabletop.focus import Focus
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import Tone
from tui.play.speech import around, bearing, offset, place_of, spoken, steps_of, summary_of, way_of

FAR = st.integers(-99, 99)


@pytest.mark.parametrize(
    ("dx", "dy", "word"),
    [
        (0, 0, "here"),
        (0, -3, "north"),
        (5, 0, "east"),
        (4, 4, "south-east"),
        (-2, -3, "north-west"),
        (-9, 1, "west"),
        (1, 9, "south"),
    ],
)
def test_nearest_of_eight_directions_is_named(dx: int, dy: int, word: str) -> None:
    assert bearing(dx, dy) == word


def test_distance_is_given_along_both_axes() -> None:
    assert offset(3, -2) == "3 east, 2 north"
    assert offset(0, 1) == "1 south"
    assert offset(0, 0) == "here"


@given(FAR, FAR)
def test_described_offset_leads_to_the_place(dx: int, dy: int) -> None:
    told = offset(dx, dy)
    assert (dx, dy) == (0, 0) or place_of(told, (100, 100)) == (100 + dx, 100 + dy)


@given(FAR, FAR)
def test_opposite_direction_has_the_opposite_name(dx: int, dy: int) -> None:
    turned = {"north": "south", "south": "north", "east": "west", "west": "east", "here": "here"}
    assert bearing(-dx, -dy).split("-") == [turned[word] for word in bearing(dx, dy).split("-")]


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("3 east", ["right"] * 3),
        ("north 2", ["up"] * 2),
        ("2 e, 1 north", ["right", "right", "up"]),
        ("ne southwest", ["up-right", "down-left"]),
        ("e", ["right"]),
        ("3", None),
        ("east 2 up", None),
        ("", None),
        ("999 e 9 n", None),
        ("² e", None),
    ],
)
def test_directions_are_read_as_people_write_them(text: str, steps: list[str] | None) -> None:
    assert steps_of(text) == steps


@given(st.text(max_size=40))
def test_any_text_is_a_place_or_none(text: str) -> None:
    found = place_of(text, (0, 0))
    assert found is None or len(found) == 2


def test_paths_are_described_in_runs() -> None:
    assert way_of((0, 0), [(1, 0), (2, 0), (2, -1), (3, -1)]) == "2 east, 1 north, 1 east"


def test_many_small_events_are_counted() -> None:
    small = [Line(f"step {number}", Tone.QUIET) for number in range(40)]
    told = summary_of([Line("a blow"), *small])
    assert [line.text for line in told] == ["a blow", "And 40 smaller things; again tells them."]
    assert len(summary_of(small[:5])) == 5


def test_position_is_described_with_its_actions() -> None:
    rules = find("weltendaemmerung")
    view = Game.begin(rules, rules.scenarios()["ford"], {}, b"1").view(0)
    shows = presenter_of(rules)
    text = spoken(shows, view, Focus(4, 5))
    assert "commander" in text
    assert "Can still act." in text
    assert "Here you can: pick up." in text
    near = around(shows, view, shows.board(view, shows.zooms[0]), (4, 5), 3)
    assert [(thing.find.at, thing.where) for thing in near] == [
        ((2, 3), "2 west, 2 north"),
        ((6, 4), "2 east, 1 north"),
        ((1, 6), "3 west, 1 south"),
    ]
