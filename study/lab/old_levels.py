"""Levels of another copy of this program, which play by the rules of this one.

They receive views from this copy, and answer with commands. Each copy decodes them with its own
types.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from study.debug.tree_process import TreeFault, TreeProcess


class OldFault(Exception):
    """The other copy cannot plan; the text is one line with the reason."""


class OldCopy:
    """Process of another copy of this program that plans for its levels."""

    def __init__(self, tree: Path, ruleset: str) -> None:
        """Start the process.

        Raises:
            OldFault: the tree is not such a copy, or does not know the ruleset.
        """
        self._tree = tree
        try:
            self._process = TreeProcess(tree, "levels", ruleset)
        except TreeFault as fault:
            raise OldFault(f"{tree}: {fault}") from None
        self.players: str = self._process.greeting
        """Hash of its players."""

    def plan(self, *moment: Any) -> Sequence[bytes]:
        """Return commands, each encoded.

        Args:
            moment: level, encoded view, seat, seed, number of the entry, and True if the level must
                end its turn.

        Raises:
            OldFault: it gave none.
        """
        try:
            commands: Sequence[bytes] = self._process.answer(moment)
        except TreeFault as fault:
            raise OldFault(f"{self._tree}: {fault}") from None
        return commands

    def close(self) -> None:
        """Kill the process."""
        self._process.close()


_copies: dict[tuple[Path, str], OldCopy] = {}


def old_copy(tree: Path, ruleset: str) -> OldCopy:
    """Return the copy in a folder, shared by all games of this process.

    Raises:
        OldFault: it is not such a copy, or does not know the ruleset.
    """
    if (tree, ruleset) not in _copies:
        _copies[tree, ruleset] = OldCopy(tree, ruleset)
    return _copies[tree, ruleset]


def end_copies() -> None:
    """Kill all copies of this process; they also end with it."""
    while _copies:
        _copies.popitem()[1].close()
