"""The port to a store of saved games, as clients see it; ``saves`` implements it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

from engine.core.ids import Seat
from engine.core.log import AnyEntry, EventLog
from engine.core.record import Record


class SaveFault(Exception):
    """A save cannot be read, written or found; the text is one line that names what and where."""


class SeatPlayer(Record, frozen=True):
    """A person or a computer player of a level (``bot``), and the seat."""

    seat: Seat
    name: str
    bot: str = ""


class Header(Record, frozen=True):
    """Facts about a game that stand before its log.

    ``created`` (ISO 8601) is empty where the same game must give the same bytes.
    """

    ruleset: str
    schema: int
    seed: bytes
    players: tuple[SeatPlayer, ...]
    rules_hash: str = ""
    created: str = ""
    title: str = ""
    """Title of the game and its scenario, for lists."""


class Comment(Record, frozen=True):
    """A remark at an entry."""

    seq: int
    text: str


NoticeKind: TypeAlias = Literal["talk", "seat", "clock"]


class Notice(Record, frozen=True):
    """An event at the table rather than in the game, after entry ``seq``.

    ``talk``: a chat message. ``seat``: a person, or a computer player of a level, took a seat;
    ``name`` is empty if it was given up. ``clock``: seconds left to a seat (``left``); with the
    text ``expired`` there were none.
    """

    kind: NoticeKind
    seq: int
    name: str = ""
    text: str = ""
    seat: Seat = -1
    bot: str = ""
    left: int = 0
    when: float = 0.0
    """Seconds since 1970."""


class SaveInfo(Record, frozen=True):
    """A save in a list; its log has not been replayed."""

    name: str
    ruleset: str
    title: str
    players: tuple[SeatPlayer, ...]
    entries: int
    bytes: int
    modified: float
    fault: str = ""
    """Reason why it cannot be opened; empty if it can."""


class SaveFile(Protocol):
    """An open save, locked for this writer. Also the journal of its game.

    Methods raise SaveFault; the file then ends as it did before.
    """

    patient: bool
    """False: every frame is synced before the call returns. True: only ``sync`` does."""

    @property
    def name(self) -> str:
        """Name in the archive."""
        ...

    @property
    def size(self) -> int:
        """Size in bytes."""
        ...

    def entry(self, entry: AnyEntry) -> None:
        """Append an entry."""
        ...

    def head(self, seq: int) -> None:
        """Append that the game goes on from entry ``seq``."""
        ...

    def again(self, seq: int, carried: Sequence[int]) -> None:
        """Append that the game goes on from entry ``seq`` with copies of these later entries."""
        ...

    def comment(self, comment: Comment) -> None:
        """Append a remark."""
        ...

    def notice(self, notice: Notice) -> None:
        """Append an event at the table. Never synced by itself."""
        ...

    def sync(self) -> None:
        """Return when everything appended is on the disk."""
        ...

    def close(self) -> None:
        """Sync, unlock and close."""
        ...


class Opened(Record, frozen=True):
    """A save that has been read: its log, the reader's remarks, and the writer if asked for."""

    name: str
    header: Header
    log: EventLog[Any, Any]
    comments: tuple[Comment, ...] = ()
    remarks: tuple[str, ...] = ()
    """Faults and how they were repaired, one line each."""
    file: SaveFile | None = None
    notices: tuple[Notice, ...] = ()
    """Events at the table, earliest first."""


class Archive(Protocol):
    """A store of saved games by name. Every method may raise SaveFault."""

    def create(self, name: str, header: Header) -> SaveFile:
        """A new save; a number is added to the name if it is taken."""
        ...

    def open(self, name: str) -> Opened:
        """Read a save to go on with it: cuts a torn tail, takes the lock."""
        ...

    def read(self, name: str) -> Opened:
        """Read a save without changing anything."""
        ...

    def listing(self) -> tuple[SaveInfo, ...]:
        """All saves, latest first."""
        ...

    def rename(self, old: str, new: str) -> None:
        """Give a save another name."""
        ...

    def copy(self, name: str) -> str:
        """Make a second save of the same game; the name it got."""
        ...

    def delete(self, name: str) -> None:
        """Remove a save and its side files."""
        ...

    def repair(self, name: str) -> tuple[str, ...]:
        """Make a damaged save readable again; returns the repairs, one line each."""
        ...

    def keyframes(self, opened: Opened, state_type: Any) -> Mapping[int, Any]:
        """Keyframes (states by entry number) for seeking; empty if none fit the log."""
        ...

    def keep_keyframes(self, opened: Opened, states: Mapping[int, Any]) -> None:
        """Store keyframes. They are a cache and may be deleted at any time."""
        ...

    def marks(self, opened: Opened, whose: str) -> Mapping[str, str]:
        """Marks of the debugger: places by name, those of one viewer; empty if there are none."""
        ...

    def keep_marks(self, opened: Opened, whose: str, marks: Mapping[str, str]) -> None:
        """Store the marks of a viewer in a small file beside the save, if that can be written."""
        ...
