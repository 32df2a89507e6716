"""Records of a game, opened from its map: log, reports, losses, luck, the rule behind a message."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from textual.binding import BindingType

from engine.core.ids import REFEREE, Seat, Viewer
from engine.core.record import replace
from engine.tabletop.ask import Choice
from engine.tabletop.board import NOBODY, Line, concerns
from engine.tabletop.fact import Fact
from engine.tabletop.panel import heading
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import Tone
from tui.play import speech
from tui.play.playback import PlaybackScene
from tui.play.seats import with_sides
from tui.play.session import Session
from tui.replay import losses_table, luck
from tui.replay.history import History
from tui.replay.losses_table import Booked, Reckoning
from tui.replay.timeline import Moment, Story
from tui.screens.ask import AskFlow, ChooseOne
from tui.screens.frame import ask
from tui.screens.map import MapScreen
from tui.screens.pages import Page, PagesScreen
from tui.settings import keys
from tui.settings.keymap import known, shown
from tui.widgets.cards import Cards
from tui.widgets.jobs import begin, sliced
from tui.widgets.panels import AnyRow

if TYPE_CHECKING:
    from tui.replay.watch import Watch

_CHRONICLE = 5
"""Minimum rows of a chronicle below the forces."""

_CHART = 15
"""Maximum rows of the curves below the panel, with their heading."""

_TOLD = 40
"""Number of entries between two updates of the reading progress."""


class GameRecords:
    """Records of a game in progress, limited to what its viewer may know."""

    def __init__(
        self,
        screen: MapScreen[Any],
        session: Session,
        asking: AskFlow,
        go_on_from: Callable[[int], None],
    ) -> None:
        """Show records on a screen; ``go_on_from`` continues the game from an earlier entry."""
        self._screen = screen
        self._session = session
        self._asking = asking
        self._go_on_from = go_on_from

    def fill_below(self, below: Cards, played: Sequence[PlaybackScene]) -> bool:
        """Draw forces, curves and chronicle below the panel; return whether the forces are there.

        They are those at the end of the scenes ``played`` back, if there are any. The forces are
        left to the panel if too little space would remain for a chronicle.
        """
        session, height = self._session, below.size.height
        rows: list[AnyRow] = []
        forces = session.presenter.forces(played[-1].view) if played else session.forces
        has_forces = bool(forces) and len(forces) + _CHRONICLE <= height
        if has_forces:
            rows += below.filled(forces)
        if session.past is None:
            begin(self._screen, self._read_numbers, "history")
        lead = f"{session.presenter.lead} by {session.presenter.round_word}"
        room = min(_CHART, height - len(rows) - 2 * _CHRONICLE)
        curves = session.curves_at(played[-1].view) if played else session.curves
        rows = below.stacked(
            rows, below.charted(lead, curves, session.names, room, session.first_round)
        )
        told = session.chronicle_of(played, height) if played else session.chronicle(height)
        lines = [heading("Chronicle"), *told] if told else []
        below.put(below.stacked(rows, below.filled(lines))[:height])
        return has_forces

    async def _read_numbers(self) -> None:
        """Read the numbers of earlier rounds."""
        session = self._session
        session.past, viewer, round_ = [], session.viewer, session.status.round
        history = session.table.chronicle(viewer).history()
        async for _ in sliced(history.walk()):
            pass
        if (session.viewer, session.status.round) == (viewer, round_):
            session.tell_past(history.rounds[:-1])
        else:
            session.past = None
        self._screen.sync_soon()

    def speak(self, news: Sequence[Line]) -> None:
        """Show the news as text to speak, then the cursor's cell, and the nearest named thing."""
        session, pick, at = self._session, self._asking.pick, self._asking.at
        said = list(speech.summary_of(news))
        if pick is not None:
            said += session.presenter.look(session.view, *at)
        else:
            said.append(Line(speech.spoken(session.presenter, session.view, session.focus)))
        for near in speech.around(session.presenter, session.view, session.board, at, 1):
            said.append(Line(f"Nearest: {near.find.text}, {near.where}.", Tone.QUIET))
        spoken = [replace(line, text=speech.speakable(line.text)) for line in said]
        self._screen.log_view.speak(spoken)

    def show_log(self) -> None:
        """Show the whole log."""
        screen = self._screen
        pages = filtered(screen.log_view.lines, self._session.names, self._session.viewer)
        ask(screen.app, LogScreen(pages), partial(_follow, screen, self._look_back))

    def _look_back(self, entry: int) -> None:
        """Watch the game from an entry on."""
        session = self._session
        look_back = self._screen.shell.look_back
        look_back(session.table, session.viewer, entry, self._go_on_from)

    @property
    def _full_names(self) -> list[str]:
        session = self._session
        return with_sides(session.names, session.presenter, session.view)

    def show_reports(self) -> None:
        """Show tables of possessions, knowledge and history; a row leads to its place."""
        from tui.screens.reports import ReportsScreen  # noqa: PLC0415 - not before it is needed

        session = self._session
        table = session.table
        eyes = session.viewer if table.outcome() is None else REFEREE
        found = session.presenter.reports(session.view)
        window = ReportsScreen(found, table.chronicle(eyes).history, self._full_names)
        ask(self._screen.app, window, lambda cell: self._screen.go_to(*cell))

    def show_losses(self) -> None:
        """Show who lost what, and why."""
        begin(self._screen, self._read_losses, "losses")

    async def _read_losses(self) -> None:
        table, viewer = self._session.table, self._session.viewer
        reckoning = table.chronicle(viewer).reckoning()
        await _read(self._screen, reckoning, counts=table.now >= 0)
        _push_losses(self._screen, reckoning, self._session.names, viewer, self._look_back)

    def show_luck(self) -> None:
        """Show the results of chance next to their expected values."""
        begin(self._screen, self._read_luck, "luck")

    async def _read_luck(self) -> None:
        table, viewer = self._session.table, self._session.viewer
        story = table.chronicle(viewer).story()
        await _read(self._screen, story, counts=table.now >= 0)
        word = self._session.presenter.round_word
        _push_luck(self._screen, "The game", story.moments, self._full_names, word)

    def show_rule(self) -> None:
        """Show the rule behind the latest message, or behind the panel of the cursor's cell."""
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
        ask(screen.app, ChooseOne("Why?", choices), screen.show_help)


class ReplayRecords:
    """Records of a watched game, up to the moment that is shown."""

    def __init__(self, screen: MapScreen[Any], watch: Watch, seek: Callable[[int], None]) -> None:
        """Show records on a screen; ``seek`` goes to a position of the watched line."""
        self._screen = screen
        self._watch = watch
        self._seek = seek

    def fill_below(self, below: Cards) -> None:
        """Draw forces, and curves of the leading statistic up to now, below the panel."""
        watch = self._watch
        rows = below.filled(watch.presenter.forces(watch.view))
        lead, word = watch.presenter.lead, watch.presenter.round_word
        begun = sum(start <= watch.index for start, _ in watch.story.rounds)
        curves = [curve[:begun] for curve in watch.story.history(lead)]
        names = [watch.name_of(seat) for seat in range(len(curves))]
        room = min(_CHART, below.size.height - len(rows) - 1)
        title, first = f"{lead} by {word}", watch.story.first_round
        below.put(below.stacked(rows, below.charted(title, curves, names, room, first)))

    def show_reports(self) -> None:
        """Show tables of the viewer's possessions, knowledge and history."""
        from tui.screens.reports import ReportsScreen  # noqa: PLC0415 - not before it is needed

        watch = self._watch
        found = watch.presenter.reports(watch.view)
        line = watch.line[: watch.index + 1]
        window = ReportsScreen(found, lambda: History(watch.rules, line, watch.viewer), watch.seats)
        ask(self._screen.app, window, lambda cell: self._screen.go_to(*cell))

    def show_charts(self) -> None:
        """Show how the numbers of the seats developed."""
        from tui.screens.replay_tools import Charts  # noqa: PLC0415 - not before it is needed

        story = self._watch.story
        if not story.numbers:
            key = self._screen.key_names().get("replay.reports", "?")
            self._screen.remark(f"The numbers of all sides are still secret; {key} shows yours.")
            return
        series = {name: story.history(name) for name in story.numbers[0]}
        word = self._watch.presenter.round_word
        self._screen.app.push_screen(Charts(series, self._watch.seats, word, story.first_round))

    def show_luck(self) -> None:
        """Show the results of chance so far next to their expected values, by rounds."""
        watch = self._watch
        moments = [moment for moment in watch.story.moments if moment.index <= watch.index]
        word = watch.presenter.round_word
        _push_luck(self._screen, "So far", moments, watch.seats, word)

    def show_losses(self) -> None:
        """Show who lost what and why, up to here."""
        begin(self._screen, self._read_losses, "losses")

    async def _read_losses(self) -> None:
        watch = self._watch
        line = watch.line[: watch.index + 1]
        reckoning = Reckoning(watch.rules, line, watch.viewer)
        await _read(self._screen, reckoning)

        def seek(entry: int) -> None:
            self._seek(next((n for n, e in enumerate(line) if e.seq == entry), 0))

        _push_losses(self._screen, reckoning, watch.seats, watch.viewer, seek)

    def show_rule(self) -> None:
        """Show the rule behind the present event."""
        rules = [line.rule for line in self._watch.said() if line.rule]
        self._screen.show_help(rules[0] if rules else "")


async def _read(screen: MapScreen[Any], found: Reckoning | Story, *, counts: bool = True) -> None:
    """Read a log and show the progress, with the number of entries only if ``counts``."""
    async for done in sliced(found.walk()):
        if done % _TOLD == 0:
            much = f": {done} of {len(found.line)} entries" if counts else ""
            screen.remark(f"Reading the game{much}.")
    screen.sync()


def _follow(
    screen: MapScreen[Any], watch_from: Callable[[int], None], found: tuple[Leads, Line]
) -> None:
    """Go where a line of the log leads: to its moment, or to its place."""
    leads, line = found
    if leads == "moment":
        watch_from(line.entry)
    elif line.at is not None:
        screen.go_to(*line.at)


def _push_losses(
    screen: MapScreen[Any],
    reckoning: Reckoning,
    names: Sequence[str],
    viewer: Viewer,
    watch_from: Callable[[int], None],
) -> None:
    """Open the pages of losses; ``watch_from`` goes to an entry."""
    word = presenter_of(reckoning.rules).round_word
    pages = reckoned(reckoning.rows, names, viewer, word)
    ask(screen.app, LogScreen(pages, at_end=False), partial(_follow, screen, watch_from))


def _push_luck(
    screen: MapScreen[Any], title: str, moments: Iterable[Moment], names: Sequence[str], word: str
) -> None:
    """Open the pages of luck: all of it, then each round with a part of chance."""
    screen.app.push_screen(PagesScreen[None](_luck_pages(title, list(moments), names, word)))


def _luck_pages(
    title: str, moments: Sequence[Moment], names: Sequence[str], word: str
) -> list[Page]:
    pages = [Page(title, luck.lines(luck.ledger(m.fact for m in moments), names))]
    for number in sorted({moment.round for moment in moments}):
        facts: list[Fact] = [moment.fact for moment in moments if moment.round == number]
        made = luck.ledger(facts)
        if not made.is_empty:
            pages.append(Page(f"{word.capitalize()} {number}", luck.lines(made, names)))
    return pages


# -- pages of the log ------------------------------------------------------------------------------


Leads: TypeAlias = Literal["place", "moment"]


class LogScreen(PagesScreen[tuple[Leads, Line]]):
    """Pages of a log. It closes with a line, and whether to go to its cell or its moment."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("log")
    pointing = True

    def __init__(self, pages: Sequence[Page], *, at_end: bool = True) -> None:
        super().__init__(pages, 0, len(pages[0].lines) - 1 if at_end else 1)

    @property
    def keys_text(self) -> str:
        """Text of the keys that matter here."""
        watch = shown(self.shell.keymap.of(known()["log.moment"])[0])
        return f"Tab: filter  /: search  n, N: again  Enter: go there  {watch}: watch it  Esc: back"

    def pointed(self, at: int) -> None:
        """Show the cell and the entry to which the line leads."""
        lines = self.pages[self.page].lines
        if at < len(lines) and self.is_mounted:
            line = lines[at]
            where = f"Enter: to {line.at[0]},{line.at[1]}" if line.at is not None else ""
            when = f"entry {line.entry}" if line.entry >= 0 else ""
            self.hint("   ".join(part for part in (where, when) if part))

    def action_choose(self) -> None:
        """Go to the place of the line, if it has one."""
        lines = self.pages[self.page].lines
        if lines and lines[self.pager.at].at is not None:
            self.dismiss(("place", lines[self.pager.at]))

    def action_moment(self) -> None:
        """Watch the moment of the line, if it has one."""
        lines = self.pages[self.page].lines
        if lines and lines[self.pager.at].entry >= 0:
            self.dismiss(("moment", lines[self.pager.at]))
        else:
            self.hint("No moment of the game belongs to this line.")


def filtered(lines: Sequence[Line], names: Sequence[str], viewer: Viewer) -> list[Page]:
    """Return pages of the log: all, one for each seat, losses, phases, rules.

    The viewer's own page comes before those of the other seats.
    """
    whole = repeats(lines)
    pages = [Page("All", whole)]
    for seat, title in _titles(names, viewer):
        pages.append(Page(title, [line for line in whole if _is_for(line, seat)]))
    pages.append(Page("Losses", [line for line in whole if line.is_loss]))
    marked = (Tone.TITLE, Tone.STRONG)
    pages.append(Page("Phases", [line for line in whole if line.tone in marked]))
    ruled = [replace(line, text=f"{line.rule}  {line.text}") for line in whole if line.rule]
    pages.append(Page("Rules", ruled))
    nothing = [Line("Nothing of that kind yet.", Tone.QUIET)]
    return [page if page.lines else Page(page.title, nothing) for page in pages]


def _titles(names: Sequence[str], viewer: Viewer) -> list[tuple[Seat, str]]:
    """Return the seats with the titles of their pages, the viewer's first."""
    titles = [
        (seat, f"{name}: mine" if seat == viewer else name) for seat, name in enumerate(names)
    ]
    return sorted(titles, key=lambda page: page[0] != viewer)


def _is_for(line: Line, seat: Seat) -> bool:
    """Return whether a line concerns a seat, or is a heading for all."""
    return concerns(line, seat) or (line.tone is Tone.TITLE and line.seat == NOBODY)


def reckoned(
    rows: Sequence[Booked], names: Sequence[str], viewer: Viewer, word: str = "round"
) -> list[Page]:
    """Return pages of losses with causes: the last round that has any, all rounds, each seat's."""
    pages: list[Page] = []
    if rows:
        last = max(row.round for row in rows)
        own = [row for row in rows if row.round == last]
        pages.append(Page(f"{word.capitalize()} {last}", losses_table.lines(own, names)))
    pages.append(Page("All", losses_table.by_rounds(rows, names, word)))
    for seat, title in _titles(names, viewer):
        own = losses_table.concerned(rows, seat)
        pages.append(Page(title, losses_table.by_rounds(own, names, word)))
    return pages


def repeats(lines: Sequence[Line]) -> list[Line]:
    """Merge consecutive equal lines into one, with their number appended: ``(x3)``."""
    found: list[tuple[Line, int]] = []
    for line in lines:
        if found and found[-1][0].text == line.text and found[-1][0].seat == line.seat:
            found[-1] = line, found[-1][1] + 1
        else:
            found.append((line, 1))
    return [
        line if count == 1 else replace(line, text=f"{line.text} (x{count})")
        for line, count in found
    ]
