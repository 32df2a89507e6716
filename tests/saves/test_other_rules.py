"""Saves of versions with other rules open, and verifying explains the difference."""

from __future__ import annotations

from pathlib import Path

from engine.core.registry import find
from engine.core.replay import fold
from engine.rulesets.warlords2.state import State
from saves.reader import check, read

FAR_SIDE = Path(__file__).with_name("far_side_of_a_city.bnr")
"""A save of version 0.6.0 with a march past the far side of a city."""


def test_save_of_other_rules_opens_as_recorded() -> None:
    found = read(FAR_SIDE)
    state = fold(find("warlords2"), found.log.line())
    assert isinstance(state, State)
    assert found.remarks == ()
    assert state.armies[1].at == (4, 1)


def test_verifying_reports_that_a_save_used_other_rules() -> None:
    checked = check(read(FAR_SIDE))
    assert checked.verdict.divergence is not None
    assert checked.verdict.divergence.place == "1.1"
    assert any("with other rules than this" in remark for remark in checked.remarks)
    assert any("entry 1.1 was decided by those other rules" in line for line in checked.remarks)
