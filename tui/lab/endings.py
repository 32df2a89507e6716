"""Early ends of games: rules by which a game is over before its time, and how often they are wrong."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.feed import AnyChange
from engine.core.ids import Seat
from engine.core.record import Record
from engine.core.ruleset import AnyRuleset
from tui.lab.plans import Endings


class EarlyEnd(Record, frozen=True):
    """A rule that ended a game, or would have: who had won by it, and where."""

    rule: str
    winners: tuple[Seat, ...]
    place: str
    is_audited: bool
    """True: the game was played on, and its result is the true one."""


class EndWatch:
    """One game under the rules of early ends: it is given every change."""

    def __init__(self, rules: AnyRuleset, seats: Sequence[str], endings: Endings, key: str) -> None:
        """Watch a game; its key decides if it is audited.

        Raises:
            BadQuery: the query cannot be read.
        """
        self._rules, self._seats, self._endings, self._key = rules, seats, endings, key
        self.found: EarlyEnd | None = None
        """The rule that was met first."""

    def take(self, change: AnyChange) -> bool:
        """Look at the next change; True if the game ends here."""
        return False
