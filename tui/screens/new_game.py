"""The form of a new game: rows that are changed with left and right, beside the board.

The house rules have a page of their own, which is closed at first.
"""

from __future__ import annotations

from typing import ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from engine.core.options import OptionFault
from engine.tabletop.ask import AskAmount, AskText
from engine.tabletop.board import Line
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import Tone
from tui.play.form import DONE, HOUSE, Form, FormRow
from tui.play.outcome import numbers
from tui.play.setup import NewGame
from tui.screens.dialog import ChoiceList
from tui.screens.frame import ask
from tui.screens.menu import MenuScreen
from tui.settings import keys
from tui.terminal.capabilities import WIDE
from tui.widgets.overview import BoardPicture
from tui.widgets.panels import Rows

_NARROWEST: Final = 15
_WIDE: Final = 24
_FEWEST: Final = 5
_MOST: Final = 9
"""Rows for the numbers: the maximum in wide windows, and the minimum and maximum in others."""


class NewGameScreen(MenuScreen[NewGame]):
    """Form of a new game. It closes with the game to begin."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("form")
    heading = "New game"
    keys_text = (
        "Up, down: row   {key:form.before}, {key:form.next}: change   "
        "{key:form.start}: start   {key:form.house}: house rules   {key:form.leave}: back"
    )

    def __init__(self, ruleset: str = "", *, hosted: bool = False) -> None:
        super().__init__()
        self.form = Form(ruleset, hosted=hosted)
        self._wide = _NARROWEST
        """Columns for the labels of the rows."""
        self._in_house = False
        """True while the house rules are open."""

    def middle(self) -> ComposeResult:
        """Yield the form, and the scenario as a picture and in numbers."""
        yield ChoiceList()
        with Vertical(id="aside"):
            yield BoardPicture(id="picture")
            yield Rows(id="facts")

    def on_mount(self) -> None:
        """Focus the first row."""
        self.choices.focus()

    def dress(self) -> None:
        """Apply the chosen colours, also to the remarks in the rows."""
        super().dress()
        self._fill(self._at)

    def share_room(self) -> None:
        """Show as much about the scenario as fits."""
        super().share_room()
        self.call_after_refresh(self._show_scenario)

    def _rows(self) -> tuple[FormRow, ...]:
        return self.form.house_rows() if self._in_house else self.form.rows()

    def _fill(self, at: int) -> None:
        self.choices.clear_options()
        rows = self._rows()
        self._wide = max(_NARROWEST, *(len(row.label) for row in rows))
        self.choices.add_options([Option(self._text(row)) for row in rows])
        self.choices.highlighted = min(at, len(rows) - 1)
        self._show_scenario()

    def _text(self, row: FormRow) -> Text:
        """Return a row with a muted label, so that the values stand out."""
        text = Text(row.shown(self._wide), no_wrap=True, overflow="ellipsis")
        if row.value:
            text.stylize(self.ink(Tone.QUIET), 0, self._wide)
        else:
            text.stylize(self.ink(Tone.STRONG))
        if row.remark:
            text.append(f" {row.remark}", style=self.ink(Tone.GOOD))
        return text

    def _show_scenario(self) -> None:
        """Show the scenario's board, facts, numbers by player and, in wide windows, its summary.

        Until the widget has a width, this does nothing: lines would be wrapped at zero columns.
        """
        form = self.form
        found, symbols = form.preview, presenter_of(form.rules).symbols
        if found.board is not None:
            self.query_one(BoardPicture).put(symbols, found.board)
        facts = self.query_one("#facts", Rows)
        if not facts.size.width:
            return
        lines = [Line(text, Tone.STRONG) for text in form.facts]
        lines.append(Line(""))
        if self.app.size.width >= WIDE:
            lines += [*found.summary, Line("")]
        width = facts.size.width
        lines += numbers(found.numbers or {}, form.players, None, width, form.texts)
        if found.fault:
            lines = [Line(found.fault, Tone.BAD)]
        rows = facts.wrapped(lines)
        wide = self.app.size.width >= WIDE
        facts.styles.height = min(max(_FEWEST, len(rows)), _WIDE if wide else _MOST)
        facts.put(rows)

    @property
    def _at(self) -> int:
        return self.choices.highlighted or 0

    def on_option_list_option_highlighted(self) -> None:
        """Explain the row."""
        rows = self._rows()
        if self._at < len(rows):
            self.note(rows[self._at].about)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Start the game, ask for a number or a text, or take the next choice."""
        rows = self._rows()
        if event.option_index >= len(rows):  # rows have disappeared since the click
            return
        row = rows[event.option_index]
        if row.name == "start":
            self.action_start()
        elif row.name in {HOUSE, DONE}:
            self.action_house()
        elif row.typed:
            self._type(row)
        else:
            self.action_change(1)

    def action_change(self, by: int) -> None:
        """Take the next or previous choice of a row."""
        before = self._rows()
        row = before[self._at]
        if row.name == HOUSE:
            self.action_house()
            return
        self.form.change(row.name, by)
        rows = self._rows()
        if len(rows) != len(before) or row.name in {"ruleset", "scenario"}:
            self._fill(self._at)
        else:
            self._update(before, rows)
        self.note(rows[self._at].about)

    def _update(self, before: tuple[FormRow, ...], rows: tuple[FormRow, ...]) -> None:
        """Draw the rows that a change of one of them has changed, and the scenario that follows."""
        for number, (old, new) in enumerate(zip(before, rows, strict=True)):
            if new != old:
                self.choices.replace_option_prompt_at_index(number, self._text(new))
        self._show_scenario()

    def action_house(self) -> None:
        """Open the house rules, or close them."""
        self._in_house = not self._in_house
        self.heading = "New game: house rules" if self._in_house else "New game"
        self.dress()
        names = [row.name for row in self._rows()]
        self._fill(1 if self._in_house else names.index(HOUSE))

    def action_leave(self) -> None:
        """Go back to the first page; on the first page, close the form."""
        if self._in_house:
            self.action_house()
        else:
            super().action_leave()

    def action_start(self) -> None:
        """Close with the game to begin."""
        self.dismiss(self.form.result())

    def _type(self, row: FormRow) -> None:
        from tui.screens.ask import EnterAmount, EnterText  # noqa: PLC0415 - not before it is needed

        def typed(value: str) -> None:
            fault = ""
            try:
                self.form.put(row.name, value)
            except OptionFault as problem:
                fault = str(problem)
            self._fill(self._at)
            self.fault(fault)

        if row.typed == "number":
            low, high = row.span
            preset = min(max(low, row.number), high)
            ask(self.app, EnterAmount(AskAmount(row.label, low, high, preset)), typed)
        else:
            preset_text = self.form.name if row.name == "name" else self.form.seed
            ask(self.app, EnterText(AskText(row.label, 60, preset_text)), typed)
