"""Clocks, and spans of time as people type them."""

from __future__ import annotations

import argparse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.server.clocks import Clock, Terms, agreed, span
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
