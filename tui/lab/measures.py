"""Measures of a game: how long it was, how often the lead changed, how much was decided in it."""

from __future__ import annotations

from engine.core.feed import AnyChange
from engine.core.ruleset import AnyRuleset, Outcome


class GameMeter:
    """Measures of one game, taken as it is played."""

    def __init__(self, rules: AnyRuleset, seats: int) -> None:
        """Measure nothing yet."""
        self._rules, self._seats = rules, seats

    def take(self, change: AnyChange) -> None:
        """Take in the next change of the game."""

    def measures(self, outcome: Outcome) -> dict[str, int]:
        """The measures by name, as whole numbers."""
        return {}
