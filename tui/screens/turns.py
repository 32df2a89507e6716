"""Turns of a game at a screen: the next seat to act, the hand-over, and computer players.

``TurnFlow`` is the part of the game screen that differs between kinds of games: ``LocalTurns`` is
for games of this machine; hosted games and lessons have their own.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor
from functools import partial
from typing import ClassVar, NamedTuple, TypeAlias

from textual.widget import Widget

from engine.core.archive import SaveFault
from engine.core.link import Reply
from engine.tabletop.ask import Intent
from engine.tabletop.board import Line
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Tone
from tui.console.exits import Stuck
from tui.play.session import Session
from tui.play.setup import shown_seed
from tui.play.table import Table
from tui.play.table_protocol import TableProtocol
from tui.screens.ask import AskFlow, hand_over
from tui.screens.layers import Layers
from tui.screens.map import MapScreen
from tui.screens.shell import LocalShell
from tui.screens.shows import ShowPlayer
from tui.widgets.jobs import begin


class GameParts(NamedTuple):
    """The parts of a game screen that a ``TurnFlow`` works with."""

    screen: MapScreen[str]
    session: Session
    asking: AskFlow
    layers: Layers
    shows: ShowPlayer


class TurnFlow:
    """Turns of a game at one screen: what all kinds of games share."""

    has_files: ClassVar[bool] = True
    """True if the player may read and write files of this machine."""

    home: ClassVar[str] = "title"
    """Name of the screen to which a player goes back from the game."""

    tries_moments: ClassVar[bool] = True
    """True if this program plays games to find out when the game was decided."""

    may_begin: bool = True
    """True if the person may begin another game after this one."""

    def __init__(self, parts: GameParts, *, resumed: bool = False) -> None:
        """Play at a screen; ``resumed`` is True for a game that was begun earlier."""
        self.screen, self.session, self.asking, self.layers, self.shows = parts
        self.table: TableProtocol = self.session.table
        self.is_busy = False
        """True while a computer player acts."""
        self.skip = asyncio.Event()
        """Set to show the rest of a computer player's turn at once."""
        self._resumed = resumed
        self._stage = self.session.status.stage
        self._due: Intent | None = None
        """Intent that is due and whose dialogue was already opened; None once it is not due."""

    # -- life cycle of the screen ----------------------------------------------------------------

    def begin(self) -> None:
        """React when the screen is mounted (a hook)."""

    def settle_in(self) -> None:
        """Show the game and, if it was resumed, earlier events; then let the next player act."""
        screen, session = self.screen, self.session
        screen.board.open_at(session.focus.x, session.focus.y)
        if self._resumed:
            screen.log_view.tell_before(session.earlier())
            self.shows.offer_again()
        else:
            screen.log_view.say(session.presenter.summary(session.view))
            if self.table.header.seed:
                seed = shown_seed(self.table.header.seed)
                screen.log_view.say([Line(f"Seed: {seed}", Tone.QUIET)])
        screen.sync()
        self.go_on()
        self._ask_soon()

    def close(self) -> None:
        """Unsubscribe from news, and close the save."""
        self.skip.set()
        self.session.close()
        self.screen.shell.leave_table(self.table)

    def heard(self) -> None:
        """React to a feed item of the table (a hook)."""
        if self.is_busy and self.session.spot is not None and self.screen.is_mounted:
            self.screen.board.reveal(*self.session.spot)

    # -- display ---------------------------------------------------------------------------------

    def waiting(self) -> str:
        """Return a sentence on whom the game waits for; empty if it is a player at this screen."""
        if not self.is_busy:
            return ""
        seat, status = self.session.acting, self.session.status
        side = status.side if status.seat == seat else ""
        if not side and seat is not None:
            side = self.table.player(seat).name
        skip = self.screen.key_names().get("game.let-go", "Esc")
        verb = "are" if " and " in side else "is"
        return f"{side or 'The computer'} {verb} moving … ({skip} skips)"

    def laid_over(self) -> list[str]:
        """Return texts for the right end of the phase bar (a hook)."""
        return []

    def above_hint(self) -> Iterable[Widget]:
        """Return widgets of this kind of game to show above the hint bar (a hook)."""
        return ()

    def dress(self) -> None:
        """Apply the chosen colours (a hook)."""

    def share_room(self) -> None:
        """Distribute the space among the widgets of this kind of game (a hook)."""

    def drawn(self) -> None:
        """Draw the widgets of this kind of game, after the game itself (a hook)."""

    # -- actions of the player -------------------------------------------------------------------

    def fire(self) -> bool:
        """Handle the button; return False if this kind of game leaves it to the map."""
        return False

    def go_on_from(self, entry: int) -> None:
        """Continue from an earlier entry; later entries stay in the save as a branch."""
        if self.is_busy:
            self.screen.remark("The computer is moving … (Esc skips)")
        else:
            begin(self.screen, partial(self._go_on_from, entry), "dialogue")

    async def _go_on_from(self, entry: int) -> None:
        if entry != self.table.now:
            await self.session.submit(f"go {entry}")
        self.after()

    def tell_summary(self) -> None:
        """Write lines to the log before the summary of the game (a hook)."""

    # -- turn order ------------------------------------------------------------------------------

    def after(self) -> None:
        """Redraw and go on after anything that may have changed the game."""
        stage = self.session.status.stage
        if stage != self._stage and not self.is_busy:
            self._stage = stage
            self.layers.uncover()
            self._to_home()
        self._tell_lost()
        self.shows.play_news()
        self.screen.sync_soon()
        self.go_on()
        self._ask_soon()

    def _tell_lost(self) -> None:
        """Repeat, when the viewer is to act, what others took from it since its last turn."""
        session = self.session
        if session.lost and not self.is_busy and session.acting == session.viewer:
            session.lines += [Line("Lost since your last turn:", Tone.BAD), *session.lost]
            session.lost = []

    def _intent_due(self) -> Intent | None:
        """Return the intent that the ruleset asks for after the player's latest action, or None."""
        if self.is_busy or self.screen.watches or self.session.acting != self.session.viewer:
            return None
        due = next((one for one in self.session.intents() if one.due and not one.reason), None)
        self._due = self._due if due == self._due else None
        return due

    def _ask_soon(self) -> None:
        """Ask the due intent once the animation has ended."""
        if self._intent_due() in {None, self._due}:
            return
        if left := self.shows.seconds_left:
            self.screen.set_timer(left, self._ask_due)
        else:
            self.screen.call_after_refresh(self._ask_due)

    def _ask_due(self) -> None:
        """Begin the dialogue of the due intent, unless another is open; it can be cancelled."""
        due = self._intent_due()
        is_free = self.screen.is_active and self.asking.pick is None
        if due is not None and due != self._due and is_free and not self.screen.shell.has_keys:
            self._due = due
            self.screen.want(due.name, "")

    def _to_home(self) -> None:
        """Move to the cursor's home in the window when a phase ends, if the board has homes."""
        board = self.screen.board
        home = board.home()
        if home is not None and board.board is not None and board.board.homes:
            session = self.session
            session.look_at(session.presenter.settle(session.view, Focus(*home)))

    def go_on(self) -> None:
        """Let a computer player or the next person act, or show how the game ended."""
        session = self.session
        if self.is_busy:
            return
        if self.shows.has_resolution():
            begin(self.screen, self._show_and_go_on, "again")
        elif session.acting is None:
            if not self.screen.shell.is_told(self.table):
                self._show_result()
        elif session.computer_acts:
            self.let_computers_act()
        elif session.person_next is not None:
            begin(self.screen, partial(self._hand_over, session.person_next), "dialogue")

    def let_computers_act(self) -> None:
        """Let computer players act, if this program has them (a hook)."""

    async def _show_and_go_on(self) -> None:
        await self.shows.show_resolution()
        self.go_on()

    def _show_result(self) -> None:
        from tui.screens.result import ResultScreen  # noqa: PLC0415 - not before it is needed

        screen = self.screen

        def done(choice: str | None) -> None:
            if choice in {"replay", "why", "fate", "again", "left"}:
                screen.dismiss(choice)

        screen.shell.mark_told(self.table)
        result = ResultScreen(
            self.table,
            self.session,
            may_begin=self.may_begin,
            tries_moments=self.tries_moments,
            home=self.home,
        )
        screen.app.push_screen(result, done)

    async def _hand_over(self, seat: int) -> None:
        """Hand over to the next person; if there are secrets, hide the map until they confirm."""
        screen, session = self.screen, self.session
        name = self.table.player(seat).name
        self.shows.end_frames()
        if self.table.rules.traits.hidden:
            self._put_away()
            await screen.app.push_screen_wait(hand_over(name))
        session.hand_over()
        if self.table.rules.traits.hidden:
            screen.log_view.start_anew(session.earlier())
            self.shows.offer_resolution()
        session.lines.append(Line(f"{name} is to act.", Tone.QUIET, seat))
        self._stage = session.status.stage
        self.layers.uncover()
        screen.sync()

    def _put_away(self) -> None:
        """Close everything over the board, so that the next person does not see it."""
        screen = self.screen
        while screen in screen.app.screen_stack and screen.app.screen is not screen:
            screen.app.pop_screen()

    # -- moves of others -------------------------------------------------------------------------

    async def show_move(self, _line: str, reply: Reply) -> None:
        """Briefly show a move of a computer player."""
        if not reply.ok or not self.screen.is_mounted:
            return
        session = self.session
        session.look_at(session.presenter.settle(session.view, session.focus))
        pause = 0.0 if self.skip.is_set() else self.screen.pace
        if pause:
            self._spotlight(self.shows.frames_in(pause))
            pause = max(pause, self.shows.seconds_left)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.skip.wait(), pause)
        elif not self.skip.is_set():
            self._spotlight(0)
            await asyncio.sleep(0)

    def _spotlight(self, most: int) -> None:
        """Animate the latest events, in at most ``most`` frames."""
        if self.session.spot is not None:
            self.screen.board.reveal(*self.session.spot)
        self.shows.play_news(most)
        self.screen.sync()


MakeTurns: TypeAlias = Callable[[GameParts], TurnFlow]
"""Makes the turns of a game for the parts of its screen."""


class LocalTurns(TurnFlow):
    """Turns of a game of this machine, whose computer players act in this program."""

    def __init__(
        self, parts: GameParts, *, program: LocalShell, table: Table, resumed: bool = False
    ) -> None:
        """Play a game of this machine; ``program`` has the computer players."""
        super().__init__(parts, resumed=resumed)
        self._program = program
        self._local_table = table

    def let_computers_act(self) -> None:
        """Let computer players act until it is a person's turn."""
        self.is_busy = True
        self.skip.clear()
        begin(self.screen, self._computers, "computer")

    async def _computers(self) -> None:
        """Let computer players act, one move after another."""
        session, board, program = self.session, self.screen.board, self._program
        session.note = ""
        self.screen.sync()
        window = board.port
        program.start_computer(self.table.rules.name)
        try:
            while session.computer_acts:
                seat = session.acting
                assert seat is not None  # noqa: S101 - a computer acts, so somebody does
                await program.computer.play(self._local_table, seat, played=self.show_move)
        except (Stuck, SaveFault, BrokenExecutor, OSError) as fault:
            session.note = f"The computer stopped: {fault}"
            program.note_fault(fault)
            program.computer.close()
            self.screen.sync()
            return
        finally:
            self.is_busy = False
        if window is not None and board.port is not None:
            last = window.x + window.width - 1, window.y + window.height - 1
            board.reveal(*board.stands_for(window.x, window.y))
            board.reveal(*board.stands_for(*last))
        self.after()
