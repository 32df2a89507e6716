"""Seats of a hosted game, and the table log: talk, seats taken and left, expired clocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from engine.core.archive import Notice, SeatPlayer
from engine.core.ids import Seat
from engine.core.ruleset import AnyRuleset
from engine.tabletop.new_game import level_name, listed_levels
from host.server.absences import Absences
from host.server.clocks import Terms
from host.server.people import GUEST, Person
from host.server.ports import Said
from tui.play.seats import seat_name


class GameSeats:
    """Who has which seat of one game; a person keeps a seat while a computer player plays it."""

    def __init__(
        self,
        rules: AnyRuleset,
        names: Sequence[str],
        players: Sequence[SeatPlayer],
        people: Mapping[Seat, int],
        name_of: Callable[[int], str],
    ) -> None:
        """Start with the players of the save, and the people of the game book by seat.

        ``names`` are those of the seats; ``name_of`` returns the name of a person by number.
        """
        self._rules = rules
        self._names = tuple(names)
        self._players = tuple(players)
        self._name_of = name_of
        self.people: dict[Seat, int] = dict(people)
        """Numbers of the people by seat."""
        self.bots = {player.seat: player.bot for player in players if player.bot}
        """Levels of the computer players that play a seat now."""
        self._peeped: set[tuple[int, Seat]] = set()

    # -- as it is ----------------------------------------------------------------------------------

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats."""
        return tuple(player.seat for player in self._players)

    @property
    def began_with_people(self) -> bool:
        """True if at least one seat was for a person when the game began."""
        return any(not player.bot for player in self._players)

    @property
    def has_guests(self) -> bool:
        """True if a guest has a seat; seats of guests are not stored on the disk."""
        return any(number <= GUEST for number in self.people.values())

    @property
    def free(self) -> tuple[Seat, ...]:
        """Free seats."""
        taken = {*self.people, *self.bots}
        return tuple(player.seat for player in self._players if player.seat not in taken)

    @property
    def players(self) -> tuple[SeatPlayer, ...]:
        """Players by seat, with the names of their people if any."""
        return tuple(
            SeatPlayer(player.seat, self._named(player.seat), self.bots.get(player.seat, ""))
            for player in self._players
        )

    def of(self, person: Person) -> tuple[Seat, ...]:
        """Return the seats of a person, even those that a computer plays now."""
        return tuple(
            seat for seat, number in sorted(self.people.items()) if number == person.number
        )

    def called(self, seat: Seat) -> str:
        """Return the name of a seat in the ruleset."""
        return seat_name(self._names, seat)

    def owner(self, seat: Seat) -> str:
        """Return the name of the person of a seat, or an empty text."""
        number = self.people.get(seat)
        return self._name_of(number) if number is not None else ""

    def _named(self, seat: Seat) -> str:
        return self.owner(seat) or self.called(seat)

    @contextmanager
    def reserved(self, seat: Seat, person: int | None) -> Iterator[None]:
        """Give a seat to a person, or free it (None); undo that if the ``with`` block fails."""
        before = self.people.get(seat)
        self._give(seat, person)
        try:
            yield
        except BaseException:
            self._give(seat, before)
            raise

    def _give(self, seat: Seat, person: int | None) -> None:
        if person is None:
            self.people.pop(seat, None)
        else:
            self.people[seat] = person

    # -- what may be -------------------------------------------------------------------------------

    def may_sit(self, person: Person, seat: Seat) -> str:
        """Return why a person cannot take a seat, or an empty text."""
        owner = self.people.get(seat)
        own, stood_in = owner == person.number, seat in self.bots
        reasons = (
            (not self._is_seat(seat), "There is no such seat."),
            (not person.may_play or person.number == GUEST, "Guests may only watch here."),
            (not own and (owner is not None or stood_in), "Somebody has this seat."),
            (own and not stood_in, "You sit there already."),
            (
                any(who == person.number and what != seat for who, what in self._peeped),
                "Who has seen what another seat hides cannot play this one.",
            ),
        )
        return next((reason for holds, reason in reasons if holds), "")

    def may_stand(self, person: Person, seat: Seat, bot: str) -> str:
        """Return why a person cannot leave a seat, or an empty text.

        ``bot`` is the level of the computer player that takes over, if any.
        """
        if self.people.get(seat) != person.number:
            return "You do not have this seat."
        return self._no_level(bot) if bot else ""

    def may_replace(self, by: Person, seat: Seat, bot: str, *, is_here: bool) -> str:
        """Return why ``by`` cannot let a computer player stand in for an absent person, or ""."""
        if not self.of(by):
            return "Only who plays can ask for that."
        if seat in self.bots or not self._is_seat(seat):
            return "This seat needs nobody."
        if is_here:
            needed = "two minutes of absence are needed"
            return f"{self.owner(seat)} is here, or was a moment ago: {needed}."
        return self._no_level(bot)

    def note_peeping(self, person: Person, seat: Seat) -> None:
        """Note that a person has seen the secrets of a seat that is not, or no longer, theirs."""
        if self._rules.traits.hidden:
            self._peeped.add((person.number, seat))

    @property
    def peeped(self) -> tuple[tuple[int, Seat], ...]:
        """(person, seat of another person whose secrets the person has seen)."""
        return tuple(sorted(self._peeped))

    def take_up(self, bots: Mapping[Seat, str], peeped: Sequence[tuple[int, Seat]]) -> None:
        """Restore stand-ins and seen secrets from before, if their seats and levels still exist."""
        self.bots |= {
            seat: level
            for seat, level in bots.items()
            if self._is_seat(seat) and level in self._rules.bots
        }
        self._peeped |= set(peeped)

    def _is_seat(self, seat: Seat) -> bool:
        return any(player.seat == seat for player in self._players)

    def _no_level(self, level: str) -> str:
        if level in self._rules.bots:
            return ""
        return f"There is no level {level}; there are {listed_levels(self._rules.bots)}."


# -- table log -------------------------------------------------------------------------------------


MOST_TALK: Final = 500
"""Maximum number of remembered lines; the save has all of them."""

EXPIRED: Final = "expired"
"""Text of a notice about a clock that has run out."""

_TERMS: Final = "terms"
"""First word of the text of a notice about the earlier terms of a running turn."""


def terms_text(terms: Terms) -> str:
    """Return the text of a notice about the earlier terms of a running turn."""
    return f"{_TERMS} {terms.turn} {terms.bank}"


def _terms_in(text: str) -> Terms | None:
    """Return the terms in the text of a notice, or None."""
    match text.split():
        case [word, turn, bank] if word == _TERMS and turn.isdecimal() and bank.isdecimal():
            return Terms(turn=int(turn), bank=int(bank))
        case _:
            return None


class LoggedState(NamedTuple):
    """State of the seats that follows from all notices of a save."""

    bots: Mapping[Seat, str]
    """Levels of computer players that stand in at the wish of people."""
    left: Mapping[Seat, int]
    """Seconds in the banks of the clocks that are not full."""
    before: Mapping[Seat, Terms]
    """Terms of seats whose turn began under earlier ones."""
    lapses: Mapping[Seat, int]
    """Times that each seat's clock has run out since its person was last back."""


class TableLog:
    """The latest notices about a table, as text."""

    def __init__(self, seat_name: Callable[[Seat], str], absences: Absences) -> None:
        """Start empty; ``seat_name`` returns the name of a seat in the game."""
        self._seat_name = seat_name
        self._absences = absences
        self._said: list[Said] = []

    def said(self) -> tuple[Said, ...]:
        """Return the lines of the log, earliest first; only lines of talk have a name."""
        return tuple(self._said)

    def note(self, notice: Notice) -> None:
        """Add a notice."""
        if words := self._in_words(notice):
            name = notice.name if notice.kind == "talk" else ""
            self._said.append(Said(name, words, notice.when))
            del self._said[:-MOST_TALK]

    def take_up(self, notices: Iterable[Notice]) -> LoggedState:
        """Add all notices of a save; return the state of the seats after them."""
        bots: dict[Seat, str] = {}
        left: dict[Seat, int] = {}
        before: dict[Seat, Terms] = {}
        lapses: Counter[Seat] = Counter()
        for notice in notices:
            self.note(notice)
            if notice.kind == "clock" and self._absences.take_up(notice):
                continue
            if notice.kind == "clock" and notice.text == EXPIRED:
                lapses[notice.seat] += 1
            elif notice.kind == "clock":
                left[notice.seat] = notice.left
                before.pop(notice.seat, None)
                if (terms := _terms_in(notice.text)) is not None:
                    before[notice.seat] = terms
            elif notice.kind == "seat":
                lapses.pop(notice.seat, None)
                bots.pop(notice.seat, None)
                if notice.bot:
                    bots[notice.seat] = notice.bot
        return LoggedState(bots, left, before, lapses)

    def _in_words(self, notice: Notice) -> str:
        if notice.kind == "talk":
            return notice.text
        seat = self._seat_name(notice.seat)
        if notice.kind == "clock":
            if notice.text != EXPIRED:
                return ""
            level = level_name(notice.bot)
            taken = f" The computer ({level}) plays the rest of this turn." if notice.bot else ""
            return f"{seat} has no time left.{taken}"
        if notice.bot:
            return f"The computer ({level_name(notice.bot)}) plays {seat} for now."
        return f"{notice.name} plays {seat}." if notice.name else f"{seat} is free."
