"""The program under a pilot: press keys, read the screen and the notation."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch
from weakref import WeakKeyDictionary

from rich.console import RenderableType
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widget import Widget

from engine.core.archive import SeatPlayer
from engine.core.notation import write
from saves.archive import Folder
from study.screens.reasons import ReplayReasons
from tui.app.local import LocalApp
from tui.play.players import Computer, PlanRequest, planned
from tui.play.setup import NewGame
from tui.play.table import Table
from tui.screens.game import GameScreen
from tui.screens.map import MapScreen
from tui.screens.replay import ReplayScreen
from tui.screens.saves import SavesScreen

TWO_PEOPLE = (SeatPlayer(0, "Eldoin"), SeatPlayer(1, "Dailor"))
AGAINST_EASY = (SeatPlayer(0, "Eldoin"), SeatPlayer(1, "Dailor", "easy"))
FORD = NewGame("weltendaemmerung", "ford", players=TWO_PEOPLE, seed=b"1", name="game")


AWAITED = {"computer", "preview", "history", "why", "whatif"}
"""Groups of workers to wait for before the screen is complete."""

_MOMENT = 0.01
"""Seconds between two checks whether keys are waiting."""


class InProcess(Computer):
    """Computer players that plan in this process."""

    def start(self, ruleset: str) -> None:
        """Do nothing: no process is needed."""

    async def plan(self, request: PlanRequest) -> tuple[str, ...]:
        """Plan in this process."""
        return planned(request)


class Desk:
    """A running program and what it shows."""

    def __init__(self, app: LocalApp, pilot: Pilot[int], *, draws_all: bool = True) -> None:
        self.app = app
        self.pilot = pilot
        self.draws_all = draws_all

    async def press(self, *keys: str) -> None:
        """Press keys one by one; wait until everything has settled."""
        await self.pilot.press(*keys)
        await self.rest()

    async def rest(self) -> None:
        """Wait until all keys are handled, workers have finished and the screen is drawn."""
        await self.pilot.pause()
        while self.app.has_keys:
            await self.pilot.pause(_MOMENT)
        while busy := [worker for worker in self.app.workers if worker.group in AWAITED]:
            await self.app.workers.wait_for_complete(busy)
            await self.pilot.pause()
        await self.pilot.pause()
        if self.app.is_running:
            drawn = self.strips()
            if not self.draws_all:
                _UNCHANGED[self.app.screen._compositor] = drawn

    def strips(self) -> list[Strip]:
        """Return the screen as Textual draws it now, including the screens behind it."""
        screen = self.app.screen
        drawn = _UNCHANGED.get(screen._compositor)
        shown = screen.walk_children(Widget, with_self=True)
        if drawn and not any(widget._repaint_required for widget in shown):
            return drawn
        visible_screen_stack.set(self.app._background_screens)
        return screen._compositor.render_strips()

    def rows(self) -> list[str]:
        """Return the screen as rows of text."""
        return ["".join(segment.text for segment in strip).rstrip() for strip in self.strips()]

    @property
    def text(self) -> str:
        """The screen as one text."""
        return "\n".join(self.rows()) + "\n"

    @property
    def map(self) -> MapScreen[Any]:
        """The topmost screen with a board."""
        found = [screen for screen in self.app.screen_stack if isinstance(screen, MapScreen)]
        return found[-1]

    @property
    def game(self) -> GameScreen:
        """The open game."""
        assert isinstance(self.map, GameScreen)
        return self.map

    @property
    def table(self) -> Table:
        """The table of the open game."""
        assert isinstance(self.game.table, Table)
        return self.game.table

    @property
    def replay(self) -> ReplayScreen:
        """The open replay."""
        assert isinstance(self.map, ReplayScreen)
        return self.map

    @property
    def lines(self) -> list[str]:
        """Notation of the current line of the game."""
        return lines_of(self.table.game.log.line())

    @property
    def cursor(self) -> tuple[int, int]:
        """Cell of the cursor."""
        assert self.map.board.cursor is not None
        return self.map.board.cursor

    @property
    def note(self) -> str:
        """Text of the hint bar."""
        return self.map.hint.text


def lines_of(entries: Iterable[Any]) -> list[str]:
    """Return the commands of entries in notation."""
    return [write(entry.command) for entry in entries if entry.command is not None]


_DRAW = Compositor.render_update

_UNCHANGED: WeakKeyDictionary[Compositor, list[Strip]] = WeakKeyDictionary()
"""Screens as ``Desk.rest`` drew them, while no update is needed."""


def _put_off(compositor: Compositor, **asked: Any) -> RenderableType | None:
    """Skip an update: no terminal shows it, and ``Desk.rest`` draws the final state."""
    _UNCHANGED.pop(compositor, None)
    if asked.get("full"):
        return _DRAW(compositor, **asked)
    compositor._dirty_regions.clear()
    return None


@asynccontextmanager
async def desk(
    folder: Path, size: tuple[int, int] = (80, 24), *, draws_all: bool = False, **wanted: Any
) -> AsyncIterator[Desk]:
    """Run the program with the saves of a folder, on a screen of ``size``.

    The screen is drawn when everything is at rest and when a test reads it. With ``draws_all``
    it is also drawn at each update, which takes a third of the time.
    """
    update = _DRAW if draws_all else _put_off
    app = LocalApp(
        Folder(folder), lambda: ReplayReasons, computer=InProcess(), **{"glyphs": "box", **wanted}
    )
    app.speed = 5
    SavesScreen.pause = 0
    try:
        with patch.object(Compositor, "render_update", update):
            async with app.run_test(size=size) as pilot:
                at = Desk(app, pilot, draws_all=draws_all)
                await at.rest()
                yield at
    finally:
        app.close_all()


_PLAYED: dict[str, dict[str, bytes]] = {}
"""Saves already played in this test run, by the name of the game and by file name."""


async def played_once(name: str, folder: Path, play: Callable[[], Awaitable[None]]) -> None:
    """Put the saves that ``play`` makes into a folder; play only at the first call for ``name``."""
    if name not in _PLAYED:
        await play()
        files = (path for path in folder.iterdir() if path.is_file())
        _PLAYED[name] = {path.name: path.read_bytes() for path in files}
    folder.mkdir(parents=True, exist_ok=True)
    for file, content in _PLAYED[name].items():
        (folder / file).write_bytes(content)
