"""Positions of games: what a seat sees, and what it can do.

A *seat* is a number or a name. Where it is optional, leaving it out means full visibility in
queries about what is visible, and the seat that must act in queries about what can be done.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from engine.core.ids import REFEREE, Seat, Viewer
from engine.core.notation import write
from engine.core.record import Command
from engine.core.ruleset import AnyRuleset, Outcome
from study.lab.positions import board_text
from tui.play.seats import seat_named

SeatName: TypeAlias = int | str
"""Number or name of a seat."""


class Position:
    """Position of a game: what is visible in it, and what can be done.

    >>> position = banneret.new_game("weltendaemmerung", scenario="ford").at(0)
    >>> position
    <Position of weltendaemmerung, Eldoin to act>
    """

    def __init__(self, rules: AnyRuleset, state: Any, seats: tuple[str, ...]) -> None:
        """Use ``Game.at``."""
        self._rules, self._state, self._seats = rules, state, seats

    def __repr__(self) -> str:
        """Return the name of the game and the seat that must act, or the reason of its end."""
        outcome, seat = self.outcome, self.to_act
        told = f"over, {outcome.reason}" if outcome else f"{self._name(seat)} to act"
        return f"<{type(self).__name__} of {self.ruleset}, {told}>"

    def _name(self, seat: Seat | None) -> str:
        return "nobody" if seat is None else self.seats[seat]

    @property
    def ruleset(self) -> str:
        """Name of the ruleset."""
        return self._rules.name

    @property
    def seats(self) -> tuple[str, ...]:
        """Names of the seats."""
        return self._seats

    @property
    def state(self) -> Any:
        """State: a record that holds everything and never changes."""
        return self._state

    @property
    def owes(self) -> frozenset[Seat]:
        """Seats that the game waits for: several if all act at once, none when the game is over."""
        return self._rules.owes(self.state)

    @property
    def to_act(self) -> Seat | None:
        """First seat that the game waits for; None when the game is over."""
        return min(self.owes, default=None)

    @property
    def outcome(self) -> Outcome | None:
        """End of the game, with ``reason`` and ``winners``; None before it."""
        return self._rules.outcome(self.state)

    @property
    def is_over(self) -> bool:
        """True if the game is over."""
        return self.outcome is not None

    def seat(self, name: SeatName) -> Seat:
        """Return the number of a seat by its name.

        >>> banneret.new_game("weltendaemmerung", scenario="ford").seat("dailor")
        1

        Raises:
            Wrong: there is no such seat.
        """
        return seat_named(self.seats, str(name))

    def view(self, seat: SeatName | None = None) -> Any:
        """Return the view of a seat as a record; without a seat, the full view.

        >>> banneret.new_game("weltendaemmerung", scenario="ford").view(0).units[3]
        ... # doctest: +ELLIPSIS
        Unit(id=3, ...)

        Raises:
            Wrong: there is no such seat.
        """
        return self._rules.view(self.state, self._viewer(seat))

    def offers(self, seat: SeatName | None = None, about: int | None = None) -> Iterator[Command]:
        """Iterate over commands of a seat that will not be refused.

        Some commands with long paths or lists are left out: they are too many.

        >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
        >>> next(game.offers(about=1))
        StepUnit(unit=1, direction='up')

        Args:
            seat: by default the seat that must act.
            about: number of a piece, to yield only commands of this piece.

        Raises:
            Wrong: there is no such seat.
        """
        acting = self._acting(seat)
        return iter(()) if acting is None else self._rules.offers(self.view(acting), about)

    def legal(self, seat: SeatName | None = None) -> list[str]:
        """Return the offers as lines of notation.

        >>> banneret.new_game("weltendaemmerung", scenario="ford").legal()[-1]
        'end-phase'

        Raises:
            Wrong: there is no such seat.
        """
        return [write(command) for command in self.offers(seat)]

    def statistics(self) -> dict[str, tuple[int, ...]]:
        """Return the statistics of the seats, including numbers hidden from some seats.

        >>> banneret.new_game("weltendaemmerung", scenario="ford").statistics()["units"]
        (8, 8)
        """
        found = self._rules.statistics(self.state)
        return {name: tuple(values) for name, values in found.items()}

    def text(self, seat: SeatName | None = None) -> str:
        """Return the status and the board as text, as a seat sees them or in full.

        ``*`` marks pieces of the seat, ``!`` pieces of others.

        >>> print(banneret.new_game("weltendaemmerung", scenario="ford").text(0).splitlines()[0])
        Eldoin · Movement · round 1 of 6

        Raises:
            Wrong: there is no such seat.
        """
        viewer = self._viewer(seat)
        return board_text(self._rules, self._rules.view(self.state, viewer), viewer)

    def _viewer(self, seat: SeatName | None) -> Viewer:
        return REFEREE if seat is None else self.seat(seat)

    def _acting(self, seat: SeatName | None) -> Seat | None:
        return self.to_act if seat is None else self.seat(seat)
