"""The feed: events are evolved once and redacted once per viewer, for any number of listeners."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.core.decision import BaseDecision, states_around
from engine.core.dice import Dice, Scripted
from engine.core.feed import AnyChange, Change, changes, recorded
from engine.core.game import Game
from engine.core.ids import PUBLIC, REFEREE, ROOT, Viewer
from engine.core.link import FeedItem
from engine.core.log import Entry
from engine.core.replay import BrokenLog
from tests.core.samples import ORDER, OTHER, SEED, toy_game
from tests.toy import RULES
from tests.toy import commands as do
from tests.toy import events as ev
from tests.toy import rules as toy_rules
from tests.toy.rules import Toy
from tests.toy.state import State, View

VIEWERS = (0, 1, PUBLIC, REFEREE)


class Counting(Toy):
    """The toy with counts of how often each event is evolved or redacted and each state viewed."""

    def __init__(self) -> None:
        self.evolved: Counter[int] = Counter()
        self.redacted: Counter[tuple[Viewer, int]] = Counter()
        self.viewed: Counter[tuple[Viewer, int]] = Counter()
        self.kept: list[Any] = []
        """Counted objects, kept alive so that Python reuses no identity."""

    def count(self, state: State, event: ev.AnyEvent) -> State:
        """Evolve an event and count it."""
        self.kept.append(event)
        self.evolved[id(event)] += 1
        return Toy.evolve(self, state, event)

    def decide(
        self, state: State, seat: int, command: do.AnyCommand, dice: Dice
    ) -> tuple[ev.AnyEvent, ...]:
        """Decide with a scratch pad that counts the events it evolves."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                toy_rules, "BaseDecision", lambda at, _, dice: BaseDecision(at, self.count, dice)
            )
            return super().decide(state, seat, command, dice)

    def evolve(self, state: State, event: ev.AnyEvent) -> State:
        """Evolve an event and count it."""
        return self.count(state, event)

    def redact(
        self, event: ev.AnyEvent, before: State, after: State, viewer: Viewer
    ) -> ev.AnyEvent | None:
        """Redact an event and count it."""
        self.redacted[viewer, id(event)] += 1
        return super().redact(event, before, after, viewer)

    def view(self, state: State, viewer: Viewer) -> View:
        """View a state and count it."""
        self.kept.append(state)
        self.viewed[viewer, id(state)] += 1
        return super().view(state, viewer)


@pytest.mark.parametrize("listeners", [0, 1, 3])
def test_accepted_event_is_evolved_once_and_redacted_per_viewer(
    listeners: int,
) -> None:
    rules = Counting()
    game: Game[Any, Any, Any, Any] = Game.begin(rules, rules.scenarios()["crossing"], {}, SEED)
    items: list[FeedItem | None] = []

    def hear(change: AnyChange) -> None:
        for viewer in VIEWERS:
            items.append(change.item(viewer))
            for known in change.events(viewer):
                assert known.before is not known.after

    for _ in range(listeners):
        game.listen(hear)
    for command in (ORDER, do.SealOrders()):
        game.submit(0, command)
    rules.evolved.clear()
    rules.redacted.clear()
    rules.viewed.clear()
    items.clear()
    entry = game.submit(1, do.SealOrders())
    assert len(entry.events) > 2
    assert rules.evolved == {id(event): 1 for event in entry.events}
    assert set(rules.redacted.values()) <= {1}
    assert set(rules.viewed.values()) <= {1}
    assert bool(rules.redacted) == (listeners > 0)
    assert len({id(item) for item in items}) == min(listeners, 1) * len(VIEWERS)


def test_events_of_a_decision_carry_the_states_around_them() -> None:
    game = toy_game()
    events = RULES.decide(game.state, 0, ORDER, Scripted([]))
    states = states_around(RULES, game.state, events)
    assert states[0] is game.state
    assert states == states_around(RULES, game.state, tuple(events))
    again = toy_game().state
    assert states_around(RULES, again, events)[0] is again


def test_the_log_keeps_plain_tuples() -> None:
    game = toy_game()
    assert type(game.submit(0, ORDER).events) is tuple


def test_item_holds_only_what_its_viewer_may_know() -> None:
    heard: list[AnyChange] = []
    game = toy_game()
    game.listen(heard.append)
    entry = game.submit(0, ORDER)
    item = heard[0].item(0)
    assert item is not None
    assert (item.change, item.events, item.view) == ("played", entry.events, game.view(0))
    assert list(item.steps(None)) == [(entry.events[0], None, game.view(0))]
    assert heard[0].item(1) is None
    game.undo(0)
    rewound = heard[1].item(0)
    assert rewound == FeedItem(0, "rewound", (), game.view(0))
    assert heard[1].item(1) is None
    assert not heard[1].events(0)


def test_changes_read_from_a_log_equal_those_heard_live() -> None:
    heard: list[AnyChange] = []
    game = toy_game()
    game.listen(heard.append)
    game.submit(0, ORDER)
    game.submit(0, OTHER)
    for seat in (0, 1):
        game.submit(seat, do.SealOrders())
    _, *again = changes(RULES, game.log.line())
    for live, read in zip(heard, again, strict=True):
        assert (live.entry, live.states) == (read.entry, read.states)
        assert [live.item(viewer) for viewer in VIEWERS] == [read.item(v) for v in VIEWERS]


def test_a_broken_entry_names_its_event() -> None:
    state = toy_game().state
    events = (ev.RanksSet(0, (3, 2, 1)), ev.BandFell(99))
    with pytest.raises(BrokenLog, match=r"entry 7\.2: KeyError: 99"):
        recorded(RULES, state, Entry(7, ROOT, 0, None, events))


def test_view_is_reused_for_the_next_change() -> None:
    rules = Counting()
    game = toy_game()
    game.submit(0, ORDER)
    first, second = (change for change in _viewed(changes(rules, game.log.line())))
    assert first.after is second.before
    assert rules.viewed[0, id(second.before)] == 1


def _viewed(walked: Any) -> Any:
    for change in walked:
        change.view(0, 0)
        change.view(0)
        yield change


def test_a_move_of_the_head_has_two_states() -> None:
    one, two = RULES.empty(), toy_game().state
    change: AnyChange = Change(RULES, None, (one, two))
    assert (change.before, change.after) == (one, two)
