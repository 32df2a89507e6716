"""A game in progress: submitting, undo, branches and faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.core.archive import SaveFault
from engine.core.dice import Seeded, unpack
from engine.core.feed import AnyChange
from engine.core.game import Bug, Game
from engine.core.ids import HOUSE, PUBLIC, REFEREE, ROOT
from engine.core.log import AnyEntry, Entry, EventLog
from engine.core.options import OptionFault
from engine.core.refused import Denied, Refused
from engine.core.replay import BrokenLog, verify
from tests.core.samples import ORDER, OTHER, SEED, AnyGame, Faulty, toy_game
from tests.toy import RULES
from tests.toy import commands as do
from tests.toy import events as ev


def trail(game: AnyGame) -> list[int]:
    """Return the numbers of the entries whose states the game still holds."""
    return [seq for seq, _ in game._trail]


def test_a_game_begins_with_the_entry_of_the_house() -> None:
    game = toy_game()
    first = game.log[0]
    assert (first.seq, first.parent, first.seat, first.command) == (0, ROOT, HOUSE, None)
    assert game.head == 0
    assert game.view(PUBLIC).name == "crossing"


def test_invalid_option_begins_no_game() -> None:
    with pytest.raises(OptionFault, match="rounds"):
        Game.begin(RULES, RULES.scenarios()["crossing"], {"rounds": 99}, SEED)


def test_entry_holds_command_throws_and_events() -> None:
    game = toy_game()
    entry = game.submit(0, ORDER)
    assert (entry.seq, entry.parent, entry.seat, entry.command) == (1, 0, 0, ORDER)
    assert [type(event) for event in entry.events] == [ev.OrderGiven]
    assert entry.throws == ()
    assert game.log[1] is entry


def test_the_dice_of_an_entry_come_from_the_seed_and_its_number() -> None:
    game = toy_game(scenario="triangle")
    for command in (do.GiveOrder(1, ((1, 0),)), do.SealOrders()):
        game.submit(0, command)
    game.submit(1, do.GiveOrder(3, ((2, 0), (1, 0))))
    game.submit(1, do.SealOrders())
    entry = game.submit(2, do.SealOrders())
    dice = Seeded(SEED, entry.seq, "decide")
    assert tuple(unpack(entry.throws)) == ((6, dice.roll(6)), (6, dice.roll(6)))
    first = Seeded(SEED, 0, "decide")
    assert tuple(unpack(game.log[0].throws)) == tuple((2, first.roll(2)) for _ in range(3))


@pytest.mark.parametrize("seat", [PUBLIC, REFEREE, 2, 99])
def test_command_without_a_seat_is_refused(seat: int) -> None:
    game = toy_game()
    with pytest.raises(Refused) as caught:
        game.submit(seat, do.Resign())
    assert caught.value.code is Denied.NOT_YOUR_TURN
    assert len(game.log) == 1


def test_undo_goes_back_entry_by_entry_to_an_irreversible_one() -> None:
    game = toy_game()
    states = [game.state]
    for command in (ORDER, OTHER, do.DropOrders((1,))):
        game.submit(0, command)
        states.append(game.state)
    for number in (2, 1, 0):
        assert game.undo(0) == number
        assert game.state is states[number]
    assert not game.can_undo(0)
    with pytest.raises(Refused):
        game.undo(0)
    assert len(game.log) == 4


def test_undo_refuses_the_command_of_another_seat() -> None:
    game = toy_game()
    game.submit(0, ORDER)
    assert not game.can_undo(1)
    assert not game.can_undo(HOUSE)


def test_undo_keeps_later_commands_of_other_seats() -> None:
    """All seats act at once here, so the undo must reveal nothing about the others."""
    journal = Journal()
    game = toy_game(journal=journal)
    game.submit(0, ORDER)
    game.submit(1, do.GiveOrder(4, ((3, 0),)))
    game.submit(0, OTHER)
    game.submit(1, do.SealOrders())
    whole = game.view(1)
    heard: list[AnyChange] = []
    game.listen(heard.append)
    game.undo(0)
    assert game.view(0).orders.keys() == {1}
    assert game.undo(0) == game.head
    assert not game.view(0).orders
    assert game.view(1) == whole
    assert [entry.seat for entry in game.log.line()] == [HOUSE, 1, 1]
    assert [one.entry for one in heard] == [None, None]
    assert journal.frames[-2:] == ["again 2 [4]", "again 0 [2, 5]"]
    assert not game.can_undo(0)
    assert not game.can_undo(1)
    assert verify(RULES, game.log).divergence is None
    assert Game(RULES, SEED, game.log).state == game.state


def test_undo_refuses_a_finished_round() -> None:
    game = toy_game()
    game.submit(0, ORDER)
    game.submit(1, do.Resign())
    assert not game.can_undo(0)


def test_undo_on_a_full_disk_changes_nothing() -> None:
    journal = Journal()
    game = toy_game(journal=journal)
    game.submit(0, ORDER)
    game.submit(1, do.GiveOrder(4, ((3, 0),)))
    state, journal.full = game.state, True
    with pytest.raises(SaveFault):
        game.undo(0)
    assert (game.state, game.head, len(game.log)) == (state, 2, 3)


def test_undo_refuses_a_seal() -> None:
    game = toy_game()
    game.submit(0, do.SealOrders())
    assert not game.can_undo(0)


def test_undo_refuses_a_dice_roll() -> None:
    game = toy_game(Faulty())
    game.submit(0, ORDER)
    entry = game.submit(0, do.DropOrders((1,)))
    assert entry.throws
    assert not any(event.irreversible for event in entry.events)
    assert not game.can_undo(0)
    assert trail(game) == [0, 1, 2]


def test_undo_after_a_branch_returns_to_the_branch_point() -> None:
    game = toy_game()
    start = game.state
    game.submit(0, ORDER)
    one = game.state
    game.submit(0, OTHER)
    game.undo(0)
    game.submit(0, do.SetRanks((3, 2, 1)))
    assert trail(game) == [0, 1, 3]
    assert game.log[3].parent == 1
    assert game.undo(0) == 1
    assert game.state is one
    assert game.undo(0) == 0
    assert game.state is start
    game.go(2)
    assert game.view(0).orders.keys() == {1, 2}
    assert trail(game) == [0, 1, 2]
    assert game.undo(0) == 1
    assert game.state is one or game.state == one


def test_going_to_another_branch_and_back_gives_equal_states() -> None:
    game = toy_game()
    game.submit(0, ORDER)
    game.submit(0, do.SealOrders())
    sealed = game.state
    game.go(0)
    game.submit(0, OTHER)
    other = game.state
    game.go(2)
    assert game.state == sealed
    assert trail(game) == [0, 1, 2]
    game.go(3)
    assert game.state == other
    assert trail(game) == [0, 3]
    assert game.can_undo(0)


def test_the_trail_begins_where_the_last_round_ended() -> None:
    game = toy_game()
    game.submit(0, ORDER)
    game.submit(0, do.SealOrders())
    assert trail(game) == [0, 1, 2]
    game.submit(1, do.SealOrders())
    assert trail(game) == [3]
    game.submit(0, OTHER)
    assert trail(game) == [3, 4]


def test_a_fault_in_the_rules_refuses_the_command_and_is_reported() -> None:
    bugs: list[Bug] = []
    game = toy_game(Faulty(), on_bug=bugs.append)
    state = game.state
    with pytest.raises(Refused) as caught:
        game.submit(0, do.RaiseCry("Hear us"))
    assert caught.value.code is Denied.RULES_BUG
    assert (game.state is state, len(game.log)) == (True, 1)
    assert (bugs[0].ruleset, bugs[0].seq, bugs[0].seat) == ("toy", 1, 0)
    assert "RaiseCry" in bugs[0].command
    assert "a slip in the rules" in bugs[0].trace
    assert game.submit(0, ORDER).seq == 1


def test_impossible_event_is_a_fault_in_the_rules() -> None:
    bugs: list[Bug] = []
    game = toy_game(Faulty(), on_bug=bugs.append)
    with pytest.raises(Refused) as caught:
        game.submit(0, do.SetRanks((1, 2, 3)))
    assert caught.value.code is Denied.RULES_BUG
    assert len(game.log) == 1
    assert "KeyError: 99" in bugs[0].trace


def test_rules_bug_is_refused_without_a_bug_handler() -> None:
    with pytest.raises(Refused):
        toy_game(Faulty()).submit(0, do.RaiseCry("Hear us"))


def test_listeners_receive_entries_and_moves_of_the_head() -> None:
    game = toy_game()
    heard: list[AnyChange] = []
    stop = game.listen(heard.append)
    before = game.state
    entry = game.submit(0, ORDER)
    game.undo(0)
    assert heard[0].entry is entry
    assert heard[0].before is heard[1].after is before
    assert heard[0].after is heard[1].before
    assert heard[1].entry is None
    stop()
    stop()
    game.submit(0, ORDER)
    assert len(heard) == 2


def test_the_same_listener_may_listen_twice() -> None:
    game = toy_game()
    heard: list[AnyChange] = []
    first = game.listen(heard.append)
    game.listen(heard.append)
    game.submit(0, ORDER)
    assert len(heard) == 2
    first()
    game.submit(0, OTHER)
    assert len(heard) == 3


def test_failing_listener_does_not_stop_the_others() -> None:
    game = toy_game()
    heard: list[AnyChange] = []

    def fail(news: AnyChange) -> None:
        raise RuntimeError("a slip in the client")

    game.listen(fail)
    game.listen(heard.append)
    with pytest.raises(RuntimeError, match="slip in the client"):
        game.submit(0, ORDER)
    assert len(heard) == 1
    assert len(game.log) == 2
    assert game.state is heard[0].after


class Journal:
    """A journal that fails while ``full`` is set."""

    def __init__(self) -> None:
        self.full = False
        self.frames: list[str] = []

    def entry(self, entry: AnyEntry) -> None:
        """Write a frame for an entry."""
        self._write(f"entry {entry.seq}")

    def head(self, seq: int) -> None:
        """Write a frame for a move of the head."""
        self._write(f"head {seq}")

    def again(self, seq: int, carried: Sequence[int]) -> None:
        """Write a frame for entries that are repeated after another."""
        self._write(f"again {seq} {list(carried)}")

    def _write(self, frame: str) -> None:
        if self.full:
            raise SaveFault("no space left")
        self.frames.append(frame)


def test_changes_are_journalled_in_order() -> None:
    journal = Journal()
    game = toy_game(journal=journal)
    game.submit(0, ORDER)
    game.undo(0)
    game.submit(0, OTHER)
    game.go(1)
    assert journal.frames == ["entry 0", "entry 1", "head 0", "entry 2", "head 1"]


def test_failed_journal_write_changes_nothing() -> None:
    journal = Journal()
    game = toy_game(journal=journal)
    game.submit(0, ORDER)
    heard: list[AnyChange] = []
    game.listen(heard.append)
    state = game.state
    journal.full = True
    with pytest.raises(SaveFault):
        game.submit(0, OTHER)
    with pytest.raises(SaveFault):
        game.undo(0)
    with pytest.raises(SaveFault):
        game.go(0)
    assert (game.state is state, game.head, len(game.log), heard) == (True, 1, 2, [])
    assert trail(game) == [0, 1]
    journal.full = False
    assert game.submit(0, OTHER).parent == 1
    game.undo(0)
    assert game.state is state


def broken_log() -> EventLog[Any, Any]:
    """Return a log of a sound first entry, an impossible second, and a sound branch."""
    log: EventLog[Any, Any] = EventLog()
    log.append(toy_game().log[0])
    log.append(Entry(1, 0, 0, ORDER, (ev.BandFell(99),)))
    log.append(Entry(2, 0, 0, ORDER, (ev.RanksSet(0, (3, 2, 1)),)))
    return log


def test_game_cannot_resume_a_broken_log() -> None:
    log = broken_log()
    log.go(1)
    with pytest.raises(BrokenLog, match=r"entry 1\.1: KeyError: 99"):
        Game(RULES, SEED, log)


def test_going_to_a_broken_entry_changes_nothing() -> None:
    journal = Journal()
    game: AnyGame = Game(RULES, SEED, broken_log(), journal=journal)
    state = game.state
    with pytest.raises(BrokenLog):
        game.go(1)
    assert game.state is state
    assert (game.head, journal.frames, trail(game)) == (2, [], [0, 2])


def test_game_without_a_log_has_the_empty_state() -> None:
    game: AnyGame = Game(RULES, SEED)
    assert game.state == RULES.empty()
    assert game.head == ROOT
    assert not game.can_undo(0)
