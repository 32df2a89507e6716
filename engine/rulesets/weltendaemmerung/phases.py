"""Order of phases and rounds (section 5), and the gate phase (section 9)."""

from __future__ import annotations

from engine.core.refused import Refused
from engine.kit.grid import Place
from engine.rulesets.weltendaemmerung.commands import Refusal, WorkGate
from engine.rulesets.weltendaemmerung.events import (
    AttacksGiven,
    GameWon,
    GateOpened,
    GateShut,
    PhaseBegan,
    PointsRestored,
    RoundEnded,
)
from engine.rulesets.weltendaemmerung.lookup import Decision, land_of, need_phase, site_at
from engine.rulesets.weltendaemmerung.state import ELDOIN, GATES, Terrain, View

LAST = 6
"""Number of the phase that ends a round; the six phases count from 1. Rules: WD-TURN-2."""

GIVES_ATTACKS = (2, 3)
"""Numbers of the phases after which every unit has one attack. See: WD-TURN-4."""


def end_phase(decision: Decision) -> None:
    """End the phase of the player to move.

    Rules: WD-TURN-1, WD-TURN-3, WD-TURN-4, WD-TURN-5, WD-WIN-3, WD-TURN-6.
    """
    state = decision.state
    ends = 2 * state.phase + state.player + 1
    if ends == LAST:
        decision.emit(PointsRestored())
        decision.emit(RoundEnded(completed=state.completed + 1))
        if decision.state.completed >= state.rounds:
            decision.emit(GameWon(side=ELDOIN, reason="time"))
            return
        ends = 0
    elif ends in GIVES_ATTACKS:
        decision.emit(AttacksGiven())
    decision.emit(PhaseBegan(phase=ends // 2, player=ends % 2))


def work_gate(decision: Decision, order: WorkGate) -> None:
    """Shut an open site, or open a shut one.

    Rules: WD-GATE-1, WD-GATE-2, WD-GATE-3, WD-GATE-4, WD-GATE-5.

    Raises:
        Refused: it is not the gate phase, or the tile has no usable site on the player's land.
    """
    state, (x, y) = decision.state, order.at
    need_phase(state, GATES, "Gates are worked in the gate phase only.", "WD-GATE-2")
    if not state.terrain.has(x, y):
        raise Refused(Refusal.OFF_MAP, "The map ends before that.", "WD-GATE-2")
    if land_of(state, x) != state.player:
        raise Refused(Refusal.NOT_YOUR_LAND, "That is across the frontier.", "WD-GATE-2")
    site = site_at(state, x, y)
    if site is None:
        raise Refused(Refusal.NO_GATE_SITE, "No gate stands there.", "WD-GATE-1")
    if site.ruined:
        raise Refused(Refusal.SITE_RUINED, "That gate is ruined for ever.", "WD-GATE-5")
    if state.terrain[y, x] == Terrain.GATE:
        open_land = Terrain.PAVEMENT if state.player == ELDOIN else Terrain.MEADOW
        decision.emit(GateOpened(site=site.id, x=x, y=y, terrain=open_land))
    else:
        decision.emit(GateShut(site=site.id, x=x, y=y, terrain=Terrain.GATE))


def workable_sites(view: View) -> tuple[Place, ...]:
    """Return the tiles of gate sites that the side to act may work. See: WD-GATE-2, WD-GATE-5."""
    return tuple(
        (site.x, site.y)
        for site in view.sites.values()
        if not site.ruined and land_of(view, site.x) == view.player
    )
