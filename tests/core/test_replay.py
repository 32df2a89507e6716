"""Tests of folding, seeking and verifying."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.decision import mark
from engine.core.ids import HOUSE
from engine.core.log import AnyEntry, Entry, EventLog, Mark
from engine.core.record import Command, replace
from engine.core.replay import BrokenLog, Cursor, Keyframes, fold, verify
from engine.core.ruleset import AnyRuleset
from tests.contract.walks import begun, numbers, walk
from tests.core.samples import ORDER, Faulty, toy_game
from tests.toy import RULES
from tests.toy import commands as do
from tests.toy import events as ev

Log = EventLog[Any, Any]


def long_line() -> list[AnyEntry]:
    """Play a long game at random and return its line."""
    game = begun(RULES, [1])
    list(walk(game, numbers("replay", 80)))
    return game.log.line()


LINE = long_line()
STATES = [fold(RULES, LINE[: number + 1]) for number in range(len(LINE))]


@given(
    seeks=st.lists(st.integers(-3, len(LINE) + 3), max_size=12),
    every=st.integers(1, 40),
)
def test_cursor_shows_the_folded_state_after_any_seek(seeks: list[int], every: int) -> None:
    cursor: Cursor[Any, Any, Any] = Cursor(RULES, LINE, Keyframes(every))
    for seek in seeks:
        place = min(max(seek, -1), len(LINE) - 1)
        expected = RULES.empty() if place < 0 else STATES[place]
        assert cursor.seek(seek) == expected == cursor.state
        assert cursor.index == place
        assert cursor.entry == (LINE[place] if place >= 0 else None)


def test_stepping_back_and_forth_returns_to_the_same_state() -> None:
    cursor: Cursor[Any, Any, Any] = Cursor(RULES, LINE)
    assert [cursor.step(1) for _ in LINE] == STATES
    assert cursor.step(1) == STATES[-1]
    assert [cursor.step(-1) for _ in LINE[1:]] == STATES[-2::-1]
    assert cursor.step(-1) == RULES.empty()
    assert cursor.step(-1) == RULES.empty()


class Counted:
    """The toy with a count of evolved events."""

    def __init__(self) -> None:
        self.evolved = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(RULES, name)

    def evolve(self, state: Any, event: Any) -> Any:
        """Evolve an event and count it."""
        self.evolved += 1
        return RULES.evolve(state, event)


def test_seek_evolves_at_most_the_events_between_keyframes() -> None:
    counted: Any = Counted()
    cursor: Cursor[Any, Any, Any] = Cursor(counted, LINE, Keyframes(every=10))
    cursor.seek(len(LINE))
    largest = max(len(entry.events) for entry in LINE)
    for place in range(len(LINE) - 1, -1, -1):
        counted.evolved = 0
        cursor.seek(place)
        assert counted.evolved <= 10 + largest


def test_cursor_uses_given_keyframes() -> None:
    counted: Any = Counted()
    keyframes: Keyframes[Any] = Keyframes()
    keyframes.states = {LINE[-1].seq: STATES[-1]}
    cursor: Cursor[Any, Any, Any] = Cursor(counted, LINE, keyframes)
    assert cursor.seek(len(LINE)) is STATES[-1]
    assert counted.evolved == 0


def test_seek_over_a_broken_event_keeps_the_cursor() -> None:
    broken = Entry(1, 0, 0, ORDER, (ev.RanksSet(0, ()), ev.BandFell(99)))
    cursor: Cursor[Any, Any, Any] = Cursor(RULES, [LINE[0], broken])
    cursor.seek(0)
    with pytest.raises(BrokenLog) as caught:
        cursor.seek(1)
    assert (caught.value.entry, caught.value.event) == (1, 1)
    assert caught.value.reason == "KeyError: 99"
    assert cursor.index == 0
    assert cursor.state == STATES[0]


def test_fold_may_start_from_any_state() -> None:
    assert fold(RULES, LINE[5:], STATES[4]) == STATES[-1]
    assert fold(RULES, []) == RULES.empty()


def test_only_ends_of_turns_are_marked() -> None:
    assert mark(RULES, STATES[0], [ev.RanksSet(0, ())]) is None
    assert mark(RULES, STATES[0], []) is None
    assert mark(RULES, STATES[0], [ev.RanksSet(0, ()), ev.RoundBegan(2)]) is not None


def logged(*entries: AnyEntry) -> Log:
    """Return a log of these entries."""
    log = Log()
    for entry in entries:
        log.append(entry)
    return log


def played() -> list[AnyEntry]:
    """Return a first entry, an order, and two seals; the second causes a march and a mark."""
    game = toy_game()
    game.submit(0, do.GiveOrder(1, ((1, 0),)))
    game.submit(0, do.SealOrders())
    game.submit(1, do.SealOrders())
    return list(game.log.entries)


def difference(entries: list[AnyEntry], rules: AnyRuleset = RULES) -> tuple[int, int, str]:
    """Return entry, event and field of the first difference that ``verify`` finds."""
    found = verify(rules, logged(*entries)).divergence
    assert found is not None
    assert str(found).startswith(f"entry {found.seq}")
    assert found.recorded != found.now
    return found.seq, found.event, found.field


def change(entries: list[AnyEntry], seq: int, **fields: Any) -> list[AnyEntry]:
    """Return the entries with one of them changed."""
    return [replace(entry, **fields) if entry.seq == seq else entry for entry in entries]


def test_a_sound_log_is_verified_to_its_end() -> None:
    verdict = verify(RULES, logged(*played()))
    assert (verdict.entries, verdict.marks, verdict.not_comparable) == (4, 1, 0)
    assert verdict.divergence is None


def test_a_changed_field_is_named() -> None:
    entries = played()
    order = ev.OrderGiven(replace(entries[1].events[0].order, path=((1, 0), (2, 0))))
    assert difference(change(entries, 1, events=(order,))) == (1, 0, "order.path")
    longer = replace(entries[1].events[0].order, path=((9, 0),))
    assert difference(change(entries, 1, events=(ev.OrderGiven(longer),))) == (
        1,
        0,
        "order.path[0][0]",
    )


def test_divergence_shows_both_values() -> None:
    entries = played()
    order = ev.OrderGiven(replace(entries[1].events[0].order, path=((9, 0),)))
    found = verify(RULES, logged(*change(entries, 1, events=(order,)))).divergence
    assert str(found) == "entry 1.1, order.path[0][0]: recorded 9, now 1"


def test_different_missing_and_extra_events_are_named() -> None:
    entries = played()
    events = entries[3].events
    other = (*events[:1], ev.RanksSet(0, ()), *events[2:])
    assert difference(change(entries, 3, events=other)) == (3, 1, "t")
    assert difference(change(entries, 3, events=events[:-1])) == (3, len(events) - 1, "event")
    more = (*events, ev.RanksSet(0, ()))
    assert difference(change(entries, 3, events=more)) == (3, len(events), "event")


def test_missing_wrong_and_unused_throws_are_named() -> None:
    entries = played()
    assert difference(change(entries, 0, throws=())) == (0, -1, "throws")
    assert difference(change(entries, 0, throws=((20, (1,)),))) == (0, -1, "throws")
    assert difference(change(entries, 1, throws=((6, (1, 2)),))) == (1, -1, "throws")


def test_command_refused_today_is_named() -> None:
    entries = played()
    commands: list[Command] = [do.GiveOrder(1, ((9, 9),)), do.Retreat((0, 0)), do.DropOrders(())]
    for command in commands:
        assert difference(change(entries, 1, command=command)) == (1, -1, "command")


def test_seat_refused_today_is_named() -> None:
    entries = played()
    assert difference(change(entries, 1, seat=7)) == (1, -1, "seat")
    assert difference(change(entries, 1, seat=-2)) == (1, -1, "seat")


def test_error_in_todays_rules_is_named_as_a_divergence() -> None:
    game = toy_game()
    game.submit(0, do.RaiseCry("Hear us"))
    found = verify(Faulty(), game.log).divergence
    assert found is not None
    assert (found.seq, found.field) == (1, "command")
    assert found.now == "ZeroDivisionError: a slip in the rules"


def test_log_without_a_valid_first_entry_is_named() -> None:
    entry: AnyEntry = Entry(0, -1, HOUSE, None, (ev.RoundBegan(1),))
    assert difference([entry]) == (0, -1, "command")
    assert difference([Entry(0, -1, HOUSE, None, ())]) == (0, -1, "command")


def test_wrong_mark_is_named() -> None:
    entries = played()
    wrong = Mark(entries[3].mark.layout, b"0" * 16) if entries[3].mark else None
    assert difference(change(entries, 3, mark=wrong)) == (3, -1, "mark")


def test_mark_of_another_layout_is_not_compared() -> None:
    entries = played()
    strange = change(entries, 3, mark=Mark(b"another.", b"0" * 16))
    verdict = verify(RULES, logged(*strange))
    assert (verdict.divergence, verdict.marks, verdict.not_comparable) == (None, 0, 1)


def test_every_branch_is_verified() -> None:
    entries = played()
    branch = Entry(4, 0, 0, ORDER, (ev.BandFell(1),))
    assert difference([*entries, branch]) == (4, 0, "t")
