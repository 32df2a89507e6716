"""The library: its examples are true, and a seat's debugger shows only what the seat may know."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from banneret import debug

SAMPLES = Path(__file__).parents[2] / "saves" / "samples"


def test_debug_examples_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SAMPLES.parents[1])
    result = doctest.testmod(debug)
    assert result.attempted > 5
    assert result.failed == 0


def test_debug_for_a_seat_shows_only_what_it_knows() -> None:
    whole = debug.open(str(SAMPLES / "kaladan-1.bnr"))
    seen = debug.open(str(SAMPLES / "kaladan-1.bnr"), seat=whole.seats[1])
    assert type(seen.at("end")) is not type(whole.at("end"))
    with pytest.raises(debug.Wrong, match="tells what is hidden"):
        seen.ask("heavy")


def test_debug_refuses_missing_saves_and_seats() -> None:
    with pytest.raises(debug.SaveFault, match="nowhere"):
        debug.open("./nowhere.bnr")
    with pytest.raises(debug.Wrong, match="there is no seat 'Nobody'"):
        debug.open(str(SAMPLES / "format-1.bnr"), seat="Nobody")
