"""Games in real files: quitting, resuming, and a disk that fills up."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from engine.core.archive import Header, Opened, SaveFault, SeatPlayer
from engine.core.codec import encode
from engine.core.game import Game
from engine.core.ruleset import AnyRuleset
from saves.archive import Folder
from tests.contract.test_faults import Ear, act
from tests.contract.walks import SEED, WALKS, AnyGame, begun, examples, seats


@contextmanager
def folder() -> Iterator[Folder]:
    """Yield an empty folder of saves."""
    with TemporaryDirectory() as path:
        yield Folder(Path(path))


def header(rules: AnyRuleset) -> Header:
    """Return the header of a game in which people play all seats."""
    players = tuple(SeatPlayer(seat, f"Player {seat}") for seat in seats(rules))
    return Header(ruleset=rules.name, schema=rules.schema, seed=SEED, players=players)


def resumed(rules: AnyRuleset, opened: Opened) -> AnyGame:
    """Return the game in a save."""
    return Game(rules, opened.header.seed, opened.log, journal=opened.file)


@examples(10)
@given(choices=WALKS, quits=st.sets(st.integers(0, 40), max_size=4))
def test_quitting_and_going_on_changes_nothing(
    rules: AnyRuleset, choices: list[int], quits: set[int]
) -> None:
    with folder() as saves:
        file = saves.create("game", header(rules))
        straight, game = begun(rules, choices), begun(rules, choices, journal=file)
        for number, choice in enumerate(choices):
            act(game, choice)
            act(straight, choice)
            if number in quits:
                file.close()
                opened = saves.open("game")
                assert opened.file is not None
                game, file = resumed(rules, opened), opened.file
            assert encode(game.state) == encode(straight.state)
            assert [game.can_undo(seat) for seat in seats(rules)] == [
                straight.can_undo(seat) for seat in seats(rules)
            ]
        file.close()
        assert encode(saves.read("game").log.entries) == encode(straight.log.entries)


@examples(15)
@given(
    choices=WALKS,
    full_at=st.sets(st.integers(1, 40), max_size=12),
    written=st.integers(0, 30),
)
def test_a_disk_that_fills_up_leaves_state_file_and_listeners_agreeing(
    rules: AnyRuleset, choices: list[int], full_at: set[int], written: int
) -> None:
    with folder() as saves:
        file = saves.create("game", header(rules))
        game = begun(rules, choices, journal=file)
        ear = Ear(game)
        for number, choice in enumerate(choices, 1):
            before, head, length = game.state, game.head, len(game.log)
            with _disk(written if number in full_at else None):
                try:
                    act(game, choice)
                except SaveFault:
                    assert number in full_at
                    assert game.state is before
                    assert (game.head, len(game.log)) == (head, length)
            assert ear.state is game.state
            found = saves.read("game")
            assert encode(found.log.entries) == encode(game.log.entries)
            assert found.log.head == game.head
            assert not found.remarks
        file.close()


@contextmanager
def _disk(room: int | None) -> Iterator[None]:
    """Simulate a disk with ``room`` bytes left; None means enough."""
    if room is None:
        yield
        return
    left, write = room, os.write

    def full(fd: int, data: bytes) -> int:
        nonlocal left
        if not left:
            raise OSError(errno.ENOSPC, "No space left on device")
        count = write(fd, data[: min(left, len(data))])
        left -= count
        return count

    with patch("saves.writer.os.write", full):
        yield
