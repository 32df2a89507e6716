"""Answering a question on the map: one of some cells, or a path. Knows no widgets."""

from __future__ import annotations

from typing import Any

from engine.tabletop.ask import AskPath, AskPlace
from engine.tabletop.board import Mark
from engine.tabletop.focus import Direction, Focus
from engine.tabletop.presenter import AnyPresenter
from engine.tabletop.roles import Sign
from tui.play.tour import Tour

Cell = tuple[int, int]


class PickPlace:
    """Choose one of the cells of a question."""

    def __init__(self, ask: AskPlace, presenter: AnyPresenter, view: Any, at: Cell) -> None:
        """Begin at the cursor, or at the nearest cell if none beside it can be chosen."""
        self.title = ask.title
        self.at = at
        self._ask = ask
        self._presenter = presenter
        self._view = view
        self._tour = Tour(presenter.board(view, presenter.zooms[0]))
        self._labels = dict(zip(ask.cells, ask.labels, strict=False))
        self._shorts = dict(zip(ask.cells, ask.shorts, strict=False))
        nearest = min(ask.cells, key=lambda cell: (_far(cell, at), cell[::-1]))
        if _far(nearest, at) > 1:
            self.at = nearest

    @property
    def hint(self) -> str:
        """What stands under the cursor."""
        if self.at not in self._ask.cells:
            return "not here; Tab goes to what can be chosen"
        label = self._labels.get(self.at, "")
        return f"choose {_written(self.at)}" + (f" ({label})" if label else "")

    @property
    def marks(self) -> tuple[Mark, ...]:
        """What can be chosen."""
        return tuple(self._mark(cell) for cell in self._ask.cells)

    def _mark(self, cell: Cell) -> Mark:
        sign = Sign.TARGET if cell == self.at else Sign.REACH
        text, short = self._labels.get(cell, ""), self._shorts.get(cell, "")
        return Mark(*cell, sign, text, short=short)

    def push(self, direction: Direction) -> None:
        """Move the cursor."""
        focus = self._presenter.step(self._view, Focus(*self.at), direction).focus
        self.at = focus.x, focus.y

    def point(self, cell: Cell) -> None:
        """Put the cursor on a cell."""
        self.at = cell

    def jump(self, by: int) -> None:
        """Go to the nearest cell that can be chosen and was not gone to yet, or back."""
        self.at = self._tour.go(self._ask.cells, self.at, by)

    def back(self) -> bool:
        """Take the last step back; whether there was one."""
        return False

    def answer(self) -> str:
        """The answer; empty if this cell cannot be chosen."""
        return _written(self.at) if self.at in self._ask.cells else ""


class PickPath:
    """Choose cells one after the other by walking them."""

    def __init__(self, ask: AskPath, presenter: AnyPresenter, view: Any) -> None:
        """Begin at the start of the path."""
        self.title = ask.title
        self._ask = ask
        self._presenter = presenter
        self._view = view
        self._path: list[Cell] = [ask.start]

    @property
    def at(self) -> Cell:
        """The end of the path."""
        return self._path[-1]

    @property
    def hint(self) -> str:
        """How long the path is."""
        return f"{len(self._path) - 1} of {self._ask.longest} steps; Backspace takes one back"

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The path so far."""
        steps = [Mark(*cell, Sign.PATH, str(n)[-1]) for n, cell in enumerate(self._path) if n]
        return (Mark(*self._path[0], Sign.HELD), *steps)

    def push(self, direction: Direction) -> None:
        """Lengthen the path, or shorten it by going back."""
        focus = self._presenter.step(self._view, Focus(*self.at), direction).focus
        there = focus.x, focus.y
        if len(self._path) > 1 and there == self._path[-2]:
            self._path.pop()
        elif there != self.at and len(self._path) <= self._ask.longest:
            self._path.append(there)

    def point(self, cell: Cell) -> None:
        """Go back to a cell of the path."""
        if cell in self._path:
            del self._path[self._path.index(cell) + 1 :]

    def jump(self, by: int) -> None:
        """There is nothing to jump to on a path."""

    def back(self) -> bool:
        """Take the last step back; whether there was one."""
        if len(self._path) > 1:
            self._path.pop()
            return True
        return False

    def answer(self) -> str:
        """The cells of the path without its start, unless that is all there is."""
        return ">".join(_written(cell) for cell in self._path[1:] or self._path)


Pick = PickPlace | PickPath


def _written(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def _far(one: Cell, other: Cell) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
