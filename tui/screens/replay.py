"""A saved game, walked through forwards and backwards, and gone on with from any place."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.binding import BindingType
from textual.timer import Timer

from engine.core import registry
from engine.core.archive import Opened
from engine.core.ids import REFEREE, ROOT
from engine.core.notation import write
from engine.core.replay import BrokenLog, Cursor, Keyframes
from engine.tabletop.ask import Choice
from engine.tabletop.board import Line, Mark
from engine.tabletop.focus import Focus
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import Sign, Tone
from tui.keys import REPLAY
from tui.screens.map import SPEEDS, MapScreen


class ReplayScreen(MapScreen[int]):
    """A log and a place in it. Ends with the entry to go on from, if that is wanted."""

    BINDINGS: ClassVar[list[BindingType]] = list(REPLAY)

    def __init__(self, opened: Opened, remembered: dict[int, Any]) -> None:
        self.rules = registry.find(opened.header.ruleset)
        self.presenter = presenter_of(self.rules)
        super().__init__(self.presenter.symbols)
        self.opened = opened
        self.zoom = self.presenter.zooms[0]
        self.keyframes: Keyframes[Any] = Keyframes()
        self.keyframes.states.update(remembered)
        self.cursor = Cursor(self.rules, opened.log.line(), self.keyframes)
        self._timer: Timer | None = None
        self._take()

    # -- drawing ---------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Show the start."""
        self.share_room()
        self.dress()
        self.call_after_refresh(self._seek, 0)

    def board_size(self) -> tuple[int, int]:
        """Columns and rows of the whole board."""
        return self.picture.width, self.picture.height

    def _take(self) -> None:
        if self.cursor.index < 0:
            self.cursor.seek(0)
        self.view = self.rules.view(self.cursor.state, REFEREE)
        self.picture = self.presenter.board(self.view, self.zoom)
        self.status = self.presenter.status(self.view)

    def sync(self) -> None:
        """Draw what has changed."""
        palette = self.banneret.palette
        self.board.show(self.picture)
        said = self.said()
        places = [line.at for line in said if line.at is not None]
        marks = [Mark(*at, Sign.PATH) for at in dict.fromkeys(places[:-1])]
        at = places[-1] if places else self.board.cursor
        if at is None or (self.cursor.index == 0 and not places):
            focus = self.presenter.start(self.view)
            at = focus.x, focus.y
        self.board.lay(marks, at)
        total = len(self.cursor.line)
        place = f"entry {self.cursor.index + 1} of {total}"
        self.phase.put(
            self.status.text, ("playing  " if self._timer else "") + place, palette.heading
        )
        self.side.put(self.side.wrapped(self._panel(at)))
        self.log_view.start_anew(said)
        self.hint.put(self._command_text(), "", palette.line(Tone.QUIET, -1))
        keys = "←→ entry  ↑↓ phase  n/p round  a plays  b branches  g go on  ? help  q leave"
        if self.banneret.glyphs == "ascii":
            keys = keys.replace("←→", "h/l").replace("↑↓", "k/j")
        self.keys_bar.put(keys, "", palette.heading)

    def said(self) -> tuple[Line, ...]:
        """What happened in this entry, in sentences."""
        entry = self.cursor.entry
        events = entry.events if entry is not None else ()
        return tuple(line for event in events for line in self.presenter.tell(event, self.view))

    def _command_text(self) -> str:
        entry = self.cursor.entry
        if entry is None or entry.command is None:
            return "The game begins."
        return f"{self._who(entry.seat)}: {write(entry.command)}"

    def _who(self, seat: int) -> str:
        names = {player.seat: player.name for player in self.opened.header.players}
        return names.get(seat, "the house")

    def _panel(self, at: tuple[int, int]) -> list[Line]:
        entry = self.cursor.entry
        lines = [Line(self.opened.name, Tone.TITLE)]
        if entry is not None and len(self.opened.log.children(entry.seq)) > 1:
            lines.append(Line("The game branches here.", Tone.GOOD))
        overlay = self.presenter.overlay(self.view, Focus(*at))
        lines += overlay.panel
        lines.append(Line(""))
        numbers = self.rules.statistics(self.cursor.state)
        lines += [
            Line(f"{name} {' : '.join(str(value) for value in values)}", Tone.QUIET)
            for name, values in numbers.items()
        ]
        return lines

    # -- walking ---------------------------------------------------------------------------------

    def _seek(self, index: int) -> None:
        try:
            self.cursor.seek(max(0, index))
        except BrokenLog as broken:
            self.remark(f"The log is broken: {broken}")
            return
        self._take()
        self.sync()

    def action_walk(self, by: int) -> None:
        """Some entries on or back."""
        self._seek(self.cursor.index + by)

    def action_phase(self, by: int) -> None:
        """To the next or previous entry that ends a phase."""
        self._seek(self._phase_end(self.cursor.index, by))

    def _phase_end(self, index: int, by: int) -> int:
        line = self.cursor.line
        index += by
        while 0 < index < len(line) - 1:
            if any(event.closing for event in line[index].events):
                return index
            index += by
        return index

    def action_round(self, by: int) -> None:
        """To where the next round begins, or the round before."""
        here = self.status.round
        index = self.cursor.index
        last = len(self.cursor.line) - 1
        while True:
            index = self._phase_end(index, by)
            self._seek(index)
            if self.status.round != here or not 0 < index < last:
                return

    def action_end(self, by: int) -> None:
        """To the end or to the start."""
        self._seek(len(self.cursor.line) - 1 if by > 0 else 0)

    def action_autoplay(self) -> None:
        """Play by itself, or stop."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        else:
            self._timer = self.set_interval(max(0.02, SPEEDS[self.speed]), self._tick)
        self.sync()

    def _tick(self) -> None:
        if self.cursor.index >= len(self.cursor.line) - 1:
            self.action_autoplay()
        else:
            self.action_walk(1)

    def action_speed(self, by: int) -> None:
        """Faster or slower."""
        super().action_speed(by)
        if self._timer is not None:
            self.action_autoplay()
            self.action_autoplay()

    def action_zoom(self) -> None:
        """The board drawn in the next way."""
        zooms = self.presenter.zooms
        self.zoom = zooms[(zooms.index(self.zoom) + 1) % len(zooms)]
        self._take()
        self.sync()

    # -- branches --------------------------------------------------------------------------------

    def action_branches(self) -> None:
        """Choose which branch to watch."""
        from tui.screens.ask import ChooseOne  # noqa: PLC0415 - not before it is needed

        def chosen(value: str | None) -> None:
            if value is not None:
                self._follow_branch(int(value))

        choices = tuple(Choice(str(head), text) for head, text in self.branches())
        self.app.push_screen(ChooseOne("Branches", choices), chosen)

    def branches(self) -> list[tuple[int, str]]:
        """The last entry of each branch, and where it left the others."""
        log = self.opened.log
        parents = {entry.parent for entry in log.entries}
        heads = [entry.seq for entry in log.entries if entry.seq not in parents]
        if log.head not in heads and log.head != ROOT:
            heads.append(log.head)
        watched = {entry.seq for entry in self.cursor.line}
        found = []
        for head in sorted(heads):
            line = log.line(head)
            shared = sum(entry.seq in watched for entry in line)
            now = " (the game)" if head == log.head else ""
            here = " (watched)" if head == self.cursor.line[-1].seq else f", leaves at {shared}"
            found.append((head, f"to entry {head}: {len(line)} entries{here}{now}"))
        return found

    def _follow_branch(self, head: int) -> None:
        line = self.opened.log.line(head)
        known = {entry.seq: place for place, entry in enumerate(line)}
        here = self.cursor.entry
        while here is not None and here.seq not in known and here.parent != ROOT:
            here = self.opened.log[here.parent]
        self.cursor = Cursor(self.rules, line, self.keyframes)
        self._seek(known.get(here.seq, 0) if here is not None else 0)

    def action_go_on(self) -> None:
        """Play on from this place; what came after stays in the save as a branch."""
        entry = self.cursor.entry
        if entry is not None:
            self.dismiss(entry.seq)

    def action_leave(self) -> None:
        """Back."""
        self.dismiss(None)
