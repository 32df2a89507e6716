"""The game itself: a cursor, a fire button, and what follows from them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from textual import events
from textual.binding import BindingType

from engine.core.ids import Viewer
from engine.tabletop.ask import AnyAsk, AskPath, AskPlace, Intent
from engine.tabletop.board import Line
from engine.tabletop.focus import NOTHING, Direction
from engine.tabletop.presenter import AnyPresenter
from engine.tabletop.roles import Tone
from tui.play.picking import Pick, PickPath, PickPlace
from tui.play.session import Session
from tui.play.setup import shown_seed
from tui.play.table_protocol import Sitting
from tui.screens.lists import Lists
from tui.screens.shell import LocalShell
from tui.settings.keymap import known, shown
from tui.settings.keys import GAME
from tui.widgets.board import BoardView
from tui.widgets.jobs import begin


class GameScreen(Lists):
    """One game at this screen. Ends with ``left``, ``replay`` or ``again``."""

    BINDINGS: ClassVar[list[BindingType]] = list(GAME)

    def __init__(
        self,
        table: Sitting,
        *,
        resumed: bool = False,
        viewer: Viewer | None = None,
        program: LocalShell | None = None,
    ) -> None:
        self.session = Session(table, viewer)
        super().__init__(self.session.presenter.symbols)
        self.set_up_aids()
        self.set_up_shows()
        self.table = table
        self.program = program
        self.fast = False
        self.pick: Pick | None = None
        self._picked: asyncio.Future[str] | None = None
        self._resumed = resumed
        self.set_up_turns()

    # -- coming and going ------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Show the game, then what happened before, then let computers play."""
        self.share_room()
        self.session.on_news = self._heard
        self.dress()
        self.call_after_refresh(self._settle_in)

    def _settle_in(self) -> None:
        self.board.open_at(self.session.focus.x, self.session.focus.y)
        if self._resumed:
            self.log_view.tell_before(self.session.earlier())
            self.offer_again()
        else:
            self.log_view.say(self.session.presenter.summary(self.session.view))
            if self.table.header.seed:
                seed = shown_seed(self.table.header.seed)
                self.log_view.say([Line(f"Seed: {seed}", Tone.QUIET)])
        self.sync()
        self._go_on()

    def on_unmount(self) -> None:
        """Hear no more news, and close the save."""
        self._skip.set()
        self.session.close()
        self.shell.leave_table(self.table)

    def action_leave(self) -> None:
        """Back to the title; everything is saved."""
        if self.pick is not None:
            self._end_pick("")
        else:
            # A computer in the middle of its turn must not go on in a save that is closed.
            self.workers.cancel_group(self, "computer")
            self.dismiss("left")

    @property
    def telling(self) -> AnyPresenter:
        """What tells of the game."""
        return self.session.presenter

    @property
    def watches(self) -> bool:
        """Whether these eyes are those of nobody at this screen."""
        return not self.table.is_here(self.session.viewer)

    def wanted_here(self) -> Sequence[Intent]:
        """What the ruleset suggests at the cursor."""
        return self.session.intents()

    # -- drawing ---------------------------------------------------------------------------------

    def board_size(self) -> tuple[int, int]:
        """Columns and rows of the whole board."""
        return self.session.board.width, self.session.board.height

    def sync(self) -> None:
        """Draw what has changed; while something is shown again, that."""
        if self.draw_scene():
            return
        session, palette = self.session, self.shell.palette
        overlay = session.overlay
        self.board.show(session.board)
        lines: list[Line] = list(overlay.panel)
        if self.pick is not None:
            self.board.lay(self.pick.marks, self.pick.at, texts="asked")
            lines = [Line(self.pick.title, Tone.TITLE)]
            lines += session.presenter.look(session.view, *self.pick.at)
        else:
            at = session.focus.x, session.focus.y
            holding = session.focus.held != NOTHING
            follow, texts = not self._busy, self.texts
            marks = self.marks(overlay)
            self.board.lay(marks, at, holding=holding, follow=follow, texts=texts)
        self.side.put(self.side.fitted(lines))
        self._bars()
        self.show_minimap()
        news = list(session.lines)
        self.log_view.say(news)
        session.lines.clear()
        if self.shell.settings.reader == "on":
            self.speak(news)
        text = self.row_of_keys(session.intents(), picking=self.pick is not None)
        self.keys_bar.put(text, "", palette.heading)

    def _bars(self) -> None:
        session, palette = self.session, self.shell.palette
        status = session.status
        right = [f"{status.todo} to do"] if status.todo and not status.over else []
        right += ["FAST"] if self.fast else []
        right += ["REC"] if self.shell.recorder.is_on else []
        right += self.laid_over()
        self.phase.put(status.text, "  ".join(right), palette.heading)
        if self.pick is not None:
            self.hint.put(f"{self.pick.title}: {self.pick.hint}", "Esc: no", palette.plain)
        elif session.note:
            self.hint.put(session.note, "", palette.line(Tone.BAD, -1))
        elif text := self.waiting():
            self.hint.put(text, "", palette.line(Tone.QUIET, -1))
        elif way := self.way_told():
            self.hint.put(way, "", palette.plain)
        else:
            hint = session.overlay.hint
            fire = shown(self.shell.keymap.of(known()["game.fire"])[0])
            self.hint.put(f"{fire}: {hint}" if hint else "", "", palette.line(Tone.GOOD, -1))

    def _heard(self) -> None:
        """Something happened at the table."""
        if self._busy and self.session.spot is not None and self.is_mounted:
            self.board.reveal(*self.session.spot)

    # -- the stick and the button ----------------------------------------------------------------

    async def action_push(self, direction: Direction) -> None:
        """Push the stick."""
        if self.pick is not None:
            for _ in range(self.stride):
                self.pick.push(direction)
            self.board.reveal(*self.pick.at)
            self.sync_soon()
            return
        opened = ""
        if not (self.fast and self.session.leap(direction)):
            opened = await self.session.step(direction, self.stride, asks=self.asks_first)
        self.board.reveal(self.session.focus.x, self.session.focus.y)
        self._after_press(opened)

    async def action_fire(self) -> None:
        """Press the button."""
        if self.pause_show():
            return
        if self.pick is not None:
            answer = self.pick.answer()
            if answer:
                self._end_pick(answer)
            return
        self._after_press(await self.session.fire(asks=self.asks_first))

    @property
    def asks_first(self) -> bool:
        """Whether the player wants to be asked before a fight."""
        return self.shell.settings.confirm == "on"

    def _after_press(self, opened: str) -> None:
        """What follows from stick or button: a dialogue, or whoever is next."""
        if opened:
            self.want(opened, "")
        else:
            self._after()

    async def on_board_view_pointed(self, event: BoardView.Pointed) -> None:
        """A click moves the cursor; a click on the cursor's cell is the button."""
        here = self.board.cursor
        if here == (event.x, event.y):
            await self.action_fire()
        elif self.pick is not None:
            self.pick.point((event.x, event.y))
            self.sync()
        else:
            self.session.point(event.x, event.y)
            self._after()

    @property
    def stride(self) -> int:
        """Cells that the cursor goes at a press."""
        return (self.shell.settings.fast if self.fast else 1) * self.board.scale

    def action_fast(self) -> None:
        """Several cells a press, or one."""
        self.fast = not self.fast
        self.sync()

    def action_jump(self, kind: str, by: int) -> None:
        """Go to the next thing of a kind."""
        if self.pick is not None:
            self.pick.jump(by)
        elif self.session.jump(kind, by):
            self.session.note = ""
        else:
            self.session.note = {
                "idle": "Nothing is left to do in this phase.",
                "enemy": "There is no enemy to go to.",
            }.get(kind, "There is nothing of that kind.")
        self.sync()

    def action_let_go(self) -> None:
        """Skip what goes by itself, leave a choice, take layers away, or hold nothing."""
        if self.end_show():
            return
        if self.pick is not None:
            self._end_pick("")
        elif self._busy:
            self._skip.set()
        else:
            self.session.note = ""
            if not self.uncover():
                self.session.let_go()
            self.sync()

    async def action_undo(self) -> None:
        """Take back the last command, or the last step of a path."""
        if self.pick is not None:
            self.pick.back()
            self.sync()
            return
        await self.session.submit("undo")
        self._after()

    def go_on_from(self, entry: int) -> None:
        """Play on from an earlier entry; what came after stays in the save as a branch."""
        if self._busy:
            self.remark("The computer is playing. Esc lets it finish at once.")
        else:
            begin(self, partial(self._go_on_from, entry), "dialogue")

    async def _go_on_from(self, entry: int) -> None:
        if entry != self.table.now:
            await self.session.submit(f"go {entry}")
        self._after()

    def on_key(self, event: events.Key) -> None:
        """Letters that the ruleset suggests for what may be wanted here."""
        self.end_frames()
        self.key_in_show(event.key)
        if self.label_key(event) or not event.is_printable or event.key in self.active_bindings:
            return
        event.stop()
        keymap, session = self.shell.keymap, self.session
        if self._is_engaged():
            return
        letter, reason = keymap.letter_of(event.key), ""
        for intent in session.intents() if letter else ():
            if intent.key == letter:
                self.want(intent.name, intent.reason)
                return
        if letter:
            reason = session.presenter.why_not(session.view, session.focus, letter)
        menu, help_key = (self.key_names().get(name, "?") for name in ("game.intents", "app.help"))
        told = f"{shown(event.key)} does nothing here. {menu}: what can be done, {help_key}: keys"
        self.want("", reason or told)

    def _is_engaged(self) -> bool:
        """Whether nothing new can be wanted now; then it is said why."""
        if self.pick is not None:
            self.remark(f"{self.pick.title}: choose that first, or leave it with Esc.")
        elif self._busy:
            self.remark(self.waiting())
        return self.pick is not None or self._busy

    def action_intents(self) -> None:
        """A menu of what may be wanted here."""
        if self._is_engaged():
            return
        if self.session.intents():
            begin(self, self._menu, "dialogue")
        else:
            self.want("", self.waiting() or "There is nothing to be done here.")

    async def _menu(self) -> None:
        from tui.screens.ask import choose_intent  # noqa: PLC0415 - not before it is needed

        found = await self.app.push_screen_wait(
            choose_intent(self.session.intents(), self.shell.keymap)
        )
        if found:
            await self._dialogue(found)

    def want(self, name: str, reason: str) -> None:
        """Begin a dialogue of the ruleset, or say why not."""
        if reason:
            self.session.note = reason
            self.sync()
        else:
            begin(self, partial(self._dialogue, name), "dialogue")

    async def _dialogue(self, intent: str) -> None:
        """Ask until a line comes out, and submit it."""
        answers: list[str] = []
        last: AnyAsk | None = None
        while True:
            try:
                asked = self.session.ask(intent, answers)
            except ValueError as fault:
                self.session.note = str(fault)
                break
            if isinstance(asked, str):
                await self.session.submit(asked)
                break
            if asked == last:
                answers.pop()
            last = asked
            answer = await self._answer(asked)
            if not answer:
                break
            answers.append(answer)
        self._after()

    async def _answer(self, asked: AnyAsk) -> str | None:
        from tui.screens.ask import dialogue  # noqa: PLC0415 - not before it is needed

        session = self.session
        at = session.focus.x, session.focus.y
        if isinstance(asked, AskPlace):
            if not asked.cells:
                session.note = asked.title
                return None
            return await self._pick(PickPlace(asked, session.presenter, session.view, at))
        if isinstance(asked, AskPath):
            return await self._pick(PickPath(asked, session.presenter, session.view))
        return await self.app.push_screen_wait(dialogue(asked))

    async def _pick(self, pick: Pick) -> str:
        self.pick = pick
        self._picked = asyncio.get_running_loop().create_future()
        self.sync()
        try:
            return await self._picked
        finally:
            self.pick = None

    def _end_pick(self, answer: str) -> None:
        if self._picked is not None and not self._picked.done():
            self._picked.set_result(answer)

    def action_look(self) -> None:
        """The tile in sentences, in the log."""
        session = self.session
        at = self.pick.at if self.pick is not None else (session.focus.x, session.focus.y)
        self.log_view.say(session.presenter.look(session.view, *at))

    def action_summary(self) -> None:
        """How the game stands, in the log."""
        self.log_view.say(self.session.presenter.summary(self.session.view))

    def action_prices(self) -> None:
        """Prices and chances on the map, or not."""
        self.board.prices = not self.board.prices
        self.board.redraw()
        self.remark("Prices are on the map." if self.board.prices else "Prices are off the map.")

    def action_zoom(self) -> None:
        """The board drawn in the next way."""
        zooms = self.session.presenter.zooms
        if len(zooms) < 2:
            self.remark("There is no other map in this game.")
            return
        self.session.zoom = zooms[(zooms.index(self.session.zoom) + 1) % len(zooms)]
        self.session.redraw()
        self.share_room()
        self.sync()
