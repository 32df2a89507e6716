"""Clocks, and spans of time as people type them."""

from __future__ import annotations

import argparse
import asyncio
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.core.ids import Seat
from host.server.clocks import Clock, Terms, Timing, agreed, span
from host.ssh.calls import seconds

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


@given(st.integers(0, 365), st.sampled_from("smhd"))
def test_span_is_a_number_and_a_unit(amount: int, unit: str) -> None:
    assert span(f"{amount}{unit}") == span(f"{amount}{unit.upper()}") == amount * UNITS[unit]


@pytest.mark.parametrize(
    "text", ["", "5", "m", "-5m", "1.5h", "5 m", "5w", "٣m", "0x5s", "9" * 10 + "s", "366d"]
)
def test_nonsense_is_refused_as_a_span_in_one_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"span of time|too long") as fault:
        span(text)
    assert "\n" not in str(fault.value)
    with pytest.raises(argparse.ArgumentTypeError, match=r"span of time|too long"):
        seconds(text)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("5m", Terms(turn=300)),
        (" 90s  1h ", Terms(turn=90, bank=3600)),
        ("0 2d", Terms(bank=2 * 86400)),
        ("0", Terms()),
    ],
)
def test_typed_turn_and_bank_become_terms(text: str, terms: Terms) -> None:
    assert agreed(text) == terms


@pytest.mark.parametrize("text", ["", " ", "1h 2h 3h", "5m soon"])
def test_wrong_terms_are_refused_in_one_line(text: str) -> None:
    with pytest.raises(ValueError, match="5m") as fault:
        agreed(text)
    assert "\n" not in str(fault.value)


def test_simultaneous_turn_gives_each_seat_its_time() -> None:
    clock = Clock(Terms(turn=600), {})
    clock.wait_for({0, 1}, 0, 0)
    clock.wait_for({1}, 60, 0)
    clock.wait_for({0, 1}, 590, 1)
    assert clock.left(0, 590) == clock.left(1, 590) == 600
    assert clock.late(1189) == ()
    assert clock.late(1190) == (0, 1)


def test_taking_back_the_end_of_a_turn_gains_no_time() -> None:
    clock = Clock(Terms(turn=600, bank=100), {})
    clock.wait_for({0, 1}, 0, 0)
    clock.wait_for({1}, 590, 0)
    clock.wait_for({0, 1}, 592, 0)
    assert clock.left(0, 592) == 110
    assert clock.wait_for({1}, 622, 0) == {0: 80}
    clock.wait_for({0, 1}, 630, 0)
    assert clock.left(0, 630) == 80
    assert clock.late(711) == (0, 1)


def test_each_wait_is_a_turn_when_seats_act_in_sequence() -> None:
    clock = Clock(Terms(turn=60, bank=30), {})
    clock.wait_for({0}, 0)
    assert clock.wait_for({1}, 70) == {0: 20}
    assert clock.wait_for({0}, 80) == {1: 30}
    assert clock.left(0, 80) == 80


def test_changed_terms_apply_from_the_next_turn_of_each_seat() -> None:
    clock = Clock(Terms(turn=60, bank=30), {})
    clock.wait_for({0}, 0)
    clock.wait_for({1}, 70)
    assert clock.agree(Terms(turn=600, bank=100)) == {0: 90}
    assert clock.left(1, 70) == 90
    assert clock.wait_for({0}, 150) == {1: 80}
    assert clock.left(0, 150) == 600 + 90
    clock.wait_for({1}, 160)
    assert clock.left(1, 160) == 600 + 80


def test_terms_changed_twice_in_a_turn_count_from_the_first() -> None:
    clock = Clock(Terms(turn=60, bank=30), {})
    clock.wait_for({0}, 0)
    clock.agree(Terms(turn=5, bank=500))
    clock.agree(Terms(turn=60, bank=10))
    assert clock.wait_for({1}, 70) == {0: 0}
    assert clock.left(1, 70) == 70


def test_clock_added_during_a_turn_spares_that_turn() -> None:
    clock = Clock(Terms(), {})
    clock.wait_for({0}, 0)
    clock.agree(Terms(turn=60))
    assert clock.runs
    assert clock.late(10_000) == ()
    assert clock.next_late(10_000) is None
    clock.wait_for({1}, 10_000)
    assert clock.next_late(10_000) == 60
    assert clock.bank(0) == 0


def test_removed_clock_runs_to_the_end_of_the_turn() -> None:
    clock = Clock(Terms(turn=60), {})
    clock.wait_for({0}, 0)
    clock.agree(Terms())
    assert clock.late(60) == (0,)
    clock.wait_for({1}, 50)
    assert not clock.runs
    assert clock.next_late(50) is None


# -- the alarm of a game -----------------------------------------------------------------------


class FakeGame:
    """A game of three seats against the clock, which acts as the test says."""

    def __init__(self, *, together: bool) -> None:
        self.together = together
        self.terms = SHORT
        self.owes = frozenset({0, 1, 2} if together else {0})
        self.turn = 0
        self.is_paused = False
        self.begun_with = {0: SHORT, 1: SHORT, 2: SHORT}
        """Model: the terms in force when the present or latest turn of each seat began."""
        self.banks: dict[Seat, int] = {}
        self.before: dict[Seat, Terms] = {}
        self.timing = Timing(self, {}, {})
        self.timing.run()

    @property
    def waited_for(self) -> frozenset[Seat]:
        return frozenset() if self.is_paused else self.owes

    @property
    def timed_turn(self) -> int | None:
        return self.turn if self.together else None

    def note_left(self, seat: Seat, left: int) -> None:
        self.banks[seat] = left
        self.before.pop(seat, None)

    def note_terms(self, seat: Seat, terms: Terms, left: int) -> None:
        self.banks[seat] = left
        self.before[seat] = terms

    def is_late(self, seat: Seat) -> bool:
        raise AssertionError(seat)

    def ring_out(self) -> None:
        raise AssertionError

    def seal(self, seat: Seat) -> None:
        """Let a seat that owes a decision end its turn; the last one ends the turn of all."""
        if seat not in self.owes:
            return
        self.owes -= {seat}
        ended: frozenset[Seat] = frozenset()
        if not self.together:
            ended = frozenset({0, 1, 2})
            self.owes = frozenset({(seat + 1) % 3})
        elif not self.owes:
            ended = self.owes = frozenset({0, 1, 2})
            self.turn += 1
        self.begun_with |= dict.fromkeys(ended & self.owes, self.terms)
        self.timing.end_turns(ended)
        self.timing.run()

    def reopen(self, seat: Seat) -> None:
        """Let a seat take back its end of turn."""
        if self.together:
            self.owes |= {seat}
            self.timing.run()

    def agree(self, terms: Terms) -> None:
        self.timing.agree(terms)
        self.terms = terms
        self.timing.run()

    def pause(self) -> None:
        self.is_paused = not self.is_paused
        self.timing.run()

    def restart(self) -> None:
        self.timing.stop()
        self.timing = Timing(self, dict(self.banks), dict(self.before))
        self.timing.run()

    def check(self) -> None:
        """Compare the time of each seat with the model; no time ever passes."""
        for seat in (0, 1, 2):
            is_next = self.together and seat not in self.owes
            terms = self.terms if is_next else self.begun_with[seat]
            if not self.together and seat not in self.owes:
                continue
            left = terms.turn + terms.bank if terms.has_clock else None
            assert self.timing.left(seat) == left, seat


SHORT = Terms(turn=60, bank=30)
DEEDS = st.one_of(
    st.tuples(st.sampled_from(["seal", "reopen"]), st.integers(0, 2)),
    st.tuples(
        st.just("agree"),
        st.sampled_from([SHORT, Terms(turn=600, bank=1200), Terms(turn=25), Terms(bank=90)]),
    ),
    st.tuples(st.sampled_from(["pause", "restart"])),
)


@given(st.booleans(), st.lists(DEEDS, max_size=24))
@example(True, [("agree", Terms(turn=600)), ("seal", 0), ("seal", 1), ("seal", 2)])
def test_next_turn_of_every_seat_has_the_latest_terms(
    together: bool,
    deeds: list[tuple[Any, ...]],
) -> None:
    async def play() -> None:
        game = FakeGame(together=together)
        for deed, *given_to in deeds:
            getattr(game, deed)(*given_to)
            game.check()
        game.timing.stop()

    with patch("host.server.clocks.time.monotonic", lambda: 1000.0):
        asyncio.run(play())


def test_seat_that_ends_its_turn_and_is_asked_again_begins_one() -> None:
    clock = Clock(SHORT, {})
    clock.wait_for({0}, 0, over=())
    clock.agree(Terms(turn=600))
    assert clock.wait_for({0}, 80, over={0}) == {0: 0}
    assert clock.left(0, 80) == 600


@pytest.mark.parametrize("turn", [None, 3])
def test_rest_of_the_time_is_kept_while_the_game_waits_for_no_seat(turn: int | None) -> None:
    clock = Clock(Terms(turn=25, bank=60), {})
    clock.wait_for({0}, 100, turn, over=())
    clock.wait_for((), 111, turn, over=())
    assert clock.left(0, 300) == 14 + 60
    clock.wait_for({0}, 500, turn, over=())
    assert clock.left(0, 504) == 10 + 60


def test_seat_whose_turn_ends_while_the_game_rests_has_a_whole_turn_next() -> None:
    clock = Clock(Terms(turn=25), {})
    clock.wait_for({0}, 100, over=())
    clock.wait_for((), 111, over=())
    clock.wait_for({1}, 120, over={0})
    clock.wait_for({0}, 130, over={1})
    assert clock.left(0, 130) == 25
