"""Speed of a large turn."""

from __future__ import annotations

from time import process_time

import pytest

from engine.core.decision import BaseDecision
from engine.core.dice import Scripted
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.territories import Decision
from engine.rulesets.gd6.turns import close
from tests.rulesets.gd6.crowds import crowded


@pytest.mark.slow
@pytest.mark.rule("GD-TURN-1")
def test_turn_with_500_orders_takes_less_than_60_ms() -> None:
    times = []
    for seed in range(9):
        state = crowded(seed)
        decision: Decision = BaseDecision(state, evolve, Scripted())
        start = process_time()
        close(decision)
        times.append(process_time() - start)
    assert sorted(times)[len(times) // 2] < 0.060
