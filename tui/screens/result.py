"""Result of a game: a big word, the winner's banner, the tale of the game, numbers and a chart."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.widgets import OptionList, Static

from engine.core.ids import REFEREE
from engine.tabletop.board import NOBODY, Line
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import Tone
from tui.play.outcome import numbers
from tui.play.session import Session
from tui.play.table_protocol import TableProtocol
from tui.play.tale import tale, verdict
from tui.replay.luck import ledger, summary
from tui.screens.dialog import ChoiceList, option
from tui.screens.frame import Small
from tui.screens.menu import MenuScreen
from tui.settings import keys
from tui.style.scene import Banner, Canvas, Sky, field_of, spelt_out, word_fits
from tui.widgets.charts import SMALLEST, chart
from tui.widgets.jobs import begin, sliced
from tui.widgets.panels import Bar, Rows
from tui.widgets.scenery import Scenery

_WAYS: Final = (
    ("replay", "Watch the replay"),
    ("look", "Look at the map"),
    ("again", "Again with the same settings"),
    ("left", "Back to the title"),
)

_WIDEST: Final = 90
_HIGHEST: Final = 18
"""Columns and rows of the chart; more would only stretch it."""

_LEAST_SCENE: Final = 5
"""Rows of the scene in a window of the usual size."""

_ROOM: Final = 22
"""Rows of a window from which on there is room for a scene."""

_KEPT: Final = len(_WAYS) + 3
"""Rows for the choices and the least of the numbers."""

_ENDINGS: Final = 2
"""Sentences about the end before the tale."""

_SKIES: Final[dict[bool | None, Sky]] = {True: "dawn", False: "embers", None: "dusk"}


class _ChartArea(Static):
    """The place of the chart, which is drawn for its size."""

    def on_resize(self) -> None:
        """Draw it for the room there is now."""
        if isinstance(self.screen, ResultScreen):
            self.screen.draw_chart()


class ResultScreen(MenuScreen[str]):
    """Ends with ``replay``, ``look``, ``again`` or ``left``."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("result")
    keys_text = "Up, down, Enter: choose   {key:result.leave}: look at the map"

    def __init__(self, table: TableProtocol, session: Session) -> None:
        super().__init__()
        self.heading = session.status.text
        self._table = table
        self._session = session
        # Secrets are open once a game is over; until then a seat is told what it saw itself.
        eyes = REFEREE if table.outcome() is not None else session.viewer
        self._story = table.chronicle(eyes).story()
        here = [player.seat for player in table.players if table.is_here(player.seat)]
        self.verdict = verdict(table.outcome(), table.players, here)
        self._word = ""
        self._scenery = Scenery(self._paint, _SKIES[self.verdict.is_won], id="scenery")
        self._tale: list[Line] = []
        self._rows_of_numbers = Rows(id="numbers")

    def compose(self) -> ComposeResult:
        """The word and the tale, numbers and choices beside a chart."""
        yield Bar(id="heading")
        yield self._scenery
        yield Rows(id="why")
        with Container(id="middle"):
            with Vertical(id="left"):
                yield self._rows_of_numbers
                yield ChoiceList(*(option(label, value=value) for value, label in _WAYS))
            yield _ChartArea("", id="chart")
        yield Bar(id="keys")
        yield Small()

    def on_mount(self) -> None:
        """Say what is known at once; count the rest."""
        self.choices.focus()
        begin(self, self._count, "history")

    def on_screen_suspend(self) -> None:
        """Nobody looks."""
        self._scenery.move(on=False)

    def on_screen_resume(self) -> None:
        """Somebody looks again."""
        self.dress()

    def dress(self) -> None:
        """The scene and the lines have colours of their own."""
        super().dress()
        shell = self.shell
        if self.verdict.winner != NOBODY:
            livery = shell.palette.livery(self.verdict.winner)
            self._scenery.banner_colours = livery.ink, livery.idle_back
            if self.verdict.is_won is None:
                self._scenery.letter_colour = livery.ink
        self._scenery.dress(shell.glyphs, shell.palette)
        self._scenery.move(on=shell.may_wave and self.app.screen is self)
        self.share_room()

    # -- sharing the room --------------------------------------------------------------------------

    def share_room(self) -> None:
        """Room for the scene where there is enough; break the lines anew."""
        super().share_room()
        width, height = self.app.size
        shell = self.shell
        shown = height >= _ROOM and shell.settings.reader == "off"
        rows = max(_LEAST_SCENE, height // 4) if shown else 0
        self._scenery.display = shown
        self._scenery.styles.height = rows
        self._word = ""
        tall = 1 if shell.glyphs == "ascii" else 2
        for word in self.verdict.words:
            big = spelt_out(word)
            if shown and big and word_fits(big, width, rows, tall):
                self._word = big
                break
        self._scenery.draw_again()
        self.call_after_refresh(self._draw)

    def _paint(self, canvas: Canvas) -> Banner | None:
        return field_of(self._word, canvas)

    # -- what is told ------------------------------------------------------------------------------

    async def _count(self) -> None:
        """Walk through the game, a slice at a time."""
        async for _ in sliced(self._story.walk()):
            pass
        self._tale = tale(self._story, self._session.presenter, self._session.names)
        self._draw()

    def _draw(self) -> None:
        """Say how it ended; what stands below has its room when that is laid out."""
        why = self.query_one("#why", Rows)
        lines = [] if self._word else [Line(self.verdict.words[0], Tone.TITLE)]
        rows = why.wrapped([*lines, *self._endings(), *self._tale])
        free = self.app.size.height - self._scenery_rows - 2 - _KEPT
        rows = rows[: max(1, free)]
        why.styles.height = len(rows)
        why.put(rows)
        self.call_after_refresh(self._draw_middle)

    def _endings(self) -> list[Line]:
        """The end in the words of the game, without what the heading and the table tell."""
        session = self._session
        said = dict.fromkeys(session.presenter.summary(session.view))
        starts = tuple(f"{name}:" for name in session.names)
        lines = [
            line
            for line in said
            if line.text.rstrip(".") != self.heading and not line.text.startswith(starts)
        ]
        strong = [line for line in lines if line.tone not in {Tone.NORMAL, Tone.QUIET}]
        return (strong or lines)[:_ENDINGS]

    def _draw_middle(self) -> None:
        """The table with the choices below it, and the chart."""
        table, story, area = self._table, self._story, self._rows_of_numbers
        texts = presenter_of(table.rules).new_game
        told = numbers(table.numbers(), table.players, table.outcome(), area.size.width, texts)
        room = self.query_one("#left").size.height - len(_WAYS)
        if story.is_whole:
            fortune = ledger(moment.fact for moment in story.moments)
            luck = summary(fortune, self._session.names)
            if len(told) + 1 + len(luck) < room:
                told += [Line(""), *luck]
            self.draw_chart()
        rows = area.wrapped(told)[: max(0, room)]
        area.styles.height = min(room, len(rows) + 1)
        area.put(rows)

    @property
    def _scenery_rows(self) -> int:
        return self._scenery.size.height if self._scenery.display else 0

    def draw_chart(self) -> None:
        """Draw the number that tells who leads, round by round, once all rounds are known."""
        if not self._story.is_whole:
            return
        area, shell = self.query_one("#chart", Static), self.shell
        lead = self._session.presenter.lead
        series = self._story.history(lead)
        width, height = area.size
        if not series or width < SMALLEST[0] or height <= SMALLEST[1]:
            return
        width, rows = min(width, _WIDEST), min(height - 1, _HIGHEST)
        drawn = chart(series, self._session.names, width, rows, shell.palette, shell.glyphs)
        area.update(Text(f"{lead}, by rounds\n").append_text(drawn))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """That."""
        self.dismiss(event.option_id)
