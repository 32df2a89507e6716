"""What a scenario is like before it is begun: its board, its options, its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.game import Game
from engine.core.ids import PUBLIC
from engine.core.options import OptionFault, Value
from engine.core.ruleset import AnyRuleset, Scenario, ScenarioFault
from engine.core.scenarios import fitted
from engine.tabletop.board import Board, Line
from engine.tabletop.presenter import presenter_of


@dataclass(frozen=True)
class Prospect:
    """A scenario set up with its own options."""

    board: Board | None = None
    options: Mapping[str, Value] | None = None
    """What each option is if nobody changes it."""
    numbers: Mapping[str, tuple[int, ...]] | None = None
    summary: tuple[Line, ...] = ()
    fault: str = ""
    """Why it cannot be set up."""

    def default(self, name: str) -> str:
        """What an option is if nobody changes it, as text; empty if that is not known."""
        value = (self.options or {}).get(name)
        return "" if value is None else str(value)


def prospect(rules: AnyRuleset, scenario: Scenario, seats: int) -> Prospect:
    """Set a scenario up for so many players to look at it."""
    try:
        game = Game.begin(rules, fitted(rules, scenario, seats), {}, bytes(16))
    except (ScenarioFault, OptionFault) as fault:
        return Prospect(fault=str(fault))
    presenter = presenter_of(rules)
    view = game.view(PUBLIC)
    return Prospect(
        board=presenter.board(view, presenter.zooms[0]),
        options=rules.setup(game.log[0].events[0])[1],
        numbers=rules.statistics(game.state),
        summary=presenter.summary(view),
    )
