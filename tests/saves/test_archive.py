"""The folder of saves: names, lists, side files, repair, other versions."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import msgpack
import pytest

from engine.core import registry
from engine.core.archive import SaveFault
from engine.core.record import Raw
from engine.core.registry import find
from engine.core.replay import fold
from engine.core.ruleset import Upcast
from engine.core.save_names import safe_name
from saves.archive import Folder
from saves.frames import ENGINE, ENTRY, START, Frame, pack_frame, scan
from saves.side_files import keyframe_file
from tests.saves import games


def frames_of(path: Path) -> list[Frame]:
    return [frame for frame in scan(path.read_bytes()) if isinstance(frame, Frame)]


def test_taken_name_gets_a_number(tmp_path: Path) -> None:
    archive = Folder(tmp_path)
    names = []
    for _ in range(3):
        file = archive.create("game", games.header())
        names.append(file.name)
        file.close()
    assert names == ["game", "game 2", "game 3"]


@pytest.mark.parametrize("wild", ["../../etc/x", "a\0b", "x" * 500, "火" * 500, " .hidden. "])
def test_any_name_becomes_a_valid_file_name(tmp_path: Path, wild: str) -> None:
    name = safe_name(wild)
    assert "/" not in name
    assert not name.startswith(".")
    (tmp_path / f"{name} 12.bnr").write_bytes(b"")


def test_empty_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no name"):
        safe_name("/..")
    with pytest.raises(SaveFault, match="no name"):
        Folder(tmp_path).create("..", games.header())


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("x" * 81, "longer than 80 characters"),
        ("火" * 70, "or 200 bytes"),
        ("What now?", "it has '?'"),
        ("a/b:c", "it has '/:'"),
        (".hidden", "full stop"),
        ("  ", "no name for a save"),
    ],
)
def test_a_name_that_would_be_changed_is_refused_and_the_save_keeps_its_own(
    tmp_path: Path, given: str, told: str
) -> None:
    games.saved(tmp_path, entries=2)
    with pytest.raises(SaveFault) as found:
        Folder(tmp_path).rename("game", given)
    assert told in str(found.value)
    assert "\n" not in str(found.value)
    assert [path.name for path in tmp_path.iterdir()] == ["game.bnr"]


@pytest.mark.parametrize("name", ["nobody", "x" * 5000, "a\0b", "/dev/null", "."])
def test_path_that_is_no_save_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(SaveFault) as found:
        Folder(tmp_path).read(name)
    assert "\n" not in str(found.value)


def test_listing_does_not_block_on_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.bnr")
    (listed,) = Folder(tmp_path).listing()
    assert listed.fault == "pipe.bnr: no file"


def test_listing_counts_entries_and_reports_broken_saves(tmp_path: Path) -> None:
    games.saved(tmp_path, "good", entries=5)
    (tmp_path / "bad.bnr").write_bytes(b"nothing")
    listed = {info.name: info for info in Folder(tmp_path).listing()}
    assert (listed["good"].entries, listed["good"].title) == (5, "a test")
    assert listed["good"].fault == ""
    assert "no saved game" in listed["bad"].fault


def test_a_save_is_found_by_its_path_too(tmp_path: Path) -> None:
    path = games.saved(tmp_path, entries=3)
    assert len(Folder(tmp_path / "elsewhere").read(str(path)).log) == 3


def test_renaming_moves_the_game_and_its_keyframes(tmp_path: Path) -> None:
    archive = Folder(tmp_path)
    path = games.saved(tmp_path, entries=5)
    found = archive.read("game")
    rules = find(games.RULESET)
    archive.keep_keyframes(found, {3: fold(rules, found.log.line(3))})
    archive.rename("game", "other")
    assert not path.exists()
    assert archive.read("other").log.entries == found.log.entries
    assert list(archive.keyframes(archive.read("other"), rules.state_type)) == [3]
    games.saved(tmp_path, "third", entries=2)
    with pytest.raises(SaveFault, match="save of that name"):
        archive.rename("third", "other")


def test_copy_is_a_separate_game(tmp_path: Path) -> None:
    archive = Folder(tmp_path)
    archive.create("game", games.header()).close()
    assert [archive.copy("game"), archive.copy("game")] == ["game 2", "game 3"]
    assert (tmp_path / "game 3.bnr").read_bytes() == (tmp_path / "game.bnr").read_bytes()
    assert (tmp_path / "game 3.bnr").stat().st_mode & 0o777 == 0o600
    archive.delete("game")
    assert [info.name for info in archive.listing()] == ["game 3", "game 2"]
    with pytest.raises(SaveFault, match="no such save"):
        archive.copy("game")


def test_delete_removes_all_files_and_refuses_an_open_game(tmp_path: Path) -> None:
    archive = Folder(tmp_path)
    games.saved(tmp_path, entries=3)
    opened = archive.open("game")
    assert opened.file is not None
    with pytest.raises(SaveFault, match="open in another"):
        archive.delete("game")
    opened.file.close()
    archive.delete("game")
    assert list(tmp_path.iterdir()) == []


def test_keyframes_are_read_back_unless_damaged_or_foreign(tmp_path: Path) -> None:
    archive, rules = Folder(tmp_path), find(games.RULESET)
    path = games.saved(tmp_path, entries=20)
    found = archive.read("game")
    states = {seq: fold(rules, found.log.line(seq)) for seq in (4, 9)}
    archive.keep_keyframes(found, states)
    assert archive.keyframes(found, rules.state_type) == states
    side = keyframe_file(path)
    data = side.read_bytes()
    for at in range(0, len(data), len(data) // 40):
        side.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert archive.keyframes(found, rules.state_type) == {}
    side.write_bytes(data)
    other = games.saved(tmp_path, "shorter", entries=6)
    keyframe_file(other).write_bytes(data)
    assert list(archive.keyframes(archive.read("shorter"), rules.state_type)) == [4]
    assert archive.keyframes(found, type(found)) == {}


def test_new_writer_version_is_recorded_when_a_game_resumes(tmp_path: Path) -> None:
    path = games.saved(tmp_path, entries=5)
    data, chain = path.read_bytes(), frames_of(path)[-1].chain
    foreign = msgpack.packb({"engine": "0.0.1", "schema": 1, "rules_hash": "00"}) or b""
    path.write_bytes(data + pack_frame(ENGINE, 5, foreign, chain)[0])
    archive = Folder(tmp_path)
    opened = archive.open("game")
    assert opened.file is not None
    opened.file.entry(games.played()[5])
    opened.file.close()
    kinds = [frame.kind for frame in frames_of(path)]
    assert kinds[-3:] == [ENGINE, ENGINE, ENTRY]
    assert archive.read("game").log.entries == games.played()[:6]


def test_repair_refuses_a_game_of_a_later_version(tmp_path: Path) -> None:
    path = games.saved(tmp_path, entries=5)
    later = msgpack.packb({"engine": "9", "schema": 99, "rules_hash": ""}) or b""
    frame, chain = pack_frame(ENGINE, 5, later, frames_of(path)[-1].chain)
    data = path.read_bytes() + frame + pack_frame(ENTRY, 5, b"\x80", chain)[0]
    path.write_bytes(data)
    with pytest.raises(SaveFault, match="schema 99"):
        Folder(tmp_path).repair("game")
    assert path.read_bytes() == data


def test_repair_sets_the_rest_aside_once(tmp_path: Path) -> None:
    path = games.saved(tmp_path, entries=10)
    data = path.read_bytes()
    path.write_bytes(data[:-3])
    told = Folder(tmp_path).repair("game")
    assert told[0].startswith("kept 9 entries")
    assert [aside.name for aside in tmp_path.glob("*.torn-*")] == ["game.torn-1"]
    assert Folder(tmp_path).repair("game") == ("nothing is wrong with it",)


def test_repair_depends_on_the_kind_of_fault_not_its_text(tmp_path: Path) -> None:
    path = games.saved(tmp_path, "no game was begun", entries=5)
    frame, _ = pack_frame(ENTRY, 5, b"\x80", frames_of(path)[-1].chain)
    path.write_bytes(path.read_bytes() + frame)
    assert Folder(tmp_path).repair("no game was begun")[0].startswith("kept 5 entries")
    assert Folder(tmp_path).read("no game was begun").log.entries == games.played()[:5]


class Later(type(find(games.RULESET))):  # type: ignore[misc]  # the class of whatever is registered
    """The ruleset two schemas later: ``end-phase`` was called ``halt``, then ``stop``."""

    schema = 3

    @property
    def upcasts(self) -> Mapping[int, Upcast]:
        return {1: partial(_renamed, "halt", "stop"), 2: partial(_renamed, "stop", "end-phase")}


def _renamed(old: str, new: str, raw: Raw) -> Raw:
    command = raw["command"]
    if command is not None and command["do"] == old:
        return {**raw, "command": {**command, "do": new}}
    return raw


def test_save_of_an_old_schema_is_upcast_step_by_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = Folder(tmp_path)
    table = games.start(archive.create("old", games.header()))
    assert table.submit(0, "end-phase").ok
    table.close()
    path, out, chain = archive.find("old"), bytearray(), START
    for frame in frames_of(path):
        older = frame.payload.replace(b"\xa9end-phase", b"\xa4halt")
        packed, chain = pack_frame(frame.kind, frame.seq, older, chain)
        out += packed
    path.write_bytes(out)
    with pytest.raises(SaveFault, match="halt"):
        archive.read("old")
    monkeypatch.setitem(registry._registered, games.RULESET, Later())
    opened = archive.open("old")
    assert opened.file is not None
    opened.file.close()
    assert opened.log.entries == table.game.log.entries
    assert archive.read("old").log.entries == opened.log.entries


def test_failing_upcast_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games.saved(tmp_path, entries=3)

    class Clumsy(Later):
        @property
        def upcasts(self) -> Mapping[int, Upcast]:
            return {1: lambda raw: raw["nothing"], 2: lambda raw: raw}

    monkeypatch.setitem(registry._registered, games.RULESET, Clumsy())
    with pytest.raises(SaveFault, match="cannot be lifted from schema 1") as found:
        Folder(tmp_path).read("game")
    assert "\n" not in str(found.value)
