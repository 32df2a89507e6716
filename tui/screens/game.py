"""The screen of a game: a cursor, a fire button, and their effects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType

from engine.core.ids import Viewer
from engine.tabletop.ask import Intent
from engine.tabletop.board import Line
from engine.tabletop.focus import NOTHING, Direction
from engine.tabletop.presenter import AnyPresenter
from engine.tabletop.roles import Tone
from tui.play.picking import Pick
from tui.play.seat_client import WATCHING
from tui.play.session import Session
from tui.play.table_protocol import TableProtocol
from tui.screens.ask import AskFlow
from tui.screens.bars import GameBars
from tui.screens.bulk import ListEditor, Repeater
from tui.screens.find import Finder
from tui.screens.frame import part_action
from tui.screens.layers import LabelJumper, Layers
from tui.screens.map import MapScreen, largest_zoom
from tui.screens.pages import Page, PagesScreen
from tui.screens.records import GameRecords
from tui.screens.shows import ShowPlayer
from tui.screens.turns import GameParts, MakeTurns, TurnFlow
from tui.settings import keys
from tui.settings.keymap import shown
from tui.terminal.internals import binding_of
from tui.widgets.board import BoardView


def _by(deed: Callable[[GameScreen], Callable[..., object]]) -> Callable[..., object]:
    """Return an action that a part of the screen carries out."""
    return part_action(deed)


class GameScreen(MapScreen[str]):
    """Screen of one game.

    It closes with ``left``, ``replay`` or ``again``, or with a result of its ``TurnFlow``.
    """

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("map")

    def __init__(
        self, table: TableProtocol, turns: MakeTurns = TurnFlow, *, viewer: Viewer | None = None
    ) -> None:
        """Show a table; ``turns`` makes the part for this kind of game."""
        self.session = Session(table, viewer)
        self.table = table
        super().__init__(self.session.presenter.symbols)
        self._remark = ""
        """The remark in the hint bar, if any."""
        self._forces: Sequence[Line] = ()
        """Lines about the sides, which go below those of the panel."""
        self._zoomed = False
        """True if the player has chosen a zoom."""
        session = self.session
        self.asking = AskFlow(self, session, self._after)
        self.laid = Layers(self, session, self.asking)
        self.labels = LabelJumper(self, session, self.asking)
        self.shows = ShowPlayer(self, session)
        parts = GameParts(self, session, self.asking, self.laid, self.shows)
        self.turns = turns(parts)
        self.bars = GameBars(parts, self.turns)
        self.finder = Finder(self)
        self.records = GameRecords(self, session, self.asking, self.turns.go_on_from)
        self.repeater = Repeater(self, session)
        self.lists = ListEditor(self, session, self.turns)

    @property
    def pick(self) -> Pick | None:
        """The choice on the map that is open now, if any."""
        return self.asking.pick

    @property
    def telling(self) -> AnyPresenter:
        """The presenter of the game's ruleset."""
        return self.session.presenter

    @property
    def seen_view(self) -> Any:
        """The view of the person at this screen."""
        return self.session.view

    @property
    def watches(self) -> bool:
        """True if no player at this screen controls the viewer's seat."""
        return not self.table.is_here(self.session.viewer)

    def wanted_here(self) -> Sequence[Intent]:
        """Return the intents that are offered at the cursor."""
        return self.session.intents()

    def _after(self) -> None:
        self.turns.after()

    # -- start and end ---------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Yield the map screen, with the widgets of this kind of game above the hint."""
        for part in super().compose():
            if part is self.hint:
                yield from self.turns.above_hint()
            yield part

    def on_mount(self) -> None:
        """Show the game and what happened earlier; then let computers play."""
        self.turns.begin()
        self.share_room()
        self.session.on_news = self.turns.heard
        self.dress()
        self.call_after_refresh(self.turns.settle_in)

    def on_screen_resume(self) -> None:
        """Continue the show after a window over the map has closed."""
        self.shows.nudge()
        self._tell_button()

    def on_screen_suspend(self) -> None:
        """Take away what the button would do, while a window is open."""
        self._tell_button()

    def _tell_button(self) -> None:
        """Say what the button does now; a remark stays."""
        if self._own_keys and not self._remark:
            with self.painted_together():
                self.sync()

    def on_unmount(self) -> None:
        """Unsubscribe from news, and close the save."""
        self.turns.close()

    def action_leave(self) -> None:
        """Cancel the choice on the map, or go back to the title; everything is saved."""
        if self.pick is not None:
            self.asking.end_pick("")
        else:
            # A computer in the middle of its turn must not continue in a closed save.
            self.workers.cancel_group(self, "computer")
            self.dismiss("left")

    # -- drawing ---------------------------------------------------------------------------------

    def board_size(self) -> tuple[int, int]:
        """Return the columns and rows of the whole board."""
        return self.session.board.width, self.session.board.height

    def dress(self) -> None:
        """Apply the signs and colours that are chosen in the program."""
        self.turns.dress()
        super().dress()

    def fill_room(self, columns: int, rows: int) -> None:
        """Use the largest zoom that fits, unless the player has chosen one."""
        session = self.session
        if self._zoomed or not session.board.narrow:
            return
        zoom = largest_zoom(session.presenter, session.view, columns, rows)
        if zoom != session.zoom:
            session.zoom = zoom
            session.redraw()

    def share_room(self) -> None:
        """Distribute the space, also among the widgets of this kind of game."""
        super().share_room()
        self.turns.share_room()

    def remark(self, text: str) -> None:
        """Show a text in the hint bar until the game is drawn again."""
        super().remark(text)
        self._remark = text

    def tick(self) -> None:
        """Draw a running clock; a remark stays."""
        if self._remark:
            self.bars.show_phase()
        else:
            self.sync_soon()

    def refit(self) -> None:
        """Draw the game again in another layout; a remark stays."""
        remark = self._remark
        self.sync()
        if remark:
            self.remark(remark)

    def sync(self) -> None:
        """Draw the game, or the scene of a show if one is playing."""
        self._remark = ""
        is_below = self.draw_below()
        if not self.shows.draw():
            self._draw_game(self.session.forces if not is_below else ())
        self.turns.drawn()

    def draw_below(self) -> bool:
        """Draw forces and chronicle below the panel; return whether the forces have room there."""
        return self.below.display and self.records.fill_below(self.below, self.shows.played)

    def _draw_game(self, forces: Sequence[Line]) -> None:
        session = self.session
        overlay = session.overlay
        self.board.show(self.shows.staged(session.board))
        if self.pick is not None:
            self.board.lay(self.pick.marks, self.pick.at, texts="asked")
        else:
            at = session.focus.x, session.focus.y
            holding = session.focus.held != NOTHING
            follow, texts = not self.turns.is_busy, self.laid.texts
            marks = self.laid.marks(overlay)
            self.board.lay(marks, at, holding=holding, follow=follow, texts=texts)
        self._forces = forces
        self.show_panel()
        self.bars.show()
        self.show_minimap()
        news = list(session.lines)
        self.log_view.say(news)
        session.lines.clear()
        if self.shell.settings.reader == "on":
            self.records.speak(news)
        self.put_keys(self.bars.keys())

    def show_panel(self) -> None:
        """Draw the panel beside the board, unless a show has its own."""
        session, lines = self.session, self.session.overlay.panel
        if self.pick is not None:
            said = session.presenter.look(session.view, *self.pick.at)
            lines = (Line(self.pick.title, Tone.TITLE), *said)
        if not self.shows.is_on:
            self.side.put(self.shows.panel(self.side.fitted(lines, self._forces)))

    # -- the stick and the button ----------------------------------------------------------------

    async def action_push(self, direction: Direction) -> None:
        """Push the stick: move the cursor or the choice on the map."""
        if self.pick is not None:
            for _ in range(self.stride):
                self.pick.push(direction)
            self.board.reveal(*self.pick.at)
            self.sync_soon()
            return
        opened = ""
        if not (self.bars.is_fast and self.session.leap(direction)):
            opened = await self.session.step(direction, self.stride, asks=self.asks_first)
        self.board.reveal(self.session.focus.x, self.session.focus.y)
        self._after_press(opened)

    async def action_fire(self) -> None:
        """Press the button."""
        if self.turns.fire() or self.shows.pause():
            return
        if self.pick is not None:
            answer = self.pick.answer()
            if answer:
                self.asking.end_pick(answer)
            return
        self._after_press(await self.session.fire(asks=self.asks_first))

    @property
    def asks_first(self) -> bool:
        """True if the player wants to confirm before a fight."""
        return self.shell.settings.confirm == "on"

    def _after_press(self, opened: str) -> None:
        """Continue after stick or button: with a dialogue, or with the next actor."""
        if opened:
            self.want(opened, "")
        else:
            self.turns.after()

    async def on_board_view_pointed(self, event: BoardView.Pointed) -> None:
        """Move the cursor to the clicked cell; on the cursor's own cell, press the button."""
        here = self.board.cursor
        if here == (event.x, event.y):
            await self.action_fire()
        elif self.pick is not None:
            self.pick.point((event.x, event.y))
            self.sync()
        else:
            self.session.point(event.x, event.y)
            self.turns.after()

    @property
    def stride(self) -> int:
        """Cells that the cursor moves per press."""
        return (self.shell.settings.fast if self.bars.is_fast else 1) * self.board.scale

    def go_to(self, x: int, y: int) -> None:
        """Put the cursor on a cell."""
        if self.pick is not None:
            self.pick.point((x, y))
        else:
            self.session.point(x, y)
        self.session.note = ""
        self.board.reveal(x, y)
        self.sync_soon()

    def action_fast(self) -> None:
        """Switch between one and several cells per press."""
        self.bars.is_fast = not self.bars.is_fast
        self.sync()

    def action_jump(self, kind: str, by: int) -> None:
        """Go to the next thing of a kind."""
        if self.pick is not None:
            self._jump_to_pick(self.pick, kind, by)
        else:
            self.session.note = "" if self.session.jump(kind, by) else self.session.none_of(kind)
            self.sync()

    def _jump_to_pick(self, pick: Pick, kind: str, by: int) -> None:
        """Go to the next thing of a kind with an open choice, or say why there is none."""
        found = pick.jump(kind, by)
        self.board.reveal(*pick.at)
        self.sync()
        if not found:
            self.remark(pick.no_jump or self.session.none_of(kind))

    def action_let_go(self) -> None:
        """Skip a show or computer turn, cancel a choice, remove layers, or drop the held piece."""
        if self.shows.end():
            return
        if self.pick is not None:
            self.asking.end_pick("")
        elif self.turns.is_busy:
            self.turns.skip.set()
        else:
            self.session.note = ""
            if not self.laid.uncover():
                self.session.let_go()
            self.sync()

    async def action_undo(self) -> None:
        """Undo the last command, or the last step of a path."""
        if self.pick is not None:
            self.pick.back()
            self.sync()
            return
        await self.session.submit("undo")
        self.turns.after()

    # -- intents ---------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Begin the intent of a letter, or say why it is not possible."""
        self.shows.end_frames()
        self.shows.take_key(event.key)
        taken = self.labels.take_key(event)
        if taken or not event.is_printable or binding_of(self, event.key):
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
        if session.watches:
            reason = WATCHING
        elif letter:
            reason = session.presenter.why_not(session.view, session.focus, letter)
        menu, help_key = (self.key_names().get(name, "?") for name in ("game.intents", "app.help"))
        told = f"{shown(event.key)} does nothing here. {menu}: actions, {help_key}: help"
        self.note(reason or told)

    def _is_engaged(self) -> bool:
        """Return whether no new intent can begin now; if so, show why."""
        if self.pick is not None:
            self.remark(f"{self.pick.title}: choose first, or cancel with Esc.")
        elif self.turns.is_busy:
            self.remark(self.turns.waiting())
        return self.pick is not None or self.turns.is_busy

    def action_intents(self) -> None:
        """Show the menu of intents at the cursor."""
        if self._is_engaged():
            return
        if self.session.intents():
            self.asking.offer_intents()
        else:
            self.note(self.turns.waiting() or "Nothing to do here.")

    def want(self, name: str, reason: str) -> None:
        """Begin the dialogue of an intent, or show why it is not possible."""
        if reason:
            self.note(reason)
        else:
            self.asking.ask(name)

    def note(self, text: str) -> None:
        """Draw the screen with a note, such as why something is not possible."""
        self.session.note = text
        self.sync()

    # -- the map ---------------------------------------------------------------------------------

    def action_look(self) -> None:
        """Describe the tile in the log."""
        session = self.session
        self.log_view.say(session.presenter.look(session.view, *self.asking.at))

    def action_summary(self) -> None:
        """Write a summary of the game to the log, and show it in a page if the log is too low."""
        self.turns.tell_summary()
        lines = self.session.presenter.summary(self.session.view)
        self.log_view.say(lines)
        if len(self.log_view.wrapped(lines)) > self.log_view.size.height:
            self.app.push_screen(PagesScreen([Page("Standings", lines)]))

    def action_prices(self) -> None:
        """Show or hide costs and chances on the map."""
        shown = not self.board.drawing.prices
        self.board.price(shown=shown)
        self.remark("Costs shown on the map." if shown else "Costs hidden.")

    def action_zoom(self) -> None:
        """Draw the board at the next zoom."""
        session, zooms = self.session, self.session.presenter.zooms
        before = session.zoom, self.board.columns
        if not self.turn_whole():
            self._zoomed = True
            session.zoom = zooms[(zooms.index(session.zoom) + 1) % len(zooms)]
            session.redraw()
        self.share_room()
        self.sync()
        self.call_after_refresh(self.refit)
        if (session.zoom, self.board.columns) == before:
            self.remark("This game has only one map.")

    # -- actions of the parts --------------------------------------------------------------------

    def on_paste(self, event: events.Paste) -> None:
        """Parse a text pasted on the map as a list of orders, and offer to submit it."""
        event.stop()
        self.lists.take(event.text)

    def action_find(self) -> None:
        """Open the find window with everything that has a name."""
        self.finder.offer(self.session.presenter.finds(self.session.view))

    def action_turn_phase(self, by: int) -> None:
        """Go to the next or previous start of a phase, and pause there."""
        self.shows.turn(by, by_phase=True)

    action_again = _by(lambda screen: screen.shows.again)
    action_labels = _by(lambda screen: screen.labels.show)
    action_layer = _by(lambda screen: screen.laid.next_layer)
    action_lists = _by(lambda screen: screen.lists.offer)
    action_log = _by(lambda screen: screen.records.show_log)
    action_losses = _by(lambda screen: screen.records.show_losses)
    action_luck = _by(lambda screen: screen.records.show_luck)
    action_macro = _by(lambda screen: screen.repeater.choose)
    action_only_mine = _by(lambda screen: screen.shows.turn_only_mine)
    action_palette = _by(lambda screen: screen.finder.offer_actions)
    action_record = _by(lambda screen: screen.repeater.record)
    action_reports = _by(lambda screen: screen.records.show_reports)
    action_route = _by(lambda screen: screen.laid.turn_way)
    action_turn_show = _by(lambda screen: screen.shows.turn)
    action_why = _by(lambda screen: screen.records.show_rule)
