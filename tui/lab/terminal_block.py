"""Block of lines that is redrawn in place at the bottom of a terminal, and keys without a line end.

Only cells that have changed are written, in one piece, so nothing flickers and little goes over a
slow line. The terminal is left as it was found: at the end, after an exception, at SIGTERM, and
while the process is stopped by Ctrl-Z or runs in the background.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import termios
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import Any, Final, TextIO

from tui.lab.status_lines import STYLES, BlockCell, StyledLine, cells_of

_GAP: Final = 4
"""Cells that have not changed and are written all the same, for a movement takes as much."""

_LOCAL: Final = termios.ICANON | termios.ECHO

_ENDS: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class TerminalBlock:
    """Block of lines; the cursor rests at the beginning of the line below it."""

    def __init__(self, stream: TextIO, *, has_colours: bool) -> None:
        """``stream`` writes to the terminal."""
        self._stream, self._has_colours = stream, has_colours
        self._shown: list[list[BlockCell]] = []
        self._size = (0, 0)
        self.written = 0
        """Bytes so far."""

    def draw(self, lines: Sequence[StyledLine], columns: int, rows: int) -> None:
        """Show lines in a window of this size; what is too much is left out."""
        cells = [cells_of(line, columns - 1) for line in lines[: max(1, rows - 1)]]
        if (columns, rows) != self._size or len(cells) != len(self._shown):
            text = self._erasing(columns) + "".join(f"{self._whole(line)}\n" for line in cells)
        else:
            text = self._changes(cells)
        self._shown, self._size = cells, (columns, rows)
        self._write(text)

    def above(self, lines: Sequence[str]) -> None:
        """Write lines of text above the block, where they stay."""
        shown = [tuple(line) for line in self._shown]
        text = self._erasing(self._size[0]) + "".join(f"{line}\n" for line in lines)
        self._write(text + "".join(f"{self._whole(line)}\n" for line in shown))

    def forget(self) -> None:
        """Leave the block where it is; the next one is drawn below the cursor."""
        self._shown = []

    # -- inside --------------------------------------------------------------------------------

    def _erasing(self, columns: int) -> str:
        """Movement to the first line, and erasing; the window may have become narrower."""
        up = sum(max(1, -(-len(line) // max(1, columns))) for line in self._shown)
        return f"\r\x1b[{up}A\x1b[J" if up else ""

    def _changes(self, cells: Sequence[Sequence[BlockCell]]) -> str:
        """Text that turns the shown lines into these."""
        found: list[str] = []
        at = height = len(cells)
        for row, (old, new) in enumerate(zip(self._shown, cells, strict=True)):
            if old == new:
                continue
            found.append(_moved(at, row))
            at = row
            for first, last in _differences(old, new):
                found.append(f"\r\x1b[{first}C" if first else "\r")
                found.append(self._whole(new[first:last]))
            if len(new) < len(old):
                found.append(f"\r\x1b[{len(new)}C\x1b[K" if new else "\r\x1b[K")
        return "".join(found) + f"{_moved(at, height)}\r" if found else ""

    def _whole(self, cells: Sequence[BlockCell]) -> str:
        """Cells as text, in the usual style at the end."""
        found: list[str] = []
        now = ""
        for sign, style in cells:
            if self._has_colours and style != now and (STYLES[style] != STYLES[now]):
                found.append(f"\x1b[0;{STYLES[style]}m" if STYLES[style] else "\x1b[m")
            now = style
            found.append(sign)
        if self._has_colours and STYLES[now]:
            found.append("\x1b[m")
        return "".join(found)

    def _write(self, text: str) -> None:
        if text:
            with contextlib.suppress(OSError):  # the terminal was closed; the games go on
                self._stream.write(text)
                self._stream.flush()
            self.written += len(text.encode())


def _moved(at: int, to: int) -> str:
    """Movement from line to line."""
    if at == to:
        return ""
    return f"\x1b[{at - to}A" if to < at else f"\x1b[{to - at}B"


def _differences(old: Sequence[BlockCell], new: Sequence[BlockCell]) -> Iterator[tuple[int, int]]:
    """Ranges of cells that are not as they were, never from the middle of a wide sign."""
    first = last = -1
    for at, cell in enumerate(new):
        if at < len(old) and old[at] == cell:
            continue
        if first >= 0 and at - last > _GAP:
            yield _whole_signs(new, first, last)
            first = -1
        first = at if first < 0 else first
        last = at + 1
    if first >= 0:
        yield _whole_signs(new, first, last)


def _whole_signs(cells: Sequence[BlockCell], first: int, last: int) -> tuple[int, int]:
    while first > 0 and not cells[first][0]:
        first -= 1
    while last < len(cells) and not cells[last][0]:
        last += 1
    return first, last


class KeyTerminal(AbstractContextManager["KeyTerminal"]):
    """Terminal from which single keys are read, and whose cursor is hidden meanwhile."""

    def __init__(
        self,
        keys: int | None,
        stream: TextIO,
        *,
        on_return: Callable[[], None] = lambda: None,
        hides_cursor: bool = True,
    ) -> None:
        """Set it up; nothing changes yet.

        Args:
            keys: descriptor that keys are read from; None: there are none.
            stream: writes to the terminal.
            on_return: called when the process is back in the foreground.
            hides_cursor: hide the cursor.
        """
        self._keys, self._stream, self._on_return = keys, stream, on_return
        self._hides_cursor = hides_cursor
        self._usual: list[Any] | None = None
        self._is_ours = False
        self._exits = ExitStack()

    def __enter__(self) -> KeyTerminal:
        """Take the terminal, if this process has it, and see to signals."""
        if threading.current_thread() is threading.main_thread():
            for number in (*_ENDS, signal.SIGTSTP):
                if signal.getsignal(number) is signal.SIG_DFL:
                    stops = number == signal.SIGTSTP
                    signal.signal(number, self._stop if stops else self._end)
                    self._exits.callback(signal.signal, number, signal.SIG_DFL)
        self.look()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the terminal as it was."""
        self._leave()
        self._exits.close()

    @property
    def is_ours(self) -> bool:
        """True if this process is in the foreground of the terminal, or nobody else can be."""
        try:
            return os.tcgetpgrp(self._stream.fileno()) == os.getpgrp()
        except OSError as problem:
            return problem.errno == errno.ENOTTY and self._stream.isatty()

    @property
    def can_write(self) -> bool:
        """True if the terminal takes something now."""
        with contextlib.suppress(OSError, ValueError):
            return bool(select.select([], [self._stream.fileno()], [], 0)[1])
        return False

    def look(self) -> bool:
        """Take the terminal if this process has come to the foreground; True if it is there."""
        is_ours = self.is_ours
        if is_ours and not self._is_ours:
            self._is_ours = True
            self._take()
            self._on_return()
        elif not is_ours:
            self._is_ours = False
        return is_ours

    def pressed(self) -> str:
        """Keys pressed since the last call, without those that send several signs."""
        if self._keys is None or not self.look():
            return ""
        found = b""
        with contextlib.suppress(OSError):
            while select.select([self._keys], [], [], 0)[0]:
                data = os.read(self._keys, 256)
                if not data:
                    self._keys = None
                    break
                found += data if not data.startswith(b"\x1b") else b""
        return found.decode("ascii", "ignore")

    # -- inside --------------------------------------------------------------------------------

    def _take(self) -> None:
        if self._keys is not None:
            with contextlib.suppress(termios.error):
                self._usual = termios.tcgetattr(self._keys)
                fresh = termios.tcgetattr(self._keys)
                fresh[0] &= ~termios.IXON  # Ctrl-S would hold up the games
                fresh[3] &= ~_LOCAL
                fresh[6][termios.VMIN], fresh[6][termios.VTIME] = 1, 0
                termios.tcsetattr(self._keys, termios.TCSADRAIN, fresh)
        self._cursor("l")

    def _leave(self) -> None:
        if not self._is_ours or not self.is_ours:
            return
        self._is_ours = False
        if self._usual is not None and self._keys is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self._keys, termios.TCSADRAIN, self._usual)
        self._cursor("h")

    def _cursor(self, how: str) -> None:
        if self._hides_cursor:
            with contextlib.suppress(OSError, ValueError):
                os.write(self._stream.fileno(), f"\x1b[?25{how}".encode())

    def _end(self, number: int, frame: object) -> None:
        """Leave the terminal as it was, and end by the signal."""
        del frame
        self._leave()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def _stop(self, number: int, frame: object) -> None:
        """Leave the terminal as it was, and stop; take it again afterwards."""
        del frame
        self._leave()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, self._stop)
        self.look()
