"""The branches of a log as a tree in text. Knows no widgets."""

from __future__ import annotations

from typing import Any, Final

from engine.core.ids import ROOT
from engine.core.log import EventLog
from engine.core.record import Record


class Branch(Record, frozen=True):
    """A line of the log, from where it leaves another to its last entry."""

    head: int
    """Its last entry."""
    leaves: int
    """The place in its line (from 0) after which it leaves the other; -1: the trunk."""
    length: int
    """Entries from the beginning of the game to its last."""
    lead: str
    """What is drawn before it."""


_LINES: Final = ("├─ ", "└─ ", "│  ", "   ")
_ASCII: Final = ("|- ", "`- ", "|  ", "   ")


def branches(log: EventLog[Any, Any], *, ascii_only: bool = False) -> list[Branch]:
    """The branches of a log, each below the one it leaves, in the order of leaving.

    The trunk is the line that is played, and beyond it the longest; so an undone move is a twig.
    """
    tree = _Tree(log)
    if not tree.children:
        return []
    fork, last, through, nothing = _ASCII if ascii_only else _LINES
    rows: list[Branch] = []
    waiting = [(tree.children[ROOT][0], "", "")]
    while waiting:
        first, lead, below = waiting.pop()
        head, twigs = tree.line(first)
        rows.append(Branch(head, tree.depth[first] - 1, tree.depth[head] + 1, lead))
        ends = [(twig, below + fork, below + through) for twig in twigs]
        if ends:
            ends[-1] = (ends[-1][0], below + last, below + nothing)
        waiting += reversed(ends)
    return rows


class _Tree:
    """Who follows whom, how far from the beginning, and which way the trunk goes."""

    def __init__(self, log: EventLog[Any, Any]) -> None:
        self.children: dict[int, list[int]] = {}
        self.depth = {ROOT: -1}
        for entry in log.entries:
            self.children.setdefault(entry.parent, []).append(entry.seq)
            self.depth[entry.seq] = self.depth[entry.parent] + 1
        self._farthest = dict(self.depth)
        for entry in reversed(log.entries):
            farthest = max(self._farthest[entry.parent], self._farthest[entry.seq])
            self._farthest[entry.parent] = farthest
        self._played = {entry.seq for entry in log.line()}

    def line(self, first: int) -> tuple[int, list[int]]:
        """The last entry of the line through an entry, and the first ones of those that leave."""
        twigs: list[int] = []
        while below := self.children.get(first):
            onward = max(below, key=self._weight)
            twigs += [seq for seq in below if seq != onward]
            first = onward
        return first, twigs

    def _weight(self, seq: int) -> tuple[bool, int, int]:
        return seq in self._played, self._farthest[seq], -seq
