"""Attendance at a hosted game: which of its people are still there, and why the game pauses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from engine.core.ids import PUBLIC, Seat
from engine.core.record import Record
from engine.tabletop.presenter import presenter_of
from host.server.people import Person
from host.server.ports import until_back
from host.server.seating import GameSeats
from tui.play.table import Table

MOST_LAPSES: Final = 3
"""Number of consecutive turns without time left after which a person counts as gone."""

_ROUNDS: Final = 1
"""Number of full rounds without a decision after which a seat counts as out of the game."""


class GameStatus(Record, frozen=True):
    """Status of a game, as everyone may know it."""

    owes: frozenset[Seat]
    text: str
    over: bool
    entries: int
    turn: int = 0
    """Number of turns that have ended since the game was opened."""
    round: int = 0
    round_text: str = ""
    """Round in the game's own word, with the last one if any."""

    def is_as(self, other: GameStatus) -> bool:
        """Return whether both statuses look the same in a list of games."""
        return (self.owes, self.text, self.over) == (other.owes, other.text, other.over)


def status_of(table: Table, turns: int) -> GameStatus:
    """Return the public status of a game in which ``turns`` turns have ended."""
    game, rules = table.game, table.rules
    status = presenter_of(rules).status(game.view(PUBLIC))
    return GameStatus(
        owes=rules.owes(game.state),
        text=status.text,
        over=rules.outcome(game.state) is not None,
        entries=len(game.log),
        turn=turns,
        round=status.round,
        round_text=status.round_text,
    )


def closing(table: Table, seat: Seat) -> tuple[str, ...]:
    """Return the lines that end a seat's turn with its orders so far; () if there are none."""
    return presenter_of(table.rules).closing(table.game.view(seat))


class Attendance:
    """Which people of one game are present or out of time, and which have a stand-in for a turn."""

    def __init__(
        self,
        seating: GameSeats,
        lapses: Mapping[Seat, int],
        now: GameStatus,
        *,
        is_awaited: bool = False,
    ) -> None:
        """Start with the status ``now`` of the game.

        ``lapses`` is the number of consecutive turns in which the clock of each seat ran out.
        ``is_awaited`` is True for a game after a start of its host; it rests until the first of its
        people is back.
        """
        self._seating = seating
        self._lapses = dict(lapses)
        self._for_a_turn: set[Seat] = set()
        """Seats of people that a computer player plays for the current turn only."""
        self._present: dict[object, Person] = {}
        self.is_awaited = is_awaited and bool(seating.people)
        """True if none of the people has been back since the host started."""
        self._unseen_since = now.turn - 1 if lapses else None
        """Turn of the first clock that ran out since any of the people was last seen."""
        self._is_unseen = sum(lapses.values()) > 1
        """True if a clock also ran out in a later turn, without any of the people looking."""
        self._asked = dict.fromkeys(seating.seats, now.round)
        """Round of each seat's latest decision; initially that of the opening."""
        self._now = now

    # -- coming and going --------------------------------------------------------------------------

    def come(self, place: object, person: Person) -> None:
        """Note that a person looks at the game, until ``go``."""
        self._present[place] = person
        if person.number in self._seating.people.values():
            self._see()

    def go(self, place: object) -> bool:
        """Note that a person stops looking at the game; return False if the person did not look."""
        return self._present.pop(place, None) is not None

    def come_back(self, seats: Iterable[Seat]) -> tuple[Seat, ...]:
        """Reset the lapses of seats; return the seats that had any."""
        self._see()
        return tuple(seat for seat in seats if self._lapses.pop(seat, 0))

    # -- clocks and stand-ins ----------------------------------------------------------------------

    def lapse(self, seat: Seat) -> None:
        """Note that the clock of a seat has run out."""
        self._lapses[seat] = self._lapses.get(seat, 0) + 1
        people = set(self._seating.people.values())
        if any(person.number in people for person in self._present.values()):
            self._see()
        elif self._unseen_since is None:
            self._unseen_since = self._now.turn
        else:
            self._is_unseen = self._now.turn > self._unseen_since

    def _see(self) -> None:
        self._unseen_since, self._is_unseen, self.is_awaited = None, False, False

    def stand_in(self, seat: Seat, level: str) -> None:
        """Let a computer player of a level play a seat until the seat's turn is over."""
        self._seating.bots[seat] = level
        self._for_a_turn.add(seat)

    def is_for_a_turn(self, seat: Seat) -> bool:
        """Return whether a computer player plays a seat until its turn is over."""
        return seat in self._for_a_turn

    def seated(self, seat: Seat) -> None:
        """Note that a person, or a computer player placed by hand, has taken a seat."""
        self._for_a_turn.discard(seat)
        self._lapses.pop(seat, None)

    def follow(self, now: GameStatus, *, together: bool) -> frozenset[Seat]:
        """Take the status after an entry; return the seats whose turn is over with it.

        These go back to their people. A decision of another seat in the middle of a turn ends no
        turn. ``together`` is True if all seats take their turns at the same time.
        """
        before, self._now = self._now, now
        self._asked |= dict.fromkeys(now.owes, now.round)
        if now.turn == before.turn:
            return frozenset()
        is_over = together or now.round != before.round
        ended = frozenset(self._seating.seats) - (frozenset() if is_over else now.owes)
        for seat in ended & self._for_a_turn:
            self._for_a_turn.discard(seat)
            self._seating.bots.pop(seat, None)
        return ended

    def is_asked(self, seat: Seat) -> bool:
        """Return whether a seat was asked for a decision in this round or the one before."""
        return self._now.round - self._asked[seat] <= _ROUNDS

    # -- who is left -------------------------------------------------------------------------------

    @property
    def is_deserted(self) -> bool:
        """True if the game began with people, and none of them is left or back yet."""
        seating = self._seating
        if self.is_awaited:
            return True
        is_left = not self._is_unseen and any(map(self._is_left, seating.people))
        return seating.began_with_people and not is_left

    @property
    def paused(self) -> str:
        """Reason for a pause, as the end of "The game is paused"; empty if it is not paused.

        A game in which no person has a seat is open rather than paused.
        """
        if not self._seating.people or not self.is_deserted:
            return ""
        return until_back(self._seating.owner(seat) for seat in self._seating.people)

    def _is_left(self, seat: Seat) -> bool:
        """Return whether the game can wait for a seat's person, or the person is looking."""
        by_hand = seat in self._seating.bots and seat not in self._for_a_turn
        if by_hand or not self.is_asked(seat):
            number = self._seating.people[seat]
            return any(person.number == number for person in self._present.values())
        return self._lapses.get(seat, 0) < MOST_LAPSES
