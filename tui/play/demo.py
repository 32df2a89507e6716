"""Demonstration game: computer players on the title screen, while nobody does anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.core.feed import AnyChange
from engine.core.game import Bug, Game
from engine.core.ids import PUBLIC, Seat
from engine.core.record import Command
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset, Scenario
from engine.tabletop.board import Board
from engine.tabletop.presenter import presenter_of
from tui.play.players import think
from tui.play.setup import usual_players

TOGETHER: Final = 5
"""Commands without dice that are shown at once, so that a march does not take all evening."""

REST: Final = 12
"""Number of steps for which the end of a game stays on the screen."""


def fitting(rules: AnyRuleset, columns: int, rows: int) -> Scenario:
    """Scenario with the largest board that fits a pane, else the one with the smallest board."""
    sizes: list[tuple[int, Scenario]] = []
    least: tuple[int, Scenario] | None = None
    for scenario in rules.scenarios().values():
        board = Demo(rules, scenario).board
        size = board.width * board.height
        if least is None or size < least[0]:
            least = size, scenario
        if board.width <= columns and board.height <= rows:
            sizes.append((size, scenario))
    assert least is not None  # noqa: S101 - a ruleset has scenarios
    return max(sizes, key=lambda found: found[0], default=least)[1]


class Demo:
    """Demonstration games one after the other, always the same ones."""

    def __init__(self, rules: AnyRuleset, scenario: Scenario) -> None:
        """Set up the first game."""
        self.rules = rules
        self.presenter = presenter_of(rules)
        self.scenario = scenario
        self.spots: tuple[tuple[int, int], ...] = ()
        """Cell of the last step."""
        self.words = ""
        """Text of the last event that was told."""
        self.is_stuck = False
        """True if the computer players cannot go on."""
        self._games = 0
        self._begin()

    @property
    def view(self) -> Any:
        """View of the public."""
        return self._game.view(PUBLIC)

    @property
    def board(self) -> Board:
        """Board as it stands."""
        return self.presenter.board(self.view, self.presenter.zooms[0])

    @property
    def title(self) -> str:
        """Status as it stands."""
        return f"{self.scenario.title}: {self.presenter.status(self.view).text}"

    def step(self) -> None:
        """Play on: one throw of dice, or some moves without any."""
        self.spots = ()
        if self.rules.outcome(self._game.state) is not None:
            self._rested += 1
            if self._rested > REST:
                self._begin()
            return
        for _ in range(TOGETHER):
            if not self._play_one() or self._game.log.entries[-1].throws:
                return
            if self.rules.outcome(self._game.state) is not None:
                return

    def _begin(self) -> None:
        self._seed = self._games.to_bytes(8, "big")
        self._games += 1
        self._rested = 0
        self._plan: list[Command] = []
        self._planner: Seat = 0
        self._game = Game.begin(self.rules, self.scenario, {}, self._seed, on_bug=self._fault)
        self._game.listen(self._hear)
        self.words = ""
        self._levels = {p.seat: p.bot for p in usual_players(self.rules, self.scenario)}

    def _play_one(self) -> bool:
        """Play one command; False if there was none to play."""
        owing = self.rules.owes(self._game.state)
        fresh = not self._plan or self._planner not in owing
        if fresh:
            self._planner = min(owing)
            self._plan = list(self._think(self._planner))
        command = self._plan.pop(0) if self._plan else None
        if command is None:
            self.is_stuck = True
            return False
        try:
            self._game.submit(self._planner, command)
        except Refused:
            self._plan = []
            self.is_stuck = fresh
            return False
        return True

    def _think(self, seat: Seat) -> Sequence[Command]:
        levels = list(self.rules.bots)
        if not levels:
            return ()
        level = self._levels.get(seat) or levels[(len(levels) - 1) // 2]
        view = self._game.view(seat)
        return think(self.rules, level, view, seat, self._seed, len(self._game.log))

    def _hear(self, change: AnyChange) -> None:
        for told in change.events(PUBLIC):
            for line in self.presenter.tell(told.event, told.after):
                self.words = line.text
                if line.at is not None:
                    self.spots += (line.at,)

    def _fault(self, _bug: Bug) -> None:
        self.is_stuck = True
