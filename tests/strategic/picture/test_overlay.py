"""Marks for the cursor, the panel beside them, and layers over the whole map."""

from __future__ import annotations

import pytest

from engine.core.record import replace
from engine.rulesets.warlords2.state import State
from engine.tabletop.focus import Focus
from engine.tabletop.roles import MarkSign
from tests.strategic import ground
from tests.strategic.picture.sentence_cases import BUSY
from tests.strategic.picture.stage import FREE, PICTURE, field, shown, texts

# -- marks and panel -------------------------------------------------------------------------------


def marked(state: State, focus: Focus) -> dict[tuple[int, int], list[tuple[MarkSign, str]]]:
    """Return the marks of a focus by cell."""
    found: dict[tuple[int, int], list[tuple[MarkSign, str]]] = {}
    for mark in PICTURE.overlay(shown(state), focus).marks:
        found.setdefault((mark.x, mark.y), []).append((mark.sign, mark.text))
    return found


def test_stacks_that_can_move_are_marked_without_a_selection() -> None:
    assert marked(field(), FREE) == {(1, 0): [(MarkSign.IDLE, "")]}


def test_marks_are_reused_while_the_cursor_moves() -> None:
    view = shown(field())
    first = PICTURE.overlay(view, Focus(5, 0)).marks
    assert PICTURE.overlay(view, Focus(6, 0)).marks is first


@pytest.mark.rule("W2-6.2")
def test_held_group_shows_its_reach_and_targets() -> None:
    found = marked(field(), Focus(1, 0, 3))
    assert found[1, 0] == [(MarkSign.HELD, "")]
    assert found[2, 0] == [(MarkSign.REACH, "2")]
    assert found[5, 0] == [(MarkSign.REACH, "10")]
    (sign, percent), *_ = found[6, 0]
    assert sign is MarkSign.TARGET
    assert 50 < int(percent) < 100
    assert (7, 0) not in found


@pytest.mark.rule("W2-6.3")
def test_path_to_the_cursor_shows_its_turns() -> None:
    state = ground.world(["." * 14], armies=[ground.army(1, 0, 0, ground.HEAVY)])
    way = [
        m for m in PICTURE.overlay(shown(state), Focus(9, 0, 1)).marks if m.sign is MarkSign.PATH
    ]
    assert [(mark.x, mark.text, mark.turn) for mark in way[3:6]] == [
        (4, "", 0),
        (5, "2", 1),
        (6, "2", 1),
    ]
    assert way[-1].text == "3"
    said = texts(PICTURE.overlay(shown(state), Focus(9, 0, 1)).panel)
    assert "Way: 18 moves, 3 turns" in said


def test_route_of_a_group_shows_accumulated_costs() -> None:
    state = ground.world(["..f."], armies=[ground.army(1, 0, 0)])
    route = PICTURE.route(shown(state), Focus(0, 0), 3, 0)
    assert [(mark.x, mark.text, mark.turn) for mark in route] == [
        (1, "2", 0),
        (2, "5", 0),
        (3, "7", 0),
    ]
    assert PICTURE.route(shown(state), Focus(1, 0), 3, 0) == ()
    assert PICTURE.route(shown(state), Focus(0, 0), 33, 0) == ()


@pytest.mark.rule("W2-8.3")
def test_the_panel_explains_an_attack() -> None:
    armies = [
        ground.army(1, 0, 0, ground.PEGASI),
        ground.army(2, 0, 0, ground.HERO),
        ground.army(3, 2, 0, ground.LIGHT, owner=1),
    ]
    city = ground.city(1, 2, 0, 1, defence=2)
    state = ground.world(["....", "...."], armies=armies, cities=[city])
    said = texts(PICTURE.overlay(shown(state), Focus(2, 0, 1)).panel)
    assert "You: side +2" in said
    assert " leader +1 hero 2" in said
    assert " pack +1 Pegasi" in said
    assert "They: side +2" in said
    assert " walls +2" in said
    assert any(line.startswith("Win ") for line in said)
    assert PICTURE.overlay(shown(state), Focus(2, 0, 1)).hint.startswith("attack, ")


@pytest.mark.rule("W2-9.5")
def test_own_city_shows_its_vector() -> None:
    cities = [ground.city(1, 0, 0, 0, vector=2), ground.city(2, 6, 0, 0)]
    state = ground.world(["." * 9, "." * 9], cities=cities)
    found = marked(state, Focus(0, 0))
    assert found[3, 0] == [(MarkSign.PATH, ":")]
    assert found[6, 0] == [(MarkSign.TARGET, "")]
    assert marked(state, Focus(6, 1)) == found
    assert marked(state, Focus(4, 1)) == {}


# -- layers ----------------------------------------------------------------------------------------


def layer(state: State, name: str, x: int = 0, y: int = 0) -> dict[tuple[int, int], str]:
    return {(m.x, m.y): m.text for m in PICTURE.layer(shown(state), Focus(x, y), name)}


def test_every_layer_can_be_drawn() -> None:
    for known in PICTURE.layers:
        assert all(len(text) <= 2 for text in layer(BUSY, known.name, 4, 3).values())
    with pytest.raises(ValueError, match="no layer 'moon'"):
        layer(BUSY, "moon")


@pytest.mark.rule("W2-6.2", "W2-6.3")
def test_danger_counts_stacks_in_reach() -> None:
    """An army keeps two points for its next turn, which others do not see."""
    armies = [
        ground.army(1, 0, 0),
        ground.army(2, 9, 0, ground.HEAVY, owner=1),
        ground.army(3, 8, 0, ground.HEAVY, owner=1),
        ground.army(4, 8, 0, ground.SCOUTS, owner=1),
    ]
    state = ground.world(["." * 12], armies=armies, cities=[])
    found = layer(state, "danger")
    assert found[4, 0] == "2"
    assert found[3, 0] == "1"
    assert found[0, 0] == "1"
    assert (0, 0) not in layer(replace(state, armies=state.armies.drop(3, 4)), "danger")


@pytest.mark.rule("W2-4.4")
def test_prices_and_turns_belong_to_the_stack_at_the_cursor() -> None:
    state = ground.world(["..f#."], armies=[ground.army(1, 0, 0, ground.LIGHT, points=4)])
    assert layer(state, "prices") == {
        (0, 0): "2",
        (1, 0): "2",
        (2, 0): "3",
        (3, 0): "2",
        (4, 0): "2",
    }
    assert layer(state, "turns") == {(1, 0): "1", (2, 0): "2", (3, 0): "2", (4, 0): "2"}
    assert layer(state, "turns", 3, 0) == {}


def test_vectors_and_owners_are_drawn_for_all_cities() -> None:
    assert layer(BUSY, "vectors")[0, 2] == ":"
    owners = layer(BUSY, "owners")
    assert owners[2, 0] == "1"
    assert owners[7, 0] == "2"
