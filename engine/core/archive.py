"""The port to a store of saved games, as clients use it; ``saves`` implements it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

from engine.core.ids import Seat
from engine.core.log import AnyEntry, EventLog
from engine.core.record import Record


class SaveFault(Exception):
    """Raised if a save cannot be read, written or found; one line names the fault and its place."""


class SeatPlayer(Record, frozen=True):
    """The player of a seat: a person, or a computer player of level ``bot``."""

    seat: Seat
    name: str
    bot: str = ""


class Header(Record, frozen=True):
    """Facts about a game that precede its log in a save.

    ``created`` (ISO 8601) is empty if the same game must give the same bytes.
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
    """A person's comment on an entry."""

    seq: int
    text: str


NoticeKind: TypeAlias = Literal["talk", "seat", "clock"]


class Notice(Record, frozen=True):
    """An event at the table rather than in the game, after entry ``seq``.

    ``talk``: a chat message. ``seat``: a person, or a computer player of level ``bot``, took a
    seat; ``name`` is empty if the seat was left. ``clock``: a seat has ``left`` seconds remaining;
    with the text ``expired`` it has none.
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
    """Reason why the save cannot be opened; empty if it can."""


class SaveFile(Protocol):
    """An open save, locked for this writer. Also the journal of its game.

    Methods raise SaveFault; the file's content then remains as before the call.
    """

    patient: bool
    """True if appended data is sure to be on the disk only after ``sync``; False if each call
    returns only once it is.
    """

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
        """Append that the game continues from entry ``seq``."""
        ...

    def again(self, seq: int, carried: Sequence[int]) -> None:
        """Append that the game continues from ``seq`` with copies of the entries ``carried``."""
        ...

    def comment(self, comment: Comment) -> None:
        """Append a comment."""
        ...

    def notice(self, notice: Notice) -> None:
        """Append an event at the table. This never syncs."""
        ...

    def sync(self) -> None:
        """Block until everything appended is on the disk."""
        ...

    def close(self) -> None:
        """Sync, unlock and close."""
        ...


class Opened(Record, frozen=True):
    """A save that has been read: its log, the reader's remarks, and the writer if requested."""

    name: str
    header: Header
    log: EventLog[Any, Any]
    comments: tuple[Comment, ...] = ()
    remarks: tuple[str, ...] = ()
    """Faults and their repairs, one line each."""
    file: SaveFile | None = None
    notices: tuple[Notice, ...] = ()
    """Events at the table, earliest first."""


class Archive(Protocol):
    """A store of saved games by name. Every method may raise SaveFault."""

    def create(self, name: str, header: Header) -> SaveFile:
        """Create a save and return it for writing; a number is added to the name if it is taken."""
        ...

    def open(self, name: str) -> Opened:
        """Open a save to continue it: cut an incomplete end, take the lock, return the content."""
        ...

    def read(self, name: str) -> Opened:
        """Return the content of a save without changing or locking it."""
        ...

    def listing(self) -> tuple[SaveInfo, ...]:
        """Return all saves, latest first."""
        ...

    def rename(self, old: str, new: str) -> None:
        """Rename a save."""
        ...

    def copy(self, name: str) -> str:
        """Copy a save; return the name of the copy."""
        ...

    def delete(self, name: str) -> None:
        """Delete a save and its side files."""
        ...

    def repair(self, name: str) -> tuple[str, ...]:
        """Make a damaged save readable again; return the repairs, one line each."""
        ...

    def keyframes(self, opened: Opened, state_type: Any) -> Mapping[int, Any]:
        """Return keyframes (states by entry number) for seeking; empty if none fit the log."""
        ...

    def keep_keyframes(self, opened: Opened, states: Mapping[int, Any]) -> None:
        """Store keyframes. They are a cache and may be deleted at any time."""
        ...

    def marks(self, opened: Opened, whose: str) -> Mapping[str, str]:
        """Return the debugger's marks of one viewer: places by name; empty without marks."""
        ...

    def keep_marks(self, opened: Opened, whose: str, marks: Mapping[str, str]) -> None:
        """Store the marks of a viewer in a small file beside the save, if it can be written."""
        ...
