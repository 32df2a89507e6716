"""An undo that keeps later entries of other seats is one frame, written wholly or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.core.archive import Header, SeatPlayer
from engine.core.codec import encode
from engine.core.game import Game
from engine.core.replay import verify
from saves.archive import Folder
from saves.frames import AGAIN, Frame, scan
from tests.toy import RULES
from tests.toy import commands as do

HEADER = Header("toy", RULES.schema, b"again", tuple(SeatPlayer(k, f"Clan {k}") for k in range(2)))


def played(folder: Path) -> Game[Any, Any, Any, Any]:
    """Save a game in which seat 0 undoes an order after two later entries of seat 1."""
    file = Folder(folder).create("game", HEADER)
    scene = RULES.scenarios()["crossing"]
    game: Game[Any, Any, Any, Any] = Game.begin(RULES, scene, {}, b"again", journal=file)
    game.submit(0, do.GiveOrder(1, ((1, 0),)))
    game.submit(1, do.GiveOrder(4, ((3, 0),)))
    game.submit(1, do.SealOrders())
    game.undo(0)
    file.close()
    return game


def test_carried_entries_are_read_back(tmp_path: Path) -> None:
    game = played(tmp_path)
    opened = Folder(tmp_path).open("game")
    assert encode(opened.log.entries) == encode(game.log.entries)
    assert opened.log.head == game.head == 5
    assert verify(RULES, opened.log).divergence is None
    (info,) = Folder(tmp_path).listing()
    assert info.entries == len(game.log) == 6
    assert opened.file is not None
    again: Game[Any, Any, Any, Any] = Game(RULES, b"again", opened.log, journal=opened.file)
    again.submit(0, do.SealOrders())
    opened.file.close()
    assert encode(Folder(tmp_path).read("game").log.entries) == encode(again.log.entries)


def test_undo_cut_at_any_byte_applies_wholly_or_not_at_all(tmp_path: Path) -> None:
    played(tmp_path)
    path = tmp_path / "game.bnr"
    data = path.read_bytes()
    *_, before, last = (frame for frame in scan(data) if isinstance(frame, Frame))
    assert last.kind == AGAIN
    for cut in range(before.end, last.end + 1):
        path.write_bytes(data[:cut])
        log = Folder(tmp_path).read("game").log
        seats = [entry.seat for entry in log.line()]
        assert seats == ([-1, 1, 1] if cut == last.end else [-1, 0, 1, 1])


def test_keyframes_work_for_carried_entries(tmp_path: Path) -> None:
    game = played(tmp_path)
    archive = Folder(tmp_path)
    opened = archive.read("game")
    archive.keep_keyframes(opened, {5: game.state})
    assert archive.keyframes(archive.read("game"), RULES.state_type) == {5: game.state}
