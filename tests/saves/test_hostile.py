"""Broken and hostile files give one line that names fault and place, no traceback, and use no
memory.
"""

from __future__ import annotations

import hashlib
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from subprocess import run

import msgpack
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.core.archive import Comment, Notice, SaveFault
from engine.core.record import replace
from engine.core.registry import find
from engine.core.replay import BrokenLog, fold
from saves.archive import Folder
from saves.frames import (
    AGAIN,
    COMMENT,
    ENTRY,
    HEAD,
    HEADER,
    LARGEST,
    LARGEST_HEADER,
    START,
    TALK,
    Frame,
    pack_frame,
    scan,
)
from saves.reader import check, read_header
from saves.writer import LONGEST_TEXT
from tests.saves import games

IN_TMP = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)


def frames_of(path: Path) -> list[Frame]:
    return [frame for frame in scan(path.read_bytes()) if isinstance(frame, Frame)]


def rebuilt(frames: list[tuple[str, int, bytes]]) -> bytes:
    """Build a file of these frames with right checksums and chain."""
    out, chain = bytearray(), START
    for kind, seq, payload in frames:
        packed, chain = pack_frame(kind, seq, payload, chain)
        out += packed
    return bytes(out)


def parts(path: Path) -> list[tuple[str, int, bytes]]:
    return [(frame.kind, frame.seq, frame.payload) for frame in frames_of(path)]


def fault_of(folder: Path, data: bytes) -> str:
    (folder / "bad.bnr").write_bytes(data)
    with pytest.raises(SaveFault) as found:
        Folder(folder).read("bad")
    text = str(found.value)
    assert "\n" not in text
    assert "bad" in text
    return text


@IN_TMP
@given(noise=st.binary(max_size=300))
def test_random_bytes_are_no_save(tmp_path: Path, noise: bytes) -> None:
    assert "no saved game" in fault_of(tmp_path, noise)


@IN_TMP
@given(place=st.integers(0, 10**6), bit=st.integers(0, 7))
def test_flipped_bit_is_a_fault_or_a_remark(tmp_path: Path, place: int, bit: int) -> None:
    path = tmp_path / "game.bnr"
    if not path.exists():
        games.saved(tmp_path, entries=12)
    data = bytearray(path.read_bytes())
    data[place % len(data)] ^= 1 << bit
    (tmp_path / "bad.bnr").write_bytes(data)
    told = _fault_or_none(tmp_path)
    if told is not None:
        assert "\n" not in told
        return
    found = Folder(tmp_path).read("bad")
    assert found.remarks
    assert found.log.entries == games.played()[: len(found.log)]


def _fault_or_none(folder: Path) -> str | None:
    try:
        Folder(folder).read("bad")
    except SaveFault as fault:
        return str(fault)
    return None


LEAVES = st.none() | st.integers(-5, 5) | st.text(max_size=5) | st.binary(max_size=5)


def _nested(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)


@IN_TMP
@given(st.recursive(LEAVES, _nested, max_leaves=12))
def test_a_sound_frame_with_a_wrong_payload_is_a_fault(tmp_path: Path, payload: object) -> None:
    if not (tmp_path / "game.bnr").exists():
        games.saved(tmp_path, entries=4)
    frames = parts(tmp_path / "game.bnr")
    wrong = (*frames, (ENTRY, 4, msgpack.packb(payload)))
    fault_of(tmp_path, rebuilt(list(wrong)))


def _deep(levels: int) -> bytes:
    return b"\x91" * levels + b"\xc0"


HOSTILE: dict[str, tuple[Callable[[list[tuple[str, int, bytes]]], bytes], str]] = {
    "no header": (lambda f: rebuilt(f[1:]), "no saved game"),
    "two headers": (lambda f: rebuilt([*f, f[0]]), "second header"),
    "nothing but a header": (lambda f: rebuilt(f[:1]), "no game was begun"),
    "entry missing": (lambda f: rebuilt([*f[:2], *f[3:]]), "entry 2 follows entry 0"),
    "entry twice": (lambda f: rebuilt([*f, f[-1]]), "follows"),
    "head to nowhere": (
        lambda f: rebuilt([*f, (HEAD, 9, msgpack.packb({"to": 99}))]),
        "no entry 99",
    ),
    "carried from nowhere": (
        lambda f: rebuilt([*f, (AGAIN, 9, msgpack.packb({"to": 0, "entries": [99]}))]),
        "is to be carried from",
    ),
    "carried from before": (
        lambda f: rebuilt([*f, (AGAIN, 9, msgpack.packb({"to": -1, "entries": [3, 2, 1, 0]}))]),
        "is to be carried from",
    ),
    "carried behind nothing": (
        lambda f: rebuilt([*f, (AGAIN, 9, msgpack.packb({"to": -1, "entries": []}))]),
        "does not follow entry -1",
    ),
    "carried without an end": (
        lambda f: rebuilt([*f, (AGAIN, 9, msgpack.packb({"to": 0, "entries": ["x"]}))]),
        "bad.bnr",
    ),
    "deep nesting in a payload": (
        lambda f: rebuilt([*f, (ENTRY, 9, _deep(100_000))]),
        "bad.bnr",
    ),
    "deep nesting instead of a frame": (lambda f: _deep(100_000) + rebuilt(f), "no saved game"),
    "huge string": (lambda _: b"\xdb\xff\xff\xff\xff" + b"x" * 50, "no saved game"),
    "huge array": (lambda _: b"\xdd\xff\xff\xff\xff" + b"x" * 50, "no saved game"),
    "huge payload": (
        lambda _: b"\x95\xa6header\x00\x00\xc4\x00\xc6" + struct.pack(">I", 2**32 - 1),
        "no saved game",
    ),
    "a future format": (
        lambda f: rebuilt([(HEADER, 0, _changed(f[0][2], format=99)), *f[1:]]),
        "format 99",
    ),
    "an unknown ruleset": (
        lambda f: rebuilt([(HEADER, 0, _changed(f[0][2], ruleset="chess")), *f[1:]]),
        "chess",
    ),
    "a future schema": (
        lambda f: rebuilt([(HEADER, 0, _changed(f[0][2], schema=99)), *f[1:]]),
        "schema 99",
    ),
    "an old schema that cannot be lifted": (
        lambda f: rebuilt([(HEADER, 0, _changed(f[0][2], schema=0)), *f[1:]]),
        "schema 0",
    ),
    "a command nobody knows": (
        lambda f: rebuilt([*f[:2], (ENTRY, 1, _changed(f[2][2], command={"do": "fly"}))]),
        "fly",
    ),
}


def _changed(payload: bytes, **fields: object) -> bytes:
    raw = msgpack.unpackb(payload)
    packed = msgpack.packb({**raw, **fields})
    assert isinstance(packed, bytes)
    return packed


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_file_is_a_fault_with_its_reason(tmp_path: Path, name: str) -> None:
    change, told = HOSTILE[name]
    data = change(parts(games.saved(tmp_path, entries=5)))
    assert told in fault_of(tmp_path, data)


@pytest.mark.parametrize("entries", [1, 5])
def test_damaged_first_entry_is_reported_as_damage_everywhere(tmp_path: Path, entries: int) -> None:
    whole = games.saved(tmp_path, entries=entries)
    start, end = (frame.end for frame in frames_of(whole)[:2])
    bad = tmp_path / "bad.bnr"
    for at in (start, start + 7, (start + end) // 2, end - 1):
        data = bytearray(whole.read_bytes())
        data[at] ^= 0x40
        told = fault_of(tmp_path, bytes(data))
        assert f"damaged at byte {start}, in its first entry" in told
        (listed,) = (info for info in Folder(tmp_path).listing() if info.name == "bad")
        assert listed.fault == told
        with pytest.raises(SaveFault, match=f"damaged at byte {start}, in its first entry"):
            Folder(tmp_path).repair("bad")
        assert bad.read_bytes() == data


def test_damage_in_the_middle_is_refused_and_repaired(tmp_path: Path) -> None:
    path = games.saved(tmp_path, entries=20)
    data = bytearray(path.read_bytes())
    ends = [frame.end for frame in frames_of(path)]
    data[ends[11] + 30] ^= 0xFF
    path.write_bytes(data)
    archive = Folder(tmp_path)
    with pytest.raises(SaveFault, match=f"damaged at byte {ends[11]}"):
        archive.open("game")
    assert path.read_bytes() == data
    told = archive.repair("game")
    assert told[0].startswith("kept 11 entries")
    assert archive.read("game").log.entries == games.played()[:11]
    assert path.with_suffix(".torn-1").read_bytes() == bytes(data[ends[11] :])


def test_log_with_impossible_events_is_reported_as_broken(tmp_path: Path) -> None:
    path = games.saved(tmp_path, entries=5)
    frames = parts(path)
    raw = msgpack.unpackb(frames[2][2])
    events = [{"t": "unit-stepped", "unit": 999, "x": 0, "y": 0, "b_left": 0}]
    frames[2] = (ENTRY, 1, _changed(frames[2][2], events=events))
    assert raw["events"] != events
    (tmp_path / "bad.bnr").write_bytes(rebuilt(frames))
    opened = Folder(tmp_path).read("bad")
    with pytest.raises(BrokenLog, match=r"entry 1\.1"):
        fold(find(games.RULESET), opened.log.line())
    found = check(opened).verdict.divergence
    assert found is not None
    assert (found.seq, found.event) == (1, 0)


def test_verify_names_entry_event_and_field(tmp_path: Path) -> None:
    path = games.saved(tmp_path, entries=8)
    frames = parts(path)
    at = next(n for n, (_, _, p) in enumerate(frames) if b"unit-stepped" in p)
    raw = msgpack.unpackb(frames[at][2])
    raw["events"][0]["b_left"] += 1
    frames[at] = (ENTRY, at - 1, _changed(frames[at][2], events=raw["events"]))
    (tmp_path / "bad.bnr").write_bytes(rebuilt(frames))
    found = check(Folder(tmp_path).read("bad")).verdict.divergence
    assert found is not None
    assert (found.seq, found.event, found.field) == (at - 1, 0, "b_left")


def test_unknown_fields_and_frames_are_skipped_and_kept(tmp_path: Path) -> None:
    path = games.saved(tmp_path, entries=5)
    frames = parts(path)
    frames[0] = (HEADER, 0, _changed(frames[0][2], weather="fine"))
    frames.insert(3, ("clock", 2, msgpack.packb({"left": 5}) or b""))
    frames.insert(4, ("novelty", 2, b"\xc0"))
    (tmp_path / "new.bnr").write_bytes(rebuilt(frames))
    archive = Folder(tmp_path)
    opened = archive.open("new")
    assert opened.file is not None
    opened.file.close()
    assert archive.read("new").log.entries == games.played()[:5]
    assert b"weather" in (tmp_path / "new.bnr").read_bytes()


def test_hostile_lengths_allocate_no_memory(tmp_path: Path) -> None:
    (tmp_path / "big.bnr").write_bytes(
        b"\x95\xa6header\x00\x00\xc4\x00\xc6" + struct.pack(">I", 2**31) + bytes(100)
    )
    script = """
import resource, sys
from pathlib import Path
from engine.core.archive import SaveFault
from saves.archive import Folder
import engine.rulesets.weltendaemmerung
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    Folder(Path(sys.argv[1])).read("big")
except SaveFault:
    pass
else:
    raise SystemExit("read it")
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
assert grown < 40_000, f"{grown} KiB more"
"""
    ended = run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr


def test_save_of_a_writer_killed_at_once_is_reported_as_empty(tmp_path: Path) -> None:
    whole = games.saved(tmp_path, entries=3)
    header = frames_of(whole)[0].end
    data = whole.read_bytes()
    for cut in (0, 8, 40, header - 1, header, header + 10):
        told = fault_of(tmp_path, data[:cut])
        reasons = ("empty", "in its header", "no game was begun", "in its first entry")
        assert any(why in told for why in reasons), cut
        (listed,) = (info for info in Folder(tmp_path).listing() if info.name == "bad")
        assert any(why in listed.fault for why in ("empty", "in its header"))
    assert [info.fault for info in Folder(tmp_path).listing() if info.name == "game"] == [""]


def _frame_of(kind: str, size: int, chain: bytes) -> bytes:
    """Return a whole frame of any size with right checksums."""
    payload = msgpack.packb({"seq": 0, "text": "x" * size}) or b""
    label = f"{kind} 0 ".encode()
    crc = zlib.crc32(payload, zlib.crc32(label))
    after = hashlib.blake2b(chain + label + payload, digest_size=8).digest()
    return msgpack.packb([kind, 0, crc, after, payload]) or b""


@pytest.mark.parametrize("kind", [TALK, COMMENT, ENTRY, "novelty"])
def test_long_frame_affects_only_its_own_save(tmp_path: Path, kind: str) -> None:
    path = games.saved(tmp_path, entries=5)
    last = frames_of(path)[-1]
    long = path.read_bytes() + _frame_of(kind, 14 << 20, last.chain)
    (tmp_path / "long.bnr").write_bytes(long)
    archive = Folder(tmp_path)
    assert archive.read("long").remarks[-1].endswith("it is longer than 8388608 bytes")
    assert {info.name: info.entries for info in archive.listing()} == {"game": 5, "long": 5}
    (tmp_path / "long.bnr").write_bytes(long + path.read_bytes())
    with pytest.raises(SaveFault, match=f"damaged at byte {last.end}: .*longer than"):
        archive.read("long")


def test_frame_of_the_largest_size_is_read(tmp_path: Path) -> None:
    path = games.saved(tmp_path, entries=3)
    frames, fill = parts(path), len(msgpack.packb({"seq": 0, "text": "x" * (1 << 20)}) or b"")
    text = "x" * (LARGEST - (fill - (1 << 20)))
    frames.append((COMMENT, 3, msgpack.packb({"seq": 0, "text": text}) or b""))
    assert len(frames[-1][2]) == LARGEST
    path.write_bytes(rebuilt([*frames, (COMMENT, 3, frames[-1][2])]))
    assert [len(one.text) for one in Folder(tmp_path).read("game").comments] == [len(text)] * 2


def test_listing_survives_any_error_in_a_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games.saved(tmp_path, entries=3)
    (tmp_path / "other.bnr").write_bytes((tmp_path / "game.bnr").read_bytes())

    def failing(data: bytes, name: str) -> object:
        if name == "other.bnr":
            raise MemoryError
        return read_header(data, name)

    monkeypatch.setattr("saves.archive.read_header", failing)
    found = {info.name: info.fault for info in Folder(tmp_path).listing()}
    assert found == {"game": "", "other": "other.bnr: MemoryError"}


def test_too_long_texts_are_not_written(tmp_path: Path) -> None:
    games.saved(tmp_path, entries=3)
    file = Folder(tmp_path).open("game").file
    assert file is not None
    size = (tmp_path / "game.bnr").stat().st_size
    text = "é" * (LONGEST_TEXT // 2 + 1)
    with pytest.raises(SaveFault, match=r"game\.bnr: a text of 65538 bytes; 65536 are allowed"):
        file.comment(Comment(0, text))
    with pytest.raises(SaveFault, match="65536 are allowed"):
        file.notice(Notice("talk", 0, text=text))
    file.comment(Comment(0, text[1:]))
    file.close()
    assert (tmp_path / "game.bnr").stat().st_size > size
    assert Folder(tmp_path).read("game").comments == (Comment(0, text[1:]),)


def test_too_large_header_is_not_written(tmp_path: Path) -> None:
    header = Folder(tmp_path).read(games.saved(tmp_path, entries=3).stem).header
    with pytest.raises(SaveFault, match="larger than"):
        Folder(tmp_path).create("big", replace(header, title="x" * LARGEST_HEADER))
    assert not (tmp_path / "big.bnr").exists()
