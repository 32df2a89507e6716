"""Clocks of hosted games: the agreed terms, the time left to each seat, and the alarm."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Collection, Iterable, Mapping
from typing import Final, Protocol

from engine.core.ids import Seat
from engine.core.record import Record

LONGEST_SPAN: Final = 365
"""Maximum length of a time span in days."""

_DAY: Final = 86_400
_SPANS: Final = {"s": 1, "m": 60, "h": 3_600, "d": _DAY}
"""Seconds of each unit of time."""

_MOST_DIGITS: Final = 9

OVERTIME: Final = 30
"""Seconds per turn of a seat whose bank is empty, if the terms give no time per turn."""


class Terms(Record, frozen=True):
    """Terms of a hosted game: its clock, spectators and pace."""

    turn: int = 0
    """Seconds for each turn, before the bank is used."""
    bank: int = 0
    """Seconds for all overtime of a game; if ``turn`` is 0 too, there is no clock."""
    late: str = ""
    """Level of the computer player that ends a turn out of time; empty for the first level."""
    watched: bool = True
    """True if everyone may watch the public view."""
    pace: float = 0.15
    """Seconds between two moves of a computer player."""

    @property
    def has_clock(self) -> bool:
        """True if there is a clock."""
        return self.turn > 0 or self.bank > 0

    @property
    def in_words(self) -> str:
        """The times in words; empty without a clock."""
        if not self.turn:
            return f"{in_words(self.bank)} for the whole game" if self.bank else ""
        spare = f", and {in_words(self.bank)} to spare" if self.bank else ""
        return f"{in_words(self.turn)} a turn{spare}"


def in_words(seconds: float) -> str:
    """Return a time as text: ``45s``, ``3:05``, ``2h 10m``, ``3d 4h``."""
    left = max(0, int(seconds))
    if left < 60:
        return f"{left}s"
    if left < 3600:
        return f"{left // 60}:{left % 60:02}"
    if left < 86400:
        return f"{left // 3600}h {left % 3600 // 60}m"
    return f"{left // 86400}d {left % 86400 // 3600}h"


def span(text: str) -> int:
    """Parse a time such as ``90s``, ``5m``, ``12h`` or ``1d`` into seconds; ``0`` is 0.

    Raises:
        ValueError: it is something else, or longer than a year; the text explains it in a line.
    """
    amount, unit = (text, "s") if text == "0" else (text[:-1], text[-1:].lower())
    is_number = amount.isascii() and amount.isdecimal() and len(amount) <= _MOST_DIGITS
    if unit not in _SPANS or not is_number:
        message = f"{text[:20]!r} is no span of time: 90s, 5m, 12h or 1d"
        raise ValueError(message)
    seconds = int(amount) * _SPANS[unit]
    if seconds > LONGEST_SPAN * _DAY:
        message = f"{text[:20]!r} is too long: at most {LONGEST_SPAN}d"
        raise ValueError(message)
    return seconds


def agreed(text: str) -> Terms:
    """Parse terms: the time for each turn, and optionally the bank, as in ``5m 1h``.

    Raises:
        ValueError: the text is something else; the message explains it in a line.
    """
    words = text.split()
    if not 1 <= len(words) <= 2:
        message = "Type one or two spans of time: 5m or 5m 1h"
        raise ValueError(message)
    turn, bank = (*map(span, words), 0)[:2]
    return Terms(turn=turn, bank=bank)


class Clock:
    """Time left to each seat. A seat's time runs while the game waits for it.

    It reads no clock itself: callers pass the time.
    """

    def __init__(
        self, terms: Terms, left: Mapping[Seat, int], before: Mapping[Seat, Terms] | None = None
    ) -> None:
        """Start with ``left``, the seconds in the banks that are not full.

        ``before`` are the terms of seats whose turn began under earlier ones.
        """
        self.terms = terms
        self._before: dict[Seat, Terms] = dict(before or {})
        """Earlier terms, for seats whose turn began under them.

        They apply until the turn is over.
        """
        self._banks: dict[Seat, float] = {seat: float(bank) for seat, bank in left.items()}
        self._since: dict[Seat, float] = {}
        self._turn: int | None = None
        self._used: dict[Seat, float] = {}
        """Seconds of this turn used by seats for which the game does not wait now."""
        self._is_resting = False
        """True if the game waits for no seat at all, as in a pause or while a seat is free."""

    @property
    def runs(self) -> bool:
        """True if the time of any seat is counted."""
        return self.terms.has_clock or any(terms.has_clock for terms in self._before.values())

    @property
    def before(self) -> Mapping[Seat, Terms]:
        """Terms of seats whose turn began under earlier ones, which apply until it is over."""
        return self._before

    def agree(self, terms: Terms, begun: Iterable[Seat] = ()) -> dict[Seat, int]:
        """Change the terms, for each seat from its next turn on.

        Banks grow or shrink by the difference of the terms. Return the new seconds in each bank
        from which time was used. ``begun`` are seats whose turn has begun, besides those waited
        for.
        """
        more = terms.bank - self.terms.bank
        banks = {seat: max(0.0, bank + more) for seat, bank in self._banks.items()}
        for seat in {*self._since, *self._used, *begun}:
            self._before.setdefault(seat, self.terms)
        self._banks |= {seat: bank for seat, bank in banks.items() if seat not in self._before}
        self.terms = terms
        for seat, earlier in tuple(self._before.items()):
            if (earlier.turn, earlier.bank) == (terms.turn, terms.bank):
                del self._before[seat]
        return {seat: int(bank) for seat, bank in sorted(banks.items())}

    def _terms_of(self, seat: Seat) -> Terms:
        return self._before.get(seat, self.terms)

    def bank(self, seat: Seat) -> float:
        """Return the seconds in a seat's bank, as of the last time it was not running."""
        return self._banks.get(seat, float(self._terms_of(seat).bank))

    def _free(self, seat: Seat) -> float:
        """Return the seconds of a turn that are not charged to the bank."""
        turn = self._terms_of(seat).turn
        return turn if turn or self.bank(seat) else OVERTIME

    def left(self, seat: Seat, now: float) -> float:
        """Return the seconds until a seat is late.

        Outside its turn, those of a whole turn and the bank.

        Infinite if the terms have no clock.
        """
        terms = self._terms_of(seat)
        if not terms.has_clock:
            return math.inf
        used = now - self._since[seat] if seat in self._since else self._used.get(seat, 0.0)
        return self._free(seat) + self.bank(seat) - used

    def next_left(self, seat: Seat) -> float:
        """Return the seconds of the next turn of a seat; infinite if it has no clock."""
        bank = self._next_bank(seat)
        turn = self.terms.turn
        free = turn if turn or bank else OVERTIME
        return free + bank if self.terms.has_clock else math.inf

    def _next_bank(self, seat: Seat) -> float:
        """Return the seconds in a seat's bank once its earlier terms have ended."""
        return max(0.0, self.bank(seat) + self.terms.bank - self._terms_of(seat).bank)

    def wait_for(
        self,
        seats: Iterable[Seat],
        now: float,
        turn: int | None = None,
        *,
        over: Collection[Seat] | None = None,
    ) -> dict[Seat, int]:
        """Run the clocks of these seats from now on; return the banks of seats whose clocks stop.

        Args:
            seats: those whose turn it is.
            now: the time in seconds.
            turn: number of the turn that all seats take together. A seat waited for in two of
                them has the time of each; a seat that takes back its end of turn has the rest of
                it. None: each wait for a seat is a turn of its own, unless the game only rested.
            over: seats whose turn has ended, waited for or not. Their earlier terms end, and one
                that is waited for again begins a turn. None: the seats whose clocks stop.
        """
        wanted = set(seats)
        is_new = turn is None or turn != self._turn
        again = {*(over or ())} if turn == self._turn else wanted
        stopped = self._since.keys() - (wanted - again)
        charged = {seat: self._stop(seat, now) for seat in sorted(stopped)}
        done = stopped if over is None else self._before.keys() & {*over}
        charged |= {seat: self._finish(seat) for seat in sorted(done)}
        if turn is None and (self._is_resting or not wanted):
            for seat in over or ():
                self._used.pop(seat, None)
        elif is_new:
            self._used.clear()
        self._turn, self._is_resting = turn, not wanted
        for seat in wanted - self._since.keys():
            self._since[seat] = now - self._used.get(seat, 0.0)
        return charged

    def _stop(self, seat: Seat, now: float) -> int:
        """Stop the clock of a seat, and return the whole seconds left in its bank."""
        bank, free = self.bank(seat), self._free(seat)
        used = now - self._since.pop(seat)
        # The bank has paid for the excess over ``free``. A seat that was late gets a whole turn
        # again.
        self._used[seat] = min(used, free) if used < free + bank else 0.0
        if self._terms_of(seat).has_clock:
            bank = max(0.0, bank - max(0.0, used - free))
        self._banks[seat] = bank
        return int(bank)

    def _finish(self, seat: Seat) -> int:
        """Let earlier terms of a seat end, and return the whole seconds in its bank."""
        self._banks[seat] = self._next_bank(seat)
        self._before.pop(seat, None)
        return int(self._banks[seat])

    def late(self, now: float) -> tuple[Seat, ...]:
        """Return the seats that have no time left."""
        return tuple(seat for seat in sorted(self._since) if self.left(seat, now) <= 0)

    def next_late(self, now: float) -> float | None:
        """Return the seconds until the first seat is late; None if no time runs."""
        soonest = min((self.left(seat, now) for seat in self._since), default=math.inf)
        return soonest if math.isfinite(soonest) else None


# -- the alarm of one game -------------------------------------------------------------------------


class Timed(Protocol):
    """Game that is played against the clock."""

    @property
    def terms(self) -> Terms:
        """Terms of the clock."""
        ...

    @property
    def owes(self) -> frozenset[Seat]:
        """Seats of people or computers whose turn it is."""
        ...

    @property
    def waited_for(self) -> frozenset[Seat]:
        """Seats of people whose turn it is; empty until all seats are taken, and after the end."""
        ...

    @property
    def timed_turn(self) -> int | None:
        """Number of the turn if all act at once; None if each seat has turns of its own."""
        ...

    def note_left(self, seat: Seat, left: int) -> None:
        """Store the seconds left in a bank."""
        ...

    def note_terms(self, seat: Seat, terms: Terms, left: int) -> None:
        """Store the earlier terms of a running turn, with the seconds left in the bank."""
        ...

    def is_late(self, seat: Seat) -> bool:
        """Let a computer player end the turn of a late seat, or pause the game.

        Return False if the game has no such computer player.
        """
        ...

    def ring_out(self) -> None:
        """Continue after all late seats were handled."""
        ...


class Timing:
    """Runs the clock of one game, with an alarm in the event loop."""

    def __init__(
        self, game: Timed, banks: Mapping[Seat, int], before: Mapping[Seat, Terms]
    ) -> None:
        """Start with ``banks``, the seconds left to seats when the game was closed.

        ``before`` are the terms of seats whose turn began under earlier ones.
        """
        self._game = game
        self._loop = asyncio.get_running_loop()
        self.clock = Clock(game.terms, banks, before)
        self.alarm: asyncio.TimerHandle | None = None
        self._late: set[Seat] = set()
        """Late seats without a computer player."""
        self._ended: set[Seat] = set()
        """Seats whose turn has ended since the last ``wait``."""

    @property
    def runs(self) -> bool:
        """True if the time of any seat is counted."""
        return self.clock.runs

    @property
    def in_words(self) -> str:
        """The agreed times, and that some turn still has earlier ones; empty without a clock."""
        words = self.clock.terms.in_words
        return f"{words or 'no clock'}, from the next turn of each" if self.clock.before else words

    def left(self, seat: Seat) -> float | None:
        """Return the seconds left to a seat now or in its next turn; None without a clock."""
        game = self._game
        if game.timed_turn is not None and seat not in game.owes:
            left = self.clock.next_left(seat)
        else:
            left = self.clock.left(seat, time.monotonic())
        return left if math.isfinite(left) else None

    def bank(self, seat: Seat) -> int:
        """Return the whole seconds in a bank while it is not in use."""
        return int(self.clock.bank(seat))

    def agree(self, terms: Terms) -> None:
        """Change the terms, for each seat from its next turn on.

        The present turn ends under the old terms, so the awaited seats are noted first.
        """
        self.wait()
        earlier = set(self.clock.before)
        banks = self.clock.agree(terms, self._game.owes)
        banks |= {seat: self.bank(seat) for seat in earlier}
        self._note(banks | dict.fromkeys(self.clock.before, 0))

    def end_turns(self, seats: Iterable[Seat]) -> None:
        """Note that the turns of seats have ended; their next ones have the latest terms."""
        self._ended.update(seats)
        self._late -= self._ended

    def _note(self, banks: Mapping[Seat, int]) -> None:
        """Store the seconds in banks, with the earlier terms of a running turn."""
        clock = self.clock
        for seat, left in sorted(banks.items()):
            if (terms := clock.before.get(seat)) is not None:
                self._game.note_terms(seat, terms, self.bank(seat))
            else:
                self._game.note_left(seat, left)

    def wait(self) -> None:
        """Run the clocks of the seats for which the game waits now."""
        waiting = self._game.waited_for - self._late
        now, turn, clock = time.monotonic(), self._game.timed_turn, self.clock
        self._note(clock.wait_for(waiting, now, turn, over=self._ended))
        self._ended.clear()

    def run(self) -> None:
        """Run the clocks of the seats whose turn it is, and set the alarm."""
        self.stop()
        if not self.runs:
            return
        self._late &= self._game.owes
        self.wait()
        due = self.clock.next_late(time.monotonic())
        if due is not None:
            self.alarm = self._loop.call_later(max(0.05, due), self._ring)

    def _ring(self) -> None:
        """Handle the seats that have no time left."""
        for seat in self.clock.late(time.monotonic()):
            if not self._game.is_late(seat):
                self._late.add(seat)  # no stand-in: ignored until the seat has acted
        self._game.ring_out()

    def stop(self) -> None:
        """Cancel the alarm."""
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None
