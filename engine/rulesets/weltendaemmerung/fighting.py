"""The Angriffsphase: attacks on units and sieges (sections 7 and 8)."""

from __future__ import annotations

from math import isqrt

from engine.core.refused import Refused
from engine.rulesets.weltendaemmerung.chance import draw
from engine.rulesets.weltendaemmerung.commands import Attack
from engine.rulesets.weltendaemmerung.events import (
    AttackMade,
    BuildingBroken,
    GameWon,
    UnitDestroyed,
)
from engine.rulesets.weltendaemmerung.lookup import (
    COMMANDER,
    Job,
    living,
    need_phase,
    own_unit,
    side_of,
    site_at,
    unit_at,
)
from engine.rulesets.weltendaemmerung.numbers import life_left
from engine.rulesets.weltendaemmerung.refusal import Refusal
from engine.rulesets.weltendaemmerung.state import (
    ATTACK,
    DAILOR,
    ELDOIN,
    NO_SITE,
    Options,
    State,
    Terrain,
    Unit,
)
from engine.rulesets.weltendaemmerung.tables import units_table

WALLS = frozenset({Terrain.WALL, *range(Terrain.WALL_1, Terrain.WALL_8 + 1)})
"""What falls to a siege besides gates; the hard wall does not. Rules: WD-SIEGE-2."""


def is_in_reach(options: Options, reach: int, dx: int, dy: int) -> bool:
    """Whether an offset is in reach of a range.

    ``floor`` takes the whole part of the distance, so range 1 includes the diagonals; ``exact``
    takes the distance itself. Rules: WD-ATT-2.
    """
    square = dx * dx + dy * dy
    if options.reach == "floor":
        return isqrt(square) <= reach
    return square <= reach * reach


def attack(work: Job, order: Attack) -> None:
    """Attack the enemy, or besiege the building, on a tile. Rules: WD-ATT-1, WD-ATT-4, WD-ATT-5.

    Raises:
        Refused: the attack is not allowed; it costs nothing then.
    """
    state, (x, y) = work.state, order.at
    need_phase(state, ATTACK, "Units attack in the Angriffsphase only.", "WD-ATT-1")
    unit = own_unit(state, order.unit)
    if unit.b == 0:
        raise Refused(Refusal.ATTACK_SPENT, "That unit has attacked in this round.", "WD-ATT-1")
    if not state.terrain.has(x, y):
        raise Refused(Refusal.OFF_MAP, "The map ends before that.", "WD-ATT-1")
    if not is_in_reach(state.options, units_table()[unit.type].r, x - unit.x, y - unit.y):
        raise Refused(Refusal.OUT_OF_REACH, "That is out of reach.", "WD-ATT-2")
    victim = unit_at(state, x, y)
    if victim is None and breaks(unit.type, state.terrain[y, x]):
        _besiege(work, unit, x, y)
    elif victim is not None and side_of(victim.type) != state.player:
        _strike(work, unit, victim)
    else:
        raise Refused(Refusal.NO_TARGET, "There is nothing to attack there.", "WD-ATT-4")


def breaks(kind: int, terrain: int) -> bool:
    """Whether a type can break a building, wherever it stands. Rules: WD-SIEGE-1, WD-SIEGE-2."""
    can = units_table()[kind].breaks
    if terrain == Terrain.GATE:
        return "gate" in can
    return terrain in WALLS and "wall" in can


def _strike(work: Job, unit: Unit, victim: Unit) -> None:
    """One hit, without an answer. Rules: WD-ATT-3, WD-ATT-4, WD-ATT-6, WD-ATT-7, WD-NUM-4."""
    index, modifier = draw(work.state, work.dice)
    damage = units_table()[unit.type].a + modifier
    left = life_left(victim.v, damage)
    work.emit(
        AttackMade(
            unit=unit.id,
            victim=victim.id,
            index=index,
            modifier=modifier,
            damage=damage,
            v_left=left,
            b_left=0,
        )
    )
    if left == 0:
        work.emit(UnitDestroyed(unit=victim.id))
        _check_victory(work, victim)


def _check_victory(work: Job, fallen: Unit) -> None:
    """Who wins by a loss. Rules: WD-WIN-1, WD-WIN-2, WD-UNIT-2, WD-WIN-5."""
    if fallen.type == COMMANDER:
        work.emit(GameWon(side=DAILOR, reason="commander"))
    elif side_of(fallen.type) == DAILOR and living(work.state, DAILOR) == 0:
        work.emit(GameWon(side=ELDOIN, reason="annihilation"))


def _besiege(work: Job, unit: Unit, x: int, y: int) -> None:
    """Break a gate or wall, which always succeeds.

    Rules: WD-SIEGE-3, WD-SIEGE-4, WD-SIEGE-5, WD-SIEGE-6.
    """
    state = work.state
    site = NO_SITE
    if state.terrain[y, x] == Terrain.GATE:
        site = _site_to_ruin(state, x, y)
    work.emit(BuildingBroken(unit=unit.id, x=x, y=y, terrain=Terrain.PAVEMENT, site=site, b_left=0))


def _site_to_ruin(state: State, x: int, y: int) -> int:
    if x >= state.frontier:
        raise Refused(Refusal.NOT_YOUR_LAND, "Gates fall only west of the frontier.", "WD-SIEGE-4")
    site = site_at(state, x, y)
    if site is None:
        raise Refused(Refusal.NO_GATE_SITE, "That gate stands on no gate site.", "WD-SIEGE-4")
    if site.ruined:
        raise Refused(Refusal.SITE_RUINED, "That site is ruined already.", "WD-SIEGE-5")
    return site.id
