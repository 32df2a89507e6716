"""Losses in fights, as rows of a table."""

from __future__ import annotations

from engine.tabletop.board import NOBODY
from engine.tabletop.fact import LossRow
from tests.toy import events as ev
from tests.toy.canvas import cell_of
from tests.toy.hexes import standing
from tests.toy.state import View


def losses(event: ev.AnyEvent, before: View) -> tuple[LossRow, ...]:
    """Return the loss of a band that falls, with the enemy there as its cause. See: T-FIGHT-3."""
    if not isinstance(event, ev.BandFell):
        return ()
    band = before.bands[event.band]
    at = (band.x, band.y)
    foes = [other.clan for other in standing(before, at) if other.clan != band.clan]
    cause, rule = ("fight", "T-FIGHT-3") if foes else ("retreat", "T-RETREAT-2")
    foe = foes[0] if foes else NOBODY
    place = f"hex {at[0]},{at[1]}"
    return (LossRow(band.clan, f"band {band.id}", cause, 1, foe, place, cell_of(at), rule),)
