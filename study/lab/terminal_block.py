"""Block of lines redrawn in place at the bottom of a terminal, and single keys.

Only changed cells are written, in one piece, so nothing flickers and little data crosses a slow
line. The terminal is restored at the end, after an exception, at SIGTERM, and while the process is
stopped by Ctrl-Z or runs in the background.
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

from study.lab.status_lines import STYLES, BlockCell, StyledLine, cells_of

_GAP: Final = 4
"""Maximum unchanged cells that are rewritten, since moving the cursor costs as much."""

_LOCAL: Final = termios.ICANON | termios.ECHO

_ENDS: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class TerminalBlock:
    """Block of lines; the cursor rests at the beginning of the line below it."""

    def __init__(self, stream: TextIO, *, has_colours: bool) -> None:
        """Prepare a block; ``stream`` writes to the terminal."""
        self._stream, self._has_colours = stream, has_colours
        self._shown: list[list[BlockCell]] = []
        self._size = (0, 0)
        self.written = 0
        """Number of bytes written so far."""

    def draw(self, lines: Sequence[StyledLine], columns: int, rows: int) -> None:
        """Show lines in a window of this size; lines and cells that do not fit are left out."""
        cells = [cells_of(line, columns - 1) for line in lines[: max(1, rows - 1)]]
        if (columns, rows) != self._size or len(cells) != len(self._shown):
            text = self._erasing(columns) + "".join(f"{self._whole(line)}\n" for line in cells)
        else:
            text = self._changes(cells)
        self._shown, self._size = cells, (columns, rows)
        self._write(text)

    def above(self, lines: Sequence[str]) -> None:
        """Write lines of text permanently above the block."""
        shown = [tuple(line) for line in self._shown]
        text = self._erasing(self._size[0]) + "".join(f"{line}\n" for line in lines)
        self._write(text + "".join(f"{self._whole(line)}\n" for line in shown))

    def forget(self) -> None:
        """Leave the block where it is; the next one is drawn below the cursor."""
        self._shown = []

    # -- inside --------------------------------------------------------------------------------

    def _erasing(self, columns: int) -> str:
        """Return the text that erases the block, even if the window has become narrower."""
        up = sum(max(1, -(-len(line) // max(1, columns))) for line in self._shown)
        return f"\r\x1b[{up}A\x1b[J" if up else ""

    def _changes(self, cells: Sequence[Sequence[BlockCell]]) -> str:
        """Return the text that changes the shown lines to ``cells``."""
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
        """Return cells as text that ends in the default style."""
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
    """Return the cursor movement between two lines."""
    if at == to:
        return ""
    return f"\x1b[{at - to}A" if to < at else f"\x1b[{to - at}B"


def _differences(old: Sequence[BlockCell], new: Sequence[BlockCell]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of changed cells; none begins or ends inside a wide sign."""
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
    """Terminal with unbuffered keys and, by default, a hidden cursor."""

    def __init__(
        self,
        keys: int | None,
        stream: TextIO,
        *,
        on_return: Callable[[], None] = lambda: None,
        hides_cursor: bool = True,
    ) -> None:
        """Prepare without changing the terminal.

        Args:
            keys: descriptor from which keys are read; None means no keys.
            stream: writes to the terminal.
            on_return: called when the process is back in the foreground.
            hides_cursor: whether to hide the cursor.
        """
        self._keys, self._stream, self._on_return = keys, stream, on_return
        self._hides_cursor = hides_cursor
        self._usual: list[Any] | None = None
        self._is_ours = False
        self._exits = ExitStack()

    def __enter__(self) -> KeyTerminal:
        """Handle signals, and take the terminal if this process is in the foreground."""
        if threading.current_thread() is threading.main_thread():
            for number in (*_ENDS, signal.SIGTSTP):
                if signal.getsignal(number) is signal.SIG_DFL:
                    stops = number == signal.SIGTSTP
                    signal.signal(number, self._stop if stops else self._end)
                    self._exits.callback(signal.signal, number, signal.SIG_DFL)
        self.look()
        return self

    def __exit__(self, *_: object) -> None:
        self._leave()
        self._exits.close()

    @property
    def is_ours(self) -> bool:
        """True if this process is in the foreground, or this is not its controlling terminal."""
        try:
            return os.tcgetpgrp(self._stream.fileno()) == os.getpgrp()
        except OSError as problem:
            return problem.errno == errno.ENOTTY and self._stream.isatty()

    @property
    def can_write(self) -> bool:
        """True if the terminal accepts output now."""
        with contextlib.suppress(OSError, ValueError):
            return bool(select.select([], [self._stream.fileno()], [], 0)[1])
        return False

    def look(self) -> bool:
        """Take the terminal on coming to the foreground; return whether the process is there."""
        is_ours = self.is_ours
        if is_ours and not self._is_ours:
            self._is_ours = True
            self._take()
            self._on_return()
        elif not is_ours:
            self._is_ours = False
        return is_ours

    def pressed(self) -> str:
        """Return the keys pressed since the last call, without escape sequences."""
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
        """Restore the terminal, and die by the signal."""
        del frame
        self._leave()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def _stop(self, number: int, frame: object) -> None:
        """Restore the terminal, and stop; take it again afterwards."""
        del frame
        self._leave()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, self._stop)
        self.look()
