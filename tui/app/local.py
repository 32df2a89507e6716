"""The full-screen program: the sequence of its screens, and its end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from textual.screen import Screen

from engine.core import registry
from engine.core.archive import Archive, Opened, SaveFault
from engine.core.ids import Viewer
from engine.core.options import OptionFault
from engine.core.registry import UnknownRuleset
from engine.core.replay import BrokenLog
from engine.core.ruleset import AnyRuleset, ScenarioFault
from engine.tabletop.lesson import Lesson
from tui.app import garbage
from tui.app.base import BaseApp
from tui.app.recovery import Recovery
from tui.console import diagnostics
from tui.console.exits import Exit
from tui.console.faults import keep
from tui.play.players import Computer
from tui.play.setup import NewGame, begin, resume, same_again
from tui.play.table import Table
from tui.play.table_protocol import TableProtocol
from tui.screens.frame import ask
from tui.screens.shell import LocalShell, MakeReasons
from tui.terminal.capabilities import measure_the_window

INTERRUPTED = 130
"""Exit code after Ctrl-C, SIGTERM or SIGHUP."""

_EXPECTED = (SaveFault, BrokenLog, UnknownRuleset, ScenarioFault, OptionFault, LookupError)
"""Faults of opening or beginning a game; they are shown in a line."""


class LocalApp(BaseApp):
    """The local program. Screens ask it for everything outside themselves."""

    TITLE = "Banneret"
    ENABLE_COMMAND_PALETTE = False

    def __init__(  # noqa: PLR0913 - one of these says what is shown first
        self,
        archive: Archive,
        load_reasons: Callable[[], MakeReasons],
        *,
        open_name: str | None = None,
        replay_name: str | None = None,
        replay_entry: int = -1,
        start: NewGame | str | None = None,
        first: Callable[[], Screen[Any]] | None = None,
        glyphs: str | None = None,
        computer: Computer | None = None,
    ) -> None:
        """Make the program; ``run`` starts it.

        ``load_reasons`` loads the questions about a watched game. ``start`` is a new game, or the
        ruleset whose form for one is shown. ``first`` makes a screen to show instead of the title;
        leaving it ends the program.
        """
        super().__init__(glyphs)
        self.load_reasons = load_reasons
        self.archive = archive
        self.computer = computer or Computer()
        self._open_name = open_name
        self._replay_name, self._replay_entry = replay_name, replay_entry
        self._start, self._first = start, first
        self._tables: list[Table] = []
        self.in_terminal = False
        """True if this runs in a terminal, so that it ends when the terminal disappears."""

    @property
    def shell(self) -> LocalShell:
        """This program, as its screens see it."""
        return self

    # -- start and end ---------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Show the first screen."""
        self.read_preferences()
        self.apply_settings()
        self.set_interval(1.0, self.look_at_files)
        if self.in_terminal:
            self.set_interval(1.0, self._look_at_terminal)
            if not self.recovered:
                self.set_timer(garbage.STARTED, garbage.go_on)
        self._catch_signals()
        self.app_resume_signal.subscribe(self, lambda _: self.paint_anew())
        if self.recovered:
            self.title_screen()
        elif isinstance(self._start, str):
            self.title_screen()
            self.new_game(self._start)
        elif self._start is not None:
            self.begin_game(self._start)
        elif self._open_name is not None:
            self.open_game(self._open_name)
        elif self._replay_name is not None:
            self.show_replay(self._replay_name, entry=self._replay_entry)
        elif self._first is not None:
            self.push_screen(self._first(), lambda _: self.exit(0))
        else:
            self.title_screen()

    def _look_at_terminal(self) -> None:
        """Exit when the terminal disappears; SIGHUP does not always arrive."""
        if not self.has_terminal:
            self.action_interrupt()

    def _catch_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            try:
                loop.add_signal_handler(number, self.action_interrupt)
            except (NotImplementedError, RuntimeError, ValueError):
                logging.getLogger(__name__).info("no handler for signal %s", number)

    def action_interrupt(self) -> None:
        """Leave now. Every accepted command is on the disk already."""
        self.exit(INTERRUPTED)

    def key_ctrl_z(self) -> None:
        """Suspend the program; Textual calls this if no binding has Ctrl+Z."""
        self.stop_job()

    def close_all(self) -> None:
        """Close everything that is open, at any end of the program."""
        for table in tuple(self._tables):
            self.leave_table(table)
        self.computer.close()

    def anew(self, why: str) -> LocalApp:
        """Return a new program at its title screen, with this one's signs, queries and speed.

        It shows ``why`` this one had to end, and any fault in closing its games.
        """
        app = LocalApp(self.archive, self.load_reasons, glyphs=self._wanted_glyphs)
        app.asked, app.speed = self.asked, self.speed
        app.recovered = " ".join(filter(None, (why, self.message)))
        return app

    def leave_table(self, table: TableProtocol) -> None:
        """Close the save of a table."""
        if not isinstance(table, Table) or table not in self._tables:
            return
        self._tables.remove(table)
        try:
            table.close()
        except SaveFault as fault:
            self.note_fault(fault)

    def note_fault(self, fault: BaseException) -> None:
        """Store a fault for the title screen and in the diagnostics."""
        self.message = str(fault)
        logging.getLogger(__name__).error("%s: %s", type(fault).__name__, fault)

    # -- screens ---------------------------------------------------------------------------------

    def title_screen(self) -> None:
        """Show the title screen."""
        from tui.screens.title import TitleScreen  # noqa: PLC0415 - not before it is needed

        if isinstance(self.screen, TitleScreen):
            self.screen.fill()
        else:
            self.push_screen(TitleScreen(self))

    def new_game(self, ruleset: str = "") -> None:
        """Show the form of a new game, of ``ruleset`` if given, and begin the game."""
        from tui.screens.new_game import NewGameScreen  # noqa: PLC0415 - not before it is needed

        ask(self, NewGameScreen(ruleset), self.begin_game)

    def load_game(self) -> None:
        """Show the list of saves, and continue the one that the player chooses."""
        from tui.screens.saves import SavesScreen  # noqa: PLC0415 - not before it is needed

        ask(self, SavesScreen(self.archive, "load"), self.open_game)

    def choose_replay(self) -> None:
        """Show the list of saves, and replay the one that the player chooses."""
        from tui.screens.saves import SavesScreen  # noqa: PLC0415 - not before it is needed

        ask(self, SavesScreen(self.archive, "replay"), self.show_replay)

    def learn(self) -> None:
        """Show the list of lessons, and open the one that the player chooses."""
        from tui.screens.lesson import LessonsScreen  # noqa: PLC0415 - not before it is needed

        def chosen(found: tuple[str, Lesson, bool]) -> None:
            ruleset, lesson, anew = found
            self.take_lesson(registry.find(ruleset), lesson, anew=anew)

        ask(self, LessonsScreen(), chosen)

    def take_lesson(self, rules: AnyRuleset, lesson: Lesson, *, anew: bool = False) -> None:
        """Open a lesson at its saved step or, with ``anew``, at its first step."""
        from tui.play.lessons import following, open_lesson  # noqa: PLC0415 - not before it is needed
        from tui.screens.game import GameScreen  # noqa: PLC0415 - not before it is needed
        from tui.screens.lesson import LessonTurns  # noqa: PLC0415 - not before it is needed

        after = following(rules, lesson)

        def left(result: str | None) -> None:
            if result == "next" and after is not None:
                self.take_lesson(rules, after)
            elif result == "again":
                self.take_lesson(rules, lesson, anew=True)
            elif result == "game":
                self.new_game(rules.name)
            else:
                self.title_screen()

        try:
            table = open_lesson(rules, lesson, anew=anew)
        except _EXPECTED as fault:
            self._refuse(fault)
            return
        turns = partial(LessonTurns, table=table, last=after is None)
        self.push_screen(GameScreen(table, turns), left)

    def open_latest(self) -> None:
        """Continue the latest save."""
        try:
            names = [info.name for info in self.archive.listing() if not info.fault]
        except SaveFault as fault:
            self._refuse(fault)
            return
        if names:
            self.open_game(names[0])

    def begin_game(self, start: NewGame) -> None:
        """Begin a new game, save it and show its screen."""
        try:
            table = begin(self.archive, start, keep)
        except _EXPECTED as fault:
            self._refuse(fault)
            return
        self._play(table, resumed=False)

    def open_game(self, name: str, go: int | None = None) -> None:
        """Continue a save at its end, or from entry number ``go``."""
        try:
            table = resume(self.archive, name, keep)
        except _EXPECTED as fault:
            self._refuse(fault)
            return
        if go is not None and go != table.game.head:
            reply = table.submit(0, f"go {go}")
            if not reply.ok:
                table.close()
                self._refuse(SaveFault(reply.text))
                return
        self._play(table, resumed=True)

    def _play(self, table: Table, *, resumed: bool) -> None:
        from tui.screens.game import GameScreen  # noqa: PLC0415 - not before it is needed
        from tui.screens.turns import LocalTurns  # noqa: PLC0415 - not before it is needed

        self._tables.append(table)
        if any(player.bot for player in table.players):
            self.call_after_refresh(self.start_computer, table.rules.name)

        def left(result: str | None) -> None:
            self.leave_table(table)
            if result in {"replay", "why", "fate"} and table.file is not None:
                self.show_replay(table.file.name, "" if result == "replay" else result)
            elif result == "again":
                self.begin_game(same_again(table))
            else:
                self.title_screen()

        turns = partial(LocalTurns, program=self, table=table, resumed=resumed)
        self.push_screen(GameScreen(table, turns), left)

    def show_replay(self, name: str, page: str = "", *, entry: int = -1) -> None:
        """Replay a save from ``entry`` on (-1: the start), with page ``page`` open if given."""
        from tui.screens.replay import ReplayScreen  # noqa: PLC0415 - not before it is needed

        try:
            opened = self.archive.read(name)
            rules = registry.find(opened.header.ruleset)
            remembered = dict(self.archive.keyframes(opened, rules.state_type))
            screen = ReplayScreen(opened, remembered, name, archive=self.archive, entry=entry)
            screen.opening = page
        except _EXPECTED as fault:
            self._refuse(fault)
            return

        def left(entry: int | None) -> None:
            self._keep_keyframes(opened, screen.viewing.keyframes.states)
            if entry is not None:
                self.open_game(name, entry)
            else:
                self.title_screen()

        self.push_screen(screen, left)

    def look_back(
        self, table: TableProtocol, viewer: Viewer, entry: int, go_on: Callable[[int], None]
    ) -> None:
        """Replay the game in progress, starting at ``entry``.

        ``go_on`` is called with the entry to continue from, if the player asks for it.
        """
        from tui.screens.replay import ReplayScreen  # noqa: PLC0415 - not before it is needed

        assert isinstance(table, Table)  # noqa: S101 - there are no others in this program
        name = table.file.name if table.file is not None else table.header.title
        try:
            known = self.archive.read(name).comments if table.file is not None else ()
            opened = Opened(name, table.header, table.game.log, known, file=table.file)
            screen = ReplayScreen(
                opened, {}, name, archive=self.archive, seated=viewer, entry=entry
            )
        except _EXPECTED as fault:
            self.message = str(fault)
            self.tell_fault()
            return

        ask(self, screen, go_on)

    def _keep_keyframes(self, opened: Opened, states: Mapping[int, Any]) -> None:
        """Store the keyframes of seeking; they are only a cache, so a failure is only logged."""
        try:
            self.archive.keep_keyframes(opened, states)
        except SaveFault as fault:
            logging.getLogger(__name__).info("keyframes not kept: %s", fault)

    def _refuse(self, fault: BaseException) -> None:
        self.note_fault(fault)
        self.title_screen()

    # -- requests of games -----------------------------------------------------------------------

    def start_computer(self, ruleset: str) -> None:
        """Start the process of the computer players, if it is not running yet.

        The streams passed to it must be real files, which Textual's replacements are not.
        """
        with contextlib.redirect_stderr(sys.__stderr__):
            self.computer.start(ruleset)


def run(  # noqa: PLR0913 - one of these says what is shown first
    archive: Archive,
    load_reasons: Callable[[], MakeReasons],
    *,
    open_name: str | None = None,
    replay_name: str | None = None,
    replay_entry: int = -1,
    start: NewGame | str | None = None,
    first: Callable[[], Screen[Any]] | None = None,
    glyphs: str | None = None,
) -> int:
    """Run the program in a terminal until the player leaves or the terminal disappears.

    Return its exit code.
    """
    diagnostics.start()
    recovery = Recovery()
    app = LocalApp(
        archive,
        load_reasons,
        open_name=open_name,
        replay_name=replay_name,
        replay_entry=replay_entry,
        start=start,
        first=first,
        glyphs=glyphs,
    )
    code, has_lost_keys = _show(app), False
    while (fault := app.broken_by) is not None:
        has_lost_keys = has_lost_keys or app.has_lost_keys
        if not recovery.take(fault) or app.return_value is not None:
            code = Exit.BROKEN if app.return_value is None else app.return_value
            break
        app = app.anew(recovery.note)
        code = _show(app)
    if recovery.line:
        sys.stderr.write(f"banneret: {recovery.line}\n")
    return code or (Exit.BROKEN if has_lost_keys else Exit.OK)


def _show(app: LocalApp) -> int:
    """Show a program until it ends in any way; return its exit code."""
    try:
        app.preferences.read()
        app.in_terminal = True
        measure_the_window()
        result = app.run(mouse=app.settings.mouse == "on")
    finally:
        app.message = ""
        app.close_all()
    if result is None:
        return app.return_code or 0
    return result
