"""Aids for the contract suite: a scenario for a rare option, and short games."""

from __future__ import annotations

from typing import Any, Final

from engine.core.record import replace
from engine.rulesets.weltendaemmerung import events as ev
from tests.contract.aids import Aids, Ending
from tests.rulesets.weltendaemmerung.arena import ARENA, CYCLE


def _battles(event: Any) -> int:
    return int(isinstance(event, ev.AttackMade))


AIDS: Final = Aids(
    battles=_battles,
    option_scenarios=(replace(ARENA, cycle=CYCLE),),
    seeds={"hard": 2},
    weights={"thainfal": 1},
    endings=(Ending(0), Ending(0, limited=True)),
    limits={"rounds": 2},
    rounds=(("ford", {}, "round 1 of 6"),),
)
