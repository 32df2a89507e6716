"""Spans of time as people type them."""

from __future__ import annotations

import argparse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.plain.hosting.clocks import Terms, agreed, span
from tui.ssh.grammar import seconds

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


@given(st.integers(0, 365), st.sampled_from("smhd"))
def test_a_span_is_so_many_of_a_unit(amount: int, unit: str) -> None:
    assert span(f"{amount}{unit}") == span(f"{amount}{unit.upper()}") == amount * UNITS[unit]


@pytest.mark.parametrize(
    "text", ["", "5", "m", "-5m", "1.5h", "5 m", "5w", "٣m", "0x5s", "9" * 10 + "s", "366d"]
)
def test_nonsense_is_no_span_and_is_told_in_a_line(text: str) -> None:
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
def test_a_turn_and_a_bank_are_agreed_on_by_typing_them(text: str, terms: Terms) -> None:
    assert agreed(text) == terms


@pytest.mark.parametrize("text", ["", " ", "1h 2h 3h", "5m soon"])
def test_what_is_no_agreement_is_told_in_a_line(text: str) -> None:
    with pytest.raises(ValueError, match="5m") as fault:
        agreed(text)
    assert "\n" not in str(fault.value)
