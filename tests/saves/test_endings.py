"""Ends of saves: cut off, damaged or unclear; verifying says which."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from saves.archive import Folder
from saves.frames import Ending, Fault, Frame, pack_frame, scan
from tests.app.cli import banneret_here, is_one_line_fault
from tests.saves import games
from tui.console.exits import Exit

_ENTRIES = 5


def _frames(data: bytes) -> list[Frame | Fault]:
    return list(scan(data))


def _last_start(data: bytes) -> int:
    """Offset at which the last frame begins."""
    *_, before, _ = _frames(data)
    assert isinstance(before, Frame)
    return before.end


def _ending(data: bytes) -> Ending | None:
    """Ending that the reader finds; None for whole files."""
    last = _frames(data)[-1]
    return last.ending if isinstance(last, Fault) else None


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Bytes of a save of a few entries."""
    return games.saved(tmp_path_factory.mktemp("endings"), entries=_ENTRIES).read_bytes()


def test_a_frame_that_is_shorter_than_its_length_is_cut_off(whole: bytes) -> None:
    found = {_ending(whole[:cut]) for cut in range(_last_start(whole) + 1, len(whole))}
    assert found == {Ending.CUT}


@pytest.mark.parametrize("size", [1, 300, 70_000])
def test_a_changed_byte_is_never_called_a_cut(whole: bytes, size: int) -> None:
    *_, last = (frame for frame in _frames(whole) if isinstance(frame, Frame))
    packed, _ = pack_frame("novelty", _ENTRIES, b"x" * size, last.chain)
    start, head = len(whole), min(len(packed), 60)
    for at in range(start, start + head):
        for flip in (0x01, 0x03, 0x10, 0x7F, 0xFF):
            data = bytearray(whole + packed)
            data[at] ^= flip
            assert _ending(bytes(data)) in {Ending.DAMAGED, Ending.UNCLEAR}, (at - start, flip)


@pytest.mark.parametrize("tail", [bytes(40), b"noise", b"\xff"])
def test_bytes_that_begin_no_frame_are_damage(whole: bytes, tail: bytes) -> None:
    assert _ending(whole + tail) is Ending.DAMAGED


def test_an_unfinished_value_that_is_no_frame_is_unclear(whole: bytes) -> None:
    assert _ending(whole + b"\xc4\xffx") is Ending.UNCLEAR


_ENDS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "cut": (lambda data: data[:-3], f"the last frame is cut off after entry {_ENTRIES - 2}"),
    "changed": (
        lambda data: data[:-3] + bytes((data[-3] ^ 1,)) + data[-2:],
        f"the end is damaged after entry {_ENTRIES - 2}",
    ),
    "longer": (lambda data: data + bytes(9), f"the end is damaged after entry {_ENTRIES - 1}"),
    "unclear": (
        lambda data: data + b"\xc4\xffx",
        f"the end is cut off or damaged after entry {_ENTRIES - 1}",
    ),
}


@pytest.mark.parametrize("name", _ENDS)
def test_verify_tells_a_script_that_a_save_is_not_whole(
    tmp_path: Path, whole: bytes, name: str
) -> None:
    change, told = _ENDS[name]
    (tmp_path / "one.bnr").write_bytes(change(whole))
    ended = banneret_here("verify", "./one.bnr", folder=tmp_path)
    assert ended.returncode == Exit.DAMAGED
    assert ended.stdout == ""
    assert is_one_line_fault(ended.stderr)
    assert ended.stderr.endswith(f"./one.bnr: {told}; everything before it verifies\n")
    listed = banneret_here("verify", "./one.bnr", "--json", folder=tmp_path)
    assert listed.returncode == Exit.DAMAGED
    assert json.loads(listed.stdout)["fault"].startswith(told)


@pytest.mark.parametrize("name", _ENDS)
def test_a_game_with_any_end_goes_on_and_is_whole_afterwards(
    tmp_path: Path, whole: bytes, name: str
) -> None:
    change, told = _ENDS[name]
    (tmp_path / "one.bnr").write_bytes(change(whole))
    opened = Folder(tmp_path).open("one")
    assert opened.file is not None
    opened.file.close()
    assert opened.remarks[0].startswith(told)
    assert opened.remarks[0].endswith("; put aside")
    ended = banneret_here("verify", "./one.bnr", folder=tmp_path)
    assert (ended.returncode, ended.stderr) == (Exit.OK, "")
