"""A disk that is full at any append: state, file and listeners agree, and the game continues."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.archive import SaveFault
from engine.core.codec import encode
from engine.core.feed import AnyChange
from engine.core.log import AnyEntry, EventLog
from engine.core.refused import Refused
from engine.core.replay import fold
from engine.core.ruleset import AnyRuleset
from tests.contract.walks import WALKS, AnyGame, begun, choose, examples


class Disk:
    """A journal in memory that fails at certain appends."""

    def __init__(self, full_at: set[int]) -> None:
        self.full_at = full_at
        self.appends = 0
        self.log: EventLog[Any, Any] = EventLog()

    def entry(self, entry: AnyEntry) -> None:
        """Store an entry, or fail."""
        self._append()
        self.log.append(entry)

    def head(self, seq: int) -> None:
        """Store a change of head, or fail."""
        self._append()
        self.log.go(seq)

    def again(self, seq: int, carried: Sequence[int]) -> None:
        """Store copies of entries after another entry, or fail."""
        self._append()
        self.log.again(seq, carried)

    def _append(self) -> None:
        self.appends += 1
        if self.appends in self.full_at:
            raise SaveFault("no space left on the disk")


class Ear:
    """A listener that follows the game only by the changes it receives."""

    def __init__(self, game: AnyGame) -> None:
        self.state = game.state
        self.heard = 0
        game.listen(self.hear)

    def hear(self, heard: AnyChange) -> None:
        """Apply a change."""
        assert heard.before is self.state
        self.state = heard.after
        self.heard += 1


@examples(25)
@given(choices=WALKS, full_at=st.sets(st.integers(2, 60), max_size=20))
def test_after_a_full_disk_state_file_and_listeners_agree(
    rules: AnyRuleset, choices: list[int], full_at: set[int]
) -> None:
    disk = Disk(full_at)
    game = begun(rules, choices, journal=disk)
    ear = Ear(game)
    for choice in choices:
        before, head, length = game.state, game.head, len(game.log)
        heard, failed = ear.heard, False
        try:
            act(game, choice)
        except SaveFault:
            failed = True
        if failed:
            assert game.state is before
            assert (game.head, len(game.log), ear.heard) == (head, length, heard)
        assert ear.state is game.state
        assert encode(disk.log.entries) == encode(game.log.entries)
        assert disk.log.head == game.head
    assert fold(rules, disk.log.line()) == game.state


def act(game: AnyGame, choice: int) -> None:
    """Undo, branch or play a command, depending on the number."""
    rest, kind = divmod(choice, 5)
    if kind == 0 and game.can_undo(game.log[game.head].seat):
        game.undo(game.log[game.head].seat)
    elif kind == 1:
        game.go(rest % len(game.log))
    elif (chosen := choose(game, rest)) is not None:
        game.submit(*chosen)


def test_a_game_that_cannot_be_kept_does_not_begin(rules: AnyRuleset) -> None:
    with pytest.raises(SaveFault):
        begun(rules, journal=Disk({1}))


def test_a_missing_entry_is_refused_before_anything_is_written(rules: AnyRuleset) -> None:
    disk = Disk(set())
    game = begun(rules, journal=disk)
    for seq in (-1, 1, 99):
        with pytest.raises(Refused):
            game.go(seq)
    assert disk.appends == 1
