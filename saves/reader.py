"""Reading and verifying saves. A reader never changes a file."""

from __future__ import annotations

import gc
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import asdict

from engine.core.archive import Comment, Header, Notice, NoticeKind, Opened, SaveFault
from engine.core.codec import encode_json, plain
from engine.core.feed import RedactedEvent, changes
from engine.core.ids import REFEREE, Viewer, viewer_name
from engine.core.log import AnyEntry, EventLog
from engine.core.notation import write
from engine.core.record import Record, replace
from engine.core.registry import UnknownRuleset, find
from engine.core.replay import Verdict, verify
from engine.core.ruleset import AnyRuleset
from engine.core.scenarios import names_in
from engine.core.sources import rules_hash
from engine.tabletop.board import condensed
from engine.tabletop.presenter import presenter_of
from saves.frames import (
    AGAIN,
    CLOCK,
    COMMENT,
    ENGINE,
    ENTRY,
    HEAD,
    HEADER,
    SEAT,
    START,
    TALK,
    Ending,
    Fault,
    Frame,
    has_frames,
    pack_frame,
    scan,
)
from saves.lock import save_faults
from saves.payloads import (
    FORMAT,
    AgainPayload,
    CommentPayload,
    EnginePayload,
    HeaderPayload,
    HeadPayload,
    LaterVersion,
    NoticePayload,
    read_entry,
    read_payload,
)
from saves.stamp import engine_version

NOTICES: Final[Mapping[str, NoticeKind]] = {CLOCK: "clock", SEAT: "seat", TALK: "talk"}
"""Notice kinds by the frame kinds that hold them."""

LARGEST_FILE = 1 << 27
"""Maximum bytes of a save."""

_BEGINNING: Final = pack_frame(HEADER, 0, b"", START)[0][:8]
"""First bytes of every save; a writer that is killed at once may leave only some of them."""


class NothingBegun(SaveFault):
    """Save without an entry: its writer ended before the game was set up."""


class Reading(Opened, frozen=True):
    """Content of a save, with the position from which a writer continues.

    ``chains`` holds the chain after each entry; ``good`` is the length of the sound part.
    """

    path: str = ""
    good: int = 0
    chain: bytes = START
    chains: tuple[bytes, ...] = ()
    writer: EnginePayload = EnginePayload("", 0)
    """Program version and rules that wrote last."""
    ending: Ending | None = None
    """Fault of the last frame; None if the file is whole."""


class _Log:
    """Log that grows frame by frame."""

    def __init__(self, rules: AnyRuleset, header: HeaderPayload, name: str) -> None:
        self.rules = rules
        self.name = name
        self.log: EventLog[object, object] = EventLog()
        self.chains: list[bytes] = []
        self.comments: list[Comment] = []
        self.notices: list[Notice] = []
        self.writer = EnginePayload(header.engine, header.schema, header.rules_hash)

    def take(self, frame: Frame) -> None:
        """Add a frame. Unknown kinds come from later versions and are skipped.

        Raises:
            SaveFault: the frame does not fit.
        """
        where = f"{self.name}, frame at byte {frame.end}"
        try:
            self._take(frame, where)
        except (IndexError, ValueError) as problem:
            raise SaveFault(f"{where}: {problem}") from None

    def _take(self, frame: Frame, where: str) -> None:
        if frame.kind == ENTRY:
            self.log.append(read_entry(self.rules, frame.payload, self.writer.schema, where))
            self.chains.append(frame.chain)
        elif frame.kind == HEAD:
            self.log.go(read_payload(HeadPayload, frame.payload, where).to)
        elif frame.kind == AGAIN:
            told = read_payload(AgainPayload, frame.payload, where)
            self.log.again(told.to, told.entries)
            self.chains += [frame.chain] * len(told.entries)
        elif frame.kind == ENGINE:
            self.writer = read_payload(EnginePayload, frame.payload, where)
        elif frame.kind == COMMENT:
            told = read_payload(CommentPayload, frame.payload, where)
            self.comments.append(Comment(told.seq, told.text))
        elif frame.kind in NOTICES:
            told = read_payload(NoticePayload, frame.payload, where)
            self.notices.append(Notice(NOTICES[frame.kind], **asdict(told)))
        elif frame.kind == HEADER:
            raise SaveFault(f"{where}: a second header")


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a save.

    Raises:
        SaveFault: the file is missing, too large or not a regular file.
    """
    with save_faults(path.name):
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):  # a pipe would never end, a device never stop
            raise SaveFault(f"{path.name}: no file")
        if found.st_size > LARGEST_FILE:
            raise SaveFault(f"{path.name}: larger than {LARGEST_FILE} bytes")
        return path.read_bytes()


def read_header(data: bytes, name: str) -> tuple[HeaderPayload, Frame]:
    """Return the header of a save, and its frame.

    Raises:
        LaterVersion: the file has a later format.
        SaveFault: this is no save.
    """
    first = next(scan(data[: 1 << 20]), None)
    if first is None or (
        isinstance(first, Fault) and first.ending is Ending.CUT and _is_begun(data)
    ):
        what = f"it ends in its header, after {len(data)} bytes" if data else "it is empty"
        raise SaveFault(f"{name}: no saved game, {what}")
    if not isinstance(first, Frame) or first.kind != HEADER:
        raise SaveFault(f"{name}: no saved game")
    header: HeaderPayload = read_payload(HeaderPayload, first.payload, f"{name}, header")
    if header.format > FORMAT:
        raise LaterVersion(f"{name}: format {header.format}, this program reads up to {FORMAT}")
    return header, first


def _is_begun(data: bytes) -> bool:
    """Return whether this can be the beginning of a header (its checksum has four bytes)."""
    return data[:8] == _BEGINNING[: len(data)] and data[9:10] in (b"", b"\xce")


def read(path: Path) -> Reading:
    """Read a save as far as it is sound.

    A torn or damaged end is reported in the remarks. Damage with good frames behind it is a fault.

    Raises:
        SaveFault: the save cannot be read; one line with the file, the offset and the reason.
    """
    data = read_bytes(path)
    found, fault = read_sound(data, path)
    if fault is None:
        return found
    if has_frames(data, fault.at + 1):
        raise SaveFault(
            f"{path.name}: damaged at byte {fault.at}: {fault.reason}"
            "; 'banneret saves repair' keeps what is before it"
        )
    ended = replace(found, ending=fault.ending)
    remark = f"{_damage(ended)} ({len(data) - fault.at} bytes): {fault.reason}"
    return replace(ended, remarks=(*found.remarks, remark))


def _damage(opened: Opened) -> str:
    """Return the damage to the end of a save in words; empty if the file is whole."""
    if not isinstance(opened, Reading) or opened.ending is None:
        return ""
    part = "last frame" if opened.ending is Ending.CUT else "end"
    return f"the {part} is {opened.ending} after entry {len(opened.log) - 1}"


def read_sound(data: bytes, path: Path) -> tuple[Reading, Fault | None]:
    """Return the sound part of a save, and the fault after it (None if the file is whole).

    Raises:
        NothingBegun: there is no entry, and no damage but a cut end.
        SaveFault: the first entry is damaged, or the header or an entry is wrong although its
            frame is whole.
    """
    name = path.name
    header, _ = read_header(data, name)
    try:
        rules = find(header.ruleset)
    except UnknownRuleset as problem:
        raise SaveFault(f"{name}: {problem}") from None
    growing = _Log(rules, header, name)
    good, chain, fault = 0, START, None
    with _few_collections():
        for item in scan(data):
            if isinstance(item, Fault):
                fault = item
                break
            if good > 0:
                growing.take(item)
            good, chain = item.end, item.chain
    if not len(growing.log):
        raise without_entries(data, name, fault)
    reading = Reading(
        name=path.stem,
        header=msgspec.convert(header, Header, from_attributes=True),
        log=growing.log,
        comments=tuple(growing.comments),
        notices=tuple(growing.notices),
        path=str(path),
        good=good,
        chain=chain,
        chains=tuple(growing.chains),
        writer=growing.writer,
    )
    return reading, fault


def without_entries(data: bytes, name: str, fault: Fault | None) -> SaveFault:
    """Return the fault to raise for a save that has no entry before its first fault."""
    if fault is None or (fault.ending is Ending.CUT and not has_frames(data, fault.at + 1)):
        cut = "cut off in its first entry, so nothing of a game can be read"
        return NothingBegun(f"{name}: {'no game was begun in it' if fault is None else cut}")
    return SaveFault(
        f"{name}: damaged at byte {fault.at}, in its first entry: {fault.reason}; without that"
        " entry the game cannot be read"
    )


@contextmanager
def _few_collections() -> Iterator[None]:
    """Disable garbage collection during a ``with`` block: reading leaves no garbage."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


# -- verifying ----------------------------------------------------------------------------


class Checked(Record, frozen=True):
    """Verdict on a save, with remarks that explain it."""

    verdict: Verdict
    remarks: tuple[str, ...]
    fault: str = ""
    """Damage to the end of the file; empty if it is whole."""


def check(opened: Opened) -> Checked:
    """Verify a save: decide its commands again with the recorded throws, and compare."""
    rules = find(opened.header.ruleset)
    verdict = verify(rules, opened.log)
    fault = _damage(opened)
    remarks = [remark for remark in opened.remarks if not fault or fault not in remark]
    if fault and verdict.divergence is None:
        fault += "; everything before it verifies"
    if isinstance(opened, Reading) and opened.writer.rules_hash not in ("", rules_hash(rules)):
        remarks.append(
            f"written by version {opened.writer.engine} with other rules than this"
            f" {engine_version()}"
        )
        if (found := verdict.divergence) is not None:
            remarks.append(
                f"entry {found.place} was decided by those other rules: it opens and goes on as it"
                " was recorded, and this version would decide it otherwise"
            )
    if verdict.not_comparable:
        remarks.append(f"{verdict.not_comparable} marks are of another layout: not comparable")
    return Checked(verdict, tuple(remarks), fault)


# -- a save as text or JSON lines ------------------------------------------------------------------


def as_text(opened: Opened, viewer: Viewer = REFEREE) -> Iterator[str]:
    """Yield the current line of the game as text: a line per command, its results below it.

    The referee sees everything; a seat sees what it was shown, without numbers of entries.

    Raises:
        BrokenLog: an event cannot be applied.
    """
    rules = find(opened.header.ruleset)
    presenter = presenter_of(rules)
    known = names_in(rules, opened.log)
    seated = {p.seat: p.name for p in opened.header.players}
    names = seated | {seat: known[seat] for seat in seated if 0 <= seat < len(known)}
    yield f"# {opened.header.title or rules.title}"
    for seat, name in names.items():
        who = _sits(opened, seat)
        yield f"# {name}" if who == name else f"# {name}: {who}"
    for entry, events in _told(opened, rules, viewer):
        if entry.command is not None and viewer in (REFEREE, entry.seat):
            number = f"{entry.seq} " if viewer == REFEREE else ""
            who = names.get(entry.seat, viewer_name(entry.seat))
            yield f"{number}{who}: {write(entry.command)}"
        told = [line for known in events for line in presenter.tell(known.event, known.after)]
        for line in condensed(told):
            yield f"    {line.text}"


def as_json(opened: Opened, viewer: Viewer = REFEREE) -> Iterator[str]:
    """Yield the game as JSON lines: whole entries for the referee, events for a seat."""
    rules = find(opened.header.ruleset)
    if viewer == REFEREE:
        for entry in opened.log.line():
            yield encode_json(entry).decode()
        return
    count = 0
    for entry, events in _told(opened, rules, viewer):
        if not events:
            continue
        told: dict[str, object] = {
            "count": count,
            "events": [plain(known.event) for known in events],
        }
        if entry.seat == viewer and entry.command is not None:
            told["command"] = plain(entry.command)
        yield encode_json(told).decode()
        count += 1


def _told(
    opened: Opened, rules: AnyRuleset, viewer: Viewer
) -> Iterator[tuple[AnyEntry, tuple[RedactedEvent, ...]]]:
    """Yield each entry with its events as the viewer sees them."""
    line = opened.log.line()
    for entry, change in zip(line, changes(rules, line), strict=True):
        yield entry, change.events(viewer)


def _sits(opened: Opened, seat: int) -> str:
    player = next(player for player in opened.header.players if player.seat == seat)
    return f"computer, {player.bot}" if player.bot else player.name
