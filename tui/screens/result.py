"""How a game ended: who won and why, numbers, luck, how it went, and what to do next."""

from __future__ import annotations

import asyncio
from typing import ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widgets import OptionList, Static

from engine.core.ids import REFEREE
from tui.play.outcome import numbers
from tui.play.session import Session
from tui.play.table_protocol import Sitting
from tui.replay.luck import ledger, summary
from tui.screens.dialog import Choices, option
from tui.screens.frame import Small
from tui.screens.menu import MenuScreen
from tui.settings import keys
from tui.widgets.charts import SMALLEST, chart
from tui.widgets.jobs import begin
from tui.widgets.panels import Bar, Rows

_WAYS: Final = (
    ("replay", "Watch the replay"),
    ("look", "Look at the map"),
    ("again", "Again with the same settings"),
    ("left", "Back to the title"),
)

_SLICE: Final = 50
"""Entries that are counted before keys have a turn."""

_WIDEST: Final = 90
_HIGHEST: Final = 18
"""Columns and rows of the chart; more would only stretch it."""


class ResultScreen(MenuScreen[str]):
    """Ends with ``replay``, ``look``, ``again`` or ``left``."""

    BINDINGS: ClassVar[list[BindingType]] = list(keys.RESULT)
    keys_text = "Up, down, Enter: choose   {key:result.leave}: look at the map"

    def __init__(self, table: Sitting, session: Session) -> None:
        super().__init__()
        self.heading = session.status.text
        self._table = table
        self._session = session
        self._story = table.chronicle(REFEREE).story()
        self._rows_of_numbers = Rows(id="numbers")

    def compose(self) -> ComposeResult:
        """Why, numbers beside a chart, what next."""
        yield Bar(id="heading")
        yield Rows(id="why")
        with Container(id="middle"):
            yield self._rows_of_numbers
            yield Static("", id="chart")
        yield Choices(*(option(label, value=value) for value, label in _WAYS))
        yield Bar(id="keys")
        yield Small()

    def on_mount(self) -> None:
        """Say what is known at once; count the rest."""
        self.choices.focus()
        begin(self, self._count, "history")

    def dress(self) -> None:
        """The lines have colours of their own."""
        super().dress()
        self.call_after_refresh(self._draw)

    def share_room(self) -> None:
        """Break the lines anew."""
        super().share_room()
        self.call_after_refresh(self._draw)

    async def _count(self) -> None:
        """Walk through the game, a slice at a time."""
        for done in self._story.walk():
            if done % _SLICE == 0:
                await asyncio.sleep(0)
        self._draw()

    def _draw(self) -> None:
        session, table, story = self._session, self._table, self._story
        why = self.query_one("#why", Rows)
        said = dict.fromkeys(session.presenter.summary(session.view))
        lines = [line for line in said if line.text.rstrip(".") != self.heading]
        if story.is_whole:
            fortune = ledger(moment.fact for moment in story.moments)
            lines += summary(fortune, [player.name for player in table.players])
            self._draw_chart()
        why.put(why.wrapped(lines))
        area = self._rows_of_numbers
        told = numbers(table.numbers(), table.players, table.outcome(), area.size.width)
        area.put(area.wrapped(told))

    def _draw_chart(self) -> None:
        """How the number that tells who leads went, round by round."""
        area, shell = self.query_one("#chart", Static), self.shell
        lead = self._session.presenter.lead
        series = self._story.history(lead)
        width, height = area.size
        if not series or width < SMALLEST[0] or height <= SMALLEST[1]:
            return
        names = [player.name for player in self._table.players]
        width, rows = min(width, _WIDEST), min(height - 1, _HIGHEST)
        drawn = chart(series, names, width, rows, shell.palette, shell.glyphs)
        area.update(Text(f"{lead}, by rounds\n").append_text(drawn))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """That."""
        self.dismiss(event.option_id)
