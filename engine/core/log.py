"""The log: an append-only tree of entries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from engine.core.dice import Run
from engine.core.ids import ROOT, Seat
from engine.core.record import Record, replace

C = TypeVar("C")
E = TypeVar("E")


class Mark(Record, frozen=True):
    """Fingerprint of the state after an entry: of its record types, and of its values.

    Marks of different layouts cannot be compared.
    """

    layout: bytes
    digest: bytes


class Entry(Record, Generic[C, E], frozen=True):
    """One accepted command with its events and dice.

    ``command`` is None for the entry that begins a game. ``throws`` has all throws, as runs.
    """

    seq: int
    parent: int
    seat: Seat
    command: C | None
    events: tuple[E, ...]
    throws: tuple[Run, ...] = ()
    mark: Mark | None = None


AnyEntry: TypeAlias = Entry[Any, Any]


class EventLog(Generic[C, E]):
    """Entries in the order they were written; a branch is an entry with an older parent.

    ``head`` is the entry from which the game continues.
    """

    def __init__(self) -> None:
        self._entries: list[Entry[C, E]] = []
        self._head = ROOT

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, seq: int) -> Entry[C, E]:
        if not 0 <= seq < len(self._entries):
            raise IndexError(f"there is no entry {seq}")
        return self._entries[seq]

    @property
    def head(self) -> int:
        """Number of the entry that the next one will follow; ROOT in an empty log."""
        return self._head

    @property
    def entries(self) -> tuple[Entry[C, E], ...]:
        """Every entry of every branch, in the order written."""
        return tuple(self._entries)

    def append(self, entry: Entry[C, E]) -> None:
        """Add an entry and make it the head.

        Raises:
            ValueError: its number is not the next one, or its parent does not exist.
        """
        if entry.seq != len(self._entries):
            raise ValueError(f"entry {entry.seq} follows entry {len(self._entries) - 1}")
        if not (0 <= entry.parent < entry.seq or (entry.seq == 0 and entry.parent == ROOT)):
            raise ValueError(f"entry {entry.seq} cannot have the parent {entry.parent}")
        self._entries.append(entry)
        self._head = entry.seq

    def go(self, seq: int) -> None:
        """Make entry ``seq`` the head.

        Raises:
            IndexError: the entry does not exist.
        """
        self._head = self[seq].seq

    def again(self, seq: int, carried: Sequence[int]) -> None:
        """Remove the entry after ``seq`` from the line, and continue with copies of the later ones.

        The copies have new numbers and parents, and no mark. If this raises, nothing changes.

        Args:
            seq: the entry before the one to remove.
            carried: the entries of the line after the removed one up to the head, in their order.

        Raises:
            IndexError: the entry does not exist.
            ValueError: the line does not end with these entries.
        """
        at = self._head
        for number in reversed(carried):
            if at != number:
                raise ValueError(f"entry {at} stands where {number} is to be carried from")
            at = self[at].parent
        if self[at].parent != seq or seq == ROOT:
            raise ValueError(f"entry {at} does not follow entry {seq}")
        self.go(seq)
        for number in carried:
            entry = self[number]
            self.append(replace(entry, seq=len(self), parent=self._head, mark=None))

    def line(self, head: int | None = None) -> list[Entry[C, E]]:
        """Return the entries from the first to ``head`` (default: the log's), along parents."""
        out: list[Entry[C, E]] = []
        at = self._head if head is None else head
        while at != ROOT:
            out.append(self[at])
            at = self[at].parent
        out.reverse()
        return out

    def children(self, seq: int) -> list[int]:
        """Return the entries that follow ``seq``, oldest first; several if the game branched."""
        return [entry.seq for entry in self._entries if entry.parent == seq]
