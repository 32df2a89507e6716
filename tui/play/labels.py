"""Letters on cells to jump by: one press where there are few, two where there are many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

Cell = tuple[int, int]

LETTERS: Final = "fjdkslaghrueiwoqptyvmcnxbz"
"""Those under the strongest fingers first."""


class Labels:
    """Cells with a label each; letters are typed until one cell is left."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        """Label cells in their order; what comes first gets the best letters."""
        self._left = dict(zip(_names(len(cells)), cells, strict=False))

    @property
    def shown(self) -> dict[Cell, str]:
        """The letter to type for each cell that is left."""
        return {cell: name[0] for name, cell in self._left.items()}

    def press(self, letter: str) -> Cell | None:
        """Type a letter: the cell, once it is certain. One that fits nothing changes nothing."""
        left = {name[1:]: cell for name, cell in self._left.items() if name[0] == letter}
        if "" in left:
            return left[""]
        if left:
            self._left = left
        return None


def _names(count: int) -> list[str]:
    """So many names, none of which begins with another; as short as can be."""
    if count <= len(LETTERS):
        return list(LETTERS[:count])
    starts = -(-(count - len(LETTERS)) // (len(LETTERS) - 1))
    starts = min(starts, len(LETTERS))
    single = LETTERS[: len(LETTERS) - starts]
    pairs = [one + two for one in LETTERS[len(LETTERS) - starts :] for two in LETTERS]
    return [*single, *pairs][:count]
