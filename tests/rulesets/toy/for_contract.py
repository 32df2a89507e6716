"""Aids for the contract suite: the strengths of bands are hidden."""

from __future__ import annotations

from typing import Any, Final

from engine.core.ids import Seat
from engine.core.record import replace
from tests.contract.aids import Aids, Chance, Ending


def _strengths(state: Any, seat: Seat, chance: Chance) -> Any:
    bands = [band for band in state.bands.values() if band.clan != seat and not band.known]
    if len(bands) < 2:
        return state
    one, other = chance.sample(bands, 2)
    if one.clan != other.clan:
        return state
    swapped = replace(one, strength=other.strength), replace(other, strength=one.strength)
    return replace(state, bands=state.bands.put(*swapped))


AIDS: Final = Aids(
    changes=(_strengths,),
    endings=(Ending(0), Ending(0, limited=True), Ending(1, resigns=5)),
    limits={"rounds": 1},
    rounds=(("melee", {}, "round 2 of 4"),),
)
