"""The Torphase (section 9)."""

from __future__ import annotations

from engine.core.refused import Refused
from engine.rulesets.weltendaemmerung.commands import WorkGate
from engine.rulesets.weltendaemmerung.events import GateOpened, GateShut
from engine.rulesets.weltendaemmerung.lookup import Job, Position, need_phase, site_at
from engine.rulesets.weltendaemmerung.refusal import Refusal
from engine.rulesets.weltendaemmerung.state import DAILOR, ELDOIN, GATES, Terrain


def land_of(position: Position, x: int) -> int:
    """Whose side of the frontier a column is. Rules: WD-GATE-2."""
    return ELDOIN if x < position.frontier else DAILOR


def work_gate(work: Job, order: WorkGate) -> None:
    """Shut an open site, or open a shut one.

    Rules: WD-GATE-1, WD-GATE-2, WD-GATE-3, WD-GATE-4, WD-GATE-5.

    Raises:
        Refused: it is not the phase, not a site, not on the player's land, or ruined.
    """
    state, (x, y) = work.state, order.at
    need_phase(state, GATES, "Gates are worked in the Torphase only.", "WD-GATE-2")
    if not state.terrain.has(x, y):
        raise Refused(Refusal.OFF_MAP, "The map ends before that.", "WD-GATE-2")
    if land_of(state, x) != state.player:
        raise Refused(Refusal.NOT_YOUR_LAND, "That is across the frontier.", "WD-GATE-2")
    site = site_at(state, x, y)
    if site is None:
        raise Refused(Refusal.NO_GATE_SITE, "There is no gate site there.", "WD-GATE-1")
    if site.ruined:
        raise Refused(Refusal.SITE_RUINED, "That site is ruined for ever.", "WD-GATE-5")
    if state.terrain[y, x] == Terrain.GATE:
        open_land = Terrain.PAVEMENT if state.player == ELDOIN else Terrain.MEADOW
        work.emit(GateOpened(site=site.id, x=x, y=y, terrain=open_land))
    else:
        work.emit(GateShut(site=site.id, x=x, y=y, terrain=Terrain.GATE))
