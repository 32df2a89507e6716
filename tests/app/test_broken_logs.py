"""Saves with right checksums and wrong content give one line and the exit code of damage."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import pytest

import banneret
from app import main
from engine.core.log import EventLog
from engine.core.registry import find
from engine.core.replay import BrokenLog
from engine.core.ruleset import ScenarioFault
from engine.core.soundness import log_faults
from saves.archive import Folder
from saves.frames import ENTRY, HEADER, START, Frame, pack_frame, scan
from tests.app.cli import is_one_line_fault
from tests.saves import games, mutations
from tui.console.exits import Exit

Change = Callable[[dict[str, Any]], object]


def changed(data: bytes, kind: str, change: Change, seq: int = 0) -> bytes:
    """Return a save with one frame changed and all checksums right."""
    out, chain = b"", START
    for frame in scan(data):
        assert isinstance(frame, Frame)
        payload = frame.payload
        if (frame.kind, frame.seq) == (kind, seq):
            tree = msgpack.unpackb(payload)
            change(tree)
            payload = msgpack.packb(tree) or b""
        packed, chain = pack_frame(frame.kind, frame.seq, payload, chain)
        out += packed
    return out


def warlords2() -> bytes:
    return next(one.data for one in mutations.saves() if one.ruleset == "warlords2")


def _city(tree: dict[str, Any]) -> dict[str, Any]:
    city: dict[str, Any] = tree["events"][0]["start"]["cities"][0]
    return city


def _side(tree: dict[str, Any]) -> dict[str, Any]:
    side: dict[str, Any] = tree["events"][0]["start"]["sides"][0]
    return side


BROKEN: dict[str, tuple[str, Change, tuple[tuple[str, ...], ...]]] = {
    "nobody plays": (
        HEADER,
        lambda tree: tree.update(players=[]),
        (("play", "--plain"), ("export", "--format", "text")),
    ),
    "a seat far away": (
        HEADER,
        lambda tree: tree["players"][0].update(seat=10**9),
        (("play", "--plain"), ("export", "--format", "jsonl")),
    ),
    "a level nobody has": (
        HEADER,
        lambda tree: tree["players"][1].update(bot="genius"),
        (("play", "--plain"), ("export", "--format", "cast")),
    ),
    "slots of types that are not there": (
        ENTRY,
        lambda tree: [slot.update(type=999) for slot in _city(tree)["slots"]],
        (("play", "--plain"), ("export", "--format", "svg"), ("export", "--at", "0")),
    ),
    "a side with the number of a giant": (
        ENTRY,
        lambda tree: _side(tree).update(id=2**40),
        (("saves", "show"), ("play", "--plain"), ("dump", "--seat", "0"), ("export",)),
    ),
    "no events at all": (
        ENTRY,
        lambda tree: tree.update(events=[]),
        (("saves", "show"), ("play", "--plain"), ("export",)),
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_content_is_reported_in_one_line(
    name: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kind, change, commands = BROKEN[name]
    path, code = tmp_path / "bad.bnr", 0
    for words in commands:
        path.write_bytes(changed(warlords2(), kind, change))
        monkeypatch.setattr(sys, "stdin", io.StringIO("look\nwho\n"))
        code = main([*words, str(path)])
        said = capsys.readouterr()
        if code != Exit.OK:
            assert (code, is_one_line_fault(said.err)) == (Exit.DAMAGED, True), (words, said.err)
    assert code == Exit.DAMAGED, "the last command looks closely enough to find it"


def opened(tmp_path: Path) -> tuple[Any, EventLog[Any, Any]]:
    games.saved(tmp_path, entries=4)
    return find(games.RULESET), Folder(tmp_path).read("game").log


def raised_in(rules: Any, log: EventLog[Any, Any], problem: Exception) -> BaseException:
    """Return the exception that leaves ``log_faults`` when ``problem`` is raised inside."""
    with pytest.raises(Exception) as found, log_faults(rules, log):  # noqa: PT011 - any
        raise problem
    return found.value


def test_fault_with_a_sound_log_stays_a_bug(tmp_path: Path) -> None:
    rules, log = opened(tmp_path)
    problem = KeyError(7)
    assert raised_in(rules, log, problem) is problem


def test_fault_with_a_broken_log_names_the_wrong_entry(tmp_path: Path) -> None:
    rules, log = opened(tmp_path)
    hostile: EventLog[Any, Any] = EventLog()
    for entry in log.entries:
        hostile.append(entry if entry.seq != 2 else log[1].__class__(2, 1, 0, log[2].command, ()))
    told = raised_in(rules, hostile, KeyError(7))
    assert isinstance(told, BrokenLog)
    assert told.entry == 2
    assert "KeyError: 7" in str(told)
    for expected in (ScenarioFault("x", "y"), OSError("no"), BrokenLog(1, 1, "known")):
        assert raised_in(rules, hostile, expected) is expected
    assert isinstance(raised_in(rules, hostile, MemoryError()), BrokenLog)


GIANTS: dict[str, Change] = {
    "points of a unit": lambda tree: tree["events"][0]["units"][13].update(b=10**9),
    "points left": lambda tree: [unit.update(b=10**9) for unit in tree["events"][0]["units"]],
}


@pytest.mark.parametrize("name", GIANTS)
@pytest.mark.parametrize(
    "words", [("play", "--plain"), ("lab", "feed", "--seat", "1", "--bot=easy")]
)
def test_impossible_position_is_refused_before_bots_plan(
    name: str,
    words: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "bad.bnr"
    path.write_bytes(changed(_giant(name), HEADER, _computers_only))
    monkeypatch.setattr(sys, "stdin", io.StringIO("end\n"))
    assert main([*words, str(path)]) == Exit.DAMAGED
    assert is_one_line_fault(capsys.readouterr().err)


def _giant(name: str) -> bytes:
    """Return a save of one entry, whose position has impossible numbers."""
    whole = next(one.data for one in mutations.saves() if one.ruleset == "weltendaemmerung")
    frames = [one for one in scan(whole) if isinstance(one, Frame)]
    return changed(whole[: frames[1].end], ENTRY, GIANTS[name])


def _computers_only(tree: dict[str, Any]) -> None:
    for player in tree["players"]:
        player["bot"] = "easy"


def test_banneret_open_refuses_an_impossible_position(tmp_path: Path) -> None:
    path = tmp_path / "bad.bnr"
    path.write_bytes(_giant("points of a unit"))
    with pytest.raises(BrokenLog, match=r"entry 0\.1: units\[13\]\.b: recorded 1000000000, now 14"):
        banneret.open(path)
