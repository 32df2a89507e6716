"""Live view of a run: a block of lines on a terminal, or else lines of text or JSON.

Keys: the space bar pauses and resumes the run, ``q`` ends it at whole pairs, and Enter prints the
progress at once if it is shown in lines.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from time import monotonic
from typing import Any, Final, Protocol, TextIO

from engine.core.codec import encode_json
from engine.core.printable import harmless
from study.lab.games import ReportedGame
from study.lab.plans import LabSetup
from study.lab.progress import PaceEstimator, RunStatus, RunTally, SprtStatus, tally_of
from study.lab.stages import games_of
from study.lab.status_lines import StyledText, block, sentence, style_for
from study.lab.store import RunFolder
from study.lab.terminal_block import KeyTerminal, TerminalBlock
from tui.console.printing import raw
from tui.terminal.capabilities import here

FRAME: Final = 0.25
"""Minimum seconds between two redraws."""

_KEYS: Final = 0.05
_JSON: Final = 2.0
_MINUTE: Final = 60.0


class PausableFarm(Protocol):
    """The part of a farm that a watcher needs."""

    is_paused: bool

    @property
    def ready(self) -> int:
        """Number of workers that are set up."""
        ...


class RunDisplay(Protocol):
    """A way to show the state of a run."""

    def show(self, status: Callable[[], RunStatus], now: float, *, at_once: bool) -> None:
        """Show the state if it is due, or ``at_once``; ``now`` is the time in seconds."""
        ...

    def pressed(self) -> str:
        """Return the keys pressed since the last call."""
        ...

    def end(self, status: RunStatus) -> None:
        """Show the final state."""
        ...


# -- displays ----------------------------------------------------------------------------------


def run_keys(status: RunStatus) -> tuple[StyledText, ...]:
    """Return the bottom line of a run's block."""
    if status.state == "paused":
        return ("paused: no game is begun   ", "warn"), ("space", "key"), (" goes on", "faint")
    if status.state == "stopping":
        text = "stopping: the games of pairs that were begun are played   "
        return (text, "warn"), ("Ctrl-C", "key"), (" drops them", "faint")
    return (
        ("space", "key"),
        (" pauses   ", "faint"),
        ("q", "key"),
        (" stops at whole pairs   ", "faint"),
        ("Ctrl-C", "key"),
        (" stops now", "faint"),
    )


def _no_keys(status: RunStatus) -> tuple[StyledText, ...]:
    del status
    return ()


class BlockDisplay:
    """Block of lines on a terminal."""

    def __init__(
        self,
        stream: TextIO,
        keys: int | None,
        bottom: Callable[[RunStatus], Sequence[StyledText]] = run_keys,
    ) -> None:
        """Prepare the block; ``bottom`` makes its last line, unless there are no keys."""
        capabilities = here()
        self._terminal = capabilities
        self.block = TerminalBlock(stream, has_colours=capabilities.depth != "none")
        self._stream = stream
        self._bottom = bottom if keys is not None else _no_keys
        self.owner = KeyTerminal(keys, stream, on_return=self._draw_anew)
        self._shown = float("-inf")

    def show(self, status: Callable[[], RunStatus], now: float, *, at_once: bool) -> None:
        """Draw the block, at most four times a second unless ``at_once``."""
        if now - self._shown >= FRAME or at_once:
            self._shown = now
            if self.owner.look() and self.owner.can_write:
                found = status()
                self._draw(found, self._bottom(found))

    def pressed(self) -> str:
        """Return the keys pressed since the last call."""
        return self.owner.pressed()

    def end(self, status: RunStatus) -> None:
        """Draw the block for the last time, with an empty line in place of the keys."""
        if self.owner.look():
            self._draw(status, ())

    def above(self, lines: Sequence[str]) -> None:
        """Print lines of text above the block."""
        self.block.above(list(map(harmless, lines)))

    def _draw_anew(self) -> None:
        self.block.forget()
        self._shown = float("-inf")

    def _draw(self, status: RunStatus, keys: Sequence[StyledText]) -> None:
        try:
            columns, rows = os.get_terminal_size(self._stream.fileno())
        except OSError:
            return
        if columns and rows:
            lines = block(status, style_for(self._terminal, columns, rows), keys)
            self.block.draw(lines if keys else [*lines, ()], columns, rows)


class LineDisplay:
    """A line of text from time to time, and whenever something happens."""

    def __init__(self, stream: TextIO, owner: KeyTerminal | None, *, seconds: float) -> None:
        """Write to a stream, every ``seconds``."""
        self._stream, self._owner, self._seconds = stream, owner, seconds
        self._told: float | None = None

    def show(self, status: Callable[[], RunStatus], now: float, *, at_once: bool) -> None:
        """Write a line if it is due."""
        self._told = now if self._told is None else self._told
        if now - self._told >= self._seconds or at_once:
            self._told = now
            self._write(status())

    def pressed(self) -> str:
        """Return the keys pressed since the last call."""
        return self._owner.pressed() if self._owner is not None else ""

    def end(self, status: RunStatus) -> None:
        """Write the last line."""
        self._write(status)

    def _write(self, status: RunStatus) -> None:
        with contextlib.suppress(OSError):  # the terminal was closed; the games go on
            self._stream.write(f"{sentence(status)}\n")
            self._stream.flush()


class JsonDisplay:
    """The state as lines of JSON."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._told = float("-inf")

    def show(self, status: Callable[[], RunStatus], now: float, *, at_once: bool) -> None:
        """Write a line if it is due."""
        if now - self._told >= _JSON or at_once:
            self._told = now
            self.end(status())

    def pressed(self) -> str:
        """Return no keys."""
        return ""

    def end(self, status: RunStatus) -> None:
        """Write the last line."""
        self._stream.write(f"{encode_json(status).decode()}\n")
        self._stream.flush()


# -- the watcher -------------------------------------------------------------------------------


class LiveWatcher:
    """Watcher of a run: counts its games, handles keys, and updates the display."""

    def __init__(
        self,
        folder: RunFolder,
        setup: LabSetup,
        display: RunDisplay,
        *,
        test: Callable[[], SprtStatus] | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Begin with the games that are known.

        Args:
            folder: folder of the run, open for writing.
            setup: common part of its games.
            display: shows the state.
            test: returns the state of its sequential test, if it has one.
            clock: returns the time in seconds.
        """
        self._folder, self._setup, self._display = folder, setup, display
        self._test, self._clock = test, clock
        self.pace = PaceEstimator()
        self._tally = tally_of(folder.plan, setup)
        self._total = self._workers = 0
        self._looked = self._noted = float("-inf")
        self._is_paused = self._is_stopping = self._is_over = self._has_news = False

    def begin(self, total: int, known: int) -> None:
        """Set how many games will be played now; ``known`` is how many the folder has already."""
        if known > self._tally.done:
            add_known(self._tally, self._folder, self._setup)
        self._total = self._tally.done + total

    def played(self, game: ReportedGame) -> None:
        """Count a game."""
        self._tally.add_played(game)
        self.pace.count(self._clock())
        self._has_news |= game.result.fault is not None

    def tick(self, farm: PausableFarm) -> bool:
        """Handle keys and show the state if it is due; return True once no pair may begin."""
        now = self._clock()
        if now - self._looked < _KEYS:
            return self._is_stopping
        self._looked, self._workers = now, farm.ready
        if self._workers:
            self.pace.begin(now)
        for key in self._display.pressed():
            self._press(key, now)
        farm.is_paused = self._is_paused
        self._display.show(self.status, now, at_once=self._has_news)
        if self._has_news or now - self._noted >= _JSON:
            self._noted = now
            self._folder.keep_progress(self.status())
        self._has_news = False
        return self._is_stopping

    def end(self, *, is_cut: bool) -> None:
        """Show the final state; ``is_cut`` if the run was cut short."""
        self._is_over = True
        self._is_stopping |= is_cut
        if self._total:
            self._folder.keep_progress(self.status())
            self._display.end(self.status())

    def status(self) -> RunStatus:
        """Return the current state."""
        now = self._clock()
        plan, done = self._folder.plan, self._tally.done
        test = self._test() if self._test is not None else None
        is_ending = self._is_over or self._is_stopping
        games: float = self._total - done
        if test is not None and test.games_left is not None:
            games = min(games, test.games_left)
        return RunStatus(
            run=self._folder.path.name,
            ruleset=plan.ruleset,
            format=plan.format,
            state=self._state(done),
            done=done,
            total=self._total,
            faults=self._tally.faults,
            elapsed=self.pace.elapsed(now),
            rate=self.pace.rate(now, self._workers),
            left=None if is_ending else self.pace.left(now, games, self._workers),
            bots=self._tally.bots(),
            test=test,
            fault=self._tally.fault,
        )

    def _state(self, done: int) -> str:
        if self._is_over:
            return "stopped" if self._is_stopping and done < self._total else "over"
        if self._is_stopping:
            return "stopping"
        if self._is_paused:
            return "paused"
        return "running" if self.pace.has_begun else "starting"

    def _press(self, key: str, now: float) -> None:
        if key == " " and not self._is_stopping:
            self._is_paused = not self._is_paused
        elif key in "qQ":
            self._is_stopping, self._is_paused = True, False
        elif key not in "\r\n":
            return
        (self.pace.pause if self._is_paused else self.pace.go_on)(now)
        self._has_news = True


def add_known(tally: RunTally, folder: RunFolder, setup: LabSetup) -> int:
    """Count the games of a run that its folder has, in the order in which they ended.

    Returns:
        the number of games that the run has.
    """
    rows, times = folder.rows, folder.times()
    games = games_of(folder.plan, setup, rows)
    known = {game.key: game.row for game in games if game.row is not None}
    for key in rows:
        row = known.get(key)
        if row is None:
            continue
        has_log = row.fault is not None and folder.log(key, row.fault.seat).is_file()
        tally.add(row, times[key].seats if key in times else (), has_log=has_log)
    return len(games)


@contextmanager
def watcher_of(
    folder: RunFolder,
    setup: LabSetup,
    *,
    json: bool = False,
    plain: bool = False,
    test: Callable[[], SprtStatus] | None = None,
) -> Iterator[LiveWatcher]:
    """Watch a run in a ``with`` block.

    Args:
        folder: folder of the run, open for writing.
        setup: common part of its games.
        json: True for progress as lines of JSON.
        plain: True for lines of text, even on a terminal.
        test: returns the state of its sequential test, if it has one.
    """
    with ExitStack() as stack:
        display = display_of(stack, json=json, plain=plain)
        watcher = LiveWatcher(folder, setup, display, test=test)
        is_cut = True
        try:
            yield watcher
            is_cut = folder.is_stopped
        finally:
            watcher.end(is_cut=is_cut)


def display_of(
    stack: ExitStack,
    *,
    json: bool,
    plain: bool,
    bottom: Callable[[RunStatus], Sequence[StyledText]] = run_keys,
) -> RunDisplay:
    """Return a display on standard error; closing the stack restores the terminal."""
    stream = raw(sys.stderr)
    if json:
        return JsonDisplay(stream)
    if not stream.isatty():
        return LineDisplay(stream, None, seconds=_MINUTE)
    keys = sys.stdin.fileno() if sys.stdin is not None and sys.stdin.isatty() else None
    if plain or not here().usable:
        owner = stack.enter_context(KeyTerminal(keys, stream, hides_cursor=False))
        return LineDisplay(stream, owner, seconds=_MINUTE)
    display = BlockDisplay(stream, keys, bottom)
    stack.enter_context(display.owner)
    stack.enter_context(contextlib.redirect_stderr(_LinesAbove(stream, display)))
    return display


class _LinesAbove:
    """Standard error while a block is shown: whole lines go above it."""

    def __init__(self, stream: TextIO, display: BlockDisplay) -> None:
        self._stream, self._display = stream, display
        self._text = ""

    def write(self, text: str) -> int:
        *lines, self._text = (self._text + text).split("\n")
        if lines:
            self._display.above(lines)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
