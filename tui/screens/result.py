"""How a game ended."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import OptionList

from engine.core.ruleset import AnyRuleset
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone
from tui.plain.table import Table
from tui.screens.dialog import Choices, Dialog, option
from tui.session import Session

_WAYS = (("replay", "Watch the replay"), ("look", "Look at the map"), ("left", "Back to the title"))


class ResultScreen(Dialog[str]):
    """Who won, why, and numbers per seat."""

    def __init__(self, table: Table, session: Session) -> None:
        lines = list(session.presenter.summary(session.view))
        lines += statistics(table.rules, table.game.state, table)
        super().__init__(session.status.text, lines)

    def body(self) -> ComposeResult:
        """What to do next."""
        yield Choices(*(option(label, value=value) for value, label in _WAYS))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """That."""
        self.dismiss(event.option_id)


def statistics(rules: AnyRuleset, state: object, table: Table) -> list[Line]:
    """A small table of the ruleset's numbers, a row for each."""
    numbers = rules.statistics(state)
    if not numbers:
        return []
    names = [player.name[:10] for player in table.players]
    widest = max(len(name) for name in numbers)
    rows = [" " * widest + "".join(f"{name:>12}" for name in names)]
    for name, values in numbers.items():
        rows.append(f"{name:<{widest}}" + "".join(f"{value:>12}" for value in values))
    return [Line(""), *(Line(row, Tone.NORMAL) for row in rows)]
