"""The clock of one hosted game: for whom it runs, and the alarm for who has no time left."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping
from typing import Protocol

from engine.core.ids import Seat
from tui.host.clocks import Clock, Terms


class Timed(Protocol):
    """The game that is played against the clock."""

    @property
    def terms(self) -> Terms:
        """What is agreed on."""
        ...

    @property
    def owes(self) -> frozenset[Seat]:
        """Seats of people or computers that are to act."""
        ...

    @property
    def waited_for(self) -> frozenset[Seat]:
        """Seats of people that are to act; none before everybody has a seat and after the end."""
        ...

    @property
    def timed_turn(self) -> int | None:
        """The number of the turn where all act at once; None: each turn is somebody's own."""
        ...

    def note_left(self, seat: Seat, left: int) -> None:
        """Keep how many seconds of a bank are left."""
        ...

    def is_late(self, seat: Seat) -> bool:
        """Let a computer player take over; whether there is one."""
        ...

    def ring_out(self) -> None:
        """All who are late have been told of: go on."""
        ...


class Timing:
    """Runs the clock in the loop that it was made in."""

    def __init__(self, game: Timed, banks: Mapping[Seat, int]) -> None:
        """``banks``: seconds that were left to seats when the game was put away."""
        self._game = game
        self._loop = asyncio.get_running_loop()
        self.clock = Clock(game.terms, banks)
        self.alarm: asyncio.TimerHandle | None = None
        self._late: set[Seat] = set()
        """Seats that had no time left, where there is no computer player to take over."""

    @property
    def runs(self) -> bool:
        """Whether there is a clock at all."""
        return self.clock.runs

    def left(self, seat: Seat) -> float | None:
        """Seconds that a seat has left; None: no clock."""
        left = self.clock.left(seat, time.monotonic())
        return left if math.isfinite(left) else None

    def agree(self, terms: Terms) -> None:
        """Go by other times from each one's next turn on.

        Whose turn it is now ends it by the old ones, if only by none: note first who that is.
        """
        self.wait()
        for seat, left in self.clock.agree(terms).items():
            self._game.note_left(seat, left)

    def wait(self) -> None:
        """Note for whom the game waits now."""
        waiting = self._game.waited_for - self._late
        now, turn = time.monotonic(), self._game.timed_turn
        for seat, left in self.clock.wait_for(waiting, now, turn).items():
            self._game.note_left(seat, left)

    def run(self) -> None:
        """Wait for who is to act now, and set the alarm."""
        self.stop()
        if not self.runs:
            return
        self._late &= self._game.owes
        self.wait()
        due = self.clock.next_late(time.monotonic())
        if due is not None:
            self.alarm = self._loop.call_later(max(0.05, due), self._ring)

    def _ring(self) -> None:
        """Somebody may have no time left."""
        for seat in self.clock.late(time.monotonic()):
            if not self._game.is_late(seat):
                self._late.add(seat)  # nobody can take over: it rests until the seat has acted
        self._game.ring_out()

    def stop(self) -> None:
        """No alarm any more."""
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None
