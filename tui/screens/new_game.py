"""What a new game is to be: a form of rows, changed with left and right."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import OptionList

from engine.tabletop.ask import AskAmount, AskText
from tui.form import Form, Row
from tui.screens.dialog import option
from tui.screens.menu import MenuScreen
from tui.setup import NewGame


class NewGameScreen(MenuScreen[NewGame]):
    """Ends with the game to begin."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l,6", "change(1)", "Next choice", id="form.next", priority=True),
        Binding("left,h,4", "change(-1)", "Choice before", id="form.before", priority=True),
        Binding("s", "start", "Start", id="form.start"),
        Binding("escape,q", "leave", "Back", id="form.leave"),
    ]
    heading = "New game"
    keys_text = "Up, down: row   Left, right: change   Enter: type   s: start   Esc: back"

    def __init__(self, ruleset: str = "") -> None:
        super().__init__()
        self.form = Form(ruleset)

    def on_mount(self) -> None:
        """Show the rows."""
        super().on_mount()
        self._fill(0)
        self.choices.focus()

    def _rows(self) -> tuple[Row, ...]:
        return self.form.rows()

    def _fill(self, at: int) -> None:
        self.choices.clear_options()
        rows = self._rows()
        self.choices.add_options([option(row.shown) for row in rows])
        self.choices.highlighted = min(at, len(rows) - 1)

    @property
    def _at(self) -> int:
        return self.choices.highlighted or 0

    def on_option_list_option_highlighted(self) -> None:
        """Explain the row."""
        rows = self._rows()
        if self._at < len(rows):
            self.note(rows[self._at].about)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Start, type a number or a text, or take the next choice."""
        row = self._rows()[event.option_index]
        if row.name == "start":
            self.action_start()
        elif row.typed:
            self._type(row)
        else:
            self.action_change(1)

    def action_change(self, by: int) -> None:
        """The next or previous choice of a row."""
        before = len(self._rows())
        row = self._rows()[self._at]
        self.form.change(row.name, by)
        rows = self._rows()
        if len(rows) != before or row.name in {"ruleset", "scenario"}:
            self._fill(self._at)
        else:
            shown = Text(rows[self._at].shown)
            self.choices.replace_option_prompt_at_index(self._at, shown)
        self.note(rows[self._at].about)

    def action_start(self) -> None:
        """Begin."""
        self.dismiss(self.form.result())

    def _type(self, row: Row) -> None:
        from tui.screens.ask import EnterAmount, EnterText  # noqa: PLC0415 - not before it is needed

        def typed(value: str | None) -> None:
            if value is not None:
                self.form.put(row.name, value)
                self._fill(self._at)

        if row.typed == "number":
            low, high = row.span
            preset = min(max(low, row.number), high)
            self.app.push_screen(EnterAmount(AskAmount(row.label, low, high, preset)), typed)
        else:
            self.app.push_screen(EnterText(AskText(row.label, 60, self.form.seed)), typed)
