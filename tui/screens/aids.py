"""What helps a player on the map: layers, ways, labels, finding, the log, the ledger, the why."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from textual import events

from engine.core.ids import REFEREE
from engine.core.link import Reply
from engine.tabletop.ask import Choice
from engine.tabletop.board import Line, Mark, Overlay
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Sign, Tone
from tui.play import speech
from tui.play.labels import Labels
from tui.play.picking import Pick
from tui.play.session import Session
from tui.replay import luck
from tui.screens.finding import Finding
from tui.widgets.board import Texts
from tui.widgets.jobs import begin

if TYPE_CHECKING:
    from tui.screens.log import Leads

_SLICE = 40
"""Entries of a log that are read before keys are listened to again."""


class Aids(Finding[str]):
    """The part of the game's screen that only looks."""

    session: Session
    pick: Pick | None

    def set_up_aids(self) -> None:
        """Nothing is laid over the map yet."""
        self._layer = ""
        self._from: Focus | None = None
        self._labels: Labels | None = None
        self._layered: tuple[tuple[Any, ...], tuple[Mark, ...]] = ((), ())
        self._merged: tuple[tuple[Any, ...], tuple[Mark, ...]] = ((), ())

    # -- layers and ways ---------------------------------------------------------------------------

    def marks(self, overlay: Overlay) -> tuple[Mark, ...]:
        """The marks of the cursor over those of the layer, with the way that is asked for."""
        if not self._layer and self._from is None:
            return overlay.marks
        layer, way = self._layer_marks(), self._way_marks()
        key = (layer, overlay.marks, way)
        if not all(one is other for one, other in zip(key, self._merged[0], strict=False)) or (
            not self._merged[0]
        ):
            above = [mark for mark in overlay.marks if not (layer and mark.sign is Sign.IDLE)]
            self._merged = key, (*layer, *above, *way)
        return self._merged[1]

    @property
    def _is_of_piece(self) -> bool:
        """Whether the layer that is shown is about one piece."""
        return any(one.of_piece for one in self.telling.layers if one.name == self._layer)

    def _layer_marks(self) -> tuple[Mark, ...]:
        if not self._layer:
            return ()
        session = self.session
        known, marks = self._layered
        about = session.focus if self._is_of_piece else None
        key = (self._layer, session.view, about)
        if len(known) == 3 and known[0] == key[0] and known[1] is key[1] and known[2] == about:
            return marks
        marks = session.presenter.layer(session.view, session.focus, self._layer)
        self._layered = key, marks
        return marks

    def _way_marks(self) -> tuple[Mark, ...]:
        session = self.session
        if self._from is None:
            return ()
        at = self.pick.at if self.pick is not None else (session.focus.x, session.focus.y)
        way = session.presenter.route(session.view, self._from, *at)
        return tuple(_in_turns(mark) for mark in way)

    def way_told(self) -> str:
        """What the way to the cursor costs, and when it gets there; empty if none is asked for."""
        session = self.session
        if self._from is None:
            return ""
        at = self.pick.at if self.pick is not None else (session.focus.x, session.focus.y)
        way = session.presenter.route(session.view, self._from, *at)
        if not way:
            return "No way leads here. Go elsewhere."
        turn = f", there in turn {way[-1].turn + 1} from now" if way[-1].turn else ", this turn"
        return f"The way here: {len(way)} steps, price {way[-1].text}{turn}."

    @property
    def texts(self) -> Texts:
        """Which texts of marks are shown: all of a layer's."""
        return "all" if self._layer else "usual"

    def uncover(self) -> bool:
        """Take away what the player has laid over the map; whether anything was."""
        was = bool(self._layer) or self._from is not None
        self._layer, self._from = "", None
        return was

    def laid_over(self) -> list[str]:
        """What lies over the map, in a word each."""
        return [name for name in (self._layer, "way" if self._from is not None else "") if name]

    def action_layer(self) -> None:
        """The next layer, after the last none."""
        names = ["", *(layer.name for layer in self.telling.layers)]
        self._layer = names[(names.index(self._layer) + 1) % len(names)]
        label = next((w.label for w in self.telling.layers if w.name == self._layer), "")
        self.session.note = ""
        self.sync()
        told = f"Over the map: {label}." if label else "Nothing lies over the map."
        if self._layer and not self._layer_marks():
            piece = " Nothing that moves is here: go to a piece."
            told += piece if self._is_of_piece else " There is nothing of that now."
        self.remark(told)

    def action_route(self) -> None:
        """The way from the piece here to wherever the cursor goes, until asked again."""
        self.session.note = ""
        if self._from is not None:
            self._from = None
            self.sync()
        else:
            self._from = self.session.focus
            self.sync()
            self.remark("Go anywhere: the way there with its prices; 2 is the turn after this.")

    # -- labels ------------------------------------------------------------------------------------

    def action_labels(self) -> None:
        """Letters on what can be jumped to."""
        cells = [cell for cell in self._targets() if self.board.sees(*cell)]
        if not cells:
            self.session.note = "There is nothing to jump to in the window."
            self.sync()
            return
        self._labels = Labels(list(dict.fromkeys(cells)))
        self._show_labels()

    def _targets(self) -> Sequence[tuple[int, int]]:
        if self.pick is not None:
            return tuple((mark.x, mark.y) for mark in self.pick.marks)
        session = self.session
        jumps = session.presenter.jumps
        return [
            cell
            for kind in ("idle", "enemy", "site")
            for cell in jumps(session.view, session.focus, kind)
        ]

    def _show_labels(self) -> None:
        shown = self._labels.shown if self._labels is not None else {}
        self.board.label(shown)
        if shown:
            self.remark("Type a letter to jump there. Esc: no")

    def label_key(self, event: events.Key) -> bool:
        """Take a key while labels are shown; whether it was taken."""
        if self._labels is None:
            return False
        event.stop()
        event.prevent_default()
        cell = self._labels.press(event.character or "")
        if cell is None and (event.character or "") in "".join(self._labels.shown.values()):
            self._show_labels()
            return True
        self._labels = None
        self._show_labels()
        if cell is not None:
            self.go_to(*cell)
        self.sync()
        return True

    def go_to(self, x: int, y: int) -> None:
        """Put the cursor on a cell."""
        if self.pick is not None:
            self.pick.point((x, y))
        else:
            self.session.point(x, y)
        self.session.note = ""
        self.board.reveal(x, y)
        self.sync_soon()

    # -- speaking ----------------------------------------------------------------------------------

    def speak(self, news: Sequence[Line]) -> None:
        """What is new, then the cursor's cell in sentences, and what is nearest to it."""
        session = self.session
        at = self.pick.at if self.pick is not None else (session.focus.x, session.focus.y)
        said = list(speech.summary_of(news))
        if self.pick is not None:
            said += session.presenter.look(session.view, *at)
        else:
            said.append(Line(speech.spoken(session.presenter, session.view, session.focus)))
        for near in speech.around(session.presenter, session.view, session.board, at, 1):
            said.append(Line(f"Nearest: {near.find.text}, {near.where}.", Tone.QUIET))
        self.log_view.speak(said)

    # -- finding -----------------------------------------------------------------------------------

    def action_find(self) -> None:
        """Anything that has a name."""
        self.find_in(self.session.presenter.finds(self.session.view))

    # -- why ---------------------------------------------------------------------------------------

    def action_why(self) -> None:
        """The rule behind what was said last, or behind what is shown of the cursor's cell."""
        refused: Reply | None = self.session.refused
        if refused is not None and refused.rule and self.session.note:
            self.show_help(refused.rule)
            return
        session = self.session
        lines = [line for line in session.overlay.panel if line.rule]
        lines += [
            line
            for line in session.presenter.look(session.view, session.focus.x, session.focus.y)
            if line.rule
        ]
        lines += [line for line in self.log_view.lines[-8:][::-1] if line.rule]
        known = {line.rule: line for line in reversed(lines)}
        rules = list(dict.fromkeys(line.rule for line in lines))
        if len(rules) < 2:
            self.show_help(rules[0] if rules else "")
            return
        from tui.screens.ask import ChooseOne  # noqa: PLC0415 - not before it is needed

        choices = tuple(Choice(rule, f"{known[rule].text[:56]}  {rule}") for rule in rules[:12])

        def chosen(rule: str | None) -> None:
            if rule:
                self.show_help(rule)

        self.app.push_screen(ChooseOne("Why?", choices), chosen)

    # -- reports -----------------------------------------------------------------------------------

    def action_reports(self) -> None:
        """Tables of what is owned and known, and how it went; a row leads to its place."""
        from tui.screens.reports import ReportsScreen  # noqa: PLC0415 - not before it is needed

        session = self.session
        table = session.table
        eyes = session.viewer if table.outcome() is None else REFEREE
        found = session.presenter.reports(session.view)
        screen = ReportsScreen(found, table.chronicle(eyes).history, self.seat_names())
        self.app.push_screen(screen, self.go_if_told)

    # -- log and ledger ----------------------------------------------------------------------------

    def action_log(self) -> None:
        """The whole log."""
        from tui.screens.log import LogScreen, filtered  # noqa: PLC0415 - not before it is needed

        pages = filtered(self.log_view.lines, self.seat_names(), self.session.viewer)
        self.app.push_screen(LogScreen(pages), self._chosen_line)

    def seat_names(self) -> list[str]:
        """The names of those at the table, by seat."""
        return [player.name for player in self.session.table.players]

    def _chosen_line(self, found: tuple[Leads, Line] | None) -> None:
        """Go where a line of the log leads."""
        if found is None:
            return
        leads, line = found
        if leads == "moment":
            session = self.session
            self.shell.look_back(session.table, session.viewer, line.entry, self.go_on_from)
        elif line.at is not None:
            self.go_to(*line.at)

    def action_losses(self) -> None:
        """Who lost what, and why."""
        begin(self, self._show_losses, "losses")

    async def _show_losses(self) -> None:
        from tui.screens.log import LogScreen, reckoned  # noqa: PLC0415 - not before it is needed

        table, viewer = self.session.table, self.session.viewer
        reckoning = table.chronicle(viewer).reckoning()
        for done in reckoning.walk():
            if done % _SLICE == 0:
                self._tell_reading(done, len(reckoning.line))
                await asyncio.sleep(0)
        self.sync()  # the log is read: the hint no longer says how far
        pages = reckoned(reckoning.rows, self.seat_names(), viewer)
        self.app.push_screen(LogScreen(pages, at_end=False), self._chosen_line)

    def _tell_reading(self, done: int, entries: int) -> None:
        """Say how far a log is read, in numbers only where they may be known."""
        much = f": {done} of {entries} entries" if self.session.table.now >= 0 else ""
        self.remark(f"Reading the game{much}.")

    def go_on_from(self, entry: int) -> None:
        """Play on from an earlier entry; what came after stays as a branch."""
        raise NotImplementedError

    def action_luck(self) -> None:
        """What chance gave against what it could be expected to give."""
        begin(self, self._show_luck, "luck")

    async def _show_luck(self) -> None:
        from tui.screens.pages import Page, PagesScreen  # noqa: PLC0415 - not before it is needed

        session = self.session
        table = session.table
        story = table.chronicle(session.viewer).story()
        for done in story.walk():
            if done % _SLICE == 0:
                self._tell_reading(done, len(story.line))
                await asyncio.sleep(0)
        names = self.seat_names()
        pages = [Page("The game", luck.lines(luck.ledger(m.fact for m in story.moments), names))]
        for number in sorted({moment.round for moment in story.moments}):
            facts = [moment.fact for moment in story.moments if moment.round == number]
            made = luck.ledger(facts)
            if not made.is_empty:
                pages.append(Page(f"Round {number}", luck.lines(made, names)))
        self.sync()
        self.app.push_screen(PagesScreen[None](pages))


def _in_turns(mark: Mark) -> Mark:
    """A cell of a way: its price in this turn, later the number of the turn."""
    if not mark.turn:
        return mark
    return Mark(mark.x, mark.y, Sign.STRIKE, str(mark.turn + 1)[-1], mark.turn)
