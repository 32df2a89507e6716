"""Saves of versions with other rules: they open, and verifying says in words what differs."""

from __future__ import annotations

from pathlib import Path

from engine.core.registry import find
from engine.core.replay import fold
from engine.rulesets.warlords2.state import State
from saves.reader import check, read

FAR_SIDE = Path(__file__).with_name("far_side_of_a_city.bnr")
"""A save of version 0.6.0: its march at the far side of a city leads round the city."""


def test_a_save_decided_by_other_rules_opens_as_it_was_recorded() -> None:
    found = read(FAR_SIDE)
    state = fold(find("warlords2"), found.log.line())
    assert isinstance(state, State)
    assert found.remarks == ()
    assert state.armies[1].at == (4, 1)


def test_verifying_a_save_says_in_words_that_it_was_decided_by_other_rules() -> None:
    checked = check(read(FAR_SIDE))
    assert checked.verdict.divergence is not None
    assert checked.verdict.divergence.place == "1.1"
    assert any("with other rules than this" in remark for remark in checked.remarks)
    assert any("entry 1.1 was decided by those other rules" in line for line in checked.remarks)
