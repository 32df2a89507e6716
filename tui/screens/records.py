"""Reading about a game from its map: the log, reports, losses, luck, the rule behind something."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from engine.core.ids import REFEREE
from engine.tabletop.ask import Choice
from engine.tabletop.board import Line
from engine.tabletop.fact import Fact
from engine.tabletop.roles import Tone
from tui.play import speech
from tui.play.session import Session
from tui.replay import luck
from tui.replay.history import History
from tui.replay.losses_table import Reckoning
from tui.replay.timeline import Moment
from tui.replay.watch import Watch
from tui.screens.ask import AskFlow, ChooseOne
from tui.screens.map import MapScreen
from tui.widgets.jobs import begin

if TYPE_CHECKING:
    from tui.screens.log import Leads
    from tui.screens.pages import Page

_SLICE = 40
"""Entries of a log that are read before keys are listened to again."""


class GameRecords:
    """The records of a game that is played, as far as its viewer may know them."""

    def __init__(
        self,
        screen: MapScreen[Any],
        session: Session,
        asking: AskFlow,
        go_on_from: Callable[[int], None],
    ) -> None:
        """Show records over a screen; ``go_on_from`` plays on from an earlier entry."""
        self._screen = screen
        self._session = session
        self._asking = asking
        self._go_on_from = go_on_from

    @property
    def names(self) -> list[str]:
        """The names of those at the table, by seat."""
        return [player.name for player in self._session.table.players]

    def speak(self, news: Sequence[Line]) -> None:
        """Say what is new, then the cursor's cell in sentences, and what is nearest to it."""
        session, pick, at = self._session, self._asking.pick, self._asking.at
        said = list(speech.summary_of(news))
        if pick is not None:
            said += session.presenter.look(session.view, *at)
        else:
            said.append(Line(speech.spoken(session.presenter, session.view, session.focus)))
        for near in speech.around(session.presenter, session.view, session.board, at, 1):
            said.append(Line(f"Nearest: {near.find.text}, {near.where}.", Tone.QUIET))
        self._screen.log_view.speak(said)

    def show_log(self) -> None:
        """Show the whole log."""
        from tui.screens.log import LogScreen, filtered  # noqa: PLC0415 - not before it is needed

        screen = self._screen
        pages = filtered(screen.log_view.lines, self.names, self._session.viewer)
        screen.app.push_screen(LogScreen(pages), self._chosen)

    def _chosen(self, found: tuple[Leads, Line] | None) -> None:
        """Go where a line of the log leads."""
        if found is None:
            return
        leads, line = found
        if leads == "moment":
            session = self._session
            look_back = self._screen.shell.look_back
            look_back(session.table, session.viewer, line.entry, self._go_on_from)
        elif line.at is not None:
            self._screen.go_to(*line.at)

    def show_reports(self) -> None:
        """Show tables of what is owned and known, and how it went; a row leads to its place."""
        from tui.screens.reports import ReportsScreen  # noqa: PLC0415 - not before it is needed

        session = self._session
        table = session.table
        eyes = session.viewer if table.outcome() is None else REFEREE
        found = session.presenter.reports(session.view)
        screen = ReportsScreen(found, table.chronicle(eyes).history, self.names)
        self._screen.app.push_screen(screen, self._screen.go_if_told)

    def show_losses(self) -> None:
        """Show who lost what, and why."""
        begin(self._screen, self._read_losses, "losses")

    async def _read_losses(self) -> None:
        table, viewer = self._session.table, self._session.viewer
        reckoning = table.chronicle(viewer).reckoning()
        for done in reckoning.walk():
            if done % _SLICE == 0:
                self._tell_reading(done, len(reckoning.line))
                await asyncio.sleep(0)
        _push_losses(self._screen, reckoning, self.names, viewer, self._chosen)

    def show_luck(self) -> None:
        """Show what chance gave against what it could be expected to give."""
        begin(self._screen, self._read_luck, "luck")

    async def _read_luck(self) -> None:
        session = self._session
        story = session.table.chronicle(session.viewer).story()
        for done in story.walk():
            if done % _SLICE == 0:
                self._tell_reading(done, len(story.line))
                await asyncio.sleep(0)
        self._screen.sync()
        _push_luck(self._screen, "The game", story.moments, self.names)

    def _tell_reading(self, done: int, entries: int) -> None:
        """Say how far a log is read, in numbers only where they may be known."""
        much = f": {done} of {entries} entries" if self._session.table.now >= 0 else ""
        self._screen.remark(f"Reading the game{much}.")

    def show_rule(self) -> None:
        """Show the rule behind what was said last, or behind what is shown of the cursor's cell."""
        session, screen = self._session, self._screen
        if session.refused is not None and session.refused.rule and session.note:
            screen.show_help(session.refused.rule)
            return
        lines = [line for line in session.overlay.panel if line.rule]
        lines += [
            line
            for line in session.presenter.look(session.view, session.focus.x, session.focus.y)
            if line.rule
        ]
        lines += [line for line in screen.log_view.lines[-8:][::-1] if line.rule]
        known = {line.rule: line for line in reversed(lines)}
        rules = list(dict.fromkeys(line.rule for line in lines))
        if len(rules) < 2:
            screen.show_help(rules[0] if rules else "")
            return
        choices = tuple(Choice(rule, f"{known[rule].text[:56]}  {rule}") for rule in rules[:12])

        def chosen(rule: str | None) -> None:
            if rule:
                screen.show_help(rule)

        screen.app.push_screen(ChooseOne("Why?", choices), chosen)


class ReplayRecords:
    """The records of a game that is watched, as of the moment that is shown."""

    def __init__(self, screen: MapScreen[Any], watch: Watch, seek: Callable[[int], None]) -> None:
        """Show records over a screen; ``seek`` goes to a place of the watched line."""
        self._screen = screen
        self._watch = watch
        self._seek = seek

    def show_reports(self) -> None:
        """Show tables of what the viewer owned and knew, and how it came to that."""
        from tui.screens.reports import ReportsScreen  # noqa: PLC0415 - not before it is needed

        watch = self._watch
        found = watch.presenter.reports(watch.view)
        line = watch.line[: watch.index + 1]
        screen = ReportsScreen(found, lambda: History(watch.rules, line, watch.viewer), watch.seats)
        self._screen.app.push_screen(screen, self._screen.go_if_told)

    def show_luck(self) -> None:
        """Show what chance gave so far against what it could be expected to give, by rounds."""
        watch = self._watch
        moments = [moment for moment in watch.story.moments if moment.index <= watch.index]
        _push_luck(self._screen, "So far", moments, watch.seats)

    def show_losses(self) -> None:
        """Show who lost what and why, up to here."""
        begin(self._screen, self._read_losses, "losses")

    async def _read_losses(self) -> None:
        watch = self._watch
        line = watch.line[: watch.index + 1]
        reckoning = Reckoning(watch.rules, line, watch.viewer)
        for done in reckoning.walk():
            if done % _SLICE == 0:
                self._screen.remark(f"Reading the game: {done} of {len(line)} entries.")
                await asyncio.sleep(0)

        def chosen(found: tuple[Leads, Line] | None) -> None:
            if found is None:
                return
            leads, said = found
            if leads == "moment":
                self._seek(next((n for n, e in enumerate(line) if e.seq == said.entry), 0))
            elif said.at is not None:
                self._screen.go_to(*said.at)

        _push_losses(self._screen, reckoning, watch.seats, watch.viewer, chosen)

    def show_rule(self) -> None:
        """Show the rule behind what happened here."""
        rules = [line.rule for line in self._watch.said() if line.rule]
        self._screen.show_help(rules[0] if rules else "")


def _push_losses(
    screen: MapScreen[Any],
    reckoning: Reckoning,
    names: Sequence[str],
    viewer: int,
    chosen: Callable[[tuple[Leads, Line] | None], None],
) -> None:
    """Open the pages of losses; the log is read, so the hint no longer says how far."""
    from tui.screens.log import LogScreen, reckoned  # noqa: PLC0415 - not before it is needed

    screen.sync()
    pages = reckoned(reckoning.rows, names, viewer)
    screen.app.push_screen(LogScreen(pages, at_end=False), chosen)


def _push_luck(
    screen: MapScreen[Any], title: str, moments: Iterable[Moment], names: Sequence[str]
) -> None:
    """Open the pages of luck: all of it, then each round in which chance had a part."""
    from tui.screens.pages import PagesScreen  # noqa: PLC0415 - not before it is needed

    screen.app.push_screen(PagesScreen[None](_luck_pages(title, list(moments), names)))


def _luck_pages(title: str, moments: Sequence[Moment], names: Sequence[str]) -> list[Page]:
    from tui.screens.pages import Page  # noqa: PLC0415 - not before it is needed

    pages = [Page(title, luck.lines(luck.ledger(m.fact for m in moments), names))]
    for number in sorted({moment.round for moment in moments}):
        facts: list[Fact] = [moment.fact for moment in moments if moment.round == number]
        made = luck.ledger(facts)
        if not made.is_empty:
            pages.append(Page(f"Round {number}", luck.lines(made, names)))
    return pages
