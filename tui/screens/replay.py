"""The screen of a replay: a saved game, walked forward and back while its log is being read."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import perf_counter
from typing import Any, ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.timer import Timer
from textual.worker import Worker, WorkerState

from engine.core.archive import Archive, Opened
from engine.core.ids import REFEREE, Viewer
from engine.core.replay import BrokenLog
from engine.tabletop.board import BoardMark, Line
from engine.tabletop.focus import Focus
from engine.tabletop.presenter import AnyPresenter
from engine.tabletop.roles import MarkSign, Tone
from tui.play.animation import MOST_FRAMES, BoardChange
from tui.replay.watch import Watch
from tui.screens.find import Finder
from tui.screens.frame import part_action
from tui.screens.map import largest_zoom
from tui.screens.motion import FramePlayer
from tui.screens.recording import ReplayExporter
from tui.screens.records import ReplayRecords
from tui.screens.replay_tools import Comments, LineChooser, MomentFinder, WatchScreen
from tui.screens.shell import GameReasons
from tui.settings import keys
from tui.widgets.board import BoardView
from tui.widgets.header import BarContent, scenario_of
from tui.widgets.jobs import begin, sliced
from tui.widgets.key_row import KeyWord, named, packed, row_of
from tui.widgets.panels import AnyRow
from tui.widgets.timeline_bar import Timebar

_TELL = 0.3
"""Seconds between two updates of the reading progress."""

_LUCK = 4
"""Maximum lines about luck in the panel."""

_TALL = 30
"""Minimum rows of a screen on which the timeline has two."""

_SHOWN: Final = (
    ("replay.back", "replay.on", "entry"),
    ("replay.event-back", "replay.event-on", "event"),
    ("replay.phase-back", "replay.phase-on", "phase"),
    ("replay.marker-back", "replay.marker-on", "mark"),
    ("replay.autoplay", "", "play"),
    ("replay.find", "", "find"),
    ("replay.palette", "", "all"),
    ("replay.seat", "", "seat"),
    ("replay.go-on", "", "go on"),
    ("replay.branches", "", "branches"),
    ("replay.charts", "", "charts"),
    ("replay.comment", "", "comment"),
    ("replay.comments", "", "comments"),
    ("replay.kinds", "", "marks"),
    ("replay.export", "", "export"),
    ("replay.losses", "", "losses"),
    ("replay.reports", "", "reports"),
    ("replay.luck", "", "luck"),
    ("replay.why", "", "why"),
    ("replay.fate", "", "decided"),
    ("replay.whatif", "", "what if"),
    ("replay.look", "", "look"),
    ("replay.round-back", "replay.round-next", "round"),
    ("replay.first", "replay.last", "ends"),
    ("replay.slower", "replay.faster", "speed"),
)
"""Bindings shown in the row of keys, if they fit."""

_AT_HOME: Final = {
    "replay.comment",
    "replay.export",
    "replay.fate",
    "replay.go-on",
    "replay.whatif",
}
"""Bindings that a host refuses."""

_ALWAYS: Final = (("replay.help", "", "help"), ("replay.leave", "", "leave"))
"""Bindings with which the row always ends."""


def _by(deed: Callable[[ReplayScreen], Callable[..., object]]) -> Callable[..., object]:
    """Return an action that a part of the screen carries out."""
    return part_action(deed)


class ReplayScreen(WatchScreen):
    """Screen of one moment of a log. It closes with the entry to continue from, if any."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("replay")

    def __init__(
        self,
        opened: Opened,
        remembered: dict[int, Any],
        name: str = "",
        *,
        archive: Archive | None = None,
        seated: Viewer | None = None,
        entry: int = -1,
    ) -> None:
        """Begin at entry ``entry``, or at the start.

        ``seated`` is the viewer who plays this game now.

        ``remembered`` are states by entry, to save time. Without an ``archive`` nothing is written,
        and no game can be continued.

        Raises:
            BrokenLog: an event before that entry cannot be applied.
        """
        self._is_own = archive is not None
        self._archive = archive
        """Archive for files and continued games; None if neither is allowed."""
        self.viewing = Watch(opened, remembered, seated)
        begin = next((n for n, e in enumerate(self.viewing.line) if e.seq == entry), 0)
        self.viewing.seek(begin)
        super().__init__(self.viewing.presenter.symbols)
        self.timebar = Timebar(id="timebar")
        self.paint_with_the_rest(self.timebar)
        watch, save = self.viewing, name or opened.name
        self.moments = MomentFinder(self)
        self.comments = Comments(self, archive, save)
        self.lines = LineChooser(self, self.moments.forget)
        self.records = ReplayRecords(self, watch, self.seek)
        self.reasons: GameReasons
        self.opening = ""
        """Page of reasons that opens at the end of the game; empty for none."""
        self.exporter = ReplayExporter(self, watch, save)
        self.finder = Finder(self)
        self.motion = FramePlayer(self)
        self._timer: Timer | None = None
        self._zoomed = False
        """True if the player has chosen a zoom."""
        self._looking: tuple[int, int] | None = None
        """Cell of the free cursor; None while the cursor follows the game."""

    @property
    def telling(self) -> AnyPresenter:
        """The presenter of the game's ruleset."""
        return self.viewing.presenter

    @property
    def seen_view(self) -> Any:
        """The view of the chosen viewer."""
        return self.viewing.view

    # -- drawing ---------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Yield the map screen, with a timeline above the row of keys."""
        for part in super().compose():
            if part is self.keys_bar:
                yield self.timebar
            yield part

    def on_mount(self) -> None:
        """Show the start, and read the log in the meantime."""
        self.reasons = self.shell.load_reasons()(
            self, self.viewing, self.seek, self.records.show_rule, is_own=self._is_own
        )
        self.share_room()
        self.dress()
        self.call_after_refresh(self.sync)
        self.call_after_refresh(self.reasons.open_at_end, self.opening)
        self.read_on()

    def dress(self) -> None:
        """Apply the signs and colours that are chosen in the program."""
        self.timebar.dress(self.shell.glyphs, self.shell.palette)
        super().dress()

    def board_size(self) -> tuple[int, int]:
        """Return the columns and rows of the whole board."""
        return self.viewing.board.width, self.viewing.board.height

    def fill_room(self, columns: int, rows: int) -> None:
        """Use the largest zoom that fits, unless the player has chosen one."""
        viewing = self.viewing
        if self._zoomed or not viewing.board.narrow:
            return
        zoom = largest_zoom(viewing.presenter, viewing.view, columns, rows)
        while viewing.zoom != zoom:
            viewing.next_zoom()

    def share_room(self) -> None:
        """Distribute the space; the timeline has a second row on a tall screen."""
        super().share_room()
        reader = self.shell.settings.reader == "on"
        self.timebar.display = not self.has_class("tiny") and not reader
        self.timebar.styles.height = 2 if self.app.size.height >= _TALL else 1

    def sync(self) -> None:
        """Draw what has changed."""
        watch, palette = self.viewing, self.shell.palette
        self.board.show(self.motion.staged(watch.board))
        said = watch.said()
        places = [line.at for line in said if line.at is not None]
        marks = [BoardMark(*at, MarkSign.PATH) for at in dict.fromkeys(places[:-1])]
        at = places[-1] if places else self.board.cursor
        if at is None or (watch.index == 0 and not places):
            focus = watch.presenter.start(watch.view)
            at = focus.x, focus.y
        at = self._looking or at
        self.board.lay(marks, at)
        title = scenario_of(watch.opened.header.title, watch.rules.title)
        self.phase.put(BarContent(title, watch.status, self._place(), tells_left=False))
        row, more = self._keys()
        rows = self._with_keys(self.side.wrapped(self._panel(at)), more)
        self.side.put(self.motion.panel(rows))
        if self.below.display:
            self.records.fill_below(self.below)
        self.log_view.start_anew(said)
        way = "arrows: look around  Esc: watch on" if self._looking is not None else ""
        self.hint.put(watch.command(), way, palette.line(Tone.QUIET, -1))
        self.timebar.point(watch.index)
        self.show_minimap()
        self.put_keys(row)

    def _place(self) -> tuple[str, ...]:
        watch = self.viewing
        parts = ["playing"] if self._timer else []
        if watch.viewer != REFEREE:
            parts.append(f"seen by {watch.name_of(watch.viewer)}")
        if watch.is_between:
            parts.append(f"event {watch.part} of {len(watch.entry.events)}")
        if not watch.is_secret:
            parts.append(f"entry {watch.entry.seq} of {watch.line[-1].seq}")
        return tuple(parts)

    def _panel(self, at: tuple[int, int]) -> list[Line]:
        watch = self.viewing
        lines = [Line(watch.opened.name, Tone.TITLE)]
        lines += [Line(text, Tone.STRONG) for text in watch.luck()[:_LUCK]]
        if comment := watch.comment():
            lines.append(Line(f'"{comment}"', Tone.TITLE))
        if len(watch.opened.log.children(watch.entry.seq)) > 1:
            lines.append(Line("The game branches here.", Tone.GOOD))
        if self._looking is not None:
            lines += [*watch.presenter.look(watch.view, *at), Line("")]
        lines += watch.presenter.overlay(watch.view, Focus(*at)).panel
        if watch.may_count and not self.below.display:
            lines.append(Line(""))
            lines += [
                Line(f"{name} {' : '.join(map(str, values))}", Tone.QUIET)
                for name, values in watch.rules.statistics(watch.state).items()
            ]
        return lines

    def _keys(self) -> tuple[list[KeyWord], list[KeyWord]]:
        """Return (keys that fit into the row, the others)."""
        names = self.key_names()
        shown = [row for row in _SHOWN if self._is_own or row[0] not in _AT_HOME]
        parts = named(shown, names, ascii_only=self.shell.glyphs == "ascii")
        always = named(_ALWAYS, names, ascii_only=True)
        return row_of(parts, always, self.app.size.width - 2)

    def _with_keys(self, rows: list[AnyRow], parts: list[KeyWord]) -> list[AnyRow]:
        """Add the keys that did not fit at the foot of the panel's rows."""
        width, height = self.side.size
        foot = [Line(text, Tone.QUIET) for text in packed(parts, width)]
        foot = foot[: max(0, height - len(rows) - 1)]
        space = [Line("")] * (height - len(rows) - len(foot))
        return [*rows, *self.side.wrapped([*space, *foot])] if foot else rows

    # -- reading the log -------------------------------------------------------------------------

    def read_on(self) -> None:
        """Read the rest of the log in the background."""
        begin(self, self._read, "story", ends=False)

    async def _read(self) -> None:
        """Walk through the log in slices, so that keys are handled in between."""
        story = self.viewing.story
        told = perf_counter()
        async for _ in sliced(story.walk()):
            if perf_counter() - told > _TELL:
                self.mark()
                told = perf_counter()
        self.mark()
        if story.fault:
            self.remark(f"The log is broken: {story.fault}")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Report that reading or writing ended with a fault in the program."""
        if event.state is WorkerState.ERROR:
            logging.getLogger(__name__).error("while watching", exc_info=event.worker.error)
            self.remark("A fault in the program stopped this; it is in the diagnostics.")

    def mark(self) -> None:
        """Redraw the markers on the timeline."""
        story = self.viewing.story
        self.timebar.mark(self.moments.markers(), story.rounds, len(story.line))

    # -- walking ---------------------------------------------------------------------------------

    def seek(self, index: int, part: int = -1) -> None:
        """Go to the entry at a position; with ``part``, after that many of its events."""
        self.go(lambda: self.viewing.seek(index, part))

    def go(self, way: Callable[[], None]) -> None:
        """Call ``way``, which moves the watch, and draw the new moment once no key is pending."""
        try:
            way()
        except BrokenLog as broken:
            self.remark(f"The log is broken: {broken}")
            return
        self.sync_soon()

    def _go_and_show(self, way: Callable[[], None], most: int = MOST_FRAMES) -> None:
        """Call ``way``; after a move forward, animate the last entry in at most ``most`` frames."""
        watch = self.viewing
        index, part = watch.index, watch.part
        self.go(way)
        if (watch.index, watch.part) > (index, part):
            facts, moments, before = watch.latest(part if watch.index == index else 0)
            change = BoardChange(before, watch.board)
            self.motion.play(facts, moments, change, most * 2 if moments else most)

    def on_key(self) -> None:
        """Stop the animation on any key; the key then has its usual effect."""
        self.motion.end_frames()

    def action_walk(self, by: int) -> None:
        """Move by ``by`` entries; a free cursor moves sideways instead."""
        if self._looking is not None:
            self._look_at(self._looking[0] + by, self._looking[1])
        else:
            self._go_and_show(lambda: self.viewing.step(by))

    def action_event(self, by: int) -> None:
        """Move one event forward or back, within entries as well."""
        self._go_and_show(lambda: self.viewing.step_event(by))

    def action_phase(self, by: int) -> None:
        """Go to the next or previous end of a phase; a free cursor moves up or down instead."""
        if self._looking is not None:
            self._look_at(self._looking[0], self._looking[1] + by)
        else:
            self.go(lambda: self.viewing.step_phase(by))

    def action_round(self, by: int) -> None:
        """Go to the start of the next round or the previous one."""
        self.go(lambda: self.viewing.step_round(by))

    def action_end(self, by: int) -> None:
        """Go to the end of the line (``by`` above 0), or to its start."""
        self.seek(self.viewing.last if by > 0 else 0)

    def action_next(self, by: int) -> None:
        """Go to the next moment found by the query; without one, to the next round."""
        if self.moments.hits:
            self.moments.show_hit(by)
        else:
            self.action_round(by)

    # -- looking around --------------------------------------------------------------------------

    def action_look(self) -> None:
        """Free the cursor from the game, or let it follow the game again."""
        if self._looking is not None or self.board.cursor is None:
            self._looking = None
            self.sync()
        else:
            self._look_at(*self.board.cursor)

    def _look_at(self, x: int, y: int) -> None:
        width, height = self.viewing.board.usual_size
        self._looking = max(0, min(x, width - 1)), max(0, min(y, height - 1))
        self.sync_soon()

    def on_board_view_pointed(self, event: BoardView.Pointed) -> None:
        """Move the free cursor to the clicked cell."""
        self._look_at(event.x, event.y)

    def go_to(self, x: int, y: int) -> None:
        """Move the free cursor to a cell."""
        self._look_at(x, y)

    def action_palette(self) -> None:
        """Open the find window with actions, places, rules and settings."""
        found = self.viewing.presenter.finds(self.viewing.view)
        self.finder.offer(found, actions_first=True)

    # -- automatic play --------------------------------------------------------------------------

    def action_autoplay(self) -> None:
        """Start or stop the automatic playback."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        else:
            self._timer = self.set_interval(max(0.02, self.pace), self._tick)
        self.sync()

    def _tick(self) -> None:
        if self.viewing.index >= self.viewing.last and not self.viewing.is_between:
            self.action_autoplay()
        elif not self.motion.seconds_left:
            self._go_and_show(self.viewing.play_on, self.motion.frames_in(self.pace))

    def action_speed(self, by: int) -> None:
        """Change the speed, also of the playback in progress."""
        super().action_speed(by)
        if self._timer is not None:
            self.action_autoplay()
            self.action_autoplay()

    def action_zoom(self) -> None:
        """Draw the board at the next zoom."""
        if not self.turn_whole():
            self._zoomed = True
            self.viewing.next_zoom()
        self.share_room()
        self.sync()
        self.call_after_refresh(self.refit)

    def on_timebar_sought(self, event: Timebar.Sought) -> None:
        """Go to the entry that was clicked on the timeline."""
        self.seek(event.index)

    def action_go_on(self) -> None:
        """Close to play on from this moment; the later entries stay in the save as a branch."""
        if not self._may_write():
            return
        self.dismiss(self.viewing.entry.seq)

    def action_leave(self) -> None:
        """Let the cursor follow the game again, or else drop the found moments, or else close."""
        if self._looking is not None:
            self.action_look()
            return
        if self.moments.hits:
            self.moments.forget()
            self.sync()
            return
        self.dismiss(None)

    def _may_write(self) -> bool:
        """Return whether files may be written here; if not, show why."""
        if not self._is_own:
            self.remark("Not on a host: copy the save, and open it at home.")
        return self._is_own

    # -- actions of the parts --------------------------------------------------------------------

    def action_comment(self) -> None:
        """Write or change the comment at this entry; an empty text deletes it."""
        if self._may_write():
            self.comments.write()

    def action_debug(self) -> None:
        """Open the debugger at this moment; the replay continues from the one where it is left."""
        self.reasons.open_debugger(self._archive)

    def action_export(self) -> None:
        """Export a recording, a drawing, a text or data."""
        if self._may_write():
            self.exporter.offer()

    action_branches = _by(lambda screen: screen.lines.choose)
    action_charts = _by(lambda screen: screen.records.show_charts)
    action_comments = _by(lambda screen: screen.comments.choose)
    action_find = _by(lambda screen: screen.moments.ask)
    action_kinds = _by(lambda screen: screen.moments.choose_kinds)
    action_losses = _by(lambda screen: screen.records.show_losses)
    action_luck = _by(lambda screen: screen.records.show_luck)
    action_marker = _by(lambda screen: screen.moments.go_to_marker)
    action_reason = _by(lambda screen: screen.reasons.show)
    action_reports = _by(lambda screen: screen.records.show_reports)
    action_viewer = _by(lambda screen: screen.lines.choose_viewer)
