"""The full-screen program of one person on a host: the lobby, and games from there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, Literal

from textual.driver import Driver

from engine.core.archive import SaveFault
from engine.core.ids import Seat, Viewer
from engine.core.replay import BrokenLog
from engine.tabletop.focus import Focus
from host.screens.hosted import HostedScreen
from host.screens.lobby import LobbyScreen
from host.screens.shell import HostShell
from host.server.clocks import Terms
from host.server.database import StoreFault
from host.server.game_server import EXPECTED, GameServer
from host.server.gamebook import UNOPENED
from host.server.hosted import HostedGame
from host.server.people import Person
from study.screens.reasons import ReplayReasons
from tui.app.base import BaseApp
from tui.play.setup import NewGame
from tui.play.table_protocol import TableProtocol
from tui.screens.map import MapScreen
from tui.screens.shell import MakeReasons
from tui.settings.preferences import Preferences
from tui.terminal.capabilities import Terminal

_KEEP: Final = 60.0
"""Seconds between two checks whether the cursor has moved and its position must be stored."""

LEFT: Final = (-1, -1)
"""Cursor that is stored for a person who has left the game on purpose."""


class RemoteApp(BaseApp):
    """The program of a person on a host. Screens ask it for everything outside themselves."""

    def __init__(
        self,
        game_server: GameServer,
        person: Person,
        *,
        preferences: Preferences | None = None,
        terminal: Terminal | None = None,
        driver_class: type[Driver] | None = None,
    ) -> None:
        """Make the program; ``run_async`` starts it."""
        super().__init__(preferences=preferences, terminal=terminal, driver_class=driver_class)
        self.game_server = game_server
        self._store = game_server.store
        self.person = person
        self.ask: Callable[[Literal["line", "chat"]], str] = lambda _: ""
        """Returns why a further line of play or talk exceeds the rate limit, or an empty text."""
        self.eyes: Viewer | None = None
        """Viewer for the next game that is entered; None for the default."""
        self.last_game = 0
        """The game that was open last."""
        self._waiting: list[int] = []
        """The games that wait for this person."""
        self.load_reasons: Callable[[], MakeReasons] = lambda: ReplayReasons
        self._kept_at: Focus | None = None
        """The cursor when its position was last stored."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._stop: Callable[[], None] = lambda: None

    @property
    def shell(self) -> HostShell:
        """This program, as its screens see it."""
        return self

    @property
    def may_wave(self) -> bool:
        """False: every byte of a decoration goes over the network."""
        return False

    # -- start and end ---------------------------------------------------------------------------

    async def on_mount(self) -> None:
        """Show the lobby, or the game that the person was in when the host stopped.

        After a fault it is the lobby, as the game may have broken the screen.
        """
        self.read_preferences()
        self.apply_settings()
        self._stop = self.game_server.on_change(self._count_again)
        self.set_interval(_KEEP, self._keep_if_moved)
        self.push_screen(LobbyScreen(self))
        if not self.person.is_guest and not self.recovered:
            was = await asyncio.to_thread(self._store.place_of, self.person.number)
            if was is not None and (was.x, was.y) != LEFT:
                self.last_game = was.game
                await self._enter(was.game, at=(was.x, was.y), back=True)

    def on_unmount(self) -> None:
        """Unsubscribe from changes, and note where this person stopped watching."""
        self._stop()
        screen = self._game
        if screen is not None:
            screen.turns.left_off()

    def action_interrupt(self) -> None:
        """Leave the host now; the open game is entered again on return."""
        self.keep_place()
        self.exit(0)

    def go_away(self) -> None:
        """Keep the program as it is after the connection has dropped, until the person is back."""
        self.keep_place()
        screen = self._game
        if screen is not None:
            screen.turns.left_off()
            screen.turns.place.look_away()

    def come_back(self) -> None:
        """Take part in the open game again, as the person is back."""
        screen = self._game
        if screen is not None:
            screen.turns.place.look()
            screen.turns.catch_up()

    def _keep_if_moved(self) -> None:
        screen = self._game
        focus = screen.session.focus if screen is not None else None
        if focus != self._kept_at:
            self._kept_at = focus
            self.keep_place()

    def keep_place(self) -> None:
        """Store the open game, and the cursor in it."""
        screen = self._game
        if screen is None or self.person.is_guest:
            return
        focus = screen.session.focus
        place = (self.person.number, screen.game.number, screen.session.viewer, focus.x, focus.y)
        self._spawn(asyncio.to_thread(self._store.keep_place, *place))

    @property
    def _game(self) -> HostedScreen | None:
        found = [screen for screen in self.screen_stack if isinstance(screen, HostedScreen)]
        return found[-1] if found else None

    # -- requests of the lobby -------------------------------------------------------------------

    def enter(self, number: int, seat: Seat | None = None) -> None:
        """Open a game, and take ``seat`` in it if given."""
        self._spawn(self._enter(number, seat))

    def begin(self, start: NewGame, terms: Terms) -> None:
        """Begin a game and enter it."""
        self._spawn(self._begin(self.game_server.begin(self.person, start, terms)))

    async def code_for_key(self) -> tuple[str, ...]:
        """Make an invitation code for another key; return lines that explain its use."""
        number = self.person.number
        if self.person.is_guest:
            return ("Guests have no account.",)
        try:
            code = await asyncio.to_thread(self._store.invite, number, hours=1, person=number)
        except StoreFault as fault:
            self.note_fault(fault)
            return ("The host cannot write to its disk just now. Try again later.",)
        return (
            "Come with the other key within an hour, and type this code:",
            f"  {code}",
            "It is good once.",
        )

    async def _begin(self, beginning: Awaitable[HostedGame]) -> None:
        try:
            game = await beginning
        except EXPECTED as fault:
            self._refuse(str(fault))
            return
        await self._enter(game.number)

    async def _enter(
        self,
        number: int,
        seat: Seat | None = None,
        *,
        at: tuple[int, int] | None = None,
        back: bool = False,
    ) -> None:
        try:
            game = await self.game_server.game(number)
        except EXPECTED as fault:
            is_lost = isinstance(fault, SaveFault | BrokenLog)  # whose text names the host's folder
            self._refuse(UNOPENED if is_lost else "" if back else str(fault))
            return
        if back and game.is_over:
            return
        try:
            refusal = await game.sit(self.person, seat) if seat is not None else ""
        except SaveFault as fault:
            refusal = str(fault)
        if refusal:
            self._refuse(refusal)
            return
        await self._show(game, at)

    async def _show(self, game: HostedGame, at: tuple[int, int] | None) -> None:
        if fault := game.may_watch(self.person):
            self._refuse(fault)
            return
        await game.prepare(self.eyes)
        place = game.place(self.person)
        place.ask = lambda: self.ask("line")
        viewers = place.viewers()
        eyes, self.eyes = self.eyes, None
        viewer = eyes if eyes in viewers and eyes is not None else viewers[0]
        own = [seat for seat in place.seats if seat in game.owes]
        if eyes is None and own:
            viewer = own[0]
        screen = HostedScreen(self, place, viewer, at)
        place.look()
        self.last_game = game.number
        self._count()

        def left(result: str | None) -> None:
            if result != "seat":  # which is only another chair
                screen.turns.left_off()
            if result in {None, "left"} and not self.person.is_guest:
                was = (self.person.number, game.number, viewer, *LEFT)
                self._spawn(asyncio.to_thread(self._store.keep_place, *was))
            self._spawn(self._after_game(game, result))

        self.push_screen(screen, left)
        self.keep_place()

    async def _after_game(self, game: HostedGame, result: str | None) -> None:
        match result:
            case "seat":
                await self._show(game, None)
            case "next":
                self._count()
                waiting = [number for number in self._waiting if number != game.number]
                later = [number for number in waiting if number > game.number]
                if waiting:
                    await self._enter((later or waiting)[0])
            case "replay":
                self._replay(game)
            case "why" | "fate":
                self._replay(game, result)
            case "again":
                await self._begin(self.game_server.begin_again(self.person, game))
            case _:
                self._count()

    def _replay(self, game: HostedGame, page: str = "") -> None:
        from tui.screens.replay import ReplayScreen  # noqa: PLC0415 - not before it is needed

        try:
            screen = ReplayScreen(game.opened(), {}, game.info.name)
            screen.opening = page
        except (*EXPECTED, PermissionError) as fault:
            self._refuse(str(fault))
            return
        self.push_screen(screen)

    def _refuse(self, text: str) -> None:
        self.message = text
        if isinstance(self.screen, LobbyScreen):
            self.screen.fault(text)

    # -- other games -----------------------------------------------------------------------------

    def _count_again(self) -> None:
        before = self.elsewhere()
        self._count()
        screen = self._game
        if screen is not None and (now := self.elsewhere()) != before:
            if len(now) > len(before):
                self.bell()
            screen.sync_soon()

    def _count(self) -> None:
        self._waiting = self.game_server.waiting_for(self.person)

    def elsewhere(self) -> list[int]:
        """Return the games that wait for this person, except the open one."""
        screen = self._game
        here = screen.game.number if screen is not None else 0
        return [number for number in self._waiting if number != here]

    # -- requests of games -----------------------------------------------------------------------

    def leave_table(self, table: TableProtocol) -> None:
        """Do nothing: the host owns the table of a closed screen."""

    def note_fault(self, fault: BaseException) -> None:
        """Store a fault in the diagnostics."""
        logging.getLogger(__name__).warning("%s: %s", type(fault).__name__, fault)

    def look_back(
        self, table: TableProtocol, viewer: Viewer, entry: int, go_on: Callable[[int], None]
    ) -> None:
        """Refuse a replay of the game in progress; on a host it is shown after the end."""
        del table, viewer, entry, go_on
        if isinstance(self.screen, MapScreen):
            self.screen.remark("On a host a game is replayed when it is over.")

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        """Close the screens after a fault in background work, as after one of their own."""
        self._tasks.discard(task)
        if not task.cancelled() and isinstance(fault := task.exception(), Exception):
            self.fail(fault)
