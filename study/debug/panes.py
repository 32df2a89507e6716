"""Panes of the debugger: the log around the present place, the state as a tree, watched values.

Plain text; rendered by ``study.screens.debugger``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from engine.core.containers import Plane, Roster
from engine.core.record import Record, tag
from engine.debug.difference import Difference, differences
from engine.debug.paths import MISSING, NoPath, StatePath, children, read, value, write
from engine.tabletop.board import Line
from engine.tabletop.panel import heading
from engine.tabletop.roles import Tone
from study.debug.change_lines import change_lines, change_text, value_text
from study.debug.debugger import Debugger
from tui.console.exits import Wrong

_CHANGES = 200
"""Maximum changed fields of an event that are listed."""


class TreeRow(NamedTuple):
    """A row of the state tree: path, depth, and its text."""

    path: StatePath
    depth: int
    text: str


class DebugPanes:
    """Watched and printed values, hidden kinds of events, a query, open parts of the tree."""

    def __init__(self, bench: Debugger) -> None:
        self.bench = bench
        self.watches: list[str] = []
        self.printed: list[str] = []
        """Paths whose value is printed on each line of the log at which it changed."""
        self.hidden: set[str] = set()
        """Tags of events that the log omits."""
        self.query = ""
        self.hits: list[int] = []
        self.row = 0
        """Row of the tree under the cursor."""
        self._open: set[StatePath] = set()
        self._steps: list[int] | None = None

    def take(self, bench: Debugger) -> None:
        """Switch to another debugger of the same game: another viewer, or a longer log."""
        self.bench, self._steps = bench, None
        self.hits = bench.matches(self.query) if self.query else []

    # -- the log ---------------------------------------------------------------------------------

    def log(self, rows: int, shifted: int = 0) -> list[Line]:
        """Return lines of the log around the present step, shifted by ``shifted`` lines.

        The present one begins with ``>``, and those that match the query with ``*``.
        """
        steps = self._shown()
        at = bisect_left(steps, self.bench.at) + shifted
        first = max(0, min(at - rows // 2, len(steps) - rows))
        return [self._log_line(step) for step in steps[first : first + rows]]

    def _log_line(self, step: int) -> Line:
        bench = self.bench
        is_here = step == bench.at
        sign = ">" if is_here else "*" if self._is_hit(step) else " "
        place, gap, rest = bench.log_line(step).partition("  ")
        for path in self.printed:
            if step and (change := self._change(path, step)) is not None:
                rest = f"{path} {change_text(change.old, change.new)}  {rest}"
        text = f"{sign} {place}{gap}{rest}"
        tone = Tone.TITLE if is_here else Tone.GOOD if sign == "*" else Tone.NORMAL
        return Line(text, tone)

    def _shown(self) -> list[int]:
        """Return the steps in the log; the present one is always included."""
        if self._steps is None:
            line = self.bench.line
            self._steps = [
                step
                for step in range(len(line) + 1)
                if not step or tag(line.step(step).event) not in self.hidden
            ]
        at = bisect_left(self._steps, self.bench.at)
        if self._steps[at : at + 1] != [self.bench.at]:
            return [*self._steps[:at], self.bench.at, *self._steps[at:]]
        return self._steps

    def hide(self) -> str:
        """Hide events of the present one's kind in the log; return the kind, or "" if none."""
        if self.bench.at == 0:
            return ""
        kind = tag(self.bench.line.step(self.bench.at).event)
        self.hidden.add(kind)
        self._steps = None
        return kind

    def show_all(self) -> None:
        """Show hidden events again."""
        self.hidden.clear()
        self._steps = None

    # -- queries ---------------------------------------------------------------------------------

    def ask(self, query: str) -> None:
        """Search for moments; an empty query forgets them.

        Raises:
            Wrong: it cannot be read.
        """
        self.hits = self.bench.matches(query) if query else []
        self.query = query

    def next_hit(self, by: int) -> int | None:
        """Return the next (``by`` 1) or previous step that matches the query, or None."""
        at = bisect_left(self.hits, self.bench.at)
        if by < 0:
            return self.hits[at - 1] if at else None
        at += self.hits[at : at + 1] == [self.bench.at]
        return self.hits[at] if at < len(self.hits) else None

    def count(self) -> str:
        """Return the query with the number of its present hit, such as ``loss: 3 of 8``."""
        if not self.query:
            return ""
        done = bisect_left(self.hits, self.bench.at + 1)
        return f"{self.query}: {done} of {len(self.hits)}"

    def _is_hit(self, step: int) -> bool:
        at = bisect_left(self.hits, step)
        return self.hits[at : at + 1] == [step]

    # -- watches ---------------------------------------------------------------------------------

    def watch(self, path: str) -> None:
        """Watch a value, or stop watching it.

        Raises:
            Wrong: the game has no such value.
        """
        _toggle(self.watches, self._known(path))

    def print_in_log(self, path: str) -> None:
        """Print a value in the log wherever it changes, or stop printing it.

        Raises:
            Wrong: the game has no such value.
        """
        _toggle(self.printed, self._known(path))

    def _known(self, path: str) -> str:
        return self.bench.followed(path).text

    def values(self) -> list[Line]:
        """Return the watched values, and everything that the present event changed."""
        bench = self.bench
        lines = [heading("watched")] if self.watches else []
        for path in self.watches:
            now = value_text(bench.followed(path).in_state(bench.state))
            change = self._change(path, bench.at)
            tone = Tone.NORMAL if change is None else Tone.STRONG
            was = "" if change is None else f"  (was {value_text(change.old)})"
            lines.append(Line(f"{path}  {now}{was}", tone))
        lines.append(heading("changed here"))
        lines += self._changed()
        return lines

    def _changed(self) -> list[Line]:
        bench = self.bench
        if bench.at <= 1:
            return [Line("The game is set up here.", Tone.QUIET)]
        before, after = bench.line.state(bench.at - 1), bench.line.state(bench.at)
        found = list(islice(differences(before, after), _CHANGES))
        lines = [Line(one.text.strip()) for one in change_lines(found, bench.place())]
        return lines or [Line("nothing", Tone.QUIET)]

    def _change(self, path: str, step: int) -> Difference | None:
        """Return the change of a value by the event before a step, or None."""
        if step == 0:
            return None
        what = self.bench.followed(path)
        states = self.bench.line
        old, new = what.in_state(states.state(step - 1)), what.in_state(states.state(step))
        if old is new or (type(old) is type(new) and old == new):
            return None
        return Difference((), old, new)

    # -- the state as a tree ---------------------------------------------------------------------

    def tree(self) -> list[TreeRow]:
        """Return the visible rows of the tree."""
        rows = list(self._rows((), self.bench.state, 0))
        self.row = max(0, min(self.row, len(rows) - 1))
        return rows

    def tree_lines(self, rows: int) -> list[Line]:
        """Return lines of the tree around its cursor, which is marked with ``>``."""
        listed = self.tree()
        first = max(0, min(self.row - rows // 2, len(listed) - rows))
        return [
            Line(
                f"{'>' if number == self.row else ' '} {'  ' * row.depth}{row.text}",
                Tone.TITLE if number == self.row else Tone.NORMAL,
            )
            for number, row in enumerate(listed[first : first + rows], first)
        ]

    def open_row(self) -> None:
        """Open or close the row under the cursor."""
        rows = self.tree()
        if rows:
            self._open ^= {rows[self.row].path}

    def path_here(self) -> str:
        """Return the path of the tree's row under the cursor."""
        rows = self.tree()
        return write(rows[self.row].path) if rows else ""

    def reveal(self, path: str) -> None:
        """Open the tree down to a path and put the cursor on it.

        Raises:
            Wrong: it is no path.
        """
        try:
            keys = read(path)
        except NoPath as problem:
            raise Wrong(str(problem)) from None
        self._open |= {keys[:depth] for depth in range(1, len(keys))}
        found = [number for number, row in enumerate(self.tree()) if row.path == keys]
        self.row = found[0] if found else self.row

    def _rows(self, path: StatePath, at: Any, depth: int) -> Iterator[TreeRow]:
        for key, below in children(at):
            here = (*path, key)
            can_open = isinstance(below, Record | Roster) or (
                isinstance(below, tuple) and bool(below)
            )
            is_open = can_open and here in self._open
            sign = "-" if is_open else "+" if can_open else " "
            yield TreeRow(here, depth, f"{sign} {_label(key, below, is_open=is_open)}")
            if is_open:
                yield from self._rows(here, below, depth + 1)


def _label(key: Any, below: Any, *, is_open: bool) -> str:
    """Return a key with its value in short."""
    name = f"[{key}]" if isinstance(key, int) else str(key)
    if is_open:
        return name
    if isinstance(below, Roster | tuple):
        return f"{name}  ({len(below)})" if isinstance(below, Roster) else f"{name}  {below!r:.40}"
    if isinstance(below, Plane):
        return f"{name}  {below.width}x{below.height}"
    if isinstance(below, Record):
        title = value(below, ("name",))
        return name if title is MISSING else f"{name}  {value_text(title)}"
    return f"{name}  {value_text(below)}"


def _toggle(listed: list[str], path: str) -> None:
    if path in listed:
        listed.remove(path)
    else:
        listed.append(path)
