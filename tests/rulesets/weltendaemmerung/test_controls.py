"""Stick and button, and the intents with their questions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.containers import Roster
from engine.core.record import replace
from engine.rulesets.weltendaemmerung.controls import DOWN, FIRE, LEFT, RIGHT, UP, Tick, push, tick
from engine.rulesets.weltendaemmerung.picture import PRESENTER
from engine.rulesets.weltendaemmerung.state import Options, Site, State, View
from engine.tabletop.ask import AskConfirm, AskPlace
from engine.tabletop.focus import DELTAS, NOTHING, Direction, Focus, Push
from tests.rulesets.weltendaemmerung.small import (
    DUEL,
    is_allowed,
    played,
    positions,
    state,
    texts,
    unit,
    view,
)

# -- stick and button --------------------------------------------------------------------


FOUR = Options()
BOTH = Options(free_cursor="both")
EIGHT = Options(steps="eight")

masks = st.integers(0, 31)


def one(
    mask: int, options: Options = FOUR, *, locked: bool = False, carrying: bool = False
) -> Tick:
    return tick(mask, locked=locked, carrying=carrying, options=options)


@pytest.mark.rule("WD-STICK-1")
@pytest.mark.parametrize(("mask", "direction"), [(1, "up"), (2, "down"), (4, "left"), (8, "right")])
def test_each_bit_of_the_mask_is_a_direction(mask: int, direction: str) -> None:
    assert one(mask) == Tick(locked=False, directions=(direction,))  # type: ignore[arg-type]  # a parameter of the test
    assert one(16) == Tick(locked=True, fire=True)


@pytest.mark.rule("WD-STICK-2")
@given(st.integers(1, 15), st.booleans(), st.booleans())
def test_lowest_set_bit_is_the_direction(mask: int, fire: bool, carrying: bool) -> None:
    lowest = (mask & -mask).bit_length() - 1
    (direction,) = one(mask | FIRE * fire, carrying=carrying).directions
    assert direction == ("up", "down", "left", "right")[lowest]


@pytest.mark.rule("WD-STICK-3")
def test_both_axes_move_a_free_cursor_but_a_unit_takes_one() -> None:
    assert one(UP | LEFT, BOTH).directions == ("up", "left")
    assert one(UP | DOWN | RIGHT, BOTH).directions == ("up", "down", "right")
    assert one(UP | LEFT, BOTH, carrying=True).directions == ("up",)


@pytest.mark.rule("WD-STICK-3")
def test_opposite_pushes_of_a_free_cursor_cancel_out() -> None:
    seen = view(state(("...",) * 3, options=BOTH))
    moved = push(seen, Focus(1, 1), one(UP | DOWN | LEFT, BOTH).directions)
    assert moved == Push(Focus(0, 1))


@pytest.mark.rule("WD-STICK-2")
def test_eight_steps_combine_axes_into_a_diagonal() -> None:
    for carrying in (False, True):
        assert one(UP | LEFT, EIGHT, carrying=carrying).directions == ("up-left",)
        assert one(DOWN | RIGHT, EIGHT, carrying=carrying).directions == ("down-right",)
        assert one(UP | DOWN | LEFT, EIGHT, carrying=carrying).directions == ("left",)
        assert one(UP | DOWN, EIGHT, carrying=carrying).directions == ()
        assert one(UP | DOWN | LEFT | RIGHT, EIGHT, carrying=carrying).directions == ()


@pytest.mark.rule("WD-STICK-4")
def test_fire_acts_once_until_the_stick_is_released() -> None:
    acted, locked = [], False
    for mask in (FIRE, FIRE, RIGHT, FIRE, RIGHT | FIRE, FIRE, 0, FIRE, FIRE):
        ticked = one(mask, locked=locked)
        locked = ticked.locked
        acted.append(ticked.fire)
    assert acted == [True, False, False, False, False, False, False, True, False]


@pytest.mark.rule("WD-STICK-4")
def test_fire_right_after_a_direction_acts_if_not_locked() -> None:
    ticked = one(RIGHT)
    assert not ticked.locked
    assert one(FIRE, locked=ticked.locked).fire


@pytest.mark.rule("WD-STICK-4")
def test_a_direction_with_fire_is_a_direction() -> None:
    assert one(RIGHT | FIRE) == Tick(locked=False, directions=("right",))
    assert one(RIGHT | FIRE, locked=True).locked


@pytest.mark.rule("WD-STICK-2", "WD-STICK-4")
@given(st.lists(masks, max_size=30), st.booleans())
def test_tick_acts_once_and_fire_once_per_release(fed: list[int], carrying: bool) -> None:
    locked, fired = False, 0
    for mask in fed:
        ticked = one(mask, locked=locked, carrying=carrying)
        locked = ticked.locked
        assert len(ticked.directions) + ticked.fire <= 1
        fired = 0 if mask == 0 else fired + ticked.fire
        assert fired <= 1


@pytest.mark.rule("WD-STICK-5")
def test_two_presses_of_the_button_act_twice() -> None:
    seen = view(state(("...",), unit(0, "sword", 1, 0)))
    lifted = PRESENTER.fire(seen, Focus(1, 0)).focus
    assert lifted == Focus(1, 0, 0)
    assert PRESENTER.fire(seen, lifted).focus == Focus(1, 0)


@pytest.mark.rule("WD-STICK-6", "WD-MOVE-1")
@pytest.mark.parametrize("direction", ["up", "down", "left", "right"])
def test_a_direction_is_a_step_of_the_carried_unit(direction: Direction) -> None:
    seen = view(state(("...",) * 3, unit(7, "sword", 1, 1)))
    dx, dy = DELTAS[direction]
    push = PRESENTER.step(seen, Focus(1, 1, 7), direction)
    assert push.line == f"step unit=7 direction={direction}"
    assert push.focus == Focus(1 + dx, 1 + dy, 7)
    assert push.refused == Focus(1, 1, 7)


@pytest.mark.rule("WD-STICK-3")
def test_a_blocked_first_direction_uses_up_the_tick() -> None:
    position = state(("#..", "..."), unit(0, "sword", 0, 1))
    pushed = push(view(position), Focus(0, 1, 0), one(UP | RIGHT, carrying=True).directions)
    assert pushed.line == "step unit=0 direction=up"
    assert not is_allowed(position, pushed.line)
    assert pushed.refused == Focus(0, 1, 0)


@pytest.mark.rule("WD-STICK-6")
def test_unit_without_points_is_put_down_and_the_cursor_moves_on() -> None:
    seen = view(state(("...",), unit(0, "sword", 1, 0, b=0)))
    push = PRESENTER.step(seen, Focus(1, 0, 0), "right")
    assert (push.focus, push.line) == (Focus(2, 0), "")
    assert push.note


@pytest.mark.rule("WD-STICK-6", "WD-TURN-6")
@pytest.mark.parametrize("phase", [0, 1, 2])
def test_fire_on_a_free_end_tile_ends_every_phase(phase: int) -> None:
    position = state(("E..",), unit(0, "sword", 2, 0, b=1), phase=phase)
    assert PRESENTER.fire(view(position), Focus(0, 0)).line == "end-phase"
    chosen = PRESENTER.fire(view(position), Focus(0, 0, 0))
    assert (chosen.line, chosen.focus) == ("end-phase", Focus(0, 0))


@pytest.mark.rule("WD-TURN-6")
def test_occupied_or_disabled_end_tile_is_an_ordinary_tile() -> None:
    taken = state(("E..",), unit(0, "sword", 0, 0))
    assert PRESENTER.fire(view(taken), Focus(0, 0)) == Push(Focus(0, 0, 0))
    off = state(("E..",), options=Options(end_tile="off"))
    assert PRESENTER.fire(view(off), Focus(0, 0)).line == ""


@pytest.mark.rule("WD-STICK-6")
def test_fire_in_the_movement_phase_picks_up_own_units_only() -> None:
    units = unit(0, "sword", 0, 0, b=0), unit(1, "axe", 1, 0)
    seen = view(state(("...",), *units))
    assert PRESENTER.fire(seen, Focus(0, 0)) == Push(Focus(0, 0, 0))
    assert PRESENTER.fire(seen, Focus(0, 0, 0)) == Push(Focus(0, 0))
    assert PRESENTER.fire(seen, Focus(1, 0)) == Push(Focus(1, 0))
    assert PRESENTER.fire(seen, Focus(2, 0)) == Push(Focus(2, 0))


@pytest.mark.rule("WD-STICK-6")
def test_fire_in_the_attack_phase_chooses_an_own_attacker() -> None:
    units = unit(0, "sword", 0, 0, b=1), unit(1, "axe", 1, 0, b=1), unit(2, "spear", 2, 0, b=0)
    seen = view(state(("....",), *units, phase=1))
    assert PRESENTER.fire(seen, Focus(0, 0)) == Push(Focus(0, 0, 0))
    assert PRESENTER.fire(seen, Focus(1, 0)) == Push(Focus(1, 0))
    assert PRESENTER.fire(seen, Focus(2, 0)).focus == Focus(2, 0)
    assert PRESENTER.fire(seen, Focus(3, 0)) == Push(Focus(3, 0))


@pytest.mark.rule("WD-STICK-6", "WD-ATT-5")
@pytest.mark.parametrize("x", [0, 1, 2, 3])
def test_attacker_may_try_any_tile_and_is_then_deselected(x: int) -> None:
    units = unit(0, "sword", 0, 0, b=1), unit(1, "axe", 1, 0, b=1), unit(2, "spear", 2, 0, b=1)
    push = PRESENTER.fire(view(state(("....",), *units, phase=1)), Focus(x, 0, 0))
    assert push.line == f"attack unit=0 at={x},0"
    assert push.focus == push.refused == Focus(x, 0)


@pytest.mark.rule("WD-STICK-6")
def test_chosen_attacker_stays_while_the_cursor_moves() -> None:
    seen = view(state(("....",), unit(0, "sword", 0, 0, b=1), phase=1))
    push = PRESENTER.step(seen, Focus(0, 0, 0), "right")
    assert (push.focus, push.line) == (Focus(1, 0, 0), "")


@pytest.mark.rule("WD-STICK-6", "WD-GATE-3")
def test_fire_in_the_gate_phase_works_the_tile_at_the_cursor() -> None:
    position = state(
        ("G..",), unit(0, "sword", 1, 0), phase=2, frontier=2, sites=Roster([Site(0, 0, 0)])
    )
    push = PRESENTER.fire(view(position), Focus(0, 0))
    assert push.line == "gate at=0,0"
    assert played(position, push.line).terrain[0, 0] != position.terrain[0, 0]
    refused = PRESENTER.fire(view(position), Focus(2, 0))
    assert refused.line == "gate at=2,0"
    assert refused.refused == Focus(2, 0)


@pytest.mark.rule("WD-STICK-6")
def test_button_does_nothing_for_a_side_not_to_act() -> None:
    position = state(("E..",), unit(0, "axe", 1, 0))
    other = replace(view(position), viewer=1)
    over = replace(view(position), winner=0)
    for seen in (other, over):
        for x in range(3):
            push = PRESENTER.fire(seen, Focus(x, 0))
            assert (push.focus, push.line) == (Focus(x, 0), "")
            assert push.note


@pytest.mark.rule("WD-VIEW-2", "WD-VIEW-3")
@given(
    positions(),
    st.integers(0, 7),
    st.integers(0, 5),
    st.lists(st.sampled_from(sorted(DELTAS)), max_size=12),
)
@settings(max_examples=60)
def test_cursor_stays_on_the_map_and_moves_one_tile_at_a_time(
    position: State, x: int, y: int, pushes: list[Direction]
) -> None:
    position = replace(position, options=FOUR)
    seen = view(position)
    focus = Focus(x % seen.terrain.width, y % seen.terrain.height)
    for direction in pushes:
        after = PRESENTER.step(seen, focus, direction).focus
        assert seen.terrain.has(after.x, after.y)
        assert abs(after.x - focus.x) + abs(after.y - focus.y) <= 1
        focus = after


@pytest.mark.rule("WD-VIEW-2")
@pytest.mark.parametrize(
    ("there", "back"), [("up", "down"), ("down", "up"), ("left", "right"), ("right", "left")]
)
def test_push_and_push_back_return_to_the_start_except_at_edges(
    there: Direction, back: Direction
) -> None:
    seen = view(state(("...",) * 3))
    for x in range(3):
        for y in range(3):
            away = PRESENTER.step(seen, Focus(x, y), there).focus
            home = PRESENTER.step(seen, away, back).focus
            hit = away == Focus(x, y)
            assert (home == Focus(x, y)) != hit


def lifted(seen: View) -> Focus:
    return PRESENTER.fire(seen, Focus(1, 1)).focus


@pytest.mark.rule("WD-STICK-6")
def test_accepted_step_takes_the_cursor_along() -> None:
    position = state(("...",) * 3, unit(0, "sword", 1, 1))
    push = PRESENTER.step(view(position), lifted(view(position)), "left")
    after = played(position, push.line)
    assert PRESENTER.settle(view(after), push.focus) == Focus(0, 1, 0)


@pytest.mark.rule("WD-TURN-1")
def test_held_unit_is_released_when_a_phase_ends() -> None:
    position = state(("...",) * 3, unit(0, "sword", 1, 1), unit(1, "axe", 2, 2))
    held = lifted(view(position))
    assert held.held == 0
    for _ in range(6):
        position = played(position, "end-phase")
        if position.player != 0 or position.phase != 0:
            held = PRESENTER.settle(view(position), held)
            assert held.held == NOTHING


# -- intents and questions ---------------------------------------------------------------


@given(positions(), st.data())
@settings(max_examples=60)
def test_every_dialogue_ends_in_an_accepted_line(position: State, data: st.DataObject) -> None:
    seen = view(position)
    width, height = position.terrain.width, position.terrain.height
    focus = Focus(data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1)))
    for intent in PRESENTER.intents(seen, focus):
        answers: list[str] = []
        asked = PRESENTER.ask(seen, focus, intent.name, answers)
        while not isinstance(asked, str):
            if isinstance(asked, AskPlace):
                assert len(asked.labels) in (0, len(asked.cells))
                assert bool(asked.cells) == (intent.reason == "")
                if not asked.cells:
                    break
                x, y = data.draw(st.sampled_from(asked.cells))
                answers.append(f"{x},{y}")
            else:
                assert isinstance(asked, AskConfirm)
                answers.append("yes")
            asked = PRESENTER.ask(seen, focus, intent.name, answers)
        if isinstance(asked, str):
            assert is_allowed(position, asked, 1)


@pytest.mark.rule("WD-MOVE-7")
def test_moving_asks_for_a_tile_and_writes_the_path() -> None:
    seen = view(DUEL)
    asked = PRESENTER.ask(seen, Focus(0, 0), "move-to", [])
    assert isinstance(asked, AskPlace)
    assert dict(zip(asked.cells, asked.labels, strict=True))[2, 0] == "3"
    line = PRESENTER.ask(seen, Focus(0, 0), "move-to", ["2,0"])
    assert line == "move unit=0 path=1,0>2,0"
    assert isinstance(PRESENTER.ask(seen, Focus(0, 0), "move-to", ["nonsense"]), AskPlace)
    assert isinstance(PRESENTER.ask(seen, Focus(0, 0), "move-to", ["1,1"]), AskPlace)


@pytest.mark.rule("WD-ATT-1")
def test_attack_asks_for_a_target_and_shows_the_forecast() -> None:
    seen = view(replace(DUEL, phase=1))
    asked = PRESENTER.ask(seen, Focus(0, 0), "attack", [])
    assert isinstance(asked, AskPlace)
    assert (asked.cells, asked.labels) == (((1, 1),), ("0",))
    confirm = PRESENTER.ask(seen, Focus(0, 0), "attack", ["1,1"])
    assert isinstance(confirm, AskConfirm)
    assert confirm.title == "Sword bearers: attack axe men at 1,1?"
    assert "Kills 0 % (0/8)" in texts(confirm.lines)
    assert PRESENTER.ask(seen, Focus(0, 0), "attack", ["1,1", "yes"]) == "attack unit=0 at=1,1"


@pytest.mark.rule("WD-TURN-5")
def test_end_of_a_phase_warns_and_names_units_that_could_act() -> None:
    asked = PRESENTER.ask(view(DUEL), Focus(0, 0), "end-phase", [])
    assert isinstance(asked, AskConfirm)
    assert asked.title == "End movement?"
    told = texts(asked.lines).splitlines()
    assert told[0] == "Your commander: 1 enemy can strike, cannot fall yet"
    assert told[-3:] == [
        "2 units could still act:",
        "sword bearers at 0,0",
        "commander at 3,1",
    ]
    assert PRESENTER.ask(view(DUEL), Focus(0, 0), "end-phase", ["yes"]) == "end-phase"
    assert isinstance(PRESENTER.ask(view(DUEL), Focus(0, 0), "end-phase", ["no"]), AskConfirm)


def test_a_long_list_of_idle_units_is_cut_and_counted() -> None:
    units = [unit(number, "sword", number, 0) for number in range(9)]
    asked = PRESENTER.ask(view(state(("." * 9, "." * 9), *units)), Focus(0, 0), "end-phase", [])
    assert isinstance(asked, AskConfirm)
    assert len(asked.lines) == 8
    assert asked.lines[-1].text == "and 3 more"


@pytest.mark.rule("WD-GATE-3")
def test_the_gate_under_the_cursor_is_worked_without_a_question() -> None:
    seen = view(replace(DUEL, phase=2))
    assert PRESENTER.ask(seen, Focus(2, 1), "gate", []) == "gate at=2,1"
    asked = PRESENTER.ask(seen, Focus(0, 0), "gate", [])
    assert isinstance(asked, AskPlace)
    assert asked.cells == ((2, 1),)
    assert PRESENTER.ask(seen, Focus(0, 0), "gate", ["2,1"]) == "gate at=2,1"


@pytest.mark.parametrize(
    ("focus", "reason"),
    [(Focus(3, 0), "You have no unit here."), (Focus(1, 1), "You have no unit here.")],
)
def test_impossible_intents_have_a_reason(focus: Focus, reason: str) -> None:
    assert PRESENTER.intents(view(DUEL), focus)[0].reason == reason
    attacking = view(replace(DUEL, phase=1))
    assert PRESENTER.intents(attacking, focus)[0].reason == reason


def test_intents_explain_spent_and_blocked_units_and_turn() -> None:
    spent = replace(DUEL, units=DUEL.units.put(replace(DUEL.units[0], b=0)))
    first = PRESENTER.intents(view(spent), Focus(0, 0))[0]
    assert first.reason == "It has no moves left."
    spent_attack = view(replace(spent, phase=1))
    assert PRESENTER.intents(spent_attack, Focus(0, 0))[0].reason == "It has attacked already."
    hemmed = state(("^.^", "###"), unit(0, "sword", 1, 0))
    assert PRESENTER.intents(view(hemmed), Focus(1, 0))[0].reason == "It is blocked on all sides."
    waiting = replace(view(DUEL), viewer=1)
    assert {intent.reason for intent in PRESENTER.intents(waiting, Focus(0, 0))} == {
        "Eldoin is to act."
    }
    over = replace(view(DUEL), winner=0)
    assert {intent.reason for intent in PRESENTER.intents(over, Focus(0, 0))} == {
        "The game is over."
    }


def test_unknown_intent_is_refused() -> None:
    with pytest.raises(ValueError, match="no intent 'dance'"):
        PRESENTER.ask(view(DUEL), Focus(0, 0), "dance", [])
