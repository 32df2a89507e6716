"""A game as text and JSON lines, for the referee and for one seat."""

from __future__ import annotations

import json
from pathlib import Path

import msgpack
import pytest

from engine.core.archive import SeatPlayer
from engine.core.notation import read
from engine.core.record import replace
from engine.core.registry import find
from engine.core.replay import BrokenLog
from saves.archive import Folder
from saves.frames import ENTRY, Frame, pack_frame, scan
from saves.reader import as_json, as_text
from tests.saves import games


def test_text_shows_commands_as_they_are_typed(tmp_path: Path) -> None:
    games.saved(tmp_path, entries=12)
    lines = list(as_text(Folder(tmp_path).read("game")))
    rules = find(games.RULESET)
    assert lines[0] == "# a test"
    told = [line.partition(": ")[2] for line in lines if line[0].isdigit()]
    asked = [read(line, rules.command_type) for line in told]
    assert asked == [entry.command for entry in games.played()[1:12]]
    assert any(line.startswith("    ") for line in lines)


def test_player_named_like_the_side_is_named_once(tmp_path: Path) -> None:
    games.saved(tmp_path, entries=3)
    opened = Folder(tmp_path).read("game")
    side, other = (player.name for player in opened.header.players)
    players = SeatPlayer(0, side), SeatPlayer(1, "Ann")
    lines = list(as_text(replace(opened, header=replace(opened.header, players=players))))
    assert lines[1:3] == [f"# {side}", f"# {other}: Ann"]


def test_the_referees_json_lines_are_the_entries(tmp_path: Path) -> None:
    games.saved(tmp_path, entries=8)
    lines = [json.loads(line) for line in as_json(Folder(tmp_path).read("game"))]
    assert [line["seq"] for line in lines] == list(range(8))


def test_json_for_a_seat_has_only_its_commands_and_no_throws(tmp_path: Path) -> None:
    games.saved(tmp_path)
    lines = [json.loads(line) for line in as_json(Folder(tmp_path).read("game"), 0)]
    assert all(set(line) <= {"count", "events", "command"} for line in lines)
    assert [line["count"] for line in lines] == list(range(len(lines)))
    own = [entry for entry in games.played() if entry.seat == 0 and entry.command is not None]
    assert sum("command" in line for line in lines) == len(own)
    assert 0 < len(own) < len(games.played()) - 1


def test_text_of_an_inconsistent_log_raises_broken_log(tmp_path: Path) -> None:
    path = games.saved(tmp_path, entries=3)
    last = [frame for frame in scan(path.read_bytes()) if isinstance(frame, Frame)][-1]
    event = {"t": "unit-stepped", "unit": 999, "x": 0, "y": 0, "b_left": 0}
    raw = {"seq": 3, "parent": 2, "seat": 0, "command": {"do": "end-phase"}, "events": [event]}
    wrong = pack_frame(ENTRY, 3, msgpack.packb(raw) or b"", last.chain)[0]
    path.write_bytes(path.read_bytes() + wrong)
    with pytest.raises(BrokenLog, match="entry 3"):
        list(as_text(Folder(tmp_path).read("game")))
