"""Whose turn it is: people one after the other, computers in between, and the end."""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import BrokenExecutor
from functools import partial

from engine.core.archive import SaveFault
from engine.core.link import Reply
from engine.tabletop.board import Line
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Tone
from tui.console.exits import Stuck
from tui.play.table import Table
from tui.play.table_protocol import Sitting
from tui.screens.repeating import Repeating
from tui.screens.shell import LocalShell
from tui.widgets.jobs import begin


class Turns(Repeating):
    """The part of the game's screen that passes the turn on."""

    table: Sitting
    program: LocalShell | None
    """The program that lets computer players act; None: another one does, or nobody."""

    def set_up_turns(self) -> None:
        """Nobody else acts yet."""
        self._stage = self._stage_now()
        self._skip = asyncio.Event()
        self._busy = False
        """Whether a computer acts."""

    def _stage_now(self) -> tuple[int, str, int]:
        return self.session.status.stage

    def waiting(self) -> str:
        """Whom the game waits for, if it is nobody at this screen."""
        return "The computer is to act. Esc shows the rest at once." if self._busy else ""

    def _after(self) -> None:
        """After anything that may have changed the game."""
        stage = self._stage_now()
        if stage != self._stage and not self._busy:
            self._stage = stage
            self.uncover()
            self._to_home()
        self.play_news()
        self.sync_soon()
        self._go_on()

    def _to_home(self) -> None:
        """The cursor jumps to its home in the window when a phase ends, where it has one."""
        home = self.board.home()
        if home is not None and self.board.board is not None and self.board.board.homes:
            session = self.session
            session.look_at(session.presenter.settle(session.view, Focus(*home)))

    def _go_on(self) -> None:
        """Whoever is next: nobody, a computer, another person."""
        session = self.session
        if self._busy:
            return
        if self.has_resolution():
            begin(self, self._show_and_go_on, "again")
        elif session.acting is None:
            if not self.shell.is_told(self.table):
                self._show_result()
        elif session.computer_acts:
            if not self.table.plays_computers:
                return
            self._busy = True
            self._skip.clear()
            begin(self, self._computers, "computer")
        elif session.person_next is not None:
            begin(self, partial(self._hand_over, session.person_next), "dialogue")

    async def _show_and_go_on(self) -> None:
        await self.show_resolution()
        self._go_on()

    def _show_result(self) -> None:
        from tui.screens.result import ResultScreen  # noqa: PLC0415 - not before it is needed

        def done(choice: str | None) -> None:
            if choice in {"replay", "again", "left"}:
                self.dismiss(choice)

        self.shell.mark_told(self.table)
        self.app.push_screen(ResultScreen(self.table, self.session), done)

    async def _hand_over(self, seat: int) -> None:
        """Let the next person look; where there are secrets the one before must look away."""
        name = self.table.player(seat).name
        if self.table.rules.traits.hidden:
            from tui.screens.ask import hand_over  # noqa: PLC0415 - not before it is needed

            self._put_away()
            await self.app.push_screen_wait(hand_over(name))
        self.session.hand_over()
        if self.table.rules.traits.hidden:
            self.log_view.start_anew(self.session.earlier())
            self.offer_resolution()
        self.session.lines.append(Line(f"{name} is to act.", Tone.QUIET, seat))
        self._stage = self._stage_now()
        self.uncover()
        self.sync()

    def _put_away(self) -> None:
        """Close what was opened over the board: the next person would find it there."""
        while self in self.app.screen_stack and self.app.screen is not self:
            self.app.pop_screen()

    async def _computers(self) -> None:
        """Let computer players act, one move after the other."""
        session = self.session
        session.note = ""
        self.sync()
        table = self.table
        program = self.program
        assert isinstance(table, Table)  # noqa: S101 - only those let computers play
        assert program is not None  # noqa: S101 - the same
        window = self.board.port
        program.start_computer(table.rules.name)
        try:
            while session.computer_acts:
                seat = session.acting
                assert seat is not None  # noqa: S101 - a computer acts, so somebody does
                await program.computer.play(table, seat, played=self._played)
        except (Stuck, SaveFault, BrokenExecutor, OSError) as fault:
            session.note = f"The computer player gave up: {fault}"
            program.note_fault(fault)
            program.computer.close()
            self.sync()
            return
        finally:
            self._busy = False
        if window is not None and self.board.port is not None:
            last = window.x + window.width - 1, window.y + window.height - 1
            self.board.reveal(*self.board.stands_for(window.x, window.y))
            self.board.reveal(*self.board.stands_for(*last))
        self._after()

    async def _played(self, _line: str, reply: Reply) -> None:
        """After each move of a computer player: show it for a moment."""
        if not reply.ok or not self.is_mounted:
            return
        self.session.look_at(self.session.presenter.settle(self.session.view, self.session.focus))
        pause = 0.0 if self._skip.is_set() else self.pace
        if pause:
            self._spotlight()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._skip.wait(), pause)
        elif not self._skip.is_set():
            self._spotlight()
            await asyncio.sleep(0)

    def _spotlight(self) -> None:
        self.sync()
        self.play_news()
        if self.session.spot is not None:
            self.board.reveal(*self.session.spot)
