"""The button: picking up stacks and sending them."""

from __future__ import annotations

import pytest

from engine.core.record import replace
from engine.rulesets.warlords2.options import Options
from engine.strategic.picture.selection import group_at, selected
from engine.strategic.pieces import Question
from engine.tabletop.ask import AskConfirm
from engine.tabletop.focus import NOTHING, Focus
from tests.strategic import ground
from tests.strategic.picture.stage import PICTURE, context, field, shown


@pytest.mark.rule("W2-6.1")
def test_button_picks_up_all_armies_that_can_move() -> None:
    push = PICTURE.fire(shown(field()), Focus(1, 0))
    assert push.focus == Focus(1, 0, 3)
    assert [army.id for army in selected(context(field()), push.focus)] == [3, 5]


def test_defending_army_is_picked_up_only_if_all_defend() -> None:
    state = field()
    one = state.armies.put(replace(state.armies[3], defends=True))
    assert PICTURE.fire(shown(replace(state, armies=one)), Focus(1, 0)).focus.held == 5
    both = one.put(replace(state.armies[5], defends=True))
    assert PICTURE.fire(shown(replace(state, armies=both)), Focus(1, 0)).focus.held == 3


@pytest.mark.rule("W2-6.1")
def test_ship_is_not_picked_up_with_armies_on_foot() -> None:
    armies = [ground.army(1, 1, 0, ground.NAVY), ground.army(2, 1, 0)]
    state = ground.world(["w=w"], armies=armies)
    assert [army.id for army in group_at(context(state), (1, 0))] == [2]


def test_tired_stack_is_not_picked_up() -> None:
    push = PICTURE.fire(shown(field()), Focus(4, 0))
    assert push.focus.held == NOTHING
    assert push.note == "They have no moves left."


@pytest.mark.rule("W2-6.4")
def test_a_second_press_sends_the_group_there() -> None:
    push = PICTURE.fire(shown(field()), Focus(3, 0, 3))
    assert push.line == "march armies=3>5 to=3,0"
    assert push.focus == Focus(3, 0, 3)
    assert push.refused == Focus(3, 0, 3)


def test_a_group_sent_beyond_this_turn_is_let_go_so_that_no_press_parts_it() -> None:
    armies = [ground.army(1, 0, 0, points=2), ground.army(2, 0, 0, points=12)]
    state = ground.world(["." * 20], armies=armies)
    push = PICTURE.fire(shown(state), Focus(15, 0, 1))
    assert push.line == "march armies=1>2 to=15,0"
    assert push.focus == Focus(15, 0)
    assert push.refused == Focus(15, 0, 1)


def test_the_button_says_that_it_takes_only_a_part_of_a_stack() -> None:
    armies = [ground.army(1, 0, 0, points=0), ground.army(2, 0, 0)]
    view = shown(ground.world(["...."], armies=armies))
    assert PICTURE.overlay(view, Focus(0, 0)).hint == "take up 1 of 2"
    assert PICTURE.overlay(view, Focus(2, 0, 2)).hint == "go here with 1 of 2"
    assert PICTURE.overlay(view, Focus(0, 0, 2)).hint == "put down"


def test_group_sent_to_its_own_side_joins_the_stack() -> None:
    armies = [*field().armies.values(), ground.army(1, 3, 0, ground.LIGHT)]
    before = ground.world(["........."], armies=armies)
    push = PICTURE.fire(shown(before), Focus(3, 0, 3))
    assert push.line == "march armies=3>5 to=3,0"
    moved = [replace(before.armies[number], x=3) for number in (3, 5)]
    after = replace(before, armies=before.armies.put(*moved))
    focus = PICTURE.settle(shown(after), push.focus)
    assert focus == Focus(3, 0, 1)
    assert [army.id for army in selected(context(after), focus)] == [1, 3, 5]


def test_group_that_joins_tired_armies_stays_selected_alone() -> None:
    before = field()
    moved = [replace(before.armies[number], x=4) for number in (3, 5)]
    after = replace(before, armies=before.armies.put(*moved))
    focus = PICTURE.settle(shown(after), Focus(4, 0, 3))
    assert [army.id for army in selected(context(after), focus)] == [3, 5]


@pytest.mark.rule("W2-8.5")
def test_press_on_foes_asks_before_the_attack() -> None:
    push = PICTURE.fire(shown(field()), Focus(6, 0, 3))
    assert (push.intent, push.line) == ("march", "march armies=3>5 to=6,0")
    asked = PICTURE.ask(shown(field()), push.focus, push.intent, [])
    assert isinstance(asked, AskConfirm)
    assert (asked.title, asked.yes, asked.no) == ("Attack Side 1 at 6,0?", "attack", "hold back")
    assert asked.lines[0].text.startswith("Win ")
    assert PICTURE.ask(shown(field()), push.focus, push.intent, ["yes"]) == push.line


def test_attack_in_a_later_turn_shows_its_arrival() -> None:
    armies = [ground.army(1, 0, 0, ground.HEAVY), ground.army(2, 9, 0, owner=1)]
    state = ground.world(["." * 14], armies=armies)
    asked = PICTURE.ask(shown(state), Focus(9, 0, 1), "march", [])
    assert isinstance(asked, AskConfirm)
    assert asked.lines[0].text == "They arrive in 3 turns."


def test_press_on_an_unreachable_foe_asks_nothing() -> None:
    armies = [ground.army(1, 0, 0), ground.army(2, 4, 0, owner=1)]
    state = ground.world(["..w.."], armies=armies)
    push = PICTURE.fire(shown(state), Focus(4, 0, 1))
    assert (push.intent, push.line) == ("", "march armies=1 to=4,0")


def test_press_on_its_own_tile_puts_the_group_down() -> None:
    push = PICTURE.fire(shown(field()), Focus(1, 0, 3))
    assert (push.focus, push.line) == (Focus(1, 0), "")


@pytest.mark.rule("W2-12.3")
def test_the_button_breaks_no_treaty() -> None:
    state = field(peace=True, options=Options(diplomacy="on"))
    push = PICTURE.fire(shown(state), Focus(6, 0, 3))
    assert push.line == ""
    assert "The treaty with Side 1 forbids it" in push.note
    assert PICTURE.overlay(shown(state), Focus(6, 0, 3)).hint == "the treaty forbids it"


@pytest.mark.parametrize(
    ("change", "note"),
    [
        ({"at": 1}, "It is Side 1's turn."),
        ({"question": Question("hero", 0, city=1)}, "First answer the hero (a)."),
        ({"question": Question("fate", 1, city=1)}, "It is Side 1's turn."),
        ({"winners": (1,), "reason": "conquest"}, "The game is over."),
    ],
)
def test_nothing_is_picked_up_while_orders_are_impossible(
    change: dict[str, object], note: str
) -> None:
    state = field(**change)
    push = PICTURE.fire(shown(state), Focus(1, 0))
    assert (push.focus.held, push.note) == (NOTHING, note)
    assert PICTURE.overlay(shown(state), Focus(1, 0)).hint == ""


def test_watcher_cannot_hold_a_group() -> None:
    assert PICTURE.fire(shown(field(), -2), Focus(1, 0)).note == "You only watch."


def test_held_group_is_put_down_when_it_can_no_longer_move() -> None:
    state = field()
    assert PICTURE.settle(shown(state), Focus(2, 0, 3)) == Focus(2, 0, 3)
    tired = [replace(army, points=0) for army in state.armies.values()]
    after = replace(state, armies=state.armies.put(*tired))
    assert PICTURE.settle(shown(after), Focus(2, 0, 3)) == Focus(2, 0)
    assert PICTURE.settle(shown(state), Focus(99, -5, 77)) == Focus(8, 0)


def test_cursor_stops_at_the_map_edge_and_keeps_the_group() -> None:
    view = shown(field())
    assert PICTURE.step(view, Focus(0, 0, 3), "left").focus == Focus(0, 0, 3)
    assert PICTURE.step(view, Focus(0, 0, 3), "right").focus == Focus(1, 0, 3)
