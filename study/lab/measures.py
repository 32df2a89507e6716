"""Measures of a game: its length, the changes of the lead, the number of real decisions.

All are whole numbers that a game's key determines. ``DEFINITIONS`` defines them in these terms. A
*round* is that of the game's status, counted from the round in which the game begins. A *turn* is
everything that one seat does between two ends of phases, if it does anything; if a round has
several phases, each seat has several turns in it. A seat *leads* at the end of a round if it alone
has the highest leading statistic of the game. A game is *drawn* if no seat won, or all did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Final

from engine.core.feed import AnyChange
from engine.core.ids import REFEREE, Seat
from engine.core.notation import write
from engine.core.record import Command
from engine.core.ruleset import AnyRuleset, Outcome
from engine.tabletop.board import NOBODY
from engine.tabletop.presenter import presenter_of

DEFINITIONS: Final[Mapping[str, str]] = {
    "rounds": "Rounds up to the one in which the last command was given.",
    "turns": "Turns of all seats.",
    "dead_turns": "Turns of a single command that names nothing, such as end-turn.",
    "commands": "Commands that were carried out.",
    "lead_changes": "Ends of rounds at which another seat leads than the one that led last.",
    "led_from": (
        "Round from whose end on a winner led at the end of every round; 0 if none led at the last,"
        " or if the game is drawn."
    ),
    "rounds_behind": "Ends of rounds at which a seat led that did not win; 0 if the game is drawn.",
    "margin": (
        "Thousandths of all seats' number by which the best winner has more than the best other"
        " seat at the end, rounded down; 0 if the game is drawn."
    ),
    "drawn": "1 if nobody won, or everybody; else 0.",
    "first_seat": "Seat that gave the first command; -1 if there was none.",
    "first_won": "1 if the game is not drawn and that seat has won; else 0.",
}
"""The measures of a game by name, each defined in a sentence."""


_BATCH: Final = 64
"""Number of ends of phases that are inspected together."""


class GameMeter:
    """Measures one game while it is played.

    It computes the round of a state only where needed to find the ends of rounds among the ends of
    phases. Rounds never go back, and most have as many phases as the one before.
    """

    def __init__(self, rules: AnyRuleset, seats: int) -> None:
        self._rules, self._seats = rules, seats
        self._presenter = presenter_of(rules)
        self._state: Any = None
        self._begun = self._before = self._now = 0
        """Round in which the game began, the last one that ended, and the current one."""
        self._ends: list[Any] = []
        """States at ends of phases that were not inspected yet."""
        self._since, self._usual = 0, 1
        """Number of ends of phases since the last end of a round, and in the round before."""
        self._is_closed = False
        """True if the last command ended a phase."""
        self._commands = self._turns = self._dead = 0
        self._phase: dict[Seat, list[Command]] = {}
        """The first two commands of each seat since the last end of a phase."""
        self._leads: list[tuple[int, Seat]] = []
        """(round, seat that led at its end), in order."""
        self._opener: Seat = NOBODY

    def take(self, change: AnyChange) -> None:
        """Process the next change of the game."""
        entry = change.entry
        if entry is None:
            return
        is_first, self._state = self._state is None, change.after
        if is_first:
            self._begun = self._now = self._round(self._state)
        if entry.command is None:
            return
        if not self._commands:
            self._opener = entry.seat
        self._commands += 1
        given = self._phase.setdefault(entry.seat, [])
        if len(given) < 2:
            given.append(entry.command)
        self._is_closed = any(event.ends_phase for event in entry.events)
        if self._is_closed:
            self._count_turns()
            self._ends.append(self._state)
            if len(self._ends) == _BATCH:
                self._find_rounds()

    def measures(self, outcome: Outcome) -> dict[str, int]:
        """Return the measures by name; empty before the first change."""
        if self._state is None:
            return {}
        self._count_turns()
        self._find_rounds()
        played = self._before if self._is_closed and not self._since else self._now
        if self._commands and (not self._leads or self._leads[-1][0] != played):
            self._leads.append((played, self._leader(self._state)))
        drawn = len(outcome.winners) in {0, self._seats}
        winners = () if drawn else outcome.winners
        return {
            "rounds": played - self._begun + 1 if self._commands else 0,
            "turns": self._turns,
            "dead_turns": self._dead,
            "commands": self._commands,
            "lead_changes": self._lead_changes(),
            "led_from": self._led_from(winners),
            "rounds_behind": self._behind(winners),
            "margin": self._margin(winners),
            "drawn": int(drawn),
            "first_seat": self._opener,
            "first_won": int(self._opener in winners),
        }

    # -- rounds and turns ------------------------------------------------------------------------

    def _round(self, state: Any) -> int:
        return self._presenter.status(self._rules.view(state, REFEREE)).round

    def _find_rounds(self) -> None:
        """Find the ends of rounds among the ends of phases, and the leaders there."""
        known: dict[int, int] = {}

        def number(at: int) -> int:
            if at not in known:
                known[at] = self._round(self._ends[at])
            return known[at]

        last = -1 - self._since
        while (at := self._next(number, last)) is not None:
            self._leads.append((self._now, self._leader(self._ends[at])))
            self._before, self._now = self._now, number(at)
            self._usual, last = at - last, at
        self._since = len(self._ends) - 1 - last
        self._ends.clear()

    def _next(self, number: Callable[[int], int], last: int) -> int | None:
        """Return the first end of a phase after ``last`` that also ends a round, or None."""
        low, high = max(last, -1), len(self._ends) - 1
        guess = last + self._usual
        if low < guess <= high:
            if number(guess) == self._now:
                low = guess
            elif guess - 1 <= low or number(guess - 1) == self._now:
                return guess
            else:
                high = guess - 1
        if high <= low or number(high) == self._now:
            return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if number(middle) == self._now else (low, middle)
        return high

    def _count_turns(self) -> None:
        self._turns += len(self._phase)
        self._dead += sum(map(_is_dead, self._phase.values()))
        self._phase = {}

    # -- the lead --------------------------------------------------------------------------------

    def _numbers(self, state: Any) -> tuple[int, ...]:
        """Return the leading statistic of each seat."""
        return tuple(self._rules.statistics(state).get(self._presenter.lead, ()))

    def _leader(self, state: Any) -> Seat:
        numbers = self._numbers(state)
        best = [seat for seat, number in enumerate(numbers) if number == max(numbers)]
        return best[0] if len(best) == 1 else NOBODY

    def _lead_changes(self) -> int:
        leaders = [seat for _, seat in self._leads if seat != NOBODY]
        return sum(one != other for one, other in pairwise(leaders))

    def _led_from(self, winners: tuple[Seat, ...]) -> int:
        found = 0
        for number, seat in reversed(self._leads):
            if seat not in winners:
                break
            found = number - self._begun + 1
        return found

    def _behind(self, winners: tuple[Seat, ...]) -> int:
        return sum(bool(winners) and seat not in (*winners, NOBODY) for _, seat in self._leads)

    def _margin(self, winners: tuple[Seat, ...]) -> int:
        numbers = self._numbers(self._state)
        total = sum(numbers)
        if not winners or total <= 0:
            return 0
        own = max(numbers[seat] for seat in winners)
        others = max(number for seat, number in enumerate(numbers) if seat not in winners)
        return 1000 * (own - others) // total


def _is_dead(commands: list[Command]) -> bool:
    """Return whether a turn has a single command with a notation of one word."""
    return len(commands) == 1 and " " not in write(commands[0])
