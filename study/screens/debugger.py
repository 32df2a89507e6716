"""The screen of the debugger: log, board, state tree and watched values of a saved game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from textual.binding import BindingType

from engine.core.printable import clipped
from engine.core.record import replace
from engine.core.replay import BrokenLog
from engine.tabletop.board import Board, BoardMark, Line
from engine.tabletop.english import many
from engine.tabletop.presenter import AnyPresenter
from engine.tabletop.roles import MarkSign, Tone
from study.debug.debugger import Debugger
from study.debug.panes import DebugPanes
from study.debug.verbs import ALL, REMOTE, answers, help_text, split
from tui.console.commands import HelpRequest
from tui.console.exits import Wrong
from tui.screens.dialog import TypeLine
from tui.screens.find import Finder
from tui.screens.map import MapScreen, largest_zoom
from tui.screens.pages import Page, PagesScreen
from tui.settings import keys
from tui.widgets.board import BoardView
from tui.widgets.header import BarContent, scenario_of
from tui.widgets.key_row import named, row_of

Reopen = Callable[[], Debugger]
"""Reads the game again, which may have continued since."""

_SHOWN: Final = (
    ("debug.back", "debug.on", "entry"),
    ("debug.event-back", "debug.event-on", "event"),
    ("debug.hit-back", "debug.hit-on", "match"),
    ("debug.query", "", "find"),
    ("debug.pane", "", "tree"),
    ("debug.watch", "", "watch"),
    ("debug.verb", "", "ask"),
    ("debug.here", "", "here"),
    ("debug.hide", "", "hide"),
    ("debug.print", "", "print"),
    ("debug.eyes", "", "eyes"),
    ("debug.read", "", "read on"),
)
"""Bindings shown in the row of keys, if they fit."""

_REMEMBERED: Final = 8
"""Maximum number of earlier lines that are offered again."""

_ALWAYS: Final = (("debug.help", "", "help"), ("debug.leave", "", "leave"))


class DebugScreen(MapScreen[tuple[int, int]]):
    """Debugger screen of one game. It closes with its position: entry of the line, events of it."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("debug")

    def __init__(self, bench: Debugger, reopen: Reopen | None = None) -> None:
        """Show a debugger at its position; ``reopen`` reads more of a game in progress."""
        self.bench = bench
        self.panes = DebugPanes(bench)
        self._reopen = reopen
        self._zoom = bench.presenter.zooms[0]
        self._shows_tree = False
        self._shifted = 0
        """Number of lines by which the log is scrolled away from the present moment."""
        self._asked: list[str] = []
        super().__init__(bench.presenter.symbols)
        self.finder = Finder(self)

    @property
    def telling(self) -> AnyPresenter:
        """The presenter of the game."""
        return self.bench.presenter

    @property
    def seen_view(self) -> Any:
        """The view at the present step, or the earliest one at the very beginning."""
        return self.bench.view(max(1, self.bench.at))

    # -- drawing ---------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Draw the present moment."""
        self.share_room()
        self.dress()
        self.call_after_refresh(self.sync)

    def _drawn_board(self) -> Board:
        return self.bench.presenter.board(self.seen_view, self._zoom)

    def board_size(self) -> tuple[int, int]:
        """Return the columns and rows of the whole board."""
        board = self._drawn_board()
        return board.width, board.height

    def fill_room(self, columns: int, rows: int) -> None:
        """Use the largest zoom that fits."""
        self._zoom = largest_zoom(self.bench.presenter, self.seen_view, columns, rows)

    def sync(self) -> None:
        """Draw what has changed."""
        bench, palette = self.bench, self.shell.palette
        bench.ascii_only = self.shell.glyphs == "ascii"
        board = self._drawn_board()
        self.board.show(board)
        said = self._said()
        places = [line.at for line in said if line.at is not None]
        focus = bench.presenter.start(self.seen_view)
        marks = [BoardMark(*at, MarkSign.PATH) for at in dict.fromkeys(places[:-1])]
        self.board.lay(marks, places[-1] if places else (focus.x, focus.y))
        title = scenario_of(bench.opened.header.title, bench.rules.title)
        status = bench.presenter.status(self.seen_view)
        self.phase.put(BarContent(title, status, self._place(), tells_left=False))
        self.side.put(self.side.fitted(self._pane()))
        width, rows = self.log_view.size.width - 1, max(1, self.log_view.size.height)
        shown = self.panes.log(rows, self._shifted)
        self.log_view.start_anew([replace(line, text=clipped(line.text, width)) for line in shown])
        text = said[-1].text if said else ""
        self.hint.put(text, self.panes.count(), palette.line(Tone.QUIET, -1))
        if self.below.display:
            self.below.put(self.below.filled(self._below()))
        self.show_minimap()
        parts = named(_SHOWN, self.key_names(), ascii_only=bench.ascii_only)
        always = named(_ALWAYS, self.key_names(), ascii_only=True)
        row, _ = row_of(parts, always, self.app.size.width - 2)
        self.put_keys(row)

    def _said(self) -> list[Line]:
        """Return the present event as log lines."""
        if self.bench.at == 0:
            return []
        event = self.bench.line.step(self.bench.at).event
        return list(self.bench.presenter.tell(event, self.seen_view))

    def _place(self) -> tuple[str, ...]:
        bench = self.bench
        eyes = (f"seen by {bench.eyes}",) if bench.eyes else ()
        count = len(self.panes.hidden)
        hidden = (f"{many(count, 'kind')} of event hidden",) if count else ()
        return (*eyes, *hidden, f"{bench.place()} of {bench.place(len(bench.line))}")

    def _pane(self) -> list[Line]:
        """Return the lines of the state tree, or of the watched values."""
        if self._shows_tree:
            return self.panes.tree_lines(max(3, self.side.size.height))
        return self.panes.values()

    def _below(self) -> list[Line]:
        """Return the lines of the lower pane: the pane that is not shown beside the board."""
        if self._shows_tree:
            return self.panes.values()
        return self.panes.tree_lines(max(3, self.below.size.height))

    # -- walking ---------------------------------------------------------------------------------

    def stand(self, step: int) -> None:
        """Go to a step, and draw it once no key is pending."""
        self.bench.at = max(0, min(step, len(self.bench.line)))
        self._shifted = 0
        self.sync_soon()

    def action_walk(self, by: int) -> None:
        """Move one entry forward or back."""
        line, at = self.bench.line, self.bench.at
        if by > 0:
            index = line.index_at(at + 1) if at < len(line) else len(line.entries) - 1
            self.stand(line.starts[index + 1])
        else:
            self.stand(line.before(at))

    def action_event(self, by: int) -> None:
        """Move forward or back by ``by`` events."""
        self.stand(self.bench.at + by)

    def action_end(self, by: int) -> None:
        """Move to the end, or to the start."""
        self.stand(len(self.bench.line) if by > 0 else self.bench.step_at("start"))

    def action_hit(self, by: int) -> None:
        """Move to the next moment that matches the query, or to the previous one."""
        step = self.panes.next_hit(by)
        if step is None:
            self.remark("No query was asked." if not self.panes.query else "There is no other.")
        else:
            self.stand(step)

    def action_row(self, by: int) -> None:
        """Move by a row in the state tree, or scroll the log if the tree is not shown."""
        if self._shows_tree:
            self.panes.row += by
        else:
            self._shifted += by
        self.sync_soon()

    def action_scroll_log(self, pages: int) -> None:
        """Scroll the log by pages."""
        self._shifted -= pages * max(1, self.log_view.size.height)
        self.sync_soon()

    def action_here(self) -> None:
        """Scroll the log to the present moment."""
        self.stand(self.bench.at)

    def go_to(self, x: int, y: int) -> None:
        """Scroll the board so that a cell is visible."""
        self.board.reveal(x, y)

    def on_board_view_pointed(self, event: BoardView.Pointed) -> None:
        """Scroll the board to the clicked cell."""
        self.board.reveal(event.x, event.y)

    # -- panes -----------------------------------------------------------------------------------

    def action_pane(self) -> None:
        """Switch between the state tree and the watched values."""
        self._shows_tree = not self._shows_tree
        self.sync()

    def action_open(self) -> None:
        """Show the tree, and open or close the row under its cursor."""
        self._shows_tree = True
        self.panes.open_row()
        self.sync()

    def action_watch(self) -> None:
        """Watch or unwatch a value: the one under the tree's cursor, or a typed one."""
        if self._shows_tree:
            self._try(lambda: self.panes.watch(self.panes.path_here()))
        else:
            self._type("Watch which value?", self.panes.watches, self.panes.watch)

    def action_print(self) -> None:
        """Print a value in the log wherever it changes, or stop printing it."""
        self._type("Tell which value in the log?", self.panes.printed, self.panes.print_in_log)

    def action_hide(self) -> None:
        """Hide events of the present one's kind in the log."""
        kind = self.panes.hide()
        self.sync()
        if kind:
            self.remark(f"{kind} is left out of the log.")

    def action_show_all(self) -> None:
        """Show hidden events again."""
        self.panes.show_all()
        self.sync()

    def action_query(self) -> None:
        """Ask for a query, and find the moments that match it."""

        def ask(text: str) -> None:
            self.panes.ask(text)
            if text and text not in self.shell.asked:
                self.shell.asked.insert(0, text)
            found = self.panes.next_hit(1)
            self.stand(self.bench.at if found is None else found)

        self._type("Find which moments?", self.shell.asked[::-1], ask)

    def _type(self, title: str, known: list[str], take: Callable[[str], None]) -> None:
        """Ask for a line and pass it to ``take``; a fault is reported."""

        def answered(text: str | None) -> None:
            if text is not None:
                self._try(lambda: take(text.strip()))

        latest = list(dict.fromkeys(reversed(known)))[:_REMEMBERED]
        self.app.push_screen(TypeLine(title, examples=latest), answered)

    def _try(self, deed: Callable[[], None]) -> None:
        try:
            deed()
        except (Wrong, BrokenLog) as fault:
            self.remark(str(fault))
        else:
            self.sync()

    # -- verbs, eyes, reading on -------------------------------------------------------------------

    def action_verb(self) -> None:
        """Ask for a command of the debugger's prompt, and show the answer as a page."""

        def ask(line: str) -> None:
            words = split(line)
            if not words:
                return
            self._asked.append(line)
            known = ALL if self.bench.has_archive else REMOTE
            if words[0] == "help":
                self._show_page("help", help_text(words[1:], known).splitlines())
                return
            if words[0] not in known and words[0] in ALL:
                raise Wrong(f"{words[0]} cannot be asked here; copy the save and ask at home")
            try:
                told = [answer.text for answer in answers(self.bench, words)]
            except HelpRequest as request:
                told = str(request).splitlines()
            self.stand(self.bench.at)
            if len(told) > 1 or words[0] not in {"go", "on", "back", "until", "last"}:
                self._show_page(line, told)

        self._type("Ask the debugger (help lists the verbs)", self._asked, ask)

    def _show_page(self, title: str, lines: list[str]) -> None:
        page = Page(title, [Line(text) for text in lines] or [Line("nothing", Tone.QUIET)])
        self.app.push_screen(PagesScreen[None]([page]))

    def action_eyes(self) -> None:
        """Switch to the view of the next seat, or to the full state.

        A player of a game in progress only has their own view.
        """
        bench = self.bench
        if not bench.may_change_eyes:
            self.remark("While the game goes on there are only your own eyes.")
            return
        self._go_on_with(bench.next_eyes())

    def action_read(self) -> None:
        """Read the entries that were played in the meantime."""
        if self._reopen is None:
            self.remark("This game is over; there is nothing more to read.")
            return
        before = len(self.bench.line)
        self._go_on_with(self._reopen())
        self.remark(f"{len(self.bench.line) - before} more events.")

    def _go_on_with(self, bench: Debugger) -> None:
        """Switch to another debugger, at the same moment if it has it."""
        try:
            bench.at = bench.step_at(self.bench.place())
        except Wrong:
            bench.at = len(bench.line)
        self.bench = bench
        self._try(lambda: self.panes.take(bench))

    def action_leave(self) -> None:
        """Close with the present position."""
        if self.bench.at == 0:
            self.dismiss((0, 0))
            return
        index, event = self.bench.line.origin(self.bench.at)
        self.dismiss((index, event + 1))
