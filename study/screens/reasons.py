"""Reasons in a replay: why something happened, when the game was decided, and what if."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import OptionList, Static

from engine.core.archive import Archive
from engine.core.printable import clipped
from engine.core.replay import BrokenLog
from engine.tabletop.board import BoardMark, Line
from engine.tabletop.roles import MarkSign, Tone
from study.debug.debugger import Debugger
from study.debug.in_words import CausesInWords, ChangeCauses
from study.debug.moment_changes import AskedChange, MomentInWords
from study.debug.side_by_side import both_lines, read_supposition, suggestions
from study.debug.suppositions import WhatIf, imagined
from study.debug.whatif import told
from study.screens.fate import FateScreen
from tui.console.commands import HelpRequest
from tui.console.exits import Wrong
from tui.replay.watch import WHOLE, Watch
from tui.screens.dialog import ChoiceList, Dialog, ReadingPane, TypeLine, option
from tui.screens.frame import ask
from tui.screens.map import MapScreen
from tui.screens.pages import Page, PagesScreen
from tui.settings import keys
from tui.widgets.jobs import begin

_LABEL: Final = 40
"""Maximum characters of a row in the list of changes."""

_HOSTED: Final = "Not on a host: this plays many games. Copy the save, and ask at home."
_UNTOLD: Final = "Not before the game is over: it would tell what is secret."
_EYES: Final = "Only the all-seeing can ask that; choose whose view it is with {}."


class ReplayReasons:
    """Explanations of a watched game: why, when it was decided, what if."""

    def __init__(
        self,
        screen: MapScreen[Any],
        watch: Watch,
        seek: Callable[[int, int], None],
        show_rule: Callable[[], None],
        *,
        is_own: bool,
    ) -> None:
        """Explain moments of a replay; see ``tui.screens.shell.MakeReasons``."""
        self._screen = screen
        self._watch = watch
        self._seek = seek
        self._show_rule = show_rule
        self._is_own = is_own
        self._asked: list[str] = []

    def show(self, page: str) -> None:
        """Open a page by its name: ``why``, ``fate`` or ``whatif``."""
        pages = {"why": self.show_why, "fate": self.show_fate, "whatif": self.ask_whatif}
        pages[page]()

    def open_at_end(self, page: str) -> None:
        """Open a page as soon as the end of the game is shown; an empty name opens none."""
        if page:
            self._seek(self._watch.last, WHOLE)
            self.show(page)

    def open_debugger(self, archive: Archive | None) -> None:
        """Open the debugger at this moment; the replay continues from the one where it is left."""
        from study.screens.debugger import DebugScreen, bench_of  # noqa: PLC0415 - not before

        window = DebugScreen(bench_of(self._watch, archive))
        ask(self._screen.app, window, lambda place: self._seek(*place))

    # -- why -------------------------------------------------------------------------------------

    def show_why(self) -> None:
        """Show the causes of the present event, or only the rule if secrets forbid more."""
        watch = self._watch
        if watch.is_secret or not watch.may_count:
            self._show_rule()
            return
        moment = MomentInWords(watch)
        changes = moment.changes()
        if not changes:
            self._show_rule()
            return
        ask(self._screen.app, WhyScreen(moment, changes, self._screen), self._screen.show_help)

    # -- when it was decided ---------------------------------------------------------------------

    def show_fate(self) -> None:
        """Show when the game was decided, judged by games of computer players from each moment."""
        if not self._is_own or self._watch.is_secret:
            self._screen.remark(_UNTOLD if self._watch.is_secret else _HOSTED)
            return
        bench = self._bench()
        if bench is not None:
            ask(self._screen.app, FateScreen(bench), lambda index: self._seek(index, WHOLE))

    def _bench(self) -> Debugger | None:
        """Return a debugger at this moment for the same viewer, or None if the log is broken."""
        watch = self._watch
        try:
            bench = Debugger(watch.opened, watch.viewer, watch.line[-1].seq)
        except BrokenLog as broken:
            self._screen.remark(f"The log is broken: {broken}")
            return None
        step = bench.line.step_from(watch.index, watch.part - 1)
        bench.at = max(0, min(step, len(bench.line)))
        return bench

    # -- what if ---------------------------------------------------------------------------------

    def ask_whatif(self) -> None:
        """Ask for one change, and show both courses side by side; nothing is saved."""
        watch = self._watch
        if watch.is_secret or not self._is_own:
            self._screen.remark(_UNTOLD if watch.is_secret else _HOSTED)
            return
        if not watch.may_count:
            key = self._screen.key_names().get("replay.seat", "?")
            self._screen.remark(_EYES.format(key))
            return
        bench = self._bench()
        if bench is None:
            return
        lines = [
            Line(f"Here: {watch.command()}", Tone.QUIET),
            Line("throw 1=6: the first throw of this command comes to 6.", Tone.QUIET),
            Line("command ...: another command. At the end, then bots:", Tone.QUIET),
            Line("computer players go on, not the recorded commands.", Tone.QUIET),
        ]
        examples = [*self._asked[::-1], *suggestions(bench)]
        window = TypeLine(
            "What if?", lines, check=lambda text: _fault(bench, text), examples=examples
        )
        ask(self._screen.app, window, lambda text: self._suppose(bench, text))

    def _suppose(self, bench: Debugger, text: str) -> None:
        if text in self._asked:
            self._asked.remove(text)
        self._asked = [*self._asked[-4:], text]

        async def work() -> None:
            self._screen.remark("Playing it otherwise.")
            try:
                made, lines = await asyncio.to_thread(_played, bench, text)
            except (Wrong, BrokenLog) as fault:
                self._screen.remark(str(fault))
                return
            self._screen.sync()
            width = self._screen.app.size.width - 2
            beside = [
                Line(row, Tone.TITLE if not number else Tone.NORMAL)
                for number, row in enumerate(both_lines(bench, made, width))
            ]
            numbers = [Line(clipped(line, width)) for line in lines]
            pages = [Page("Side by side", beside), Page("In numbers", numbers)]
            self._screen.app.push_screen(PagesScreen[None](pages))

        begin(self._screen, work, "whatif", ends=False)


def _fault(bench: Debugger, text: str) -> str:
    """Return the fault of a "what if" line, or an empty text."""
    try:
        read_supposition(bench, text)
    except (Wrong, HelpRequest) as fault:
        return str(fault).splitlines()[0]
    return ""


def _played(bench: Debugger, text: str) -> tuple[WhatIf, list[str]]:
    made = imagined(bench, read_supposition(bench, text))
    # The screen shows the first difference side by side, in sentences instead of field names.
    answers = (one for one in told(bench, made) if "first_difference" not in one.data)
    return made, [answer.text for answer in answers]


# -- why -------------------------------------------------------------------------------------------


class WhyScreen(Dialog[str]):
    """Window on the causes of a change, beside the map. It closes with the id of a rule to read."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("why")

    def __init__(
        self, moment: MomentInWords, changes: Sequence[AskedChange], over: MapScreen[Any]
    ) -> None:
        """Ask about a moment; the pieces involved are marked on the map of ``over``."""
        super().__init__("Why?")
        self._moment = moment
        self._changes = tuple(changes)
        self._over = over
        self._known: dict[int, ChangeCauses] = {}
        self._at = 0
        self._is_left = False
        choose = "Up, down: another change   " if len(changes) > 1 else ""
        self.keys_text = f"{choose}Left, right: scroll   Enter: the rule   Esc: back"

    def body(self) -> ComposeResult:
        """Yield the changes, and the causes of the chosen one."""
        yield ChoiceList(*(option(clipped(one.label, _LABEL)) for one in self._changes))
        yield ReadingPane(Static("", id="reasons"), can_focus=False)

    def on_mount(self) -> None:
        """Ask about the first, most telling change."""
        self.query_one(ChoiceList).focus()
        self.query_one(ChoiceList).highlighted = 0
        self._ask(0)

    def on_unmount(self) -> None:
        """Remove the marks, and stop a search that is still running."""
        self._is_left = True
        self._over.board.flash(())

    def dress(self) -> None:
        """Apply the chosen colours."""
        super().dress()
        self._show()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Ask about the highlighted change."""
        if event.option_index != self._at:
            self._ask(event.option_index)

    def on_option_list_option_selected(self, _event: OptionList.OptionSelected) -> None:
        """Close with the rule behind the change, to read it in the manual."""
        found = self._known.get(self._at)
        if found is not None and found.rule:
            self.dismiss(found.rule)

    def action_scroll_text(self, by: int) -> None:
        """Scroll the causes by a page."""
        pane = self.query_one(ReadingPane)
        pane.scroll_relative(y=by * max(1, pane.size.height - 1), animate=False)

    def _ask(self, at: int) -> None:
        self._at = at
        self._show()
        if at not in self._known:
            begin(self, self._search, "why", ends=False)

    async def _search(self) -> None:
        """Search in the background; choosing another change ends the search."""
        at = self._at
        change = self._changes[at]

        def is_over() -> bool:
            return self._is_left or self._at != at

        found = await asyncio.to_thread(
            lambda: CausesInWords(self._moment, change).reasons(is_over)
        )
        if not is_over():
            self._known[at] = found
            self._show()

    def _show(self) -> None:
        """Show the causes, and mark the pieces on the map."""
        found, change = self._known.get(self._at), self._changes[self._at]
        lines = found.lines if found is not None else (Line(change.said or change.label),)
        if found is None:
            lines = (*lines, Line(""), Line("Trying other courses of it.", Tone.QUIET))
        palette, text = self.shell.palette, Text()
        for number, line in enumerate(lines):
            ink = palette.line(line.tone, line.seat).color
            text.append("\n" if number else "")
            text.append(line.text, style=ink.name if ink is not None else "")
        self.query_one("#reasons", Static).update(text)
        self.query_one(ReadingPane).scroll_home(animate=False)
        self.call_after_refresh(self.share_rows)
        cells = found.cells if found is not None else change.cells
        board = self._over.board
        board.flash([BoardMark(*cell, MarkSign.TARGET) for cell in cells])
        if change.cells:
            board.reveal(*change.cells[0])
