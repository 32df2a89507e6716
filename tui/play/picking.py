"""Choosing cells of the board: tours of the jump keys, letter labels, places and paths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from engine.kit.grid import Place
from engine.tabletop.ask import AskPath, AskPlace
from engine.tabletop.board import Board, BoardMark
from engine.tabletop.focus import Direction, Focus
from engine.tabletop.presenter import AnyPresenter
from engine.tabletop.roles import MarkSign

# -- tours -----------------------------------------------------------------------------------------


class Tour:
    """Order in which a jump key visits the cells of one kind: each once, the nearest first.

    Backward, the tour returns the way it came. It starts again after the last cell. It also starts
    again if the player has moved the cursor, which is assumed if the last visited cell still
    exists; after a command it does not.
    """

    def __init__(self, board: Board) -> None:
        """Start a tour without visited cells; ``board`` gives the distances."""
        self._wraps = board.width * board.scale if board.wraps else 0
        self._high = 2 if board.narrow else 1
        self._gone: list[Place] = []
        self._last: Place | None = None

    def go(self, cells: Iterable[Place], here: Place, by: int) -> Place:
        """Return the next cell from ``here``: forward (``by`` is 1) or back (-1).

        Raises:
            ValueError: there are no cells.
        """
        found = set(cells)
        if here != self._last and self._last in found:
            self._gone = []
        self._gone = [cell for cell in self._gone if cell in found]
        if here in found and here not in self._gone:
            self._gone.append(here)
        self._last = self._next(found, here, by)
        return self._last

    def _next(self, found: set[Place], here: Place, by: int) -> Place:
        gone = self._gone
        if here in gone:
            at = gone.index(here) + by
        elif by > 0:
            at = len(gone)
        else:
            at = len(gone) - 1
        if 0 <= at < len(gone):
            return gone[at]
        if left := found.difference(gone):
            nearest = min(left, key=lambda cell: self._far(cell, here))
            gone.insert(max(at, 0), nearest)
            return nearest
        return gone[0 if by > 0 else -1]

    def _far(self, cell: Place, here: Place) -> tuple[int, int, int]:
        """Return the sort key of a cell: squared distance, then reading order."""
        across, down = abs(cell[0] - here[0]), abs(cell[1] - here[1]) * self._high
        if self._wraps:
            across = min(across, self._wraps - across)
        return across * across + down * down, cell[1], cell[0]


# -- labels ----------------------------------------------------------------------------------------


LETTERS: Final = "fjdkslaghrueiwoqptyvmcnxbz"
"""Letters, those of the strongest fingers first."""


class Labels:
    """Letter labels on cells; letters are typed until one cell is left."""

    def __init__(self, cells: Sequence[Place]) -> None:
        """Label cells in their order; the first get the best letters."""
        self._left = dict(zip(_names(len(cells)), cells, strict=False))

    @property
    def shown(self) -> dict[Place, str]:
        """Letter to type for each remaining cell."""
        return {cell: name[0] for name, cell in self._left.items()}

    def press(self, letter: str) -> Place | None:
        """Type a letter; return the cell once it is unique. Other letters change nothing."""
        left = {name[1:]: cell for name, cell in self._left.items() if name[0] == letter}
        if "" in left:
            return left[""]
        if left:
            self._left = left
        return None


def _names(count: int) -> list[str]:
    """Return labels that are as short as possible; no label is a prefix of another."""
    if count <= len(LETTERS):
        return list(LETTERS[:count])
    starts = -(-(count - len(LETTERS)) // (len(LETTERS) - 1))
    starts = min(starts, len(LETTERS))
    single = LETTERS[: len(LETTERS) - starts]
    pairs = [one + two for one in LETTERS[len(LETTERS) - starts :] for two in LETTERS]
    return [*single, *pairs][:count]


# -- answers to questions on the map ---------------------------------------------------------------


def can_be_chosen(ask: AskPlace, at: Place, why_not: Callable[[Place], str]) -> bool:
    """Return whether a cell answers a question; ``why_not`` returns the reason against a cell."""
    return at in ask.cells or (bool(ask.beyond) and not why_not(at))


class PickPlace:
    """Cursor to choose one of the cells that a question offers."""

    no_jump = ""

    def __init__(
        self,
        ask: AskPlace,
        presenter: AnyPresenter,
        view: Any,
        at: Place,
        why_not: Callable[[Place], str],
    ) -> None:
        """Put the cursor at ``at``, or on the nearest offered cell if none is there or next to it.

        ``why_not`` returns the reason why a cell cannot be chosen.
        """
        self.title = ask.title
        self._why_not = why_not
        self.at = at
        self._ask = ask
        self._presenter = presenter
        self._view = view
        self._board = presenter.board(view, presenter.zooms[0])
        self._tours: dict[str, Tour] = {}
        self._labels = dict(zip(ask.cells, ask.labels, strict=False))
        self._shorts = dict(zip(ask.cells, ask.shorts, strict=False))
        self._hints = dict(zip(ask.cells, ask.hints, strict=False))
        nearest = min(ask.cells, key=lambda cell: (_far(cell, at), cell[::-1]))
        if _far(nearest, at) > 1:
            self.at = nearest

    @property
    def hint(self) -> str:
        """Effect of choosing the cell under the cursor, or why it cannot be chosen."""
        if self.at not in self._ask.cells:
            usual = self._ask.beyond or "Not possible here; Tab finds the next place"
            return self._why_not(self.at) or usual
        label = self._labels.get(self.at, "")
        usual = f"Choose {_written(self.at)}" + (f" ({label})" if label else "")
        return self._hints.get(self.at) or usual

    @property
    def marks(self) -> tuple[BoardMark, ...]:
        """Marks of the cells that can be chosen."""
        return tuple(self._mark(cell) for cell in self._ask.cells)

    def _mark(self, cell: Place) -> BoardMark:
        sign = MarkSign.TARGET if cell == self.at else MarkSign.REACH
        text, short = self._labels.get(cell, ""), self._shorts.get(cell, "")
        return BoardMark(*cell, sign, text, short=short)

    def push(self, direction: Direction) -> None:
        """Move the cursor one step in a direction."""
        focus = self._presenter.step(self._view, Focus(*self.at), direction).focus
        self.at = focus.x, focus.y

    def point(self, cell: Place) -> None:
        """Put the cursor on a cell."""
        self.at = cell

    def jump(self, kind: str, by: int) -> bool:
        """Go to the nearest unvisited thing of a kind, or back; return False if there is none.

        What is ``idle`` elsewhere is here what can be chosen.
        """
        cells = self._ask.cells
        if kind != "idle":
            cells = self._presenter.jumps(self._view, Focus(*self.at), kind)
        if cells:
            tour = self._tours.setdefault(kind, Tour(self._board))
            self.at = tour.go(cells, self.at, by)
        return bool(cells)

    def back(self) -> bool:
        """Return False: there is no step to undo."""
        return False

    def answer(self) -> str:
        """Return the answer in notation; empty if this cell cannot be chosen."""
        return _written(self.at) if can_be_chosen(self._ask, self.at, self._why_not) else ""


class PickPath:
    """Path that the player chooses cell by cell."""

    no_jump = "A path is walked step by step."
    """Reason why no key jumps; empty if some do."""

    def __init__(self, ask: AskPath, presenter: AnyPresenter, view: Any) -> None:
        """Begin at the start of the path."""
        self.title = ask.title
        self._ask = ask
        self._presenter = presenter
        self._view = view
        self._path: list[Place] = [ask.start]

    @property
    def at(self) -> Place:
        """Last cell of the path."""
        return self._path[-1]

    @property
    def hint(self) -> str:
        """Length of the path in words."""
        return f"{len(self._path) - 1} of {self._ask.longest} steps; Backspace takes one back"

    @property
    def marks(self) -> tuple[BoardMark, ...]:
        """Marks of the path so far."""
        steps = [
            BoardMark(*cell, MarkSign.PATH, str(n)[-1]) for n, cell in enumerate(self._path) if n
        ]
        return (BoardMark(*self._path[0], MarkSign.HELD), *steps)

    def push(self, direction: Direction) -> None:
        """Add the next cell in a direction; going back over the path shortens it."""
        focus = self._presenter.step(self._view, Focus(*self.at), direction).focus
        there = focus.x, focus.y
        if len(self._path) > 1 and there == self._path[-2]:
            self._path.pop()
        elif there != self.at and len(self._path) <= self._ask.longest:
            self._path.append(there)

    def point(self, cell: Place) -> None:
        """Cut the path off at ``cell``, if the cell is on it."""
        if cell in self._path:
            del self._path[self._path.index(cell) + 1 :]

    def jump(self, _kind: str, _by: int) -> bool:
        """Return False: a path has nothing to jump to."""
        return False

    def back(self) -> bool:
        """Undo the last step; return whether there was one."""
        if len(self._path) > 1:
            self._path.pop()
            return True
        return False

    def answer(self) -> str:
        """Return the path in notation, without its start unless that is the whole path."""
        return ">".join(_written(cell) for cell in self._path[1:] or self._path)


Pick = PickPlace | PickPath


def hint_within(pick: Pick, room: int) -> str:
    """Return the hint of a choice, after its title if both fit into ``room`` columns."""
    hint = pick.hint
    both = f"{pick.title}: {hint}"
    return both if len(both) <= room else hint


def _written(cell: Place) -> str:
    return f"{cell[0]},{cell[1]}"


def _far(one: Place, other: Place) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
